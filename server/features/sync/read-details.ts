import type { Database } from '#server/db/client.ts'
import { hasRead, listDueDetails, postponeDetail, postponePart } from '#server/features/domains/mirror/index.ts'
import type { DetailItem, DetailPart } from '#server/features/domains/mirror/index.ts'
import { AppError } from '#shared/errors/app-error.ts'
import { readDetail } from './read-detail.ts'
import type { SyncRun } from './sync-run.ts'
import { clearRefusal, requestCheck, updateDetailsDue, updateRefused } from './sync.repo.ts'

const fetched = 400
const refillAt = 100
/** After this many refusals in a row the credential lacks the permission, rather than a single zone being special. */
const refusalsInARow = 10
const partPutOffSeconds = 6 * 3600
/** After this many failures in a row the provider counts as unavailable. */
const failuresInARow = 20
const pauseSeconds = 60

const keyOf = (item: DetailItem) => `${item.part} ${item.id}`

/** The queue of details to read, in order. Details being read, or not yet written, are not returned again. */
function createQueue({ services, account, onWanted, signal }: SyncRun) {
  let items: DetailItem[] = []
  const taken = new Set<string>()
  /** A fetch in progress may still see these as due. */
  const doneMeanwhile = new Set<string>()
  let exhausted = false
  let refilling: Promise<void> | null = null
  let orderChanged = false

  async function fetchMore(): Promise<void> {
    orderChanged = false
    doneMeanwhile.clear()
    const limit = fetched + taken.size
    const due = await listDueDetails(services.db, account.id, limit)
    exhausted = due.length < limit
    items = due.filter((item) => !taken.has(keyOf(item)) && !doneMeanwhile.has(keyOf(item)))
  }
  const refill = () => (refilling ??= fetchMore().finally(() => (refilling = null)))
  onWanted(() => {
    orderChanged = true
    exhausted = false
  })
  return {
    /** Null when nothing is left. */
    async next(): Promise<DetailItem | null> {
      signal.throwIfAborted()
      if (orderChanged || (items.length <= refillAt && !exhausted)) {
        const more = refill()
        if (items.length === 0 || orderChanged) await more
        else more.catch(() => undefined)
      }
      const item = items.shift()
      if (item === undefined) return null
      taken.add(keyOf(item))
      return item
    },
    done(item: DetailItem) {
      taken.delete(keyOf(item))
      if (refilling !== null) doneMeanwhile.add(keyOf(item))
    },
    /** Removes the details of a postponed part. */
    drop(part: DetailPart) {
      items = items.filter((item) => item.part !== part)
    },
  }
}

/** Postpones one part for a whole account because its credential may not read it. */
const refusePart = (db: Database, accountId: string, part: DetailPart): Promise<void> =>
  db.orm.transaction(async (tx) => {
    await postponePart(tx, accountId, part, partPutOffSeconds)
    await updateRefused(tx, accountId, part)
  })

/** Reads records and settings of the account's zones that were never read or have changed, until none is due. */
export async function readDetails(run: SyncRun): Promise<void> {
  const { services, account, publisher, writer, options, signal } = run
  const queue = createQueue(run)
  const callsEnd = AbortSignal.any([signal, run.hurry])
  const refusals: Record<DetailPart, number> = { records: 0, settings: 0 }
  let failures = 0
  let refused = account.detailsRefused
  let paused = false
  let ended = false
  const writes = new Set<Promise<void>>()

  async function afterFailure(item: DetailItem, error: unknown): Promise<void> {
    if (!(error instanceof AppError) || !error.code.startsWith('provider_')) throw error
    services.log.debug({ accountId: account.id, zone: item.id, part: item.part, code: error.code }, 'failed to read zone details')
    if (error.code === 'provider_auth' || error.code === 'provider_forbidden') {
      refusals[item.part] += 1
      if (refusals[item.part] === refusalsInARow) {
        queue.drop(item.part)
        await refusePart(services.db, account.id, item.part)
        refused = item.part
        // A missing permission has the same code as a revoked key, so a check is requested.
        if (error.code === 'provider_auth' || error.provider?.code === '10000') await requestCheck(services.db.orm, account.id)
      }
    } else if (error.code !== 'provider_not_found' && error.code !== 'provider_rejected') {
      failures += 1
      if (failures >= failuresInARow) paused = true
    }
    await postponeDetail(services.db, item)
  }

  async function reader(): Promise<void> {
    while (!paused && !run.yielding()) {
      const item = await queue.next()
      if (item === null) {
        ended = true
        return
      }
      try {
        const read = await readDetail(run.connection, item, { priority: 'sync', signal: callsEnd })
        refusals[item.part] = 0
        if (refused === item.part) {
          refused = null
          await clearRefusal(services.db, account.id)
        }
        failures = 0
        const { room, written } = writer.add(read)
        const write = written.then(() => {
          writes.delete(write)
          queue.done(item)
          publisher.publish('domains', account)
          publisher.publish('accounts', account)
        })
        writes.add(write)
        await room
      } catch (error) {
        if (signal.aborted) throw error
        if (run.hurry.aborted) return
        await afterFailure(item, error)
        queue.done(item)
      }
    }
  }

  const guarded = () =>
    reader().catch((error: unknown) => {
      paused = true
      throw error
    })
  try {
    const ends = await Promise.allSettled(Array.from({ length: options.callsPerAccount }, guarded))
    for (const end of ends) if (end.status === 'rejected') throw end.reason
    // A reading counts only once it is written.
    await Promise.all(writes)
    // An account may have too few zones for that many refusals; if the part was never read at all, the credential is the reason too.
    for (const part of ['records', 'settings'] as const) {
      if (!ended || refusals[part] === 0 || refusals[part] >= refusalsInARow || (await hasRead(services.db, account.id, part))) continue
      await refusePart(services.db, account.id, part)
    }
  } finally {
    await Promise.all(writes)
    await updateDetailsDue(services.db, account.id, paused && !signal.aborted ? pauseSeconds : 0)
    publisher.publish('accounts', account)
  }
}
