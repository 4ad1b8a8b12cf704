import { createFileRoute } from '@tanstack/react-router'
import { ApiTokensSection } from '#client/features/api-tokens/index.ts'
import { MePage } from '#client/features/me/me-page.tsx'
import { TwoFactorSection } from '#client/features/two-factor/index.ts'
import { loadTexts } from '#client/lib/i18n.ts'

export const Route = createFileRoute('/_app/me')({
  loader: () => loadTexts('me'),
  component: Me,
})

function Me() {
  return (
    <MePage>
      <TwoFactorSection />
      <ApiTokensSection />
    </MePage>
  )
}
