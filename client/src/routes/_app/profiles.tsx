import { createFileRoute } from '@tanstack/react-router'
import { ProfilesPage } from '#client/features/profiles/profiles-page.tsx'
import { loadTexts } from '#client/lib/i18n.ts'

export const Route = createFileRoute('/_app/profiles')({
  loader: () => loadTexts('profiles', 'security', 'records', 'rule-names'),
  component: ProfilesPage,
})
