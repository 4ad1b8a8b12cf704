import { createFileRoute } from '@tanstack/react-router'
import { AbusePage } from '#client/features/abuse/abuse-page.tsx'
import { parseAbuseSearch } from '#client/features/abuse/search.ts'
import { loadTexts } from '#client/lib/i18n.ts'
import { utils } from '#client/lib/trpc.ts'

export const Route = createFileRoute('/_app/abuse-reports/')({
  validateSearch: parseAbuseSearch,
  // What the accounts lack is stated above the list, which would otherwise move.
  loader: () => Promise.all([loadTexts('abuse-reports'), utils.accounts.list.prefetch({})]),
  component: AbusePage,
})
