import { createFileRoute } from '@tanstack/react-router'
import { Overview } from '#client/features/domains/details/overview.tsx'
import { loadTexts } from '#client/lib/i18n.ts'

export const Route = createFileRoute('/_app/domains/$id/')({
  loader: () => loadTexts('history', 'security', 'rule-names'),
  component: ZoneOverview,
})

function ZoneOverview() {
  const { id } = Route.useParams()
  return <Overview id={id} />
}
