import { createFileRoute } from '@tanstack/react-router'
import { RecordsTab } from '#client/features/domains/records/records-tab.tsx'
import { parseRecordsSearch } from '#client/features/domains/records/search.ts'
import { loadTexts } from '#client/lib/i18n.ts'
import { utils } from '#client/lib/trpc.ts'

export const Route = createFileRoute('/_app/domains/$id/records')({
  validateSearch: parseRecordsSearch,
  loader: async ({ params }) => {
    // The records load in parallel with the page's code.
    void utils.records.list.prefetch({ id: params.id })
    await loadTexts('records')
  },
  component: ZoneRecords,
})

function ZoneRecords() {
  const { id } = Route.useParams()
  // Input, selection and open dialogs belong to one domain.
  return <RecordsTab key={id} domainId={id} />
}
