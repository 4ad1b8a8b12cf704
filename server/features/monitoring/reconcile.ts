import { updateHealth } from '#server/features/domains/mirror/index.ts'
import type { Services } from '#server/platform/context.ts'
import { closeIncidents, listStable, listUnwatched } from './incidents/incidents.repo.ts'
import { stableMs } from './health/flapping.policy.ts'
import { evaluateZones } from './health/evaluate-zones.ts'
import { deleteMonitors, insertMonitors, listDrift, listFormerOwners, listOwners, matchViews, updateMonitors } from './reconcile.repo.ts'
import type { OwnerSettings } from './reconcile.repo.ts'

const maxDriftPerBatch = 20_000
const writtenPerBatch = 2_000
const firstLooksPerSecond = 100

type Needs = Pick<Services, 'db' | 'clock'>

function* inParts(ids: readonly string[]): Generator<readonly string[]> {
  for (let start = 0; start < ids.length; start += writtenPerBatch) yield ids.slice(start, start + writtenPerBatch)
}

/**
 * Brings monitoring in line with the settings, overrides and existing domains, and re-evaluates domains whose mirror state changed (R-MON-01,
 * R-MON-03). Idempotent.
 * @param driftPerBatch number of differences of an owner read per batch, which bounds memory
 * @returns the owners with changed data
 */
export async function reconcile(services: Needs, signal: AbortSignal, driftPerBatch = maxDriftPerBatch): Promise<Set<string>> {
  const { db, clock } = services
  const owners = new Set<string>()
  const given = await listOwners(db.orm)
  // Deleted settings mean that nothing is monitored.
  const none = { enabled: false, regions: [], intervalMinutes: 1, options: {} } as const
  const former = (await listFormerOwners(db.orm)).map((ownerId): OwnerSettings => ({ ownerId, ...none }))
  for (const owner of [...given, ...former]) {
    while (!signal.aborted && (await reconcileOwner(services, owner, owners, driftPerBatch))) continue
  }
  const stable = await listStable(db.orm, clock.now() - stableMs)
  for (const part of inParts(stable)) await evaluateBatch(services, part, owners)
  const unwatched = await listUnwatched(db.orm)
  await closeIncidents(db.orm, unwatched, clock.now(), 'unwatched')
  return owners
}

/** @returns whether there may be more */
async function reconcileOwner(services: Needs, owner: OwnerSettings, owners: Set<string>, driftPerBatch: number): Promise<boolean> {
  const { db, clock } = services
  const now = clock.now()
  const drift = await listDrift(db.orm, owner, now, driftPerBatch)
  if (drift.size === 0) return false
  for (const part of inParts(drift.get('unwanted') ?? [])) {
    await db.orm.transaction((tx) => deleteMonitors(tx, part))
    await updateHealth(db.orm, part)
  }
  let first = 0
  for (const part of inParts(drift.get('missing') ?? [])) {
    await db.orm.transaction(async (tx) => {
      await insertMonitors(tx, owner, part, now)
      await matchViews(tx, part, now, { first, perSecond: firstLooksPerSecond })
    })
    first += part.length
  }
  for (const part of inParts(drift.get('changed') ?? [])) {
    await db.orm.transaction(async (tx) => {
      await updateMonitors(tx, owner, part, now)
      await matchViews(tx, part, now, { first: 0, perSecond: firstLooksPerSecond })
    })
    await evaluateBatch(services, part, owners)
  }
  for (const part of inParts(drift.get('rescheduled') ?? [])) await db.orm.transaction((tx) => updateMonitors(tx, owner, part, now))
  for (const part of inParts(drift.get('evaluate') ?? [])) await evaluateBatch(services, part, owners)
  for (const part of inParts(drift.get('refresh') ?? [])) await updateHealth(db.orm, part)
  const changed = (['unwanted', 'missing', 'changed', 'rescheduled', 'refresh'] as const).some((kind) => drift.has(kind))
  if (changed) owners.add(owner.ownerId)
  // Rows locked by others for long are handled the next time.
  return (
    [...drift.entries()].some(([kind, ids]) => kind !== 'refresh' && kind !== 'evaluate' && ids.length > 0) &&
    sizeOf(drift) >= driftPerBatch
  )
}

const sizeOf = (drift: ReadonlyMap<unknown, readonly string[]>) => [...drift.values()].reduce((sum, ids) => sum + ids.length, 0)

async function evaluateBatch({ db, clock }: Needs, ids: readonly string[], owners: Set<string>): Promise<void> {
  const changed = await db.orm.transaction((tx) => evaluateZones(tx, ids, clock.now()))
  for (const owner of changed) owners.add(owner)
}
