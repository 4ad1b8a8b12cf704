import { createFileRoute } from '@tanstack/react-router'
import { LookupPage } from '#client/features/domains/lookup/lookup-page.tsx'
import { loadTexts } from '#client/lib/i18n.ts'

export const Route = createFileRoute('/_app/domains/lookup')({
  loader: () => loadTexts('domains', 'operations'),
  component: LookupPage,
})
