import { createFileRoute } from '@tanstack/react-router'
import { HistoryTab } from '#client/features/history/history-tab.tsx'
import { loadTexts } from '#client/lib/i18n.ts'

export const Route = createFileRoute('/_app/domains/$id/history')({
  loader: () => loadTexts('history'),
  component: ZoneHistory,
})

function ZoneHistory() {
  const { id } = Route.useParams()
  return <HistoryTab zoneId={id} />
}
