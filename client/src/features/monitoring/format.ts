import { formatDuration, formatNumber } from '#client/lib/format.ts'
import { spanParts } from './span-parts.ts'
import { uptimePercent } from './domain/uptime-figures.ts'

/** `2 h 5 min`: the two largest units. */
export const formatLength = (ms: number): string =>
  spanParts(ms)
    .map((seconds) => formatDuration(seconds))
    .join(' ')

/** 99.98 %; nothing where there were no checks. */
export const formatUptime = (share: number | null): string => (share === null ? '–' : `${formatNumber(uptimePercent(share))} %`)
