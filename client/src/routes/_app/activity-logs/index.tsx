import { createFileRoute } from '@tanstack/react-router'
import { ActivityPage } from '#client/features/activity/activity-page.tsx'
import { parseActivitySearch } from '#client/features/activity/search.ts'
import { loadTexts } from '#client/lib/i18n.ts'

export const Route = createFileRoute('/_app/activity-logs/')({
  validateSearch: parseActivitySearch,
  loader: () => loadTexts('activity', 'history', 'security', 'rule-names', 'operations'),
  component: ActivityPage,
})
