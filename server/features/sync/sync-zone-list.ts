import { AppError } from '#shared/errors/app-error.ts'
import { audit } from '#server/platform/audit.ts'
import type { ZonePage } from '#server/ports/dns-host.ts'
import { failureOf } from './failure.ts'
import { zoneRowOf } from './sync.policy.ts'
import type { SyncRun } from './sync-run.ts'
import {
  listUnseen,
  updateGone,
  updateListed,
  updateListingFailed,
  updateListingProgress,
  updateListingStarted,
  updateListingStopped,
  upsertZones,
} from './sync.repo.ts'
import { system, tellHealth } from './tell-health.ts'

/** So many missing zones are asked for one by one; more have to be missing from two whole listings. */
const askedOneByOne = 20
const soonSeconds = 60

interface Pass {
  readonly seen: ReadonlySet<string>
  /** False when zones came or went while the pages were read, so that some may have slipped between two pages. */
  readonly consistent: boolean
}

class AccountGone extends Error {}

/** The first page tells how many there are; the others are read side by side, and each is written while the next ones come. */
async function readPages(run: SyncRun): Promise<Pass> {
  const { services, account, connection, announcer, signal, options, gate } = run
  const call = { priority: account.syncAsked || account.syncedAt === null ? ('bulk' as const) : ('sync' as const), signal }
  const seen = new Set<string>()
  let consistent = true
  let total = 0

  const take = async (page: ZonePage) => {
    const fresh = new Map(page.zones.filter((zone) => !seen.has(zone.zoneId)).map((zone) => [zone.zoneId, zone]))
    for (const id of fresh.keys()) seen.add(id)
    if (fresh.size > 0) {
      const rows = [...fresh.values()].map(zoneRowOf)
      const written = await gate(() => upsertZones(services.db, account.id, rows))
      if (!written.present) throw new AccountGone()
      if (written.changed > 0) announcer.tell('domains', account)
    }
    announcer.before(`progress ${account.id}`, () => updateListingProgress(services.db, account.id, seen.size, total))
    announcer.tell('accounts', account)
  }

  const first = await connection.listZones(1, call)
  total = first.totalCount
  const writes = [take(first)]
  let next = 2
  let last = first.totalPages
  let failed = false
  const reader = async () => {
    while (!failed && next <= last) {
      const page = await connection.listZones(next++, call)
      if (page.totalCount !== total) consistent = false
      last = Math.max(last, page.totalPages)
      const write = take(page)
      write.catch(() => (failed = true))
      // One page in hand a reader: the next is read while this one is written, and no more pile up.
      await writes.at(-options.callsPerAccount)
      writes.push(write)
    }
  }
  const guarded = () =>
    reader().catch((error: unknown) => {
      failed = true
      throw error
    })
  const readers = Array.from({ length: Math.min(options.callsPerAccount, first.totalPages - 1) }, guarded)
  // Everything ends before this does, also after a failure: nothing may still write when the lock is given back.
  const ended = [...(await Promise.allSettled(readers)), ...(await Promise.allSettled(writes))]
  for (const end of ended) if (end.status === 'rejected') throw end.reason
  return { seen, consistent: consistent && seen.size === total }
}

const notThere = new Set(['provider_not_found', 'provider_forbidden', 'provider_auth'])

/** Asks for each zone that the listing left out; returns those that are really gone. */
async function confirmGone(run: SyncRun, missing: readonly string[]): Promise<string[]> {
  const gone: string[] = []
  for (const zoneId of missing) {
    try {
      const zone = await run.connection.getZone(zoneId, { priority: 'sync', signal: run.signal })
      await upsertZones(run.services.db, run.account.id, [zoneRowOf(zone)])
    } catch (error) {
      // The credential has just listed zones, so a refusal is about this zone: it is out of its reach.
      if (!(error instanceof AppError) || !notThere.has(error.code)) throw error
      gone.push(zoneId)
    }
  }
  return gone
}

/** Marks zones that are no longer in the account. Returns whether the listing can be believed to be whole. */
async function settleMissing(run: SyncRun, first: Pass): Promise<{ readonly whole: boolean; readonly gone: number }> {
  const { services, account } = run
  let missing = await listUnseen(services.db, account.id, first.seen)
  let whole = first.consistent
  if (!whole || missing.length > askedOneByOne) {
    const second = await readPages(run)
    whole = second.consistent
    const both = new Set([...first.seen, ...second.seen])
    missing = missing.filter((zoneId) => !both.has(zoneId))
  }
  const gone = missing.length <= askedOneByOne ? await confirmGone(run, missing) : whole ? missing : []
  if (gone.length > 0) await updateGone(services.db, account.id, gone)
  return { whole, gone: gone.length }
}

/** A page of the list may cost so much of the time to the next listing: then listings take a sixth of the usual budget at most. */
const secondsPerPage = 1.5

function nextSeconds({ least, most }: SyncRun['options']['intervalSeconds'], zones: number): number {
  return Math.round(Math.max(least + Math.random() * (most - least), (zones / 50) * secondsPerPage))
}

/** Makes the account's zones here what its list at the provider says. */
export async function syncZoneList(run: SyncRun): Promise<void> {
  const { services, account, announcer, signal, options } = run
  const told = account.syncAsked || account.syncedAt === null
  const entry = {
    action: 'sync',
    entityType: 'account',
    entityId: account.id,
    entityName: account.email,
    ownerId: account.ownerId,
  } as const
  try {
    await updateListingStarted(services.db, account)
    announcer.tell('accounts', account)
    const pass = await readPages(run)
    const { whole, gone } = await settleMissing(run, pass)
    const listing = {
      total: pass.seen.size,
      whole,
      nextSeconds: whole ? nextSeconds(options.intervalSeconds, pass.seen.size) : soonSeconds,
    }
    await services.db.orm.transaction(async (tx) => {
      const there = await updateListed(tx, account, listing)
      if (there && (told || gone > 0)) await audit(tx, system, { ...entry, details: { zones: pass.seen.size, gone } })
      if (there) await tellHealth(tx, account, 'working')
    })
    announcer.tell('domains', account)
  } catch (error) {
    const failure = failureOf(error, account.syncFailures)
    if (error instanceof AccountGone) return
    if (signal.aborted || failure === null) {
      await updateListingStopped(services.db, account.id).catch(() => undefined)
      throw error
    }
    services.log.info({ accountId: account.id, code: failure.code, retrySeconds: failure.retrySeconds }, 'zone list could not be read')
    await services.db.orm.transaction(async (tx) => {
      await updateListingFailed(tx, account, failure)
      if (account.syncAsked) await audit(tx, system, { ...entry, details: { error: failure.code } })
      await tellHealth(tx, account, failure.health)
    })
  } finally {
    announcer.tell('accounts', account)
  }
}
