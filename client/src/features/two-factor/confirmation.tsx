import { Suspense } from 'react'
import { confirmation } from '#client/lib/confirmation.ts'
import { lazyPart } from '#client/lib/lazy-part.tsx'

const ConfirmationDialog = lazyPart(async () => (await import('./confirmation-dialog.tsx')).ConfirmationDialog, 'two-factor')

/** The single place that handles authentication requests of any call. */
export function Confirmation() {
  const asking = confirmation.use()
  return <Suspense>{asking === null ? null : <ConfirmationDialog onAnswer={asking.answer} />}</Suspense>
}
