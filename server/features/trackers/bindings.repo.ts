import { and, eq, inArray, isNull, sql } from 'drizzle-orm'
import type { Queryable, RawRow, Transaction } from '#server/db/client.ts'
import { reserveDomains, trackerBindings, trackerDomains, trackers } from '#server/db/schema/index.ts'
import type { zones } from '#server/db/schema/index.ts'

export type BindingRow = typeof trackerBindings.$inferSelect
export type TrackerDomainRow = typeof trackerDomains.$inferSelect

/** Bindings of zones, each with the tracker and the mirrored domain; unbound zones are left out. */
export const listBindings = (db: Queryable, domainIds: readonly string[]) =>
  db
    .select({
      domainId: trackerBindings.domainId,
      remoteId: trackerBindings.remoteId,
      tracker: { id: trackers.id, name: trackers.name, kind: trackers.kind, url: trackers.url, apiKeySealed: trackers.apiKeySealed },
      domain: trackerDomains,
    })
    .from(trackerBindings)
    .innerJoin(trackers, eq(trackers.id, trackerBindings.trackerId))
    .leftJoin(
      trackerDomains,
      and(eq(trackerDomains.trackerId, trackerBindings.trackerId), eq(trackerDomains.remoteId, trackerBindings.remoteId)),
    )
    .where(sql`${trackerBindings.domainId} = any(${sql.param([...domainIds])}::uuid[])`)
export type BoundZone = Awaited<ReturnType<typeof listBindings>>[number]

/** Locked until the transaction ends. Null: not bound. */
export async function lockBinding(tx: Transaction, domainId: string): Promise<BindingRow | null> {
  const [row] = await tx.select().from(trackerBindings).where(eq(trackerBindings.domainId, domainId)).for('update')
  return row ?? null
}

/**
 * Claims the domain for the tracker before the tracker is called. False when it is already bound, here or in another account of its owner, or when
 * either no longer exists.
 */
export async function insertClaim(
  tx: Transaction,
  { domainId, trackerId, boundBy }: Pick<BindingRow, 'domainId' | 'trackerId' | 'boundBy'>,
): Promise<boolean> {
  // The same name in several accounts is one domain in the tracker, so all of its zones are locked.
  await tx.execute(sql`
    select z.id from zones z join zones mine on mine.id = ${domainId}::uuid and mine.owner_id = z.owner_id and mine.name = z.name
    order by z.id for no key update of z`)
  const rows = await tx.execute(sql`
    insert into tracker_bindings (zone_id, tracker_id, bound_by)
    select z.id, t.id, ${boundBy}::uuid from zones z, trackers t where z.id = ${domainId}::uuid and t.id = ${trackerId}::uuid
      and not exists (
        select from zones duplicate join tracker_bindings b on b.zone_id = duplicate.id
        where duplicate.owner_id = z.owner_id and duplicate.name = z.name and duplicate.id <> z.id)
    for key share
    on conflict do nothing returning zone_id`)
  return rows.length > 0
}

/** The zones whose name is bound in another account of the owner. */
export async function listBoundElsewhere(db: Queryable, domainIds: readonly string[]): Promise<Set<string>> {
  const rows = await db.execute<{ id: string }>(sql`
    select distinct z.id from zones z
      join zones duplicate on duplicate.owner_id = z.owner_id and duplicate.name = z.name and duplicate.id <> z.id
      join tracker_bindings b on b.zone_id = duplicate.id
    where z.id = any(${sql.param([...domainIds])}::uuid[])`)
  return new Set(rows.map(({ id }) => id))
}

/** Releases a claim from `insertClaim` that the tracker has not confirmed. */
export async function deleteClaim(db: Queryable, { domainId, trackerId }: Pick<BindingRow, 'domainId' | 'trackerId'>): Promise<void> {
  await db
    .delete(trackerBindings)
    .where(and(eq(trackerBindings.domainId, domainId), eq(trackerBindings.trackerId, trackerId), isNull(trackerBindings.remoteId)))
}

export async function updateRemoteId(tx: Transaction, domainId: string, remoteId: string): Promise<void> {
  await tx.update(trackerBindings).set({ remoteId }).where(eq(trackerBindings.domainId, domainId))
}

export async function deleteBinding(tx: Transaction, domainId: string): Promise<void> {
  await tx.delete(trackerBindings).where(eq(trackerBindings.domainId, domainId))
}

/** Domains of these names in a tracker, by name: the active one, otherwise the archived one; domains that are gone are left out. */
export async function listTracked(db: Queryable, trackerId: string, names: readonly string[]): Promise<Map<string, TrackerDomainRow>> {
  const rows = await db
    .select()
    .from(trackerDomains)
    .where(
      and(
        eq(trackerDomains.trackerId, trackerId),
        sql`${trackerDomains.name} = any(${sql.param([...names])}::text[])`,
        isNull(trackerDomains.goneAt),
      ),
    )
    .orderBy(sql`${trackerDomains.archived} desc, ${trackerDomains.seenAt}, ${trackerDomains.id}`)
  return new Map(rows.map((row) => [row.name, row]))
}

