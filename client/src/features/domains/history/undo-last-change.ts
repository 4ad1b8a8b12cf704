import { i18next, loadTexts } from '#client/lib/i18n.ts'
import { counted, formatNumber } from '#client/lib/format.ts'
import { toast } from '#client/lib/toast.ts'
import { api, utils } from '#client/lib/trpc.ts'

/** More than a domain has records. */
const mostEntries = 200

/**
 * Offers, in a toast, to undo the panel's last change of a domain's records or rules. Those that have changed again since are skipped, and the toast
 * reports their number. The toast of a later change replaces it.
 */
export async function offerUndoOfLastChange(
  domainId: string,
  title: string,
  subject: 'record' | 'rule' | 'ip_rule' = 'record',
): Promise<void> {
  await loadTexts('history')
  const { entries } = await api.history.list.query({ id: domainId, subject, source: 'panel', limit: mostEntries })
  const batchId = entries[0]?.batchId ?? null
  const ids = entries.filter((entry) => (batchId === null ? entry === entries[0] : entry.batchId === batchId)).map(({ id }) => id)
  if (ids.length === 0) return toast.success(title)
  return toast.undoable(title, i18next.t('history:undo'), () => void undo(domainId, ids), `undo-${subject}-${domainId}`)
}

async function undo(id: string, ids: string[]): Promise<void> {
  try {
    const { token } = await api.history.previewRevert.mutate({ id, ids })
    const { done } = await api.history.revert.mutate({ id, ids, token })
    if (done === ids.length) toast.success(i18next.t('history:reverted', counted(done)))
    else toast.warning(i18next.t('history:partly', { done: formatNumber(done), failed: formatNumber(ids.length - done) }))
  } catch (error) {
    toast.failure(error, i18next.t('history:revert_failed'))
  }
  await Promise.all([
    utils.history.invalidate(),
    utils.records.invalidate(),
    utils.rulesets.invalidate(),
    utils.ipAccess.list.invalidate(),
    utils.domains.invalidate(),
  ])
}
