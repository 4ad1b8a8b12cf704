import { createFileRoute, useLocation } from '@tanstack/react-router'
import { ResetPage } from '#client/features/users/reset-page.tsx'
import { loadTexts } from '#client/lib/i18n.ts'

export const Route = createFileRoute('/reset-password')({
  loader: () => loadTexts('reset'),
  component: Reset,
})

function Reset() {
  const ticket = useLocation({ select: ({ hash }) => hash })
  return <ResetPage key={ticket} ticket={ticket} />
}
