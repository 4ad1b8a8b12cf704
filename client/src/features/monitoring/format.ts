import type { WatchedView } from '#shared/features/monitoring/reports.ts'
import type { Domain } from '#shared/features/domains/schema.ts'
import type { Tone } from '#client/ui/display/state-badge.tsx'
import { formatDuration, formatNumber } from '#client/lib/format.ts'
import { uptimePercent } from './domain/uptime-figures.ts'

const [minute, hour, day] = [60, 3600, 86_400]

/** A duration in milliseconds as seconds of its two largest units, each whole: 2 h 5 min is `[7200, 300]`. */
export function spanParts(spanMs: number): readonly number[] {
  const seconds = Math.max(0, Math.round(spanMs / 1000))
  if (seconds < minute) return [seconds]
  if (seconds < hour) return [Math.floor(seconds / minute) * minute]
  const [large, small] = seconds < day ? [hour, minute] : [day, hour]
  const rest = Math.floor((seconds % large) / small) * small
  const whole = Math.floor(seconds / large) * large
  return rest === 0 ? [whole] : [whole, rest]
}

/** `2 h 5 min`: the two largest units. */
export const formatLength = (ms: number): string =>
  spanParts(ms)
    .map((seconds) => formatDuration(seconds))
    .join(' ')

/** 99.98 %; a dash without checks. */
export const formatUptime = (share: number | null): string => (share === null ? '—' : `${formatNumber(uptimePercent(share))} %`)

export const healthTone: Record<Domain['health'], Tone> = { ok: 'good', warnings: 'warn', critical: 'bad', unknown: 'idle' }
/** An incident has only two severities. */
export const severityOf = (health: Domain['health']): 'critical' | 'warnings' => (health === 'critical' ? 'critical' : 'warnings')
export const viewTone: Record<WatchedView['state'], Tone> = { up: 'good', down: 'bad', unknown: 'idle' }

/** The tone of a share of good checks. */
export const uptimeTone = (share: number | null): Tone =>
  share === null ? 'idle' : share >= 0.999 ? 'good' : share >= 0.98 ? 'warn' : 'bad'
