import { whileLocked } from '#server/db/advisory-locks.ts'
import type { Queryable } from '#server/db/client.ts'
import type { Services } from '#server/platform/context.ts'
import { runLoop } from '#server/platform/run-loop.ts'
import type { TrackedDomain } from '#server/ports/ad-tracker.ts'
import { AppError } from '#shared/errors/app-error.ts'
import { resolveLostBindings } from './resolve-lost-bindings.ts'
import { adoptByName, finishListing, requestEarlierSync, listDue, upsertDomains } from './tracker-domains.repo.ts'
import { accessOf } from './tracker-key.ts'
import { lockAsked, updateFindings } from './trackers.repo.ts'
import type { TrackerRow } from './trackers.repo.ts'

/** Reads due tracker lists in this process, shared with other processes. Returns a function that stops it. */
export function startTrackerSync(services: Services): () => Promise<void> {
  return runLoop(services, { name: 'trackers', everyMs: 5_000 }, (signal) => syncDueTrackers(services, signal)).stop
}

/** Many domains are changed in a row and read together; by then the tracker has checked them too. */
const rereadMs = 60_000

/** Stores what a tracker just reported about one of its domains, and schedules a full reading soon. One domain per transaction. */
export async function noteDomain(ctx: Pick<Services, 'clock'>, db: Queryable, trackerId: string, domain: TrackedDomain): Promise<void> {
  const now = ctx.clock.now()
  // Lock the tracker before its domains, as the reading of the whole list does.
  await requestEarlierSync(db, trackerId, new Date(now + rereadMs))
  await upsertDomains(db, trackerId, [domain], new Date(now))
}

const everyMs = 15 * 60_000
const maxConcurrent = 4

/** After consecutive failures: two minutes, doubling each time, up to six hours. */
const pauseMs = (failures: number): number => Math.min(6 * 3_600_000, 120_000 * 2 ** Math.min(failures, 10))

/**
 * Reads a tracker's whole list and resolves its own address. Everything is written in one transaction: a partial list removes no domains, and a
 * process that dies leaves the tracker due.
 */
async function syncDomains(services: Services, row: TrackerRow, signal: AbortSignal): Promise<void> {
  const { id } = row
  const startedAt = new Date(services.clock.now())
  try {
    const access = accessOf(services.secrets, row)
    if (!(await updateFindings(services.db.orm, row, { syncing: true }))) return
    await services.events.publish(services.db.orm, row.ownerId, 'trackers')
    const [domains, foundAddresses] = await Promise.all([
      services.trackers.connect(access).listDomains({ priority: 'sync', signal }),
      services.trackers.findAddresses(access.url),
    ])
    signal.throwIfAborted()
    await services.db.orm.transaction(async (tx) => {
      if (!(await lockAsked(tx, row))) throw new Superseded()
      await upsertDomains(tx, id, domains, startedAt)
      const domainsCount = await finishListing(tx, id, startedAt)
      await adoptByName(tx, id)
      await resolveLostBindings(services, tx, row)
      const now = services.clock.now()
      await updateFindings(tx, row, {
        domainsCount,
        // When DNS does not respond, the earlier addresses are kept.
        ...(foundAddresses.length === 0 ? {} : { foundAddresses: [...foundAddresses] }),
        syncedAt: new Date(now),
        syncing: false,
        syncErrorCode: null,
        syncErrorMessage: null,
        syncFailures: 0,
        nextSyncAt: new Date(now + everyMs),
      })
      await services.events.publish(tx, row.ownerId, 'trackers')
    })
  } catch (error) {
    if (!(error instanceof Superseded)) await writeFailure(services, row, error, signal.aborted)
  }
}

/** Another address or key was set in the meantime: the result belongs to another tracker and is discarded. */
class Superseded extends Error {}

async function writeFailure(services: Services, row: TrackerRow, error: unknown, stopped: boolean): Promise<void> {
  const known = error instanceof AppError ? error : null
  if (known === null && !stopped) services.log.error({ err: error, tracker: row.id }, 'failed to sync a tracker')
  const failure = {
    syncErrorCode: known?.code ?? 'internal',
    syncErrorMessage: known?.provider?.message ?? null,
    syncFailures: row.syncFailures + 1,
    nextSyncAt: new Date(services.clock.now() + pauseMs(row.syncFailures)),
  }
  await services.db.orm.transaction(async (tx) => {
    const written = await updateFindings(tx, row, { syncing: false, ...(stopped ? {} : failure) })
    if (written) await services.events.publish(tx, row.ownerId, 'trackers')
  })
}

/** Reads due trackers, several concurrently and none by two processes; returns when none is due. */
export async function syncDueTrackers(services: Services, signal: AbortSignal): Promise<void> {
  for (;;) {
    const due = await listDue(services.db.orm, new Date(services.clock.now()), maxConcurrent)
    if (due.length === 0 || signal.aborted) return
    const rows = new Map(due.map((row) => [row.id, row]))
    const read = async (id: string, lost: AbortSignal) => {
      const row = rows.get(id)
      if (row !== undefined) await syncDomains(services, row, AbortSignal.any([signal, lost]))
    }
    // Stop when other processes hold all of them.
    if ((await whileLocked(services.db, 'tracker-domains', [...rows.keys()], read)) === 0) return
  }
}
