import { createFileRoute } from '@tanstack/react-router'
import { parseTrafficSearch } from '#client/features/domains/traffic/search.ts'
import { TrafficPage } from '#client/features/domains/traffic/traffic-page.tsx'
import { loadTexts } from '#client/lib/i18n.ts'

export const Route = createFileRoute('/_app/domains/traffic')({
  validateSearch: parseTrafficSearch,
  loader: () => loadTexts('traffic', 'domains'),
  component: TrafficPage,
})
