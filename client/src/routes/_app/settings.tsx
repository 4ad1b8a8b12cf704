import { createFileRoute } from '@tanstack/react-router'
import { SettingsPage } from '#client/features/settings/settings-page.tsx'
import { parseSettingsSearch } from '#client/features/settings/search.ts'
import { loadTexts } from '#client/lib/i18n.ts'

export const Route = createFileRoute('/_app/settings')({
  validateSearch: parseSettingsSearch,
  loader: () => loadTexts('settings'),
  component: SettingsPage,
})
