import { i18next, loadTexts } from '#client/lib/i18n.ts'
import { counted, formatNumber } from '#client/lib/format.ts'
import { toast } from '#client/lib/toast.ts'
import { api, utils } from '#client/lib/trpc.ts'
import type { Entry } from './queries.ts'

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
  offer(title, `undo-${subject}-${domainId}`, entries, async (ids) => {
    await undo(ids, async () => {
      const { token } = await api.history.previewRevert.mutate({ id: domainId, ids })
      return api.history.revert.mutate({ id: domainId, ids, token })
    })
    await Promise.all([
      utils.history.invalidate(),
      utils.records.invalidate(),
      utils.rulesets.invalidate(),
      utils.ipAccess.list.invalidate(),
      utils.domains.invalidate(),
    ])
  })
}

/** The same for the last change of an account's rules of IP access. */
export async function offerUndoOfAccountChange(accountId: string, title: string): Promise<void> {
  await loadTexts('history')
  const { entries } = await api.history.listOfAccount.query({ id: accountId, limit: mostEntries })
  offer(title, `undo-account-${accountId}`, entries, async (ids) => {
    await undo(ids, async () => {
      const { token } = await api.history.previewRevertOfAccount.mutate({ id: accountId, ids })
      return api.history.revertOfAccount.mutate({ id: accountId, ids, token })
    })
    await Promise.all([utils.history.listOfAccount.invalidate(), utils.ipAccess.listOfAccount.invalidate()])
  })
}

function offer(title: string, toastId: string, entries: readonly Entry[], onUndo: (ids: string[]) => Promise<void>): void {
  const batchId = entries[0]?.batchId ?? null
  const ids = entries.filter((entry) => (batchId === null ? entry === entries[0] : entry.batchId === batchId)).map(({ id }) => id)
  if (ids.length === 0) toast.success(title)
  else toast.undoable(title, i18next.t('history:undo'), () => void onUndo(ids), toastId)
}

async function undo(ids: readonly string[], revert: () => Promise<{ done: number }>): Promise<void> {
  try {
    const { done } = await revert()
    if (done === ids.length) toast.success(i18next.t('history:reverted', counted(done)))
    else toast.warning(i18next.t('history:partly', { done: formatNumber(done), failed: formatNumber(ids.length - done) }))
  } catch (error) {
    toast.failure(error, i18next.t('history:revert_failed'))
  }
}
