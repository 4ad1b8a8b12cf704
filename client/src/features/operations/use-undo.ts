import { useTranslation } from 'react-i18next'
import { findKind } from '#shared/features/operations/registry.ts'
import type { Operation, OperationPreview } from '#shared/features/operations/schema.ts'
import { trpc } from '#client/lib/trpc.ts'
import { isActive, isTrialOver } from './operation-progress.ts'

export const isUndoable = (operation: Operation): boolean =>
  (!isActive(operation) || isTrialOver(operation)) && operation.done > operation.undone && findKind(operation.kind)?.undo === 'whole'

/** Previews the undo of a whole operation, or of some of its domains. */
export function useUndo(onPreview: (preview: OperationPreview) => void): {
  ask: (id: string, positions?: number[]) => void
  busy: boolean
} {
  const { t } = useTranslation('operations')
  const { mutate, isPending } = trpc.operations.previewUndo.useMutation({
    meta: { failure: t('page.undo_failed') },
    trpc: { context: { alone: true } },
    onSuccess: onPreview,
  })
  return { busy: isPending, ask: (id, positions) => mutate({ id, ...(positions && { positions }) }) }
}
