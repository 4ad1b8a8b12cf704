import { useTranslation } from 'react-i18next'
import type { OperationPreview } from '#shared/features/operations/schema.ts'
import { readAgain } from '#client/lib/live-queries.ts'
import { trpc } from '#client/lib/trpc.ts'

/** Previews the undo of a whole operation, or of some of its domains. */
export function useUndo(onPreview: (preview: OperationPreview) => void): {
  ask: (id: string, positions?: number[]) => void
  busy: boolean
} {
  const { t } = useTranslation('operations')
  const { mutate, isPending } = trpc.operations.previewUndo.useMutation({
    meta: { failure: t('page.undo_failed') },
    trpc: { context: { unbatched: true } },
    onSuccess: onPreview,
  })
  return { busy: isPending, ask: (id, positions) => mutate({ id, ...(positions && { positions }) }) }
}

/** Pauses, resumes or otherwise controls an operation; `busy`: such a call is in progress. */
export function useControls() {
  const { t } = useTranslation('operations')
  const options = { meta: { failure: t('page.failed') }, onSettled: () => void readAgain('operations') }
  const pause = trpc.operations.pause.useMutation(options)
  const resume = trpc.operations.resume.useMutation(options)
  const retry = trpc.operations.retryFailed.useMutation(options)
  const cancel = trpc.operations.cancel.useMutation(options)
  const reschedule = trpc.operations.reschedule.useMutation(options)
  return { pause, resume, retry, cancel, reschedule, busy: pause.isPending || resume.isPending || retry.isPending }
}
