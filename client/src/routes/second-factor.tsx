import { createFileRoute, redirect } from '@tanstack/react-router'
import { SetUpPage } from '#client/features/two-factor/set-up-page.tsx'
import { auth } from '#client/lib/auth.ts'
import { loadTexts } from '#client/lib/i18n.ts'

export const Route = createFileRoute('/second-factor')({
  // Only a path of this origin.
  validateSearch: ({ redirect: to }): { redirect?: string | undefined } => ({
    redirect: typeof to === 'string' && /^\/(?![/\\])/.test(to) ? to : undefined,
  }),
  beforeLoad: () => {
    if (!auth.get().isAuthenticated) throw redirect({ to: '/login' })
  },
  loader: () => loadTexts('two-factor'),
  component: SetUpPage,
})
