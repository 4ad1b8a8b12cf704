import { and, asc, eq, getTableColumns, isNotNull, isNull, lt, sql } from 'drizzle-orm'
import type { Queryable, Transaction } from '#server/db/client.ts'
import { originCertificates, zones, zoneSsl } from '#server/db/schema/index.ts'
import { selectSharedDomainIds } from '#server/platform/access-scope.repo.ts'
import type { OwnerScope } from '#server/platform/access-scope.ts'
import type { DomainId } from '#shared/ids.ts'

export type OriginCertificateRow = typeof originCertificates.$inferSelect
type ReadColumn = 'hostnames' | 'type' | 'validityDays' | 'expiresAt' | 'expiresSoonAt' | 'certificate' | 'publicKeyHash'
type Read = Pick<OriginCertificateRow, ReadColumn> & { readonly serial: string }

/** Those that expire first come first. */
export const listOfDomain = (db: Queryable, domainId: string): Promise<OriginCertificateRow[]> =>
  db
    .select()
    .from(originCertificates)
    .where(eq(originCertificates.domainId, domainId as DomainId))
    .orderBy(asc(originCertificates.expiresAt), asc(originCertificates.id))

/** Null before the first reading. */
export async function findReadAt(db: Queryable, domainId: string): Promise<Date | null> {
  const [row] = await db
    .select({ readAt: zoneSsl.originReadAt })
    .from(zoneSsl)
    .where(eq(zoneSsl.domainId, domainId as DomainId))
  return row?.readAt ?? null
}

/** With the name of its domain. */
export async function findCertificate(db: Queryable, domainId: string, id: string) {
  const [row] = await db
    .select({ ...getTableColumns(originCertificates), name: zones.name })
    .from(originCertificates)
    .innerJoin(zones, eq(zones.id, originCertificates.domainId))
    .where(and(eq(originCertificates.id, id), eq(originCertificates.domainId, domainId as DomainId)))
  return row ?? null
}

/** A key whose certificate is about to be issued; false if the domain was deleted in the meantime. */
export async function insertPending(
  db: Queryable,
  row: Pick<OriginCertificateRow, 'id' | 'hostnames' | 'type' | 'validityDays' | 'publicKeyHash' | 'keySealed'> & {
    readonly domainId: string
  },
): Promise<boolean> {
  if (!(await holdDomain(db, row.domainId))) return false
  await db.insert(originCertificates).values({ ...row, domainId: row.domainId as DomainId })
  return true
}

/** Called in a transaction. Returns false if it was already deleted. */
export async function deleteCertificate(db: Transaction, id: string): Promise<boolean> {
  const [found] = await db.select({ domainId: originCertificates.domainId }).from(originCertificates).where(eq(originCertificates.id, id))
  if (found === undefined || !(await lockDomain(db, found.domainId))) return false
  const [row] = await db
    .delete(originCertificates)
    .where(eq(originCertificates.id, id))
    .returning({ domainId: originCertificates.domainId })
  if (row !== undefined) await updateNearestExpiry(db, row.domainId)
  return row !== undefined
}

/**
 * The nearest expiry and when the first certificate expires soon, which lists, filters and alerts use, after a change of the domain's certificates.
 * A certificate was renewed if another one covers its hostnames and expires later. Null before the first reading: one that is unknown may expire
 * sooner.
 */
async function updateNearestExpiry(db: Queryable, domainId: string): Promise<void> {
  const listed = (alias: string) =>
    sql`${sql.raw(`${alias}.zone_id`)} = ${domainId}::uuid and ${sql.raw(`${alias}.serial is not null and ${alias}.gone_at is null`)}`
  const covered = sql`not exists (select from unnest(c.hostnames) h where h <> all(l.hostnames) and '*' || substr(h, strpos(h, '.')) <> all(l.hostnames))`
  await db.execute(sql`
    with current as (
      select c.expires_at, c.expires_soon_at from origin_certificates c where ${listed('c')}
        and not exists (select from origin_certificates l where ${listed('l')} and l.expires_at > c.expires_at and ${covered})
    ), nearest as (
      select case when count(*) = 0 then 'infinity' else min(expires_at) end as expires_at,
        case when count(*) = 0 then 'infinity' else min(expires_soon_at) end as soon_at
      from current having exists (select from zone_ssl s where s.zone_id = ${domainId}::uuid and s.origin_read_at is not null)
    )
    update zones z set origin_expires_at = n.expires_at, origin_soon_at = n.soon_at from (values (1)) one left join nearest n on true
    where z.id = ${domainId}::uuid and (z.origin_expires_at, z.origin_soon_at) is distinct from (n.expires_at, n.soon_at)`)
}

/** Returns false if there was no key. */
export async function deleteKey(db: Queryable, id: string): Promise<boolean> {
  const rows = await db
    .update(originCertificates)
    .set({ keySealed: null })
    .where(and(eq(originCertificates.id, id), isNotNull(originCertificates.keySealed)))
    .returning({ id: originCertificates.id })
  return rows.length > 0
}

