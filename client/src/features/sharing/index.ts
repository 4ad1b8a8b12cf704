/** The sharing components for other features. */
export { SharedProvider, useAllowed, useLock, useManyLock } from './lock.ts'
export { SharedMark, useSharedWords } from './shared-mark.tsx'
export { SharingDialog } from './sharing-dialog.tsx'
