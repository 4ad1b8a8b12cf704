import type { Database, RawRow } from '#server/db/client.ts'
import type { activity } from '#server/db/schema/index.ts'
import { listActivityCodes } from '#server/platform/activity-code.ts'
import type { ActivityActorKind, ActivityFilter } from '#shared/features/activity/schema.ts'
import { personLabelText } from '#server/db/columns.ts'

/** Entries about this user's resources and actions; null: all entries. */
export type Viewer = string | null

/** Entries with an owner, an actor, both or neither restricted, that have one of the codes. */
interface Source {
  readonly owner: string | null
  readonly actor: string | null
  /** Null: not restricted. */
  readonly codes: readonly number[] | null
}

/** Actor and owner ids. */
const people = new Set<ActivityActorKind>(['user', 'token', 'operation'])

/** The sources are disjoint, and each is one index range per code. */
function sourcesOf(viewer: Viewer, { action, entityType, actorKind, actorId, ownerId }: ActivityFilter): Source[] {
  const source = (owner: string | undefined, actor: string | undefined, own?: boolean): Source[] => {
    if (actor !== undefined && actorKind !== undefined && !people.has(actorKind)) return []
    const known = owner !== undefined && actor !== undefined
    const codes = listActivityCodes({ action, entityType, actorKind, own: known ? owner === actor : own })
    const any = owner === undefined && actor === undefined && action === undefined && entityType === undefined && actorKind === undefined
    // The code states that the actor is the owner.
    return [{ owner: owner ?? null, actor: owner === actor ? null : (actor ?? null), codes: any ? null : codes }]
  }
  if (viewer === null) return source(ownerId, actorId)
  const done = ownerId === viewer || (actorId !== undefined && actorId !== viewer) ? [] : source(ownerId, viewer, false)
  return ownerId !== undefined && ownerId !== viewer ? done : [...source(viewer, actorId), ...done]
}

export interface ActivityPage {
  readonly viewer: Viewer
  readonly filter: ActivityFilter & { readonly timeZone: string }
  /** The last entry of the previous page. */
  readonly cursor: string | null
  readonly limit: number
  /** Longer details are omitted from the list. */
  readonly longestDetails: number
}

export type ActivityRow = RawRow<
  typeof activity,
  'id' | 'ownerId' | 'actorId' | 'actorName' | 'code' | 'entityId' | 'entityName' | 'address'
> & {
  readonly ownerName: string | null
  readonly tokenName: string | null
  readonly operationId: string | null
  readonly operationKind: string | null
  readonly domainId: string | null
  readonly details: Readonly<Record<string, unknown>> | null
}

const lastId = 'ffffffff-ffff-ffff-ffff-ffffffffffff'
const firstId = '00000000-0000-0000-0000-000000000000'
const uuidText = "'^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'"

/** The entries with the ids that `ids` selects, with joined data. */
const shown = (ids: string, details: string) => `
  select a.id, a.owner_id, ${personLabelText('o')} as owner_name, a.actor_id, a.actor_name, a.code, t.name as token_name,
    p.id as operation_id, p.kind as operation_kind, a.entity_id, a.entity_name, z.id as zone_id, ${details} as details, a.address
  from ${ids} join activity a on a.id = i.id
  left join users o on o.id = a.owner_id
  left join api_tokens t on a.actor_kind = 'token' and t.id = a.actor_via
  left join zones z on a.entity_type = 'zone' and z.id = case when a.entity_id ~ ${uuidText} then a.entity_id::uuid end
  left join operations p on p.id = case
    when a.actor_kind = 'operation' then a.actor_via when a.entity_type = 'operation' and a.entity_id ~ ${uuidText} then a.entity_id::uuid end`

/**
 * The newest entries of a source in each of its codes, as a range of the index with these columns. They are compared and sorted as one row,
 * so that no other index matches: if nearly all entries belong to one person or code, the planner would otherwise scan all of them by id
 * for every code without entries.
 */
function runOf({ owner, actor, codes }: Source, most: string, place: (value: unknown) => string): string {
  const run = (columns: readonly string[], values: readonly string[], ...also: readonly string[]) => {
    const row = (names: readonly string[], bound: string) => `(${[...names, bound].join(', ')})`
    const key = [...columns, 'a.id']
    const tests = [
      ...also,
      `(${key.join(', ')}) < ${row(values, '(select below from bounds)')}`,
      `(${key.join(', ')}) >= ${row(values, '(select least_id from bounds)')}`,
    ]
    return `select a.id from activity a where ${tests.join(' and ')} order by ${key.map((name) => `${name} desc`).join(', ')} limit ${most}`
  }
  if (codes === null) return `(${run([], [])})`
  const people = [
    ...(owner === null ? [] : [{ column: 'a.owner_id', value: `${place(owner)}::uuid` }]),
    ...(actor === null ? [] : [{ column: 'a.actor_id', value: `${place(actor)}::uuid` }]),
  ]
  const partial = actor === null ? [] : [owner === null ? 'a.actor_id is not null' : 'a.owner_id <> a.actor_id']
  const columns = [...people.map(({ column }) => column), 'a.code']
  const values = [...people.map(({ value }) => value), 'c.code']
  return `select r.id from unnest(${place(codes)}::smallint[]) as c (code) cross join lateral (${run(columns, values, ...partial)}) as r`
}

