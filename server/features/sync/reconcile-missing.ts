import { countLive, listUnseen, upsertZones, zoneRowOf } from '#server/features/domains/mirror/index.ts'
import { AppError } from '#shared/errors/app-error.ts'
import type { ProviderZoneId } from '#shared/ids.ts'
import { pickSample } from './disappearances/disappearance.policy.ts'
import { holdDisappearance, splitMissing } from './disappearances/hold-disappearance.ts'
import type { HeldList } from './disappearances/hold-disappearance.ts'
import type { SyncRun } from './sync-run.ts'

export interface Pass {
  readonly seen: ReadonlySet<ProviderZoneId>
  /** False if zones were added or removed while the pages were read, so that some may have been missed between two pages. */
  readonly consistent: boolean
}

interface Reconciled {
  /** Whether the listing is considered complete. */
  readonly whole: boolean
  /** The provider's ids of zones that are no longer in the account. */
  readonly gone: readonly ProviderZoneId[]
  /** Set if so many zones are missing that a person has to decide. */
  readonly held: HeldList | null
}

/** Up to this many missing zones are looked up individually; with more, two listings must agree and a sample is looked up. */
const askedOneByOne = 20

const notThere = new Set(['provider_not_found', 'provider_forbidden', 'provider_auth'])

/** Looks up each zone that the listing lacks; returns those that are really gone. */
async function confirmGone(run: SyncRun, missing: readonly ProviderZoneId[]): Promise<ProviderZoneId[]> {
  const gone: ProviderZoneId[] = []
  for (const providerZoneId of missing) {
    try {
      const zone = await run.connection.getZone(providerZoneId, { priority: 'sync', signal: run.signal })
      await upsertZones(run.services.db, run.account.id, [zoneRowOf(zone)])
    } catch (error) {
      // The credential has just listed zones, so a refusal means that it has no access to this one.
      if (!(error instanceof AppError) || !notThere.has(error.code)) throw error
      gone.push(providerZoneId)
    }
  }
  return gone
}

/** Determines which zones are no longer in the account. Marks nothing: held ones may be an error of the provider. */
export async function reconcileMissing(run: SyncRun, first: Pass, readAgain: () => Promise<Pass>): Promise<Reconciled> {
  const { services, account } = run
  const unseen = await listUnseen(services.db, account.id, first.seen)
  if (first.consistent && unseen.length <= askedOneByOne) return reconcileFew(run, unseen, true)

  const second = await readAgain()
  const missing = unseen.filter((providerZoneId) => !second.seen.has(providerZoneId))
  if (missing.length <= askedOneByOne) return reconcileFew(run, missing, second.consistent)
  if (!second.consistent) return { whole: false, gone: [], held: null }

  const sample = pickSample(missing)
  const confirmed = await confirmGone(run, sample)
  const stillThere = sample.length - confirmed.length
  const { gone, held } = await split(run, missing)
  if (held.length > 0) return { whole: true, gone: stillThere === 0 ? gone : [], held: await hold(run, held, sample.length, stillThere) }
  return { whole: stillThere === 0, gone: stillThere === 0 ? missing : confirmed, held: null }
}

async function reconcileFew(run: SyncRun, missing: readonly ProviderZoneId[], whole: boolean): Promise<Reconciled> {
  const { gone, held } = await split(run, await confirmGone(run, missing))
  return { whole, gone, held: held.length === 0 ? null : await hold(run, held, held.length, 0) }
}

async function split({ services: { db }, account: { id } }: SyncRun, missing: readonly ProviderZoneId[]) {
  return splitMissing(db, { kind: 'account', id }, missing, await countLive(db, id))
}

async function hold(run: SyncRun, keys: readonly ProviderZoneId[], sampled: number, stillThere: number): Promise<HeldList> {
  const { db, log } = run.services
  const { id } = run.account
  const known = await countLive(db, id)
  const held = await holdDisappearance(db, { kind: 'account', id }, { keys, known, sampled, stillThere })
  log.warn({ accountId: id, missing: held.missing }, 'too many zones are missing from the zone list; waiting for a decision')
  return held
}
