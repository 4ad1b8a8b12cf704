import { createRootRoute, Outlet } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { Confirmation } from '#client/features/two-factor/index.ts'
import { loadToasts, toastsWanted } from '#client/lib/toast.ts'
import { Loader } from '#client/ui/feedback/loader.tsx'

const Toasts = lazy(async () => ({ default: (await loadToasts()).Toasts }))
const NotFound = lazy(async () => ({ default: (await import('./-not-found.tsx')).NotFound }))

export const Route = createRootRoute({
  component: Root,
  notFoundComponent: () => (
    <Suspense fallback={<Loader late />}>
      <NotFound />
    </Suspense>
  ),
})

function Root() {
  const toasts = toastsWanted.use()
  return (
    <>
      <Suspense>{toasts ? <Toasts /> : null}</Suspense>
      <Outlet />
      <Confirmation />
    </>
  )
}
