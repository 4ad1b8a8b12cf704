import type { Reason } from '#shared/features/monitoring/schema.ts'
import type { Health, Verdict } from './verdict.policy.ts'

const hourMs = 3_600_000
const changesOfFlapping = 4
/** What flapped is believed again when it has stood still for so long. */
export const stableMs = 15 * 60_000

export interface Told {
  readonly health: Health
  readonly reasons: readonly Reason[]
  /** When it changed within the last hour, milliseconds since 1970, oldest first. */
  readonly changes: readonly number[]
}

const isMark = ({ code }: Reason) => code === 'flapping'

/**
 * What is shown and kept of a verdict: a domain that changes four times in an hour is flapping, and is not called well again before it has stood still
 * for a quarter of an hour (R-MON-04).
 */
export function damp(before: Told, verdict: Pick<Verdict, 'health' | 'reasons'>, now: number): Told & { readonly flapping: boolean } {
  const wasFlapping = before.reasons.some(isMark)
  if (verdict.health === 'unknown') return { ...verdict, changes: before.changes, flapping: wasFlapping }
  // Called well but for the flapping, it was well.
  const real = wasFlapping && before.reasons.every(isMark) ? 'ok' : before.health
  const changed = real !== 'unknown' && real !== verdict.health
  const recent = before.changes.filter((at) => now - at < hourMs)
  const changes = changed ? [...recent, now] : recent
  const last = changes.at(-1)
  const flapping = (wasFlapping || changes.length >= changesOfFlapping) && last !== undefined && now - last < stableMs
  if (!flapping) return { ...verdict, changes: wasFlapping ? [] : changes, flapping }
  const mark: Reason = { code: 'flapping', params: { changes: changes.length }, regions: [] }
  return { health: verdict.health === 'ok' ? 'warnings' : verdict.health, reasons: [...verdict.reasons, mark], changes, flapping }
}
