import { loadTexts } from '#client/lib/i18n.ts'
import { lazyPart } from '#client/lib/lazy-part.tsx'

/** What other features show of sharing; the dialogs and their texts come when one is first opened. */
export { SharedThing, useAllowed, useLock, useManyLock } from './lock.ts'
export { SharedMark, useSharedWords } from './shared-mark.tsx'

export const ShareDialog = lazyPart(async () => ({
  default: (await Promise.all([import('./share-dialog.tsx'), loadTexts('sharing')]))[0].ShareDialog,
}))
export const LeaveDialog = lazyPart(async () => ({
  default: (await Promise.all([import('./leave-dialog.tsx'), loadTexts('sharing')]))[0].LeaveDialog,
}))
