import { useTranslation } from 'react-i18next'
import type { Incident } from '#shared/features/monitoring/reports.ts'
import { formatDuration, useNow } from '#client/lib/format.ts'
import { spanParts } from './span-parts.ts'

/** How long it lasted, or lasts by now. */
export function IncidentLength({ incident: { openedAt, closedAt } }: { incident: Pick<Incident, 'openedAt' | 'closedAt'> }) {
  useTranslation()
  const now = useNow(30_000)
  return (
    <>
      {spanParts((closedAt === null ? Math.max(now, Date.now()) : Date.parse(closedAt)) - Date.parse(openedAt))
        .map((seconds) => formatDuration(seconds))
        .join(' ')}
    </>
  )
}
