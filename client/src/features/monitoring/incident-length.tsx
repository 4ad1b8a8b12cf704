import { useTranslation } from 'react-i18next'
import type { Incident } from '#shared/features/monitoring/reports.ts'
import { useNow } from '#client/lib/format.ts'
import { spanText } from './span-text.ts'

/** How long it lasted, or lasts by now. */
export function IncidentLength({ incident: { openedAt, closedAt } }: { incident: Pick<Incident, 'openedAt' | 'closedAt'> }) {
  useTranslation()
  const now = useNow(30_000)
  return <>{spanText(Date.parse(openedAt), closedAt === null ? Math.max(now, Date.now()) : Date.parse(closedAt))}</>
}
