import { createFileRoute, redirect } from '@tanstack/react-router'
import { LoginPage } from '#client/features/auth/login-page.tsx'
import { auth } from '#client/lib/auth.ts'
import { loadTexts } from '#client/lib/i18n.ts'
import { utils } from '#client/lib/trpc.ts'

export const Route = createFileRoute('/login')({
  // Only a path of this origin. Set to undefined explicitly, because an omitted parameter would keep its value from the URL.
  validateSearch: ({ redirect: to }): { redirect?: string | undefined } => ({
    redirect: typeof to === 'string' && /^\/(?![/\\])/.test(to) ? to : undefined,
  }),
  beforeLoad: ({ search }) => {
    if (auth.get().isAuthenticated) throw redirect({ href: search.redirect ?? '/' })
  },
  // The form is shown only when its kind is known, so that it does not change while the user types.
  loader: async () => {
    await Promise.all([loadTexts('auth'), utils.auth.config.ensureData().catch(() => undefined)])
  },
  component: LoginPage,
})
