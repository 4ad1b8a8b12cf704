import { AppError } from '#shared/errors/app-error.ts'
import type { ProviderClient } from '#server/integrations/http/provider-client.ts'
import type { BudgetLimit } from '#server/platform/call-budget.policy.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Availability, Money, Quote, ReadinessCheck, RenewalOrder } from '#server/ports/registrar.ts'

/** What an adapter needs beside the access. */
export interface RegistrarContext {
  /** For all calls of the credential. */
  readonly client: ProviderClient
  readonly baseUrl: string
  readonly clock: Clock
  /** For calls that the provider counts separately and more strictly; all processes share each of these limits, too. */
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

/** What the refusal of the first call of a credential is about. @throws what is no refusal */
export function refusedFinding(error: unknown, details: readonly string[] = []): ReadinessCheck {
  if (!(error instanceof AppError)) throw error
  if (error.code === 'registrar_address') return finding('address', 'failed', error, details)
  if (error.code === 'registrar_forbidden') return finding('access', 'failed', error)
  return finding('credentials', error.code === 'registrar_auth' ? 'failed' : 'unknown', error)
}

/** Asks for at most `most` names at the same time. */
export async function inParts<T>(names: readonly string[], most: number, ask: (part: readonly string[]) => Promise<readonly T[]>) {
  const all: T[] = []
  for (let from = 0; from < names.length; from += most) all.push(...(await ask(names.slice(from, from + most))))
  return all
}

/** Name servers as the panel compares them. */
export const toServers = (servers: readonly string[]): readonly string[] =>
  servers.map((server) => server.toLowerCase().replace(/\.$/, '')).toSorted()

/** Null: no time, or one that is not understood. */
export function toDate(text: string): Date | null {
  const date = new Date(text)
  return Number.isNaN(date.getTime()) ? null : date
}

/** @param total null: the provider does not say what the order costs, so that it cannot be ordered */
export const quoteOf = (
  { name, years }: Pick<RenewalOrder, 'name' | 'years'>,
  total: Money | null = null,
  premium = false,
  reference: object | null = null,
): Quote => ({ name, years, total, premium, reference: reference === null ? null : JSON.stringify(reference) })

/** @param terms shortest first; what of them has no price, or one in another currency than the first, is not offered */
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

/** Nothing is notified of the name, or why not. */
export const unavailable = (name: string, code?: string | null, message?: string | null): Availability => ({
  name,
  state: 'unknown',
  code: code ?? null,
  message: message ?? null,
})

/** Country codes of one and of two digits; all others have three. */
const countryCode = /^\+(1|7|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|\d{3})(\d{4,14})$/

/** +74951234567 as registries write it: +7.4951234567. What is no such number stays as it is. */
export const phoneOf = (phone: string): string => phone.replace(/[^+\d]/g, '').replace(countryCode, '+$1.$2')
