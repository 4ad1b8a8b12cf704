import { randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Database, Sql } from '#server/db/client.ts'
import { compactCounts, countStatement, pageStatement } from '#server/features/activity/activity.repo.ts'
import { windowsOf } from '#server/features/activity/windows.policy.ts'
import type { ActivityFilter } from '#shared/features/activity/schema.ts'
import type { Bench, Figure } from './bench.ts'
import { load } from './load.ts'
import { insertOwner, startChild, startDatabase, startPanel } from './panel.ts'
import { withoutIndexes } from './without-indexes.ts'

const clients = 4
const warmMs = 300
const forMs = 700
const timeZone = 'Europe/Moscow'
const days = 360
/** The same statement as in `list-activity.ts`. */
const longestDetails = 4_000

/**
 * A year of log entries: half of them from syncs, most others from operations; some kinds are one in a thousand or one in a hundred thousand. The
 * first of 50 owners has half of all; one change in a thousand was made by another user.
 */
async function seed({ sql }: Database, rows: number, owners: readonly string[], admin: string): Promise<void> {
  await sql`alter table activity disable trigger user`
  await withoutIndexes(sql, 'activity', () => insertEntries(sql, rows, owners, admin))
  await sql`alter table activity enable trigger user`
  await sql`insert into activity_count_changes (owner_id, actor_id, hour, code, n)
    select owner_id, actor_id, date_trunc('hour', created_at, 'UTC'), code, count(*) from activity group by 1, 2, 3, 4`
}

async function insertEntries(sql: Sql, rows: number, owners: readonly string[], admin: string): Promise<void> {
  const batchSize = 500_000
  for (let from = 0; from < rows; from += batchSize) {
    await sql.unsafe(
      `insert into activity (id, owner_id, actor_id, actor_name, actor_kind, actor_via, action, entity_type, code, entity_id, entity_name, details, address, request_id)
      select uuidv7(at), owner, actor, case when actor is null then 'sync' else 'Somebody' end, kind::activity_actor,
        case when kind = 'operation' then $5::uuid end, action::activity_action, entity::activity_entity,
        (array_position(enum_range(null::activity_action)::text[], action) - 1) * 512 + (array_position(enum_range(null::activity_entity)::text[], entity) - 1) * 16
          + (array_position(enum_range(null::activity_actor)::text[], kind) - 1) * 2 + coalesce(owner = actor, false)::int,
        gen_random_uuid()::text, 'shop' || n || '.example', case when action = 'update' then '{"ssl":{"from":"flexible","to":"full"}}' else '{}' end::jsonb,
        '192.0.2.7', 'bench'
      from (
        select *, case when kind = 'system' then null when n % 1000 = 7 then $4::uuid else owner end as actor
        from (
          select n, $3::uuid[] as owners, (n - $6::bigint)::float8 / $6 * interval '${days} days' as at,
            ($3::uuid[])[case when n % 2 = 0 then 1 else 2 + ((n::bigint * 7919) % 49)::int end] as owner,
            case when n % 100 < 50 then 'system' when n % 100 < 90 then 'operation' when n % 100 = 99 then 'token' else 'user' end as kind,
            case when n % 100003 = 7 then 'reveal' when n % 100 < 50 then 'sync' when n % 1009 = 3 then 'denied' when n % 100 < 92 then 'update'
              when n % 100 < 95 then 'create' when n % 100 < 97 then 'delete' when n % 100 = 97 then 'login' else 'logout' end as action,
            case when n % 100 < 50 then 'account' when n % 100 >= 97 then 'user' when n % 1009 = 4 then 'group' when n % 100003 = 9 then 'profile' else 'zone' end as entity
          from generate_series($1::int, $2::int) as n
        ) as made
      ) as known`,
      [from + 1, Math.min(from + batchSize, rows), owners, admin, randomUUID(), rows] as never[],
    )
  }
}

type Person = Awaited<ReturnType<typeof insertOwner>>
interface People {
  readonly admin: Person
  readonly busy: Person
  readonly quiet: Person
}
interface Middle {
  readonly id: string
  readonly day: string
}

const filtersOf = ({ admin, busy, quiet }: People, middle: Middle): Readonly<Record<string, ActivityFilter>> => ({
  'no filter': {},
  'action update (40 %)': { action: 'update' },
  'action denied (0.1 %)': { action: 'denied' },
  'action reveal (0.001 %)': { action: 'reveal' },
  'entity domain (46 %)': { entityType: 'zone' },
  'entity profile (0.001 %)': { entityType: 'profile' },
  'entity registrar (none)': { entityType: 'registrar' },
  'by operations (40 %)': { actorKind: 'operation' },
  'by tokens (1 %)': { actorKind: 'token' },
  'action and entity (none)': { action: 'login', entityType: 'group' },
  'two days': { from: middle.day, to: middle.day },
  'action reveal, half a year': { action: 'reveal', to: middle.day },
  'user, busy': { actorId: busy.id },
  'user, quiet': { actorId: quiet.id },
  'user, quiet, action reveal': { actorId: quiet.id, action: 'reveal' },
  'owner, busy': { ownerId: busy.id },
  'owner, quiet, action denied, entity domain, half a year': {
    ownerId: quiet.id,
    action: 'denied',
    entityType: 'zone',
    to: middle.day,
  },
  'owner and another user (0.05 %)': { ownerId: busy.id, actorId: admin.id },
  'nobody’s': { ownerId: randomUUID() },
})

