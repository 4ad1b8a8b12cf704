import { createFileRoute } from '@tanstack/react-router'
import { ChangesPage } from '#client/features/activity/changes/changes-page.tsx'
import { parseChangesSearch } from '#client/features/activity/changes/search.ts'
import { loadTexts } from '#client/lib/i18n.ts'
import { utils } from '#client/lib/trpc.ts'

export const Route = createFileRoute('/_app/activity-logs/changes')({
  validateSearch: parseChangesSearch,
  // What the accounts lack is stated above the list, which would otherwise move.
  loader: () => Promise.all([loadTexts('activity', 'provider-changes'), utils.accounts.list.prefetch({})]),
  component: ChangesPage,
})
