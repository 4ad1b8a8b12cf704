import { createFileRoute } from '@tanstack/react-router'
import { OperationPage } from '#client/features/operations/operation-page.tsx'
import { parseItemsSearch } from '#client/features/operations/search.ts'
import { loadTexts } from '#client/lib/i18n.ts'

export const Route = createFileRoute('/_app/operations/$id')({
  validateSearch: parseItemsSearch,
  loader: () => loadTexts('operations', 'security', 'rule-names'),
  component: Operation,
})

function Operation() {
  const { id } = Route.useParams()
  return <OperationPage key={id} id={id} />
}