function pageCases(people: People, middle: Middle) {
  const { admin, busy, quiet } = people
  const filters = filtersOf(people, middle)
  return [null, middle.id].flatMap((cursor) =>
    [
      { who: 'administrator', person: admin, viewer: null, names: Object.keys(filters) },
      ...(
        [
          ['busy user', busy],
          ['quiet user', quiet],
        ] as const
      ).map(([who, person]) => ({
        who,
        person,
        viewer: person.id,
        names: ['no filter', 'action denied (0.1 %)', 'action reveal (0.001 %)', 'entity registrar (none)', 'by tokens (1 %)', 'two days'],
      })),
    ].flatMap(({ who, person, viewer, names }) =>
      names.map((name) => {
        const filter = { ...filters[name], timeZone }
        return {
          label: `${who}, ${name}${cursor === null ? '' : ', from the middle'}`,
          token: person.token,
          call: `activity.list?input=${encodeURIComponent(JSON.stringify({ ...filter, limit: 50, ...(cursor !== null && { cursor }) }))}`,
          statement: pageStatement({ viewer, filter, cursor, limit: 51, longestDetails }),
        }
      }),
    ),
  )
}

function statisticsCases({ admin, busy }: People) {
  return [
    { who: 'administrator', person: admin, viewer: null, ownerId: undefined, zone: timeZone },
    { who: 'administrator, one owner', person: admin, viewer: null, ownerId: busy.id, zone: timeZone },
    { who: 'busy user', person: busy, viewer: busy.id, ownerId: undefined, zone: timeZone },
    { who: 'administrator, days that begin at half past', person: admin, viewer: null, ownerId: undefined, zone: 'Asia/Kolkata' },
    { who: 'busy user, days that begin at half past', person: busy, viewer: busy.id, ownerId: undefined, zone: 'Asia/Kolkata' },
  ].map(({ who, person, viewer, ownerId, zone }) => ({
    label: `statistics, ${who}`,
    token: person.token,
    call: `activity.stats?input=${encodeURIComponent(JSON.stringify({ timeZone: zone, ownerId }))}`,
    statement: countStatement(viewer, { ownerId, timeZone: zone, ...windowsOf(Date.now(), zone, 'monday') }),
  }))
}

/** Alternates, so that other load on the machine affects both equally. */
async function compare(
  report: (figure: Figure) => void,
  label: string,
  { url, headers }: { readonly url: string; readonly headers: Readonly<Record<string, string>> },
  bareUrl: string,
): Promise<void> {
  const own = () => load(url, headers, clients, forMs)
  const peer = () => load(bareUrl, {}, clients, forMs)
  await load(url, headers, clients, warmMs)
  await load(bareUrl, {}, clients, warmMs)
  const ours = [await own()]
  const theirs = [await peer()]
  ours.push(await own())
  theirs.push(await peer())
  const mean = (of: readonly { readonly perSecond: number }[]) => of.reduce((sum, { perSecond }) => sum + perSecond, 0) / of.length
  const least = (of: readonly { readonly p95Ms: number }[]) => Math.min(...of.map(({ p95Ms }) => p95Ms))
  report({
    name: `${label}: throughput`,
    value: mean(ours),
    unit: '/s',
    against: { kind: 'at least', value: mean(theirs) * 0.6, what: '60 % of the bare route' },
    more: { peer: Math.round(mean(theirs)), ofPeer: Number((mean(ours) / mean(theirs)).toFixed(2)) },
  })
  report({
    name: `${label}: p95`,
    value: least(ours),
    unit: 'ms',
    against: { kind: 'at most', value: 30, what: `${clients} clients` },
    more: { peerP95Ms: Number(least(theirs).toFixed(1)) },
  })
}

export const activityLog = (rows: number): Bench => ({
  about: `the activity log of ${rows.toLocaleString('en')} entries: pages of 50 by any filter and the statistics, authenticated, compared with a bare route with the same SQL`,
  async run(report) {
    const database = await startDatabase()
    const { db } = database
    const admin = await insertOwner(db, 'admin')
    const owners: (typeof admin)[] = []
    for (let n = 0; n < 50; n += 1) owners.push(await insertOwner(db))
    const [busy, quiet] = owners
    if (busy === undefined || quiet === undefined) throw new Error('nobody was inserted')
    const began = performance.now()
    await seed(
      db,
      rows,
      owners.map(({ id }) => id),
      admin.id,
    )
    while ((await compactCounts(db)) > 0);
    for (const table of ['activity', 'activity_counts', 'activity_count_changes']) await db.sql.unsafe(`vacuum analyze ${table}`)
    process.stderr.write(`seeded in ${Math.round((performance.now() - began) / 1000)} s\n`)
    const [middle] = await db.sql<{ id: string; day: string }[]>`
      select id, created_at::date::text as day from activity where id < id_floor(now() - interval '${db.sql.unsafe(String(days / 2))} days') order by id desc limit 1`
    if (middle === undefined) throw new Error('there is no entry in the middle')

    const people = { admin, busy, quiet }
    const cases = [...pageCases(people, middle), ...statisticsCases(people)]

    const config = join(database.dataDir, 'bare.json')
    await writeFile(config, JSON.stringify({ url: database.url, statements: cases.map(({ statement }) => statement) }))
    const bare = await startChild('bench/bare-server.ts', [config])
    const panel = await startPanel(database)
    try {
      const urlOf = (call: string) => `${panel.url}/trpc/${call}`
      await load(urlOf('activity.list?input=%7B%7D'), { authorization: `Bearer ${admin.token}` }, clients, 3_000)
      await load(`${bare.url}/0`, {}, clients, 2_000)
      for (const [index, each] of cases.entries()) {
        const headers = { authorization: `Bearer ${each.token}` }
        await compare(report, each.label, { url: urlOf(each.call), headers }, `${bare.url}/${index}`)
      }
    } finally {
      await panel.stop()
      await bare.stop()
      await database.close()
    }
  },
})
