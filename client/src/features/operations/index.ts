import { loadTexts } from '#client/lib/i18n.ts'
import { lazyPart } from '#client/lib/lazy-part.tsx'

/** The operation components for other features; code is loaded when first shown. */
export { awaitOperation } from './mutations.ts'
export type { BulkTarget } from './bulk-form.ts'
export { kindsOfMenu, kindView, type BulkKind } from './kinds.ts'

const texts = () => loadTexts('operations', 'security')

export const BulkDialog = lazyPart(async () => ({
  default: (await Promise.all([import('./bulk-dialog.tsx'), texts(), loadTexts('records')]))[0].BulkDialog,
}))
export const ChangeWarnings = lazyPart(async () => ({
  default: (await Promise.all([import('./change-warnings.tsx'), texts()]))[0].ChangeWarnings,
}))
export const ChangeList = lazyPart(async () => ({ default: (await Promise.all([import('./change-list.tsx'), texts()]))[0].ChangeList }))
export const PreviewDialog = lazyPart(async () => ({
  default: (await Promise.all([import('./preview-dialog.tsx'), texts()]))[0].PreviewDialog,
}))
export const OperationsDock = lazyPart(async () => ({
  default: (await Promise.all([import('./operations-dock.tsx'), texts()]))[0].OperationsDock,
}))
