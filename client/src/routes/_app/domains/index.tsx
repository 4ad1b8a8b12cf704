import { createFileRoute, redirect } from '@tanstack/react-router'
import { DomainsPage } from '#client/features/domains/list/domains-page.tsx'
import { prefetchDomains } from '#client/features/domains/list/prefetch-domains.ts'
import { hasFilter, parseDomainsSearch, storedFilter } from '#client/features/domains/list/search.ts'
import { loadTexts } from '#client/lib/i18n.ts'

export const Route = createFileRoute('/_app/domains/')({
  validateSearch: parseDomainsSearch,
  beforeLoad: ({ search }) => {
    const stored = storedFilter.get()
    if (hasFilter(parseDomainsSearch({ ...search })) || !hasFilter(stored)) return
    throw redirect({ to: '/domains', search: { ...search, ...stored }, replace: true })
  },
  loader: async ({ location }) => {
    // The first rows load in parallel with the page's code.
    await Promise.all([prefetchDomains(parseDomainsSearch(location.search)), loadTexts('domains', 'operations')])
  },
  component: DomainsPage,
})
