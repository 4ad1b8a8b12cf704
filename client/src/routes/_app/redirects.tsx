import { createFileRoute } from '@tanstack/react-router'
import { RedirectsPage } from '#client/features/redirects/redirects-page.tsx'
import { parseRedirectsSearch } from '#client/features/redirects/search.ts'
import { loadTexts } from '#client/lib/i18n.ts'

export const Route = createFileRoute('/_app/redirects')({
  validateSearch: parseRedirectsSearch,
  loader: () => loadTexts('redirects'),
  component: RedirectsPage,
})
