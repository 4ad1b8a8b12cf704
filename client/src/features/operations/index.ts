import { lazyPart } from '#client/lib/lazy-part.tsx'

/** The operation components for other features; code is loaded when first shown. */
export { awaitOperation } from './awaited-operations.ts'
export type { BulkTarget } from './bulk-form.ts'
export { OperationsDock } from './operations-dock.tsx'
export { kindNames, kindsOfMenu, kindView, type BulkKind } from './kinds.ts'

const texts = ['operations', 'security', 'rule-names'] as const

export const BulkDialog = lazyPart(async () => (await import('./bulk-dialog.tsx')).BulkDialog, ...texts, 'records')
export const ChangeWarnings = lazyPart(async () => (await import('./change-warnings.tsx')).ChangeWarnings, ...texts)
export const ChangeList = lazyPart(async () => (await import('./change-list.tsx')).ChangeList, ...texts)
export const CodeWords = lazyPart(async () => (await import('./code-words.tsx')).CodeWords, 'operations')
export const VerifyRules = lazyPart(async () => (await import('./verify-rules.tsx')).VerifyRules, 'operations')
export const PreviewDialog = lazyPart(async () => (await import('./preview-dialog.tsx')).PreviewDialog, ...texts)
export const WithOperationWords = lazyPart(async () => (await import('./use-operation-words.ts')).WithOperationWords, ...texts)
export const OperationLine = lazyPart(async () => (await import('./operation-line.tsx')).OperationLine, ...texts)
