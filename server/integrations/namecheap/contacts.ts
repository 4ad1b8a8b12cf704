import { domainToUnicode } from 'node:url'
import { AppError } from '#shared/errors/app-error.ts'
import { phoneOf } from '#server/integrations/registrars/adapter-parts.ts'
import type { RegistrantContact } from '#server/ports/registrar.ts'

/** Internationalized names are ordered with a language code, which only the buyer knows; Cyrillic ones are assumed to be Russian. */
export function idnCodeOf(name: string, { extra }: RegistrantContact): Record<string, string> {
  if (!name.startsWith('xn--') || extra['IdnCode'] !== undefined) return {}
  if (/^\p{Script=Cyrillic}/u.test(domainToUnicode(name))) return { IdnCode: 'rus' }
  throw new AppError('registrar_contact', {
    provider: {
      code: 'IdnCode',
      message: 'An internationalized name requires its language as a three-letter code (ger, chi …) in the additional field IdnCode',
    },
  })
}

/** The same person in all four contact types; the phone as +NNN.NNNNNNN. */
export function contacts(contact: RegistrantContact): Record<string, string> {
  const fields = {
    FirstName: contact.firstName,
    LastName: contact.lastName,
    ...(contact.organization === null ? {} : { OrganizationName: contact.organization }),
    Address1: contact.address,
    City: contact.city,
    StateProvince: contact.region,
    PostalCode: contact.postalCode,
    Country: contact.country,
    Phone: phoneOf(contact.phone),
    EmailAddress: contact.email,
  }
  const roles = ['Registrant', 'Tech', 'Admin', 'AuxBilling'].flatMap((role) =>
    Object.entries(fields).map(([field, value]) => [role + field, value]),
  )
  return { ...(Object.fromEntries(roles) as Record<string, string>), ...contact.extra }
}
