import { createFileRoute } from '@tanstack/react-router'
import { ZoneFrame } from '#client/features/domains/zone/zone-frame.tsx'
import { loadTexts } from '#client/lib/i18n.ts'

export const Route = createFileRoute('/_app/domains/$id')({
  loader: () => loadTexts('domains', 'zone'),
  component: Zone,
})

function Zone() {
  const { id } = Route.useParams()
  return <ZoneFrame id={id} />
}
