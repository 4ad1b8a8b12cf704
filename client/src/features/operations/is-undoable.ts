import { findKind } from '#shared/features/operations/registry.ts'
import type { Operation } from '#shared/features/operations/schema.ts'
import { isTrialOver } from './operation-progress.ts'

export const isUndoable = (operation: Operation): boolean =>
  (operation.finishedAt !== null || isTrialOver(operation)) &&
  (operation.done > operation.undone || operation.partlyDone) &&
  findKind(operation.kind)?.undo === 'whole'
