import { createFileRoute } from '@tanstack/react-router'
import { DomainAbuse } from '#client/features/abuse/domain-abuse.tsx'
import { HealthTab } from '#client/features/monitoring/domain/health-tab.tsx'
import { loadTexts } from '#client/lib/i18n.ts'

export const Route = createFileRoute('/_app/domains/$id/health')({
  loader: () => loadTexts('abuse-reports', 'monitoring', 'reasons'),
  component: ZoneHealth,
})

function ZoneHealth() {
  const { id } = Route.useParams()
  return (
    <>
      <DomainAbuse domainId={id} />
      <HealthTab domainId={id} />
    </>
  )
}
