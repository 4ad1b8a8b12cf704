import { createFileRoute } from '@tanstack/react-router'
import { OperationsPage } from '#client/features/operations/operations-page.tsx'
import { parseOperationsSearch } from '#client/features/operations/search.ts'
import { loadTexts } from '#client/lib/i18n.ts'

export const Route = createFileRoute('/_app/operations/')({
  validateSearch: parseOperationsSearch,
  loader: () => loadTexts('operations', 'security'),
  component: OperationsPage,
})
