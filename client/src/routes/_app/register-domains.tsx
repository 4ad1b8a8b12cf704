import { createFileRoute } from '@tanstack/react-router'
import { BuyingPage } from '#client/features/registrars/buying/buying-page.tsx'
import { parseBuyingSearch } from '#client/features/registrars/buying/search.ts'
import { loadTexts } from '#client/lib/i18n.ts'

export const Route = createFileRoute('/_app/register-domains')({
  validateSearch: parseBuyingSearch,
  loader: () => loadTexts('buying', 'domains', 'registrars'),
  component: BuyingPage,
})