/** A page of entries, newest first. */
export function pageStatement({ viewer, filter, cursor, limit, longestDetails }: ActivityPage): { text: string; parameters: unknown[] } {
  const parameters: unknown[] = []
  const place = (value: unknown) => `$${parameters.push(value)}`
  const most = `${place(limit)}::int`
  const midnight = (day: string, later: number) =>
    `id_floor((${place(day)}::date + ${later})::timestamp at time zone ${place(filter.timeZone)}::text)`
  const below = [`${place(cursor ?? lastId)}::uuid`, ...(filter.to === undefined ? [] : [midnight(filter.to, 1)])]
  const from = filter.from === undefined ? `${place(firstId)}::uuid` : midnight(filter.from, 0)
  const parts = sourcesOf(viewer, filter).map((source) => runOf(source, most, place))
  const found = parts.length === 0 ? 'select a.id from activity a where false' : parts.join(' union all ')
  const details = `case when pg_column_size(a.details) <= ${place(longestDetails)}::int then a.details end`
  const text = `with bounds as materialized (select least(${below.join(', ')}) as below, ${from} as least_id),
    i as materialized (select f.id from (${found}) as f order by f.id desc limit ${most})
    ${shown('i', details)} order by a.id desc`
  return { text, parameters }
}

export async function listEntries(db: Database, page: ActivityPage): Promise<ActivityRow[]> {
  const { text, parameters } = pageStatement(page)
  return db.sql.unsafe<ActivityRow[]>(text, parameters as never[], { prepare: true })
}

export async function findEntry(db: Database, viewer: Viewer, id: string): Promise<ActivityRow | null> {
  const [row] = await db.sql.unsafe<ActivityRow[]>(
    `${shown('(select $1::uuid as id) i', 'a.details')} where $2::uuid is null or $2::uuid in (a.owner_id, a.actor_id)`,
    [id, viewer] as never[],
    { prepare: true },
  )
  return row ?? null
}

export interface CountRow {
  /** In the given time zone; null for the total. */
  readonly day: string | null
  readonly code: number
  readonly n: number
}

/**
 * Entries counted in an hour of the previous day although their day began within that hour: for the first day and the last seven, which are
 * all that is reported individually.
 */
const lateEntries = `
    edges as materialized (
      select place, start, date_trunc('hour', start, 'UTC') + interval '1 hour' as ends
      from days cross join unnest(starts) with ordinality as s (start, place)
      where start <> date_trunc('hour', start, 'UTC') and (place = 1 or place > cardinality(starts) - 7)
    ), late as materialized (
      select e.place, l.code, l.n from edges e cross join lateral (
        select a.code, count(*) as n from activity a
        join asked s on case s.scope when 0 then true when 1 then a.owner_id = s.key else a.actor_id = s.key and a.code & 1 = 0 end
        where a.id >= id_floor(e.start) and a.id < id_floor(e.ends) group by a.code
      ) as l
    ),`

