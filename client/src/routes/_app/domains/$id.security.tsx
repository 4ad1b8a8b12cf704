import { createFileRoute } from '@tanstack/react-router'
import { SecurityTab } from '#client/features/domains/settings/security-tab.tsx'
import { loadTexts } from '#client/lib/i18n.ts'

export const Route = createFileRoute('/_app/domains/$id/security')({
  loader: () => loadTexts('security'),
  component: ZoneSecurity,
})

function ZoneSecurity() {
  const { id } = Route.useParams()
  return <SecurityTab domainId={id} />
}