/** The mirrored domain with this id in the tracker. */
export async function findTracked(
  db: Queryable,
  { trackerId, remoteId }: Pick<TrackerDomainRow, 'trackerId' | 'remoteId'>,
): Promise<TrackerDomainRow | null> {
  const [row] = await db
    .select()
    .from(trackerDomains)
    .where(and(eq(trackerDomains.trackerId, trackerId), eq(trackerDomains.remoteId, remoteId)))
  return row ?? null
}

/** The last listed domain of this name: the active one, otherwise the archived one, otherwise the one that disappeared last. */
export async function findLastTracked(db: Queryable, trackerId: string, name: string): Promise<TrackerDomainRow | null> {
  const [row] = await db
    .select()
    .from(trackerDomains)
    .where(and(eq(trackerDomains.trackerId, trackerId), eq(trackerDomains.name, name)))
    .orderBy(
      sql`${trackerDomains.goneAt} desc nulls first, ${trackerDomains.archived}, ${trackerDomains.seenAt} desc, ${trackerDomains.id}`,
    )
    .limit(1)
  return row ?? null
}

/** Domains in trackers with their trackers, of any owner; by name. */
export const listTrackedByIds = (db: Queryable, ids: readonly string[]) =>
  db
    .select({
      domain: trackerDomains,
      tracker: {
        id: trackers.id,
        ownerId: trackers.ownerId,
        name: trackers.name,
        kind: trackers.kind,
        url: trackers.url,
        apiKeySealed: trackers.apiKeySealed,
      },
      domainId: trackerBindings.domainId,
    })
    .from(trackerDomains)
    .innerJoin(trackers, eq(trackers.id, trackerDomains.trackerId))
    .leftJoin(
      trackerBindings,
      and(eq(trackerBindings.trackerId, trackerDomains.trackerId), eq(trackerBindings.remoteId, trackerDomains.remoteId)),
    )
    .where(inArray(trackerDomains.id, [...ids]))
    .orderBy(trackerDomains.name, trackerDomains.id)

/** Records that the domain is archived, or deleted if the tracker has no archive. */
export async function markArchived(
  tx: Transaction,
  { trackerId, remoteId }: { readonly trackerId: string; readonly remoteId: string },
  gone: boolean,
): Promise<void> {
  await tx
    .update(trackerDomains)
    .set(gone ? { goneAt: sql`now()` } : { archived: true })
    .where(and(eq(trackerDomains.trackerId, trackerId), eq(trackerDomains.remoteId, remoteId)))
}

/** The addresses of these owners' trackers, by owner: configured and discovered. */
export async function listAddresses(db: Queryable, ownerIds: readonly string[]): Promise<Map<string, Set<string>>> {
  if (ownerIds.length === 0) return new Map()
  const rows = await db
    .select({ ownerId: trackers.ownerId, addresses: trackers.addresses, found: trackers.foundAddresses })
    .from(trackers)
    .where(inArray(trackers.ownerId, [...ownerIds]))
  const byOwner = new Map<string, Set<string>>()
  for (const { ownerId, addresses, found } of rows) {
    byOwner.set(ownerId, new Set([...(byOwner.get(ownerId) ?? []), ...addresses, ...found]))
  }
  return byOwner
}

/** Completes claims made before `until` whose domain is in the tracker's list with its id there. @returns their zones */
export const completeClaims = (tx: Transaction, trackerId: string, until: Date) =>
  tx.execute<RawRow<typeof zones, 'id' | 'name' | 'ownerId' | 'accountId'>>(sql`
    with claims as materialized (
      select b.zone_id, z.name, z.owner_id, z.account_id from tracker_bindings b join zones z on z.id = b.zone_id
      where b.tracker_id = ${trackerId}::uuid and b.remote_id is null and b.bound_at < ${until.toISOString()}::timestamptz
      order by b.zone_id for no key update of b
    )
    update tracker_bindings b set remote_id = d.remote_id
    from claims c join tracker_domains d on d.tracker_id = ${trackerId}::uuid and d.name = c.name and d.gone_at is null and not d.archived
    where b.zone_id = c.zone_id returning c.zone_id as id, c.name, c.owner_id as "ownerId", c.account_id as "accountId"`)

/** The ids of a person's trackers. */
export async function listTrackerIds(db: Queryable, ownerId: string): Promise<Set<string>> {
  const rows = await db.select({ id: trackers.id }).from(trackers).where(eq(trackers.ownerId, ownerId))
  return new Set(rows.map(({ id }) => id))
}

/** The id of the tracker in which a zone is bound; null: none. */
export async function findTrackerOf(db: Queryable, domainId: string): Promise<string | null> {
  const [row] = await db.select({ id: trackerBindings.trackerId }).from(trackerBindings).where(eq(trackerBindings.domainId, domainId))
  return row?.id ?? null
}

/** Removes a domain from the reserve; false when it is not in it. */
export async function takeReserve(tx: Transaction, domainId: string): Promise<boolean> {
  const rows = await tx.delete(reserveDomains).where(eq(reserveDomains.domainId, domainId)).returning({ id: reserveDomains.domainId })
  return rows.length > 0
}
