import { createFileRoute, redirect } from '@tanstack/react-router'
import { parseUsersSearch } from '#client/features/users/search.ts'
import { UsersPage } from '#client/features/users/users-page.tsx'
import { auth } from '#client/lib/auth.ts'
import { loadTexts } from '#client/lib/i18n.ts'
import { utils } from '#client/lib/trpc.ts'

export const Route = createFileRoute('/_app/users')({
  validateSearch: parseUsersSearch,
  beforeLoad: () => {
    // R-RTE-03; the server denies all of its calls anyway.
    if (auth.get().user?.role !== 'admin') throw redirect({ to: '/domains', replace: true })
  },
  // The registration notice is above the list, so its data loads first.
  loader: () => Promise.all([loadTexts('users'), utils.settings.get.ensureData().catch(() => undefined)]),
  component: UsersPage,
})
