import { createFileRoute } from '@tanstack/react-router'
import { DelegationsPage } from '#client/features/registrars/delegations/delegations-page.tsx'
import { loadTexts } from '#client/lib/i18n.ts'

export const Route = createFileRoute('/_app/registrars/name-servers')({
  loader: () => loadTexts('registrars', 'zone', 'operations'),
  component: DelegationsPage,
})
