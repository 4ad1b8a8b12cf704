import { createFileRoute } from '@tanstack/react-router'
import { RenewalsPage } from '#client/features/registrars/renewals/renewals-page.tsx'
import { loadTexts } from '#client/lib/i18n.ts'

export const Route = createFileRoute('/_app/registrars/renewals')({
  loader: () => loadTexts('registrars', 'operations'),
  component: RenewalsPage,
})
