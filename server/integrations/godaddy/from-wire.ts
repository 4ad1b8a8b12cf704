import { AppError } from '#shared/errors/app-error.ts'
import { offered, phoneOf, quoteOf, toDate, toServers, unavailable } from '#server/integrations/registrars/adapter-parts.ts'
import type { Availability, Money, Purchase, PurchaseOrder, Quote, RegisteredName } from '#server/ports/registrar.ts'
import { codeOf, nameOf } from './map-error.ts'
import type * as wire from './wire.ts'

const premiumInventories = new Set(['PREMIUM', 'REGISTRY_PREMIUM'])
export const toName = (held: wire.Held): RegisteredName => ({
  name: held.domain.toLowerCase(),
  status: held.status?.toLowerCase() ?? null,
  createdAt: toDate(held.createdAt ?? ''),
  expiresAt: toDate(held.expiresAt ?? held.expires ?? ''),
  autoRenew: held.autoRenew ?? held.renewAuto ?? null,
  locked: held.transferLock ?? held.locked ?? null,
  privacy: held.privacy ?? null,
  nameServers: held.nameServers === null || held.nameServers === undefined ? null : toServers(held.nameServers),
})

export const isOver = ({ status }: wire.Operation): boolean => status === 'COMPLETED' || status === 'FAILED'

export const idOf = ({ operationId, registrationId }: wire.Operation): string | null =>
  operationId !== null && operationId !== undefined
    ? `operations/${operationId}`
    : registrationId !== null && registrationId !== undefined
      ? `registrations/${registrationId}`
      : null

export function toPurchase(operation: wire.Operation, id: string | null, price: Money | null): Omit<Purchase, 'name'> {
  const complete = operation.status === 'COMPLETED'
  return {
    orderId: complete ? (operation.result?.orderId ?? operation.orderId ?? id) : id,
    charged: priceOf(operation) ?? price,
    complete,
  }
}

/** The price of the term with all fees; null if one of them is in another currency. */
function sumOf(price: { readonly currencyCode: string; readonly value: number }, fees: readonly wire.Fee[]): Money | null {
  if (fees.some(({ fee }) => fee.currencyCode !== price.currencyCode)) return null
  return { minor: fees.reduce((sum, { fee }) => sum + fee.value, price.value), currency: price.currencyCode }
}

export const priceOf = ({ price, fees }: Pick<wire.Operation, 'price' | 'fees'>): Money | null =>
  price === null || price === undefined ? null : sumOf(price, fees ?? [])

export function toQuote({ name, years }: PurchaseOrder, quoted: wire.RegistrationQuote, now: Date): Quote {
  if (!quoted.available) throw new AppError('registrar_name_taken')
  const { quoteToken, requiredAgreements, fees, period, inventory } = quoted
  const reference = {
    quoteToken,
    agreementTypes: (requiredAgreements ?? []).map(({ agreementType }) => agreementType),
    agreedAt: `${now.toISOString().slice(0, 19)}Z`,
    fees: fees ?? [],
  }
  // Without a token nothing can be ordered for this price.
  const total = quoteToken === null || quoteToken === undefined ? null : priceOf(quoted)
  return {
    ...quoteOf({ name, years: period ?? years }, total, premiumInventories.has(inventory ?? ''), reference),
    fees: (fees ?? []).reduce((sum, { fee }) => sum + fee.value, 0),
  }
}

export function toAvailability(name: string, item: wire.Item | undefined): Availability {
  if (item === undefined) return unavailable(name)
  if (item.error !== null && item.error !== undefined) {
    const code = nameOf(item.error)
    const state = codeOf(422, code, item.error.message ?? '') === 'registrar_not_sold' ? 'unsupported' : 'unknown'
    return { name, state, code, message: item.error.message ?? null }
  }
  if (item.available === false) return { name, state: 'taken' }
  if (item.available !== true) return unavailable(name)
  const terms = (item.prices ?? []).toSorted((one, other) => one.period - other.period)
  const [first] = terms
  return offered(
    name,
    terms.map(({ period, price, fees }) => ({ years: period, price: sumOf(price, fees ?? []) })),
    first === undefined ? null : renewalOf(first),
    premiumInventories.has(item.inventory ?? ''),
  )
}

/** Per year of the term. */
const renewalOf = ({ renewalPrice, period }: wire.TermPrice): Money | null =>
  renewalPrice === null || renewalPrice === undefined
    ? null
    : { minor: Math.ceil(renewalPrice.value / period), currency: renewalPrice.currencyCode }

/** Identical in the quote and in the order. Without other contacts the registrant is used for all. */
export function toProfile({ contact, privacy, autoRenew, nameServers }: PurchaseOrder): object {
  const [countryCode = '', nationalNumber = ''] = phoneOf(contact.phone).replace('+', '').split('.')
  const registrant = {
    firstName: contact.firstName,
    lastName: contact.lastName,
    ...(contact.organization === null ? {} : { organization: contact.organization }),
    email: contact.email,
    phone: { countryCode, nationalNumber },
    address: {
      line1: contact.address,
      city: contact.city,
      state: contact.region,
      countryCode: contact.country,
      postalCode: contact.postalCode,
    },
  }
  return { contacts: { registrant }, privacy, autoRenew, ...(nameServers.length === 0 ? {} : { nameServers }) }
}
