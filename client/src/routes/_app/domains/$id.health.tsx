import { createFileRoute } from '@tanstack/react-router'
import { HealthTab } from '#client/features/monitoring/domain/health-tab.tsx'
import { loadTexts } from '#client/lib/i18n.ts'

export const Route = createFileRoute('/_app/domains/$id/health')({
  loader: () => loadTexts('monitoring', 'reasons'),
  component: ZoneHealth,
})

function ZoneHealth() {
  const { id } = Route.useParams()
  return <HealthTab domainId={id} />
}
