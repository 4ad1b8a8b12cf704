import { createFileRoute } from '@tanstack/react-router'
import { StatusPage } from '#client/features/monitoring/status/status-page.tsx'
import { loadTexts } from '#client/lib/i18n.ts'

export const Route = createFileRoute('/status/$slug')({
  loader: () => loadTexts('status'),
  component: Status,
})

function Status() {
  const { slug } = Route.useParams()
  return <StatusPage slug={slug} />
}
