import { i18next, loadTexts } from '#client/lib/i18n.ts'
import { counted, formatNumber } from '#client/lib/format.ts'
import { inTurn } from '#client/lib/in-turn.ts'
import { toast } from '#client/lib/toast.ts'
import { api, utils, type Outputs } from '#client/lib/trpc.ts'

/** The most that one request returns and one undo takes. */
const perRequest = 200

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
export async function offerUndo(domainId: string, change: Change): Promise<void> {
  await loadTexts('history')
  const page = { id: domainId, batchId: change.batchId, limit: perRequest }
  const ids = await idsOf((cursor) => api.history.list.query({ ...page, cursor }))
  offer({ ...change, ownerId: domainId, ids }, async () => {
    await undo(ids, async (some) => {
      const { token } = await api.history.previewRevert.mutate({ id: domainId, ids: some })
      return api.history.revert.mutate({ id: domainId, ids: some, token })
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
  const page = { id: accountId, batchId: change.batchId, limit: perRequest }
  const ids = await idsOf((cursor) => api.history.listOfAccount.query({ ...page, cursor }))
  offer({ ...change, ownerId: accountId, ids }, async () => {
    await undo(ids, async (some) => {
      const { token } = await api.history.previewRevertOfAccount.mutate({ id: accountId, ids: some })
      return api.history.revertOfAccount.mutate({ id: accountId, ids: some, token })
    })
    await Promise.all([utils.history.listOfAccount.invalidate(), utils.ipAccess.listOfAccount.invalidate()])
  })
}

/** All entries of a change, newest first. */
async function idsOf(read: (cursor: string | undefined) => Promise<Outputs['history']['list']>): Promise<string[]> {
  const ids: string[] = []
  let cursor: string | undefined
  for (;;) {
    const { entries, nextCursor } = await read(cursor)
    ids.push(...entries.map(({ id }) => id))
    if (nextCursor === null) return ids
    cursor = nextCursor
  }
}

interface Offer extends Change {
  /** The domain or account. */
  readonly ownerId: string
  /** Of its entries. */
  readonly ids: readonly string[]
}

function offer({ title, batchId, ownerId, ids }: Offer, onUndo: () => Promise<void>): void {
  if (ids.length === 0) return toast.success(title)
  // The preview of an undo must follow the changes before it.
  const run = (): void => void inTurn(ownerId, onUndo)
  return toast.undoable(title, i18next.t('history:undo'), run, `undo-${batchId}`)
}

async function undo(ids: readonly string[], revert: (ids: string[]) => Promise<{ done: number }>): Promise<void> {
  let done = 0
  try {
    for (let from = 0; from < ids.length; from += perRequest) done += (await revert(ids.slice(from, from + perRequest))).done
    if (done === ids.length) toast.success(i18next.t('history:reverted', counted(done)))
    else toast.warning(i18next.t('history:partly', { done: formatNumber(done), failed: formatNumber(ids.length - done) }))
  } catch (error) {
    toast.failure(error, i18next.t('history:revert_failed'))
  }
}
