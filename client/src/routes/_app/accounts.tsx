import { createFileRoute, redirect } from '@tanstack/react-router'
import { AccountsPage } from '#client/features/accounts/accounts-page.tsx'
import { parseAccountsSearch, storedAccountFilter } from '#client/features/accounts/search.ts'
import { loadTexts } from '#client/lib/i18n.ts'

export const Route = createFileRoute('/_app/accounts')({
  validateSearch: parseAccountsSearch,
  beforeLoad: ({ search, cause }) => {
    const kept = storedAccountFilter.get()
    if (cause === 'enter' && Object.keys(search).length === 0 && Object.keys(kept).length > 0)
      throw redirect({ to: '/accounts', search: kept, replace: true })
  },
  loader: () => loadTexts('accounts', 'domains'),
  component: AccountsPage,
})
