import { i18next, loadTexts } from '#client/lib/i18n.ts'
import { counted, formatNumber } from '#client/lib/format.ts'
import { toast } from '#client/lib/toast.ts'
import { api, utils } from '#client/lib/trpc.ts'
import type { Entry } from './queries.ts'

/** More than a domain has records. */
const mostEntries = 200

/** A change that was made. */
interface Change {
  /** As the mutation has answered; there are no entries if it changed nothing. */
  readonly batchId: string
  readonly title: string
}

/**
 * Offers, in a toast of its own, to undo one change of a domain's records or rules, and nothing that others change meanwhile. What has changed
 * again since is skipped, and the toast reports how much.
 */
export async function offerUndo(domainId: string, change: Change, subject: 'record' | 'rule' | 'ip_rule' = 'record'): Promise<void> {
  await loadTexts('history')
  const { entries } = await api.history.list.query({ id: domainId, subject, source: 'panel', limit: mostEntries })
  offer({ ...change, ownerId: domainId, entries }, async (ids) => {
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

/** The same for a change of an account's rules of IP access. */
export async function offerUndoOfAccount(accountId: string, change: Change): Promise<void> {
  await loadTexts('history')
  const { entries } = await api.history.listOfAccount.query({ id: accountId, limit: mostEntries })
  offer({ ...change, ownerId: accountId, entries }, async (ids) => {
    await undo(ids, async () => {
      const { token } = await api.history.previewRevertOfAccount.mutate({ id: accountId, ids })
      return api.history.revertOfAccount.mutate({ id: accountId, ids, token })
    })
    await Promise.all([utils.history.listOfAccount.invalidate(), utils.ipAccess.listOfAccount.invalidate()])
  })
}

/** The last undo of each domain and account: the preview of the next one must follow it. */
const undos = new Map<string, Promise<void>>()

interface Offer extends Change {
  /** The domain or account. */
  readonly ownerId: string
  /** The newest of them, also those of other changes. */
  readonly entries: readonly Entry[]
}

function offer({ title, batchId, ownerId, entries }: Offer, onUndo: (ids: string[]) => Promise<void>): void {
  const ids = entries.filter((entry) => entry.batchId === batchId).map(({ id }) => id)
  if (ids.length === 0) return toast.success(title)
  const run = (): void => {
    const turn = undos.get(ownerId) ?? Promise.resolve()
    undos.set(
      ownerId,
      turn.then(() => onUndo(ids)),
    )
  }
  return toast.undoable(title, i18next.t('history:undo'), run, `undo-${batchId}`)
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
