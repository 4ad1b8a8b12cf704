import { useTranslation } from 'react-i18next'
import type { Incident } from '#shared/features/monitoring/reports.ts'
import { formatDuration, useNow } from '#client/lib/format.ts'
import { spanParts } from './span-parts.ts'

const lengthOf = (ms: number): string =>
  spanParts(ms)
    .map((seconds) => formatDuration(seconds))
    .join(' ')

/** How long ago something began. */
export function LengthSince({ at }: { at: string }) {
  useTranslation()
  const now = useNow(30_000)
  return <>{lengthOf(Math.max(now, Date.now()) - Date.parse(at))}</>
}

/** How long it lasted, or has lasted so far. */
export function IncidentLength({ incident: { openedAt, closedAt } }: { incident: Pick<Incident, 'openedAt' | 'closedAt'> }) {
  const { t } = useTranslation('monitoring')
  const now = useNow(30_000)
  return closedAt === null ? (
    <>{t('incidents.so_far', { length: lengthOf(Math.max(now, Date.now()) - Date.parse(openedAt)) })}</>
  ) : (
    <>{lengthOf(Date.parse(closedAt) - Date.parse(openedAt))}</>
  )
}
