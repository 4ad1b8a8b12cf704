import { AppError } from '#shared/errors/app-error.ts'
import type { ProviderClient } from '#server/integrations/http/provider-client.ts'
import type { BudgetLimit } from '#server/platform/call-budget.policy.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Availability, Money, Quote, ReadinessCheck, RenewalOrder } from '#server/ports/registrar.ts'

/** Dependencies of an adapter besides the credentials. */
export interface RegistrarContext {
  /** For all calls of the credential. */
  readonly client: ProviderClient
  readonly baseUrl: string
  readonly clock: Clock
  /** For calls that the provider counts separately and more strictly; all processes share each of these limits too. */
  readonly limited: (what: string, limit: BudgetLimit) => ProviderClient
}

export const finding = (
  id: ReadinessCheck['id'],
  state: ReadinessCheck['state'],
  error: AppError | null = null,
  details: readonly (string | null | undefined)[] = [],
): ReadinessCheck => ({
  id,
  state,
  code: error?.provider?.code ?? null,
  message: error?.provider?.message ?? null,
  details: details.flatMap((each) => each || []),
})

/**
 * Classifies the refusal of a credential's first call.
 * @throws any error that is no refusal
 */
export function refusedFinding(error: unknown, details: readonly string[] = []): ReadinessCheck {
  if (!(error instanceof AppError)) throw error
  if (error.code === 'registrar_address') return finding('address', 'failed', error, details)
  if (error.code === 'registrar_forbidden') return finding('access', 'failed', error)
  return finding('credentials', error.code === 'registrar_auth' ? 'failed' : 'unknown', error)
}

/** Checks at most `most` names per call. */
export async function inParts<T>(names: readonly string[], most: number, ask: (part: readonly string[]) => Promise<readonly T[]>) {
  const all: T[] = []
  for (let from = 0; from < names.length; from += most) all.push(...(await ask(names.slice(from, from + most))))
  return all
}

/** Name servers in the panel's normal form. */
export const toServers = (servers: readonly string[]): readonly string[] =>
  servers.map((server) => server.toLowerCase().replace(/\.$/, '')).toSorted()

/** Null: missing or unparseable. */
export function toDate(text: string): Date | null {
  const date = new Date(text)
  return Number.isNaN(date.getTime()) ? null : date
}

/** @param total null: the provider does not report the cost of the order, so it cannot be ordered */
export const quoteOf = (
  { name, years }: Pick<RenewalOrder, 'name' | 'years'>,
  total: Money | null = null,
  premium = false,
  reference: object | null = null,
): Quote => ({ name, years, total, premium, reference: reference === null ? null : JSON.stringify(reference) })

/** @param terms shortest first; terms without a price, or in another currency than the first, are not offered */
export function offered(
  name: string,
  [first, ...others]: readonly { readonly years: number; readonly price: Money | null }[],
  renewal: Money | null,
  premium = false,
): Availability {
  const price = first?.price ?? null
  const longer = others.flatMap((term) =>
    term.price === null || term.price.currency !== price?.currency ? [] : [{ years: term.years, price: term.price }],
  )
  return { name, state: 'available', price, renewal, years: first?.years ?? 1, longer, premium }
}

/** No data for the name, or why. */
export const unavailable = (name: string, code?: string | null, message?: string | null): Availability => ({
  name,
  state: 'unknown',
  code: code ?? null,
  message: message ?? null,
})

/** Country calling codes of one and two digits; all others have three. */
const countryCode = /^\+(1|7|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|\d{3})(\d{4,14})$/

/** +74951234567 as registries write it: +7.4951234567. Anything else is unchanged. */
export const phoneOf = (phone: string): string => phone.replace(/[^+\d]/g, '').replace(countryCode, '+$1.$2')
