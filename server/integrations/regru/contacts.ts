import { phoneOf } from '#server/integrations/registrars/adapter-parts.ts'
import type { RegistrantContact } from '#server/ports/registrar.ts'

/** `+74951234567` in the format required for `.ru`: `+7 495 1234567`, country, city and number with spaces. */
function spacedPhone(phone: string): string {
  const [country = '', number = ''] = phoneOf(phone).split('.')
  return number.length > 7 ? `${country} ${number.slice(0, -7)} ${number.slice(-7)}` : `${country} ${number}`
}

/** Zones `.ru`, `.su` and `.рф` require a person, the others four contacts; additional fields of a zone are in `extra`. */
export function toContacts(name: string, contact: RegistrantContact): Record<string, string> {
  const person = `${contact.firstName} ${contact.lastName}`
  if (/^[^.]+\.(ru|su|xn--p1ai)$/.test(name)) {
    return {
      person,
      country: contact.country,
      e_mail: contact.email,
      phone: spacedPhone(contact.phone),
      p_addr_zip: contact.postalCode,
      p_addr_area: contact.region,
      p_addr_city: contact.city,
      p_addr_addr: contact.address,
      p_addr_recipient: person,
      ...contact.extra,
    }
  }
  const roles = ['o', 'a', 't', 'b'].map((role) => [
    [`${role}_company`, contact.organization ?? 'Private Person'],
    [`${role}_first_name`, contact.firstName],
    [`${role}_last_name`, contact.lastName],
    [`${role}_email`, contact.email],
    [`${role}_phone`, phoneOf(contact.phone)],
    [`${role}_addr`, contact.address],
    [`${role}_city`, contact.city],
    [`${role}_state`, contact.region],
    [`${role}_postcode`, contact.postalCode],
    [`${role}_country_code`, contact.country],
  ])
  return { ...(Object.fromEntries(roles.flat()) as Record<string, string>), ...contact.extra }
}
