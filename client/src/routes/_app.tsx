import { createFileRoute, Outlet, redirect } from '@tanstack/react-router'
import { Shell } from '#client/features/shell/shell.tsx'
import { auth } from '#client/lib/auth.ts'
import { loadTexts } from '#client/lib/i18n.ts'
import { whenLayoutsRead } from '#client/lib/table-layouts.ts'
import { quickAdds } from './-quick-adds.tsx'

export const Route = createFileRoute('/_app')({
  beforeLoad: ({ location }) => {
    if (!auth.get().isAuthenticated) {
      throw redirect({ to: '/login', search: location.pathname === '/' ? {} : { redirect: location.href } })
    }
  },
  loader: async () => {
    await Promise.all([loadTexts('shell', 'failures', 'faults'), whenLayoutsRead()])
  },
  component: App,
})

function App() {
  return (
    <Shell quickAdds={quickAdds}>
      <Outlet />
    </Shell>
  )
}
