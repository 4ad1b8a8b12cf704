import type { RegistryAnswer } from '#server/ports/registry.ts'

const [minuteMs, dayMs] = [60_000, 86_400_000]
const weekMs = 7 * dayMs
/** From then on it is looked at daily, until so long after the end. */
const [soonMs, overMs] = [30 * dayMs, 60 * dayMs]

/** How long until a name is asked of again after an answer. */
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

/** After tries in a row without an answer: a quarter of an hour, and twice as long each time, up to a day. */
export const pauseAfterFailures = (failures: number, retryAfterSeconds: number | null): number =>
  Math.max((retryAfterSeconds ?? 0) * 1_000, Math.min(dayMs, 15 * minuteMs * 2 ** Math.min(failures, 8)))
