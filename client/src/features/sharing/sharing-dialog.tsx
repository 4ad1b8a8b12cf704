import { type ComponentProps, Suspense } from 'react'
import type { SharedWithMe } from '#shared/features/sharing/schema.ts'
import { loadTexts } from '#client/lib/i18n.ts'
import { lazyPart } from '#client/lib/lazy-part.tsx'

const ShareDialog = lazyPart(async () => ({
  default: (await Promise.all([import('./share-dialog.tsx'), loadTexts('sharing')]))[0].ShareDialog,
}))
const LeaveDialog = lazyPart(async () => ({
  default: (await Promise.all([import('./leave-dialog.tsx'), loadTexts('sharing')]))[0].LeaveDialog,
}))

/** Shares an own resource, or leaves a `shared` one; code and texts are loaded when first opened. */
export function SharingDialog({
  kind,
  shared,
  ...rest
}: ComponentProps<typeof ShareDialog> & { kind: 'share' | 'leave'; shared: SharedWithMe }) {
  return (
    <Suspense>{kind === 'share' ? <ShareDialog {...rest} /> : shared === null ? null : <LeaveDialog shared={shared} {...rest} />}</Suspense>
  )
}
