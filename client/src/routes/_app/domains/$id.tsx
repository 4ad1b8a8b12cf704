import { createFileRoute } from '@tanstack/react-router'
import { ZoneFrame } from '#client/features/domains/details/zone-frame.tsx'
import { loadTexts } from '#client/lib/i18n.ts'
import { utils } from '#client/lib/trpc.ts'

export const Route = createFileRoute('/_app/domains/$id')({
  loader: async ({ params }) => {
    // The domain loads in parallel with the page's code.
    void utils.domains.full.prefetch({ id: params.id })
    await loadTexts('domains', 'zone')
  },
  component: Zone,
})

function Zone() {
  const { id } = Route.useParams()
  return <ZoneFrame id={id} />
}