/** One writer at a time, so that each sees the certificates of the others when it updates the nearest expiry. */
const lockDomain = (db: Queryable, domainId: string): Promise<boolean> => holdDomain(db, domainId, 'no key update')

const holdDomain = async (db: Queryable, domainId: string, strength: 'key share' | 'no key update' = 'key share'): Promise<boolean> =>
  (
    await db
      .select({ id: zones.id })
      .from(zones)
      .where(eq(zones.id, domainId as DomainId))
      .for(strength)
  ).length > 0

/** Writes one certificate, into the row of its kept key if there is one; null if the domain was deleted in the meantime. */
export async function upsertCertificate(db: Queryable, domainId: string, read: Read): Promise<OriginCertificateRow | null> {
  if (!(await lockDomain(db, domainId))) return null
  const row = await writeCertificate(db, domainId, read)
  await updateNearestExpiry(db, domainId)
  return row
}

async function writeCertificate(db: Queryable, domainId: string, read: Read): Promise<OriginCertificateRow | null> {
  const values = { ...read, goneAt: null }
  const ofDomain = eq(originCertificates.domainId, domainId as DomainId)
  if (read.publicKeyHash !== null) {
    const [row] = await db
      .update(originCertificates)
      .set(values)
      .where(and(ofDomain, isNull(originCertificates.serial), eq(originCertificates.publicKeyHash, read.publicKeyHash)))
      .returning()
    if (row !== undefined) return row
  }
  const [row] = await db
    .insert(originCertificates)
    .values({ ...values, domainId: domainId as DomainId })
    .onConflictDoUpdate({ target: [originCertificates.domainId, originCertificates.serial], set: values })
    .returning()
  return row ?? null
}

/** How long a key waits for its certificate to be listed. */
const pendingFor = sql`now() - interval '1 hour'`

/**
 * Replaces what was read before. A kept key is never deleted with a certificate that is no longer listed, only when its certificate was
 * apparently never issued.
 */
export async function replaceRead(db: Queryable, domainId: string, all: readonly Read[]): Promise<void> {
  if (!(await lockDomain(db, domainId))) return
  for (const read of all) await writeCertificate(db, domainId, read)
  const ofDomain = eq(originCertificates.domainId, domainId as DomainId)
  const serials = all.map(({ serial }) => serial)
  const unlisted = and(
    ofDomain,
    isNotNull(originCertificates.serial),
    sql`not ${originCertificates.serial} = any(${sql.param(serials)}::text[])`,
  )
  await db.delete(originCertificates).where(and(unlisted, isNull(originCertificates.keySealed)))
  await db
    .update(originCertificates)
    .set({ goneAt: sql`coalesce(${originCertificates.goneAt}, now())` })
    .where(unlisted)
  await db.delete(originCertificates).where(and(ofDomain, isNull(originCertificates.serial), lt(originCertificates.createdAt, pendingFor)))
  const readAt = sql`now()`
  await db
    .insert(zoneSsl)
    .values({ domainId: domainId as DomainId, originReadAt: readAt })
    .onConflictDoUpdate({ target: zoneSsl.domainId, set: { originReadAt: readAt } })
  await updateNearestExpiry(db, domainId)
}

const uuids = (ids: readonly string[]) => sql`${sql.param([...ids])}::uuid[]`

function inScope(scope: OwnerScope) {
  if (scope === null) return sql`true`
  const own = scope.ownerId === null ? sql`false` : sql`${zones.ownerId} = ${scope.ownerId}::uuid`
  if (scope.shared === null) return own
  const owners = [...(scope.ownerId === null ? [] : [scope.ownerId]), ...scope.shared.owners]
  return sql`(${zones.ownerId} = any(${uuids(owners)}) and (${own} or ${zones.id} in (${selectSharedDomainIds(scope.shared)})))`
}

interface ExpiryQuery {
  readonly from: Date | null
  readonly to: Date | null
  readonly after: { readonly at: string; readonly id: string } | null
  readonly limit: number
}

const instantOf = (at: Date) => sql`${at.toISOString()}::timestamptz`

/** Over all domains of the scope, those that expire first come first. Certificates that are no longer listed are left out. */
export const listByExpiry = (db: Queryable, scope: OwnerScope, { from, to, after, limit }: ExpiryQuery) =>
  db
    .select({ certificate: originCertificates, name: zones.name })
    .from(originCertificates)
    .innerJoin(zones, eq(zones.id, originCertificates.domainId))
    .where(
      and(
        inScope(scope),
        isNotNull(originCertificates.expiresAt),
        isNull(originCertificates.goneAt),
        from === null ? undefined : sql`${originCertificates.expiresAt} >= ${instantOf(from)}`,
        to === null ? undefined : sql`${originCertificates.expiresAt} < ${instantOf(to)}`,
        after === null
          ? undefined
          : sql`(${originCertificates.expiresAt}, ${originCertificates.id}) > (${after.at}::timestamptz, ${after.id}::uuid)`,
      ),
    )
    .orderBy(asc(originCertificates.expiresAt), asc(originCertificates.id))
    .limit(limit)
