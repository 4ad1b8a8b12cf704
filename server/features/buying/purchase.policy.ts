import type { ErrorCode } from '#shared/errors/codes.ts'

/** Nobody knows whether the registrar took the order. */
export const mayBeTaken: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'registrar_timeout',
  'registrar_unreadable',
  'registrar_unavailable',
  'shutting_down',
])
/** It was not taken, and may be later. */
export const certainlyNotTaken: ReadonlySet<ErrorCode> = new Set<ErrorCode>(['registrar_rate_limited'])

/** An order whose answer was lost shows at the registrar by then, or was not taken. */
export const graceMs = 120_000
/** Registrars that know an order again do so for a day; less, to be sure. */
const knownAgainMs = 20 * 3_600_000
/** Some registries answer after days. */
const pendingMs = 7 * 24 * 3_600_000
/** After so long an order stands in nobody's way, if the name is free. */
export const lapsedMs = 24 * 3_600_000
/** Registrars tell days, each in its own time zone. */
export const ownSinceMs = 48 * 3_600_000

/**
 * An order was sent, and the registrar does not show the name. `send`: again, which it knows. `pending`: it was taken, the registry has not answered.
 * Otherwise it may be sent again after so many seconds, if the name is still free.
 * @param sinceMs since it was sent last
 */
export function afterLoss({
  sinceMs,
  idempotent,
  complete,
}: {
  readonly sinceMs: number
  readonly idempotent: boolean
  readonly complete: boolean
}): 'send' | 'pending' | { readonly waitSeconds: number } {
  if (!complete && sinceMs < pendingMs) return 'pending'
  if (complete && idempotent && sinceMs < knownAgainMs) return 'send'
  return { waitSeconds: Math.max(0, Math.ceil((graceMs - sinceMs) / 1000)) }
}
