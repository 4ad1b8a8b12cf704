import { createFileRoute } from '@tanstack/react-router'
import { RecordsTab } from '#client/features/records/records-tab.tsx'
import { loadTexts } from '#client/lib/i18n.ts'

export const Route = createFileRoute('/_app/domains/$id/records')({
  loader: () => loadTexts('records'),
  component: ZoneRecords,
})

function ZoneRecords() {
  const { id } = Route.useParams()
  return <RecordsTab zoneId={id} />
}
