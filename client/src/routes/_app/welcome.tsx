import { createFileRoute } from '@tanstack/react-router'
import { WelcomePage } from '#client/features/welcome/welcome-page.tsx'
import { loadTexts } from '#client/lib/i18n.ts'

export const Route = createFileRoute('/_app/welcome')({
  loader: () => loadTexts('welcome'),
  component: WelcomePage,
})
