import { createFileRoute, redirect } from '@tanstack/react-router'
import { LoginPage } from '#client/features/auth/login-page.tsx'
import { auth } from '#client/lib/auth.ts'
import { loadTexts } from '#client/lib/i18n.ts'
import { utils } from '#client/lib/trpc.ts'

export const Route = createFileRoute('/login')({
  validateSearch: (search): { redirect?: string } => {
    const { redirect: to } = search
    // Only a path of our own: never another origin.
    return typeof to === 'string' && /^\/(?![/\\])/.test(to) ? { redirect: to } : {}
  },
  beforeLoad: ({ search }) => {
    if (auth.get().isAuthenticated) throw redirect({ href: search.redirect ?? '/' })
  },
  // The form is not shown before it is known which one it is: it would change under somebody's hands.
  loader: async () => {
    await Promise.all([loadTexts('auth'), utils.auth.config.ensureData().catch(() => undefined)])
  },
  component: LoginPage,
})
