import type { Operation } from '#shared/features/operations/schema.ts'

const ofDomains = {
  count: 'common:domains',
  name: 'page.domain',
  search: 'page.search',
  list: 'page.items',
  plan: 'preview.list',
  byState: 'tiles.label',
  noMatch: 'page.empty',
  undo: 'page.undo_one',
  retry: 'page.retry',
  cancel: 'page.cancel_text',
  copyFailed: 'page.copy_failures',
  failedCopied: 'page.copied',
  selected: 'selection.count',
  copy: 'selection.copy',
  copied: 'selection.copied',
  ended: 'toast.counted',
} as const

const ofBatches = {
  count: 'batches.count',
  name: 'batches.name',
  search: 'batches.search',
  list: 'batches.list',
  plan: 'batches.plan',
  byState: 'batches.by_state',
  noMatch: 'batches.no_match',
  undo: 'batches.undo',
  retry: 'batches.retry',
  cancel: 'batches.cancel',
  copyFailed: 'batches.copy_failed',
  failedCopied: 'batches.failed_copied',
  selected: 'batches.selected',
  copy: 'batches.copy',
  copied: 'batches.copied',
  ended: 'batches.ended',
} as const satisfies Record<keyof typeof ofDomains, string>

type Kinds = Pick<Operation, 'kind' | 'undoOfKind'>

/** Whether the items are batches of redirects and not domains; those of an undo are what the undone operation has. */
export const isOfBatches = ({ kind, undoOfKind }: Kinds): boolean => (undoOfKind ?? kind) === 'redirects'

/** The texts about the items of an operation. */
export const itemTexts = (operation: Kinds | undefined): typeof ofDomains | typeof ofBatches =>
  operation !== undefined && isOfBatches(operation) ? ofBatches : ofDomains