/** Number of entries per code, by day from `since` to `today`, and in total. */
export function countStatement(
  viewer: Viewer,
  filter: {
    readonly ownerId: string | undefined
    readonly since: string
    readonly today: string
    readonly timeZone: string
    readonly betweenHours: boolean
  },
): { text: string; parameters: unknown[] } {
  const owner = filter.ownerId ?? null
  // Actions on other people's objects are counted by actor only, not per pair, so no owner filter is possible here.
  const scopes =
    viewer === null ? (owner === null ? [[0, firstId]] : [[1, owner]]) : [[1, viewer], ...(owner === null ? [[2, viewer]] : [])]
  const moved = filter.betweenHours
    ? ' union all select place, code, n from late union all select place - 1, code, -n from late where place > 1'
    : ''
  // The starts of the days as one array: finding an hour's position in it is cheaper than converting each hour to a date.
  const text = `with days as materialized (
      select array_agg(d::timestamp at time zone $1::text order by d) as starts, array_agg(d::date::text order by d) as names
      from generate_series($2::date, $3::date, interval '1 day') as d
    ), asked as materialized (select * from unnest($4::smallint[], $5::uuid[]) as s (scope, key)),${filter.betweenHours ? lateEntries : ''}
    counted as (
      select c.hour, c.code, c.n from asked s join activity_counts c on c.scope = s.scope and c.key = s.key and c.hour >= (select starts[1] from days)
      union all
      select c.hour, c.code, c.n from asked s join activity_counts c on c.scope = s.scope and c.key = s.key and c.hour = '-infinity'
      union all
      select h.hour, c.code, c.n from activity_count_changes c
        join asked s on s.key = case s.scope when 0 then s.key when 1 then c.owner_id else case when c.code & 1 = 0 then c.actor_id end end
        cross join lateral (values (c.hour), ('-infinity'::timestamptz)) as h (hour)
        where h.hour >= (select starts[1] from days) or h.hour = '-infinity'
    ), placed as (
      select width_bucket(hour, (select starts from days)) as place, code, n from counted${moved}
    ), summed as (
      select place, code, sum(n)::int as n from placed group by 1, 2 having sum(n) > 0
    )
    select (select names from days)[place] as day, code, n from summed`
  return { text, parameters: [filter.timeZone, filter.since, filter.today, scopes.map(([scope]) => scope), scopes.map(([, key]) => key)] }
}

export async function listCounts(db: Database, ...asked: Parameters<typeof countStatement>): Promise<CountRow[]> {
  const { text, parameters } = countStatement(...asked)
  return db.sql.unsafe<CountRow[]>(text, parameters as never[], { prepare: true })
}

/** All people, or those who acted on this owner's objects, by name. */
export async function listPeople(db: Database, viewer: Viewer): Promise<{ id: string; name: string }[]> {
  const label = db.sql.unsafe(personLabelText('u'))
  if (viewer === null) return db.sql`select id, ${label} as name from users u order by lower(${label}), id`
  // Skips from one actor to the next in the index, regardless of the number of entries.
  return db.sql`
    with recursive actors (id) as (
      (select actor_id from activity where owner_id = ${viewer} and owner_id <> actor_id order by actor_id limit 1)
      union all
      select (select a.actor_id from activity a where a.owner_id = ${viewer} and a.owner_id <> a.actor_id and a.actor_id > actors.id
        order by a.actor_id limit 1)
      from actors where actors.id is not null
    )
    select u.id, ${label} as name from users u
    where u.id in (select id from actors union all select ${viewer}::uuid) order by lower(${label}), u.id`
}

export const compactedPerBatch = 20_000

/**
 * Adds the appended differences to the counts. Safe at any time and from several processes: a second one returns immediately.
 * @returns the number of differences added; `compactedAtOnce` if there may be more.
 */
export async function compactCounts(db: Database): Promise<number> {
  return db.sql.begin(async (tx) => {
    const [lock] = await tx<{ taken: boolean }[]>`select pg_try_advisory_xact_lock(7201540313) as taken`
    if (lock?.taken !== true) return 0
    const [moved] = await tx<{ moved: number }[]>`
      with moved as (
        delete from activity_count_changes
        where ctid = any(array(select ctid from activity_count_changes limit ${compactedPerBatch})) returning owner_id, actor_id, hour, code, n
      ), added as (
        insert into activity_counts as c (scope, key, hour, code, n)
        select k.scope, k.key, h.hour, m.code, sum(m.n) from moved m
        cross join lateral (values (0, ${firstId}::uuid), (1, m.owner_id), (2, case when m.code & 1 = 0 then m.actor_id end)) as k (scope, key)
        cross join lateral (values (m.hour), ('-infinity'::timestamptz)) as h (hour)
        where k.key is not null group by 1, 2, 3, 4 having sum(m.n) <> 0
        on conflict (scope, key, hour, code) do update set n = c.n + excluded.n
      )
      select count(*)::int as moved from moved`
    return moved?.moved ?? 0
  })
}

/**
 * Deletes the oldest entries beyond the given number of days.
 * @returns their number; `atOnce` if there may be more.
 */
export async function deleteOld(db: Database, days: number, batchSize: number): Promise<number> {
  const [row] = await db.sql<{ n: number }[]>`
    with gone as (
      delete from activity where id in (
        select id from activity where id < id_floor(now() - ${days}::int * interval '1 day') order by id limit ${batchSize}
      ) returning 1
    ) select count(*)::int as n from gone`
  return row?.n ?? 0
}

/** Deletes hourly counts without remaining entries. */
export const deleteNoCounts = (db: Database) => db.sql`delete from activity_counts where n = 0`
