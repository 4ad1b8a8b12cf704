import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createTestApp, signIn } from '#server/testing/app.ts'
import type { SignedIn, TestApp } from '#server/testing/app.ts'
import { insertAccount, insertGroup, insertZones } from '#server/testing/factories.ts'
import { createFakeClock } from '#server/testing/fake-clock.ts'
import { findIncidentRow } from '../health/overview-reading.repo.ts'
import { ensurePartitions } from '../history/partitions.repo.ts'
import { listPanelChanges, listProviderChangesBefore } from './earlier-changes.repo.ts'
import { listAffected } from './incident-details.repo.ts'

const now = Date.parse('2026-11-20T10:30:00Z')
const minuteMs = 60_000
/** Minutes before now. */
const ago = (minutes: number) => new Date(now - minutes * minuteMs).toISOString()
const cause = 'origin:192.0.2.1'

let t: TestApp
let me: SignedIn
let guest: SignedIn
let stranger: SignedIn
let accountId: string
let otherAccountId: string
let groupId: string
/** Three domains of one account, the first in a group; one of another account; one that works. */
let ids: string[]

beforeAll(async () => {
  t = await createTestApp({ clock: createFakeClock(now) })
  ;[me, guest, stranger] = await Promise.all([signIn(t.services), signIn(t.services), signIn(t.services)])
  const { db } = t.services
  const ownerId = me.user.id
  accountId = (await insertAccount(db, { ownerId, email: 'cf@people.example' })).id
  otherAccountId = (await insertAccount(db, { ownerId, name: 'Other' })).id
  groupId = (await insertGroup(db, { ownerId, name: 'Shops' })).id
  const names = ['a.example', 'b.example', 'c.example', 'd.example', 'fine.example']
  const zones = await insertZones(db, { ownerId, accountId }, names.length, (index) => ({
    name: names[index] ?? '',
    accountId: index === 3 ? otherAccountId : accountId,
    groupId: index === 0 ? groupId : null,
    providerZoneId: String(index).repeat(32),
  }))
  ids = zones.map(({ id }) => id)
  await ensurePartitions(db, now - 86_400_000, now)
  await db.sql`insert into shares (owner_id, grantee_id, group_id, level) values (${ownerId}, ${guest.user.id}, ${groupId}, 'view')`
})
afterAll(() => t.close())
beforeEach(() => t.services.db.sql`truncate incidents, zone_changes, account_changes, provider_changes, operations cascade`)

interface Failed {
  readonly opened: number
  readonly closed?: number
  readonly cause?: string
  readonly notified?: number
}

/** @returns its id */
async function fails(index: number, { opened, closed, notified, ...given }: Failed): Promise<string> {
  const [row] = await t.services.db.sql<{ id: string }[]>`
    insert into incidents (owner_id, zone_id, name, health, reasons, cause, opened_at, closed_at, told, open_taken_at, timeline)
    select ${me.user.id}, id, name, 'critical', '[{"code":"connect_refused","params":{},"regions":["EUROPE"]}]', ${given.cause ?? cause},
      ${ago(opened)}, ${closed === undefined ? null : ago(closed)}, ${notified !== undefined}, ${notified === undefined ? null : ago(notified)},
      jsonb_build_array(jsonb_build_object('at', ${ago(opened)}::text, 'kind', 'opened'))
    from zones where id = ${ids[index] ?? ''} returning id`
  return row?.id ?? ''
}

interface Changed {
  readonly at: number
  readonly source?: string
  readonly subject?: string
  readonly key?: string
  readonly label?: string
  readonly batch?: string | null
}
const changes = (index: number, { at, source = 'panel', subject = 'record', key = 'r1', label = 'A www', batch = null }: Changed) =>
  t.services.db.sql`
    insert into zone_changes (zone_id, at, source, actor_id, actor_name, subject, key, label, batch_id)
    values (${ids[index] ?? ''}, ${ago(at)}, ${source}, ${me.user.id}, 'Ann', ${subject}, ${key}, ${label}, ${batch})`

/** An operation that finished, with these domains. @returns its id */
async function operates(kind: string, input: object, domains: readonly number[], at: number, ownerId = me.user.id): Promise<string> {
  const { sql } = t.services.db
  const [row] = await sql<{ id: string }[]>`
    insert into operations (owner_id, actor_id, actor_name, kind, input, state, total, counts, started_at, finished_at)
    values (${ownerId}, ${ownerId}, 'Ann', ${kind}, ${JSON.stringify(input)}::text::jsonb, 'done', ${domains.length},
      ${JSON.stringify({ done: domains.length })}::text::jsonb, ${ago(at + 1)}, ${ago(at)}) returning id`
  const id = row?.id ?? ''
  for (const [position, index] of domains.entries()) {
    await sql`
      insert into operation_items (operation_id, position, zone_id, account_id, account_email, lane, name, state, plan, finished_at)
      values (${id}, ${position}, ${ids[index] ?? ''}, ${accountId}, '', 'k', 'x', 'done', '{}', ${ago(at)})`
  }
  return id
}

