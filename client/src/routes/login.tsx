import { createFileRoute, redirect } from '@tanstack/react-router'
import { LoginPage } from '#client/features/auth/login-page.tsx'
import { auth } from '#client/lib/auth.ts'
import { loadTexts } from '#client/lib/i18n.ts'
import { utils } from '#client/lib/trpc.ts'

export const Route = createFileRoute('/login')({
  // Only a path of our own, never another origin. Reported as undefined, because what is left out stays as the address had it.
  validateSearch: ({ redirect: to }): { redirect?: string | undefined } => ({
    redirect: typeof to === 'string' && /^\/(?![/\\])/.test(to) ? to : undefined,
  }),
  beforeLoad: ({ search }) => {
    if (auth.get().isAuthenticated) throw redirect({ href: search.redirect ?? '/' })
  },
  // The form is not shown before it is known which one it is: it would change under somebody's hands.
  loader: async () => {
    await Promise.all([loadTexts('auth'), utils.auth.config.ensureData().catch(() => undefined)])
  },
  component: LoginPage,
})
