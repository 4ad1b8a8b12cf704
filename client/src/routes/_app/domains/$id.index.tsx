import { createFileRoute } from '@tanstack/react-router'
import { Overview } from '#client/features/domains/details/overview.tsx'

export const Route = createFileRoute('/_app/domains/$id/')({
  component: ZoneOverview,
})

function ZoneOverview() {
  const { id } = Route.useParams()
  return <Overview id={id} />
}