interface AtProvider {
  readonly at: number
  readonly zone?: number
  readonly actor?: string
  readonly kind?: string
  readonly own?: boolean
  readonly account?: string
}
const changesAtProvider = ({ at, zone, actor = 'eve@example.com', kind = 'records', own = false, account = accountId }: AtProvider) =>
  t.services.db.sql`
    insert into provider_changes (owner_id, account_id, change_id, changed_at, kind, action, actor, address, subject, provider_zone_id, is_own)
    values (${me.user.id}, ${account}, gen_random_uuid()::text, ${ago(at)}, ${kind}, 'update', ${actor}, '203.0.113.9', 'www',
      ${zone === undefined ? null : String(zone).repeat(32)}, ${own})`

test('issue 23 an incident names the domains of its outage, and not those of an earlier one, of another cause, or of another time', async () => {
  const first = await fails(0, { opened: 30 })
  const second = await fails(1, { opened: 29, closed: 10 })
  await fails(2, { opened: 28, cause: 'origin:192.0.2.2' })
  await fails(3, { opened: 200, closed: 190 })
  await fails(4, { opened: 95 })
  const { affected, startedAt, incident } = await me.call.monitoring.incident({ id: first })
  expect(incident).toMatchObject({ id: first, name: 'a.example', cause })
  expect(affected).toEqual({
    total: 2,
    domains: [
      { zoneId: ids[0], name: 'a.example', displayName: 'a.example', openedAt: ago(30), closedAt: null },
      { zoneId: ids[1], name: 'b.example', displayName: 'b.example', openedAt: ago(29), closedAt: ago(10) },
    ],
  })
  expect(startedAt).toBe(ago(30))
  const other = await me.call.monitoring.incident({ id: second })
  expect(other.affected).toEqual(affected)
  expect(other.startedAt).toBe(startedAt)
})

test('issue 23 domains with only a symptom in common are no outage, and the changes are those before the own failure', async () => {
  const symptom = 'code:dns_no_such_name'
  await fails(0, { opened: 50, cause: symptom })
  const second = await fails(1, { opened: 5, cause: symptom })
  await changes(1, { at: 10 })
  const { affected, startedAt, changes: before } = await me.call.monitoring.incident({ id: second })
  expect([affected.total, startedAt, before.length]).toEqual([1, ago(5), 1])
})

test('issue 23 a domain that fails repeatedly counts once, and only the first twenty are listed', async () => {
  const id = await fails(0, { opened: 30 })
  await fails(1, { opened: 29, closed: 25 })
  await fails(1, { opened: 20 })
  expect((await me.call.monitoring.incident({ id })).affected.total).toBe(2)
  await t.services.db.sql`
    insert into incidents (owner_id, name, health, reasons, cause, opened_at)
    select ${me.user.id}, 'n' || n || '.example', 'critical', '[]', ${cause}, ${ago(28)} from generate_series(1, 400) n`
  const { affected } = await me.call.monitoring.incident({ id })
  expect(affected.total).toBe(402)
  expect(affected.domains).toHaveLength(20)
})

test('issue 23 the timeline has what is stored: the start, the regions that confirm it, the alert, others that join and recover, and the end', async () => {
  const { sql } = t.services.db
  const id = await fails(0, { opened: 30, notified: 29 })
  await fails(1, { opened: 28, closed: 12 })
  await fails(2, { opened: 28, closed: 11 })
  await sql`
    insert into zone_monitors (zone_id, owner_id, interval_seconds, slot, regions) values (${ids[0] ?? ''}, ${me.user.id}, 300, 0, '{EUROPE}')`
  await sql`insert into zone_views (zone_id, region, state, since) values (${ids[0] ?? ''}, 'EUROPE', 'down', ${ago(30)}), (${ids[0] ?? ''}, 'ASIA', 'up', ${ago(99)})`
  const { incident } = await me.call.monitoring.incident({ id })
  expect(incident.timeline).toEqual([
    { at: ago(30), kind: 'opened' },
    { at: ago(30), kind: 'confirmed', region: 'EUROPE' },
    { at: ago(29), kind: 'notified' },
    { at: ago(28), kind: 'joined', domains: 2 },
    { at: ago(12), kind: 'recovered', domains: 1 },
    { at: ago(11), kind: 'recovered', domains: 1 },
  ])
  await sql`update zone_views set state = 'up'`
  // The message about the outage was sent before this domain joined it.
  const joined = await fails(3, { opened: 20, closed: 5, notified: 29 })
  const kinds = (await me.call.monitoring.incident({ id: joined })).incident.timeline.map(({ kind }) => kind)
  expect(kinds).not.toContain('notified')
  expect(kinds).not.toContain('confirmed')
})

