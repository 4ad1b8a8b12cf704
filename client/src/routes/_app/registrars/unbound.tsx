import { createFileRoute } from '@tanstack/react-router'
import { UnboundPage } from '#client/features/registrars/unbound/unbound-page.tsx'
import { loadTexts } from '#client/lib/i18n.ts'

export const Route = createFileRoute('/_app/registrars/unbound')({
  loader: () => loadTexts('registrars', 'domains', 'operations'),
  component: UnboundPage,
})
