import { i18next, loadTexts } from '#client/lib/i18n.ts'
import { counted, formatNumber } from '#client/lib/format.ts'
import { toast } from '#client/lib/toast.ts'
import { api, utils } from '#client/lib/trpc.ts'
import type { Entry } from './queries.ts'

/** More than a domain has records. */
const mostEntries = 200

/** Whether a change concerns this record, rule or phase. */
type IsChanged = (key: string) => boolean
const isAny: IsChanged = () => true

/**
 * Offers, in a toast of its own, to undo the panel's last change of a domain's records or rules. What has changed again since is skipped, and the
 * toast reports how much. Resolves once the change is found in the history: wait for that before the next change is sent.
 */
export async function offerUndoOfLastChange(
  domainId: string,
  title: string,
  subject: 'record' | 'rule' | 'ip_rule' = 'record',
  isChanged = isAny,
): Promise<void> {
  await loadTexts('history')
  const { entries } = await api.history.list.query({ id: domainId, subject, source: 'panel', limit: mostEntries })
  offer({ title, ownerId: domainId, entries, isChanged }, async (ids) => {
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
export async function offerUndoOfAccountChange(accountId: string, title: string, isChanged = isAny): Promise<void> {
  await loadTexts('history')
  const { entries } = await api.history.listOfAccount.query({ id: accountId, limit: mostEntries })
  offer({ title, ownerId: accountId, entries, isChanged }, async (ids) => {
    await undo(ids, async () => {
      const { token } = await api.history.previewRevertOfAccount.mutate({ id: accountId, ids })
      return api.history.revertOfAccount.mutate({ id: accountId, ids, token })
    })
    await Promise.all([utils.history.listOfAccount.invalidate(), utils.ipAccess.listOfAccount.invalidate()])
  })
}

/** The last undo of each domain and account: the preview of the next one must follow it. */
const undos = new Map<string, Promise<void>>()

interface Offer {
  readonly title: string
  /** The domain or account. */
  readonly ownerId: string
  /** The newest first. */
  readonly entries: readonly Entry[]
  readonly isChanged: IsChanged
}

function offer({ title, ownerId, entries, isChanged }: Offer, onUndo: (ids: string[]) => Promise<void>): void {
  const last = entries.find(({ key }) => isChanged(key))
  if (last === undefined) return toast.success(title)
  const isOfCall = (entry: Entry) => (last.batchId === null ? entry === last : entry.batchId === last.batchId)
  const ids = entries.filter(isOfCall).map(({ id }) => id)
  const run = (): void => {
    const turn = undos.get(ownerId) ?? Promise.resolve()
    undos.set(
      ownerId,
      turn.then(() => onUndo(ids)),
    )
  }
  return toast.undoable(title, i18next.t('history:undo'), run, `undo-${last.id}`)
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
