import { createFileRoute } from '@tanstack/react-router'
import { AddressesPage } from '#client/features/addresses/addresses-page.tsx'
import { parseAddressesSearch } from '#client/features/addresses/search.ts'
import { loadTexts } from '#client/lib/i18n.ts'

export const Route = createFileRoute('/_app/addresses')({
  validateSearch: parseAddressesSearch,
  loader: () => loadTexts('addresses'),
  component: AddressesPage,
})
