import type { RegistryAnswer } from '#server/ports/registry.ts'

const [minuteMs, dayMs] = [60_000, 86_400_000]
const weekMs = 7 * dayMs
/** Daily queries start this long before expiry and end this long after it. */
const [soonMs, overMs] = [30 * dayMs, 60 * dayMs]

/** Pause until the name is queried again after a response. */
export function pauseAfter(answer: Exclude<RegistryAnswer, { state: 'unreachable' }>, nowMs: number): number {
  switch (answer.state) {
    case 'not_offered':
      return 30 * dayMs
    case 'not_found':
      return weekMs
    case 'found': {
      if (answer.expiresAt === null) return weekMs
      const leftMs = answer.expiresAt.getTime() - nowMs
      if (leftMs < -overMs) return weekMs
      return Math.min(weekMs, Math.max(dayMs, leftMs - soonMs))
    }
  }
}

/** After consecutive failures: a quarter of an hour, doubling each time, up to a day. */
export const pauseAfterFailures = (failures: number, retryAfterSeconds: number | null): number =>
  Math.max((retryAfterSeconds ?? 0) * 1_000, Math.min(dayMs, 15 * minuteMs * 2 ** Math.min(failures, 8)))
