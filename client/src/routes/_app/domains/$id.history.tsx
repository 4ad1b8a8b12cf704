import { createFileRoute } from '@tanstack/react-router'
import { HistoryTab } from '#client/features/domains/history/history-tab.tsx'
import { parseHistorySearch } from '#client/features/domains/history/search.ts'
import { loadTexts } from '#client/lib/i18n.ts'

export const Route = createFileRoute('/_app/domains/$id/history')({
  validateSearch: parseHistorySearch,
  // Settings have the same labels here as on their own page.
  loader: () => loadTexts('history', 'security', 'rule-names'),
  component: ZoneHistory,
})

function ZoneHistory() {
  const { id } = Route.useParams()
  return <HistoryTab domainId={id} />
}
