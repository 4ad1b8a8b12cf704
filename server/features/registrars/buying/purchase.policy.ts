import type { AppError } from '#shared/errors/app-error.ts'
import type { ErrorCode } from '#shared/errors/codes.ts'
import type { Money } from '#server/ports/registrar.ts'

/** An order whose answer was lost shows at the registrar by then, or was not taken. */
export const graceMs = 120_000
/** Registrars that know an order again do so for a day; less, to be sure. */
export const knownAgainMs = 20 * 3_600_000
/** Some registries answer after days. */
export const pendingMs = 7 * 24 * 3_600_000
/** After so long an order stands in nobody's way, if the name is free. */
export const lapsedMs = 24 * 3_600_000
/** After so long an order that was never sent, and whose operation is paused, stands in no other owner's way. */
export const restsMs = 3_600_000
/** Registrars report days, each in its own time zone. */
export const ownSinceMs = 48 * 3_600_000

const ofTheCredential: ReadonlySet<ErrorCode> = new Set(['registrar_auth', 'registrar_address', 'registrar_forbidden'])
/** It was refused before the registrar looked at the order, and so says nothing of an earlier try, which may have been taken. */
export const isOfTheCredential = ({ code }: AppError): boolean => ofTheCredential.has(code)

/**
 * Whether an order that was sent still stands in the way of another one of its name. Until a registry answers an order that was taken, it may show the name as
 * free.
 */
export const standsInTheWay = ({ sinceMs, complete }: { readonly sinceMs: number; readonly complete: boolean }): boolean =>
  sinceMs <= (complete ? lapsedMs : pendingMs)

/** What the ledger keeps of what was charged: it has one currency a line. */
export const chargedMinorOf = (charged: Money | null, currency: string): number | null =>
  charged?.currency === currency ? charged.minor : null

/**
 * An order was sent, and the registrar does not show the name. `send`: the same request again, which it knows. `pending`: it was taken, the registry has not answered.
 * Otherwise it may be sent again after so many seconds, if the name is still free.
 * @param sinceMs since it was sent last
 * @param repeatable the registrar knows repetitions, and the request is still there to be repeated
 */
export function afterLoss({
  sinceMs,
  repeatable,
  complete,
}: {
  readonly sinceMs: number
  readonly repeatable: boolean
  readonly complete: boolean
}): 'send' | 'pending' | { readonly waitSeconds: number } {
  if (!complete && sinceMs < pendingMs) return 'pending'
  if (complete && repeatable && sinceMs < knownAgainMs) return 'send'
  return { waitSeconds: Math.max(0, Math.ceil((graceMs - sinceMs) / 1000)) }
}
