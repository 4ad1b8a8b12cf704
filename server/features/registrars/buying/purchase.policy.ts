import type { AppError } from '#shared/errors/app-error.ts'
import type { ErrorCode } from '#shared/errors/codes.ts'
import type { Money } from '#server/ports/registrar.ts'

/** After this time, an order with a lost response is either listed by the registrar or was not accepted. */
export const graceMs = 120_000
/** Registrars keep idempotency keys for a day; this leaves a margin. */
export const knownAgainMs = 20 * 3_600_000
/** Some registries respond after days. */
export const pendingMs = 7 * 24 * 3_600_000
/** After this time, a lost order no longer blocks the name if it is available. */
export const lapsedMs = 24 * 3_600_000
/** After this time, an unsent order of a paused operation no longer blocks other owners. */
export const restsMs = 3_600_000
/** Registrars report days, each in its own time zone. */
export const ownSinceMs = 48 * 3_600_000

const ofTheCredential: ReadonlySet<ErrorCode> = new Set(['registrar_auth', 'registrar_address', 'registrar_forbidden'])
/** Whether the refusal happened before the order was examined. It then says nothing about an earlier attempt, which may have been accepted. */
export const isOfTheCredential = ({ code }: AppError): boolean => ofTheCredential.has(code)

/**
 * Whether a sent order still blocks another one of its name. Until a registry completes an accepted order, the name may still look available.
 */
export const standsInTheWay = ({ sinceMs, complete }: { readonly sinceMs: number; readonly complete: boolean }): boolean =>
  sinceMs <= (complete ? lapsedMs : pendingMs)

/** The amount to enter in the ledger, which has one currency per row; null when it was charged in another. */
export const chargedMinorOf = (charged: Money | null, currency: string): number | null =>
  charged?.currency === currency ? charged.minor : null

/**
 * What to do when an order was sent and the registrar does not list the name. `send`: repeat the same request, which is idempotent. `pending`: it was
 * accepted and the registry has not completed it. Otherwise it may be sent again after the returned number of seconds, if the name is still
 * available.
 * @param sinceMs time since the last attempt
 * @param repeatable the registrar has idempotent orders and the request is still stored
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
