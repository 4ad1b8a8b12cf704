import { formatNumber } from '#client/lib/format.ts'
import { uptimePercent } from './uptime-percent.ts'

/** 99.98 %; nothing where there were no checks. */
export const formatUptime = (share: number | null): string => (share === null ? '–' : `${formatNumber(uptimePercent(share))} %`)
