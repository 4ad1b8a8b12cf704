import { NotFoundPage } from '#client/features/shell/not-found-page.tsx'
import { Shell } from '#client/features/shell/shell.tsx'
import { auth } from '#client/lib/auth.ts'
import { quickAdds } from './-quick-adds.tsx'

/** A signed-in user keeps the navigation. */
export function NotFound() {
  return auth.use().isAuthenticated ? (
    <Shell quickAdds={quickAdds}>
      <NotFoundPage />
    </Shell>
  ) : (
    <main>
      <NotFoundPage />
    </main>
  )
}
