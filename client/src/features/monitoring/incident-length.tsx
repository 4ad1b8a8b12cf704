import { useTranslation } from 'react-i18next'
import type { Incident } from '#shared/features/monitoring/reports.ts'
import { useNow } from '#client/lib/format.ts'
import { formatLength } from './format.ts'

/** The time since a start. */
export function LengthSince({ at }: { at: string }) {
  useTranslation()
  const now = useNow(30_000)
  return <>{formatLength(Math.max(now, Date.now()) - Date.parse(at))}</>
}

/** The duration of an incident, or its duration so far. */
export function IncidentLength({ incident: { openedAt, closedAt } }: { incident: Pick<Incident, 'openedAt' | 'closedAt'> }) {
  const { t } = useTranslation('monitoring')
  const now = useNow(30_000)
  return closedAt === null ? (
    <>{t('incidents.so_far', { length: formatLength(Math.max(now, Date.now()) - Date.parse(openedAt)) })}</>
  ) : (
    <>{formatLength(Date.parse(closedAt) - Date.parse(openedAt))}</>
  )
}
