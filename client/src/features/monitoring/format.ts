import type { WatchedView } from '#shared/features/monitoring/reports.ts'
import { causes } from '#shared/features/monitoring/cause.ts'
import type { Domain } from '#shared/features/domains/schema.ts'
import type { Tone } from '#client/ui/display/state-badge.tsx'
import { formatDuration, formatShare } from '#client/lib/format.ts'
import { spanParts, uptimePercent } from './domain/uptime-figures.ts'

/** `2 h 5 min`: the two largest units. */
export const formatLength = (ms: number): string =>
  spanParts(ms)
    .map((seconds) => formatDuration(seconds))
    .join(' ')

/** 99.98%; a dash without checks. */
export const formatUptime = (share: number | null): string => (share === null ? '—' : formatShare(uptimePercent(share) / 100, 2))

export const healthTone: Record<Domain['health'], Tone> = { ok: 'good', warnings: 'warn', critical: 'bad', unknown: 'idle' }
/** An incident has only two severities; what is for review is named as such. */
export const severityOf = (health: Domain['health'], cause: string): 'critical' | 'warnings' | 'changed_outside' | 'abuse_reported' =>
  cause === causes.code('changed_outside')
    ? 'changed_outside'
    : cause === causes.code('abuse_reported')
      ? 'abuse_reported'
      : health === 'critical'
        ? 'critical'
        : 'warnings'
export const viewTone: Record<WatchedView['state'], Tone> = { up: 'good', down: 'bad', unknown: 'idle' }

/** The tone of a share of good checks. */
export const uptimeTone = (share: number | null): Tone =>
  share === null ? 'idle' : share >= 0.999 ? 'good' : share >= 0.98 ? 'warn' : 'bad'
