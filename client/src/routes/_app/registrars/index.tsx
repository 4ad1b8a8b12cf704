import { createFileRoute } from '@tanstack/react-router'
import { RegistrarsPage } from '#client/features/registrars/registrars-page.tsx'
import { parseRegistrarsSearch } from '#client/features/registrars/search.ts'
import { loadTexts } from '#client/lib/i18n.ts'

export const Route = createFileRoute('/_app/registrars/')({
  validateSearch: parseRegistrarsSearch,
  loader: () => loadTexts('registrars'),
  component: RegistrarsPage,
})