test('issue 23 changes in the hour before the first failure are listed with who, when and how many of the affected domains', async () => {
  const id = await fails(1, { opened: 29 })
  await fails(0, { opened: 30 })
  await fails(2, { opened: 30 })
  const operation = await operates('ip', { ipAddress: '192.0.2.1', mode: 'replace' }, [0, 1, 4], 33)
  for (const index of [0, 1, 4]) await changes(index, { at: 33.5, source: 'operation', batch: operation })
  await changes(2, { at: 60, subject: 'setting', key: 'ssl', label: 'ssl' })
  const { changes: found } = await me.call.monitoring.incident({ id })
  expect(found).toEqual([
    {
      at: ago(33),
      source: 'operation',
      actor: 'Ann',
      kinds: ['records'],
      domains: 2,
      subject: 'A www',
      account: null,
      operation: { id: operation, kind: 'ip', subject: '192.0.2.1', canOpen: true, canUndo: true },
    },
    { at: ago(60), source: 'panel', actor: 'Ann', kinds: ['settings'], domains: 1, subject: 'ssl', account: null, operation: null },
  ])
})

test('issue 23 changes after the failure, long before it, of other domains, of nothing that matters, or read from the provider are not listed', async () => {
  const id = await fails(0, { opened: 30 })
  await changes(0, { at: 29 })
  await changes(0, { at: 91 })
  await changes(4, { at: 40 })
  await changes(0, { at: 40, source: 'outside' })
  await changes(0, { at: 40, subject: 'zone', key: 'group', label: 'group' })
  await operates('refresh', {}, [0], 40)
  await operates('ip', { ipAddress: '192.0.2.1', mode: 'replace' }, [0], 20)
  await changesAtProvider({ at: 29, zone: 0 })
  await changesAtProvider({ at: 91, zone: 0 })
  await changesAtProvider({ at: 40, zone: 4 })
  await changesAtProvider({ at: 40, zone: 0, own: true })
  await changesAtProvider({ at: 40, kind: 'account', account: otherAccountId })
  expect((await me.call.monitoring.incident({ id })).changes).toEqual([])
})

test('issue 23 changes by others at Cloudflare are listed by person, those of the whole account last', async () => {
  const id = await fails(0, { opened: 30 })
  await fails(1, { opened: 29 })
  await changesAtProvider({ at: 34, zone: 0 })
  await changesAtProvider({ at: 33, zone: 1, kind: 'settings' })
  await changesAtProvider({ at: 31, zone: 1, actor: 'deploy' })
  await changesAtProvider({ at: 30, kind: 'account', actor: 'eve@example.com' })
  const { changes: found } = await me.call.monitoring.incident({ id })
  const shared = { source: 'provider', subject: 'www', operation: null }
  expect(found).toEqual([
    { ...shared, at: ago(33), actor: 'eve@example.com', kinds: ['records', 'settings'], domains: 2, account: null },
    { ...shared, at: ago(31), actor: 'deploy', kinds: ['records'], domains: 1, account: null },
    {
      ...shared,
      at: ago(30),
      actor: 'eve@example.com',
      kinds: ['account'],
      domains: 0,
      account: { id: accountId, name: 'cf@people.example' },
    },
  ])
})

test('issue 23 an operation without history is found by its items, and one that was undone or cannot be undone offers no undo', async () => {
  const id = await fails(0, { opened: 30 })
  const [servers, purged, undone] = [
    await operates('name_servers', {}, [0], 33),
    await operates('purge', {}, [0], 34),
    await operates('settings', { settings: { ssl: 'off' } }, [0], 35),
  ]
  await t.services.db.sql`update operations set counts = '{"undone": 1}' where id = ${undone}`
  const { changes: found } = await me.call.monitoring.incident({ id })
  expect(found.map(({ operation, kinds }) => [operation?.id, operation?.canUndo, kinds])).toEqual([
    [servers, true, []],
    [purged, false, []],
    [undone, false, []],
  ])
})

