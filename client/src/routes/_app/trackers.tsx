import { createFileRoute } from '@tanstack/react-router'
import { parseTrackersSearch } from '#client/features/trackers/search.ts'
import { TrackersPage } from '#client/features/trackers/trackers-page.tsx'
import { loadTexts } from '#client/lib/i18n.ts'

export const Route = createFileRoute('/_app/trackers')({
  validateSearch: parseTrackersSearch,
  loader: () => loadTexts('trackers', 'domains', 'operations'),
  component: TrackersPage,
})
