import { createFileRoute } from '@tanstack/react-router'
import { DomainPage } from '#client/features/domains/domain-page.tsx'
import { loadTexts } from '#client/lib/i18n.ts'

export const Route = createFileRoute('/_app/domains/$id')({
  loader: () => loadTexts('domains'),
  component: DomainPage,
})