test('issue 23 with a shared group a person sees only its domains and their changes, and others see nothing', async () => {
  const id = await fails(0, { opened: 30 })
  const hidden = await fails(1, { opened: 31 })
  const operation = await operates('ip', { ipAddress: '192.0.2.1', mode: 'replace' }, [0, 1], 35)
  await changesAtProvider({ at: 34, zone: 0 })
  await changesAtProvider({ at: 34, zone: 1, actor: 'hidden@example.com' })
  await changesAtProvider({ at: 34, kind: 'account', actor: 'hidden@example.com' })
  const seen = await guest.call.monitoring.incident({ id })
  expect(seen.affected).toMatchObject({ total: 1, domains: [{ name: 'a.example' }] })
  expect(seen.startedAt).toBe(ago(30))
  expect(seen.incident.timeline.map(({ kind }) => kind)).toEqual(['opened'])
  expect(seen.changes.map(({ actor, domains, operation: by }) => [actor, domains, by?.canOpen, by?.canUndo])).toEqual([
    ['eve@example.com', 1, undefined, undefined],
    ['Ann', 1, false, false],
  ])
  expect(seen.changes[1]?.operation?.id).toBe(operation)
  for (const [who, what] of [
    [guest, hidden],
    [stranger, id],
    [me, crypto.randomUUID()],
  ] as const) {
    await expect(who.call.monitoring.incident({ id: what })).rejects.toMatchObject({ cause: { code: 'not_found' } })
  }
})

test('issue 23 the incident of an account affects all its domains', async () => {
  const [row] = await t.services.db.sql<{ id: string }[]>`
    insert into incidents (owner_id, account_id, name, health, reasons, cause, opened_at)
    values (${me.user.id}, ${accountId}, 'cf@people.example', 'critical', '[]', ${`account:${accountId}`}, ${ago(30)}) returning id`
  await changesAtProvider({ at: 31, kind: 'account' })
  const found = await me.call.monitoring.incident({ id: row?.id ?? '' })
  expect(found).toMatchObject({ causeName: 'cf@people.example', affected: { total: 4 } })
  expect(found.changes.map(({ kinds }) => kinds)).toEqual([['account']])
  await expect(guest.call.monitoring.incident({ id: row?.id ?? '' })).rejects.toMatchObject({ cause: { code: 'not_found' } })
})

test('issue 23 an outage of thousands of domains among many older incidents, changes and operations is found by indexes', async () => {
  const { sql } = t.services.db
  await sql`
    insert into incidents (owner_id, name, health, reasons, cause, opened_at, closed_at)
    select ${me.user.id}, 'n' || n % 500 || '.example', 'critical', '[]', 'origin:192.0.2.' || n % 200, ${ago(60 * 24)}::timestamptz - n * interval '1 minute', ${ago(60 * 24)}::timestamptz
    from generate_series(1, 20000) n`
  await sql`
    insert into zone_changes (zone_id, at, source, subject, key, label)
    select z.id, ${ago(120)}::timestamptz - n * interval '1 hour', 'panel', 'record', 'r', 'A' from zones z, generate_series(1, 3000) n where z.owner_id = ${me.user.id}`
  await sql`
    insert into operations (owner_id, actor_name, kind, input, state, total)
    select ${me.user.id}, 'Ann', 'ip', '{}', 'done', 5 from generate_series(1, 3000)`
  await sql`
    insert into operation_items (operation_id, position, zone_id, account_id, account_email, lane, name, state, plan, finished_at)
    select o.id, z.place, z.id, ${accountId}, '', 'k', 'x', 'done', '{}', ${ago(120)}::timestamptz
    from operations o, (select id, row_number() over () as place from zones where owner_id = ${me.user.id}) z`
  await sql`
    insert into provider_changes (owner_id, account_id, change_id, changed_at, kind, action, actor, provider_zone_id, is_own)
    select ${me.user.id}, ${accountId}, 'old' || n, ${ago(120)}::timestamptz - n * interval '1 minute', 'records', 'update', 'x', repeat('0', 32), false
    from generate_series(1, 20000) n`
  await sql`analyze`
  const id = await fails(0, { opened: 30 })
  await changes(0, { at: 35 })
  const { db } = t.services
  const row = await findIncidentRow(db.orm, id)
  if (row === null) throw new Error('the incident does not exist')
  const failed = { domainIds: ids.slice(0, 2), accountIds: [], at: new Date(ago(30)) }
  const scanned = await db.orm.transaction(async (tx) => {
    await listAffected(tx, { ownerId: me.user.id, shared: null }, row, true)
    expect(await listPanelChanges(tx, failed)).toHaveLength(1)
    await listProviderChangesBefore(tx, failed)
    return tx.execute<{ name: string; rows: number }>(`
      select relname as name, seq_tup_read::int as rows from pg_stat_xact_user_tables
      where relname in ('incidents', 'zone_changes', 'operation_items', 'provider_changes') order by relname`)
  })
  // Without sequential scans.
  expect(scanned.map(({ name, rows }) => [name, rows])).toEqual([
    ['incidents', 0],
    ['operation_items', 0],
    ['provider_changes', 0],
    ['zone_changes', 0],
  ])
})
