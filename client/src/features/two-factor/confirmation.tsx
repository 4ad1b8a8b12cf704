import { Suspense } from 'react'
import { confirmation } from '#client/lib/confirmation.ts'
import { loadTexts } from '#client/lib/i18n.ts'
import { lazyPart } from '#client/lib/lazy-part.tsx'

const ConfirmationDialog = lazyPart(async () => ({
  default: (await Promise.all([import('./confirmation-dialog.tsx'), loadTexts('two-factor')]))[0].ConfirmationDialog,
}))

/** The single place that handles authentication requests of any call. */
export function Confirmation() {
  const asking = confirmation.use()
  return <Suspense>{asking === null ? null : <ConfirmationDialog onAnswer={asking.answer} />}</Suspense>
}
