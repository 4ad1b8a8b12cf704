import { createFileRoute } from '@tanstack/react-router'
import { loadTexts } from '#client/lib/i18n.ts'

export const Route = createFileRoute('/_app/domains/')({
  loader: () => loadTexts('domains'),
  component: () => null,
})
