import { sql } from 'drizzle-orm'
import type { Queryable, RawRow } from '#server/db/client.ts'
import type { registryNames, zones } from '#server/db/schema/index.ts'

const isNew = (name: ReturnType<typeof sql>) => sql`not exists (select from registry_names g where g.name = ${name})`
/**
 * Names without an expiry from a registrar that were never queried: of zones, and at registrars whose lists omit it. Sandbox registrars are
 * excluded.
 */
const newNames = sql`
  select z.name from zones z where z.gone_at is null and (z.paid_until is null or z.paid_by_registry) and ${isNew(sql`z.name`)}
  union
  select n.name from registrar_names n join registrars r on r.id = n.registrar_id
  where n.gone_at is null and n.expires_at is null and not r.sandbox and ${isNew(sql`n.name`)}`

/** Whether `name`, an SQL expression, is one of those. Zones use the index that starts with the owner. */
const isWanted = (name: ReturnType<typeof sql>) => sql`(
  exists (select from zones z where z.owner_id in (select id from users) and z.name = ${name} and z.gone_at is null
    and (z.paid_until is null or z.paid_by_registry))
  or exists (select from registrar_names n join registrars r on r.id = n.registrar_id
    where n.name = ${name} and n.gone_at is null and n.expires_at is null and not r.sandbox))`

/** Adds wanted names that were never queried. @returns how many */
export async function insertWanted(db: Queryable, dueAt: Date, limit: number): Promise<number> {
  // In a fixed order, so that concurrent processes do not deadlock.
  const [row] = await db.execute<{ added: number }>(sql`
    with added as (
      insert into registry_names (name, due_at)
      select w.name, ${dueAt.toISOString()}::timestamptz from (${newNames}) w order by w.name limit ${limit}
      on conflict (name) do nothing returning name
    )
    select count(*)::int as added from added`)
  return row?.added ?? 0
}

export type DueName = RawRow<typeof registryNames, 'name' | 'tld'> & {
  /** False: a registrar reports it now, or no one has the name any more. */
  wanted: boolean
}

/**
 * Claims due names, some of each top-level domain except those in `except`, longest waiting first. The lease ends at `until`, after which another
 * process can claim them.
 */
export const claimDue = (
  db: Queryable,
  asked: { readonly now: Date; readonly until: Date; readonly except: readonly string[]; readonly tlds: number; readonly perTld: number },
) =>
  db.execute<DueName>(sql`
    with recursive tlds as (
      select (select tld from registry_names order by tld limit 1) as tld
      union all
      select (select g.tld from registry_names g where g.tld > t.tld order by g.tld limit 1) from tlds t where t.tld is not null
    ), due as materialized (
      select d.name from (
        select tld from tlds where tld is not null and tld <> all(${sql.param([...asked.except])}::text[])
          and exists (select from registry_names g where g.tld = tlds.tld and g.due_at <= ${asked.now.toISOString()}::timestamptz)
        order by random() limit ${asked.tlds}
      ) t cross join lateral (
        select g.name from registry_names g where g.tld = t.tld and g.due_at <= ${asked.now.toISOString()}::timestamptz
        order by g.due_at limit ${asked.perTld} for no key update skip locked
      ) d
    )
    update registry_names g set due_at = ${asked.until.toISOString()}::timestamptz from due where g.name = due.name
    returning g.name, g.tld, ${isWanted(sql`g.name`)} as wanted`)

export type RegistryRow = RawRow<
  typeof registryNames,
  'state' | 'expiresAt' | 'statuses' | 'registrar' | 'nameServers' | 'readAt' | 'dueAt' | 'failures' | 'fault'
> & { wanted: boolean }

export async function findName(db: Queryable, name: string): Promise<RegistryRow | null> {
  const [row] = await db.execute<RegistryRow>(sql`
    select g.state, g.expires_at, g.statuses, g.registrar, g.name_servers, g.read_at, g.due_at, g.failures, g.fault, ${isWanted(sql`g.name`)} as wanted
    from registry_names g where g.name = ${name}`)
  return row ?? null
}

export type Answer = Readonly<Pick<typeof registryNames.$inferSelect, 'expiresAt' | 'registrar'>> & {
  readonly state: NonNullable<(typeof registryNames.$inferSelect)['state']>
  readonly statuses: readonly string[]
  readonly nameServers: readonly string[]
}

/** Stores a response. */
export async function saveAnswer(
  db: Queryable,
  name: string,
  answer: Answer,
  at: { readonly readAt: Date; readonly dueAt: Date },
): Promise<void> {
  const expiresAt = answer.expiresAt?.toISOString() ?? null
  await db.execute(sql`
    insert into registry_names (name, state, expires_at, statuses, registrar, name_servers, read_at, due_at)
    values (${name}, ${answer.state}::registry_state, ${expiresAt}::timestamptz, ${sql.param([...answer.statuses])}::text[], ${answer.registrar},
      ${sql.param([...answer.nameServers])}::text[], ${at.readAt.toISOString()}::timestamptz, ${at.dueAt.toISOString()}::timestamptz)
    on conflict (name) do update set state = excluded.state, expires_at = excluded.expires_at, statuses = excluded.statuses,
      registrar = excluded.registrar, name_servers = excluded.name_servers, read_at = excluded.read_at, due_at = excluded.due_at, failures = 0, fault = null`)
}

/** Keeps the known data, which ages. */
export async function saveFailure(db: Queryable, name: string, fault: string, dueAt: Date): Promise<void> {
  await db.execute(sql`
    insert into registry_names (name, due_at, failures, fault) values (${name}, ${dueAt.toISOString()}::timestamptz, 1, ${fault})
    on conflict (name) do update set due_at = excluded.due_at, failures = registry_names.failures + 1, fault = excluded.fault`)
}

/** Only names still leased by this process. */
export async function putOff(db: Queryable, names: readonly string[], dueAt: Date): Promise<void> {
  if (names.length === 0) return
  await db.execute(
    sql`update registry_names set due_at = ${dueAt.toISOString()}::timestamptz where name = any(${sql.param([...names])}::text[])`,
  )
}

export async function deleteNames(db: Queryable, names: readonly string[]): Promise<void> {
  if (names.length === 0) return
  await db.execute(sql`delete from registry_names where name = any(${sql.param([...names])}::text[])`)
}

export type PaidRow = RawRow<typeof zones, 'name' | 'paidUntil' | 'paidByRegistry'> & { readAt: string | null; registrar: string | null }

/** A zone's name with its expiry and the source. */
export async function findPaid(db: Queryable, domainId: string): Promise<PaidRow | null> {
  const [row] = await db.execute<PaidRow>(sql`
    select z.name, z.paid_until, z.paid_by_registry, case when z.paid_by_registry then g.read_at else n.seen_at end as read_at,
      case when z.paid_by_registry then null else r.name end as registrar
    from zones z left join registrars r on r.id = z.registrar_id
      left join registrar_names n on n.registrar_id = z.registrar_id and n.name = z.name and n.gone_at is null
      left join registry_names g on g.name = z.name
    where z.id = ${domainId}::uuid`)
  return row ?? null
}
