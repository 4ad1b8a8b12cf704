import { type ComponentProps, Suspense } from 'react'
import type { SharedWithMe } from '#shared/features/sharing/schema.ts'
import { lazyPart } from '#client/lib/lazy-part.tsx'

const ShareDialog = lazyPart(async () => (await import('./share-dialog.tsx')).ShareDialog, 'sharing')
const LeaveDialog = lazyPart(async () => (await import('./leave-dialog.tsx')).LeaveDialog, 'sharing')

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
