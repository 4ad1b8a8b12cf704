import { soonBeforeMs } from '#shared/expires-soon.ts'
import type { Certificate } from '#shared/features/domains/settings/schema.ts'
import { endsSoonDays } from '#shared/features/domains/settings/rules.ts'
import type { Tone } from '#client/ui/display/state-badge.tsx'

const dayMs = 86_400_000

export interface CertificateTimes {
  /** The start; null if its lifetime or expiry is unknown. */
  fromMs: number | null
  toMs: number | null
  /** Whole days until the expiry, negative after it. */
  daysLeft: number | null
  tone: Tone
}

export function timesOf({ state, expiresAt, validityDays }: Certificate, nowMs: number): CertificateTimes {
  const toMs = expiresAt === null ? null : Date.parse(expiresAt)
  const daysLeft = toMs === null ? null : Math.floor((toMs - nowMs) / dayMs)
  const over = state === 'expired' || (daysLeft !== null && daysLeft < 0)
  const soonMs = soonBeforeMs(validityDays === null ? null : validityDays * dayMs, endsSoonDays)
  return {
    fromMs: toMs === null || validityDays === null ? null : toMs - validityDays * dayMs,
    toMs,
    daysLeft,
    tone: over
      ? 'bad'
      : state === 'active'
        ? toMs !== null && toMs - nowMs < soonMs
          ? 'warn'
          : 'good'
        : state === 'other'
          ? 'warn'
          : 'info',
  }
}

export interface Timeline {
  fromMs: number
  toMs: number
  /** A few starts of months. */
  months: number[]
}

/** Bars beyond this distance are cut: a certificate of several years would leave no room for the others. */
const farDays = { before: 370, after: 740 }
const mostMonths = 5

/** The period that includes all certificates and today. */
export function timelineOf(times: readonly CertificateTimes[], nowMs: number): Timeline {
  const near = (ms: number): number => Math.min(Math.max(ms, nowMs - farDays.before * dayMs), nowMs + farDays.after * dayMs)
  const known = times.flatMap(({ fromMs, toMs }) => [fromMs, toMs]).filter((ms) => ms !== null)
  const first = Math.min(nowMs - 10 * dayMs, ...known.map(near))
  const last = Math.max(nowMs + 30 * dayMs, ...known.map(near))
  const margin = (last - first) * 0.02
  const [fromMs, toMs] = [first - margin, last + margin]
  const start = new Date(fromMs)
  const starts: number[] = []
  for (let month = 1; ; month += 1) {
    const ms = new Date(start.getFullYear(), start.getMonth() + month, 1).getTime()
    if (ms > toMs) break
    starts.push(ms)
  }
  const step = Math.ceil(starts.length / mostMonths)
  return { fromMs, toMs, months: starts.filter((_, index) => index % step === 0) }
}

/** The position of a time between both ends in percent; clamped to the ends. */
export const placeOf = ({ fromMs, toMs }: Timeline, ms: number): number =>
  Math.min(100, Math.max(0, ((ms - fromMs) / (toMs - fromMs)) * 100))
