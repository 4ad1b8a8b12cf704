import { createFileRoute } from '@tanstack/react-router'
import { GroupsPage } from '#client/features/groups/groups-page.tsx'
import { parseGroupsSearch } from '#client/features/groups/search.ts'
import { loadTexts } from '#client/lib/i18n.ts'

export const Route = createFileRoute('/_app/groups')({
  validateSearch: parseGroupsSearch,
  loader: () => loadTexts('groups'),
  component: GroupsPage,
})
