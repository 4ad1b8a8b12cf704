import { createRootRoute, Outlet } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { ConfirmationDialog } from '#client/features/two-factor/index.ts'
import { confirmation } from '#client/lib/confirmation.ts'
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
  const asking = confirmation.use()
  return (
    <>
      <Suspense>{toasts ? <Toasts /> : null}</Suspense>
      <Outlet />
      <Suspense>{asking === null ? null : <ConfirmationDialog onAnswer={asking.answer} />}</Suspense>
    </>
  )
}
