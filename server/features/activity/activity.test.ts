import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { readActivityCode, activityCode, listActivityCodes } from '#server/platform/activity-code.ts'
import type { AuditEntry, AuditSource } from '#server/platform/audit.ts'
import { audit } from '#server/platform/audit.ts'
import { callAs, createTestApp, signIn } from '#server/testing/app.ts'
import type { SignedIn, TestApp } from '#server/testing/app.ts'
import { createFakeClock } from '#server/testing/fake-clock.ts'
import { insertAccount, insertZone } from '#server/testing/factories.ts'
import { activityAction, activityActorKind, activityEntity } from '#shared/features/activity/schema.ts'
import type { ActivityFilter } from '#shared/features/activity/schema.ts'
import { compactCounts, listEntries, pageStatement } from './activity.repo.ts'
import { forgetOldActivity } from './activity-maintenance.ts'
import { windowsOf } from './windows.policy.ts'

let server: TestApp
let anna: SignedIn
let boris: SignedIn
let admin: SignedIn

beforeAll(async () => {
  server = await createTestApp()
})
afterAll(() => server.close())
beforeEach(async () => {
  const { services } = server
  await services.db.sql`truncate activity, activity_counts, activity_count_changes`
  ;[anna, boris, admin] = await Promise.all([signIn(services), signIn(services), signIn(services, { role: 'admin' })])
})

const { raw } = String
const by = ({ actor }: SignedIn, via?: NonNullable<SignedIn['actor']['via']>): AuditSource => ({
  actor: { ...actor, ...(via && { via }) },
  address: '192.0.2.7',
  requestId: '',
})
const system: AuditSource = { actor: { kind: 'system', name: 'sync' }, address: null, requestId: '' }
const write = (source: AuditSource, ...entries: AuditEntry[]) => audit(server.services.db.orm, source, ...entries)
const on = ({ user }: SignedIn, given: Partial<AuditEntry> = {}): AuditEntry => ({
  action: 'update',
  entityType: 'zone',
  entityName: 'example.com',
  ownerId: user.id,
  ...given,
})
const signInAgain = async (token: string) => callAs(server.services, await server.services.sessions.find(token))
const dayIn = (timeZone: string, ms: number) => new Intl.DateTimeFormat('sv', { timeZone, dateStyle: 'short' }).format(ms)
/** Moves all current entries this far into the past. */
const age = async (interval: string) => {
  await server.services.db.sql`truncate activity_counts, activity_count_changes`
  await server.services.db.sql.unsafe(`
    with gone as (delete from activity returning *)
    insert into activity (id, owner_id, actor_id, actor_name, actor_kind, actor_via, action, entity_type, code, entity_id, entity_name, details, address, request_id)
    select uuidv7(-interval '${interval}'), owner_id, actor_id, actor_name, actor_kind, actor_via, action, entity_type, code, entity_id, entity_name, details, address, request_id
    from gone order by id`)
  await server.services.db.sql`delete from activity_count_changes where n < 0`
}
const names = async (who: SignedIn, filter: ActivityFilter = {}) =>
  (await who.call.activity.list(filter)).activityLogs.map(({ entityName }) => entityName)

describe('entries', () => {
  test('R-LOG-01 an entry reports time, actor, action and object, with the values before and after', async () => {
    const { group } = await anna.call.groups.create({ name: 'Shops' })
    await anna.call.groups.update({ id: group.id, name: 'Stores' })
    const { activityLogs } = await anna.call.activity.list({})
    expect(activityLogs).toEqual([
      expect.objectContaining({
        actor: { id: anna.user.id, name: anna.actor.name, kind: 'user', token: null },
        owner: { id: anna.user.id, name: anna.actor.name },
        action: 'update',
        entityType: 'group',
        entityId: group.id,
        entityName: 'Shops',
        details: { name: { from: 'Shops', to: 'Stores' } },
        address: '192.0.2.1',
      }),
      expect.objectContaining({ action: 'create', entityType: 'group', entityName: 'Shops' }),
    ])
    const [last] = activityLogs
    expect(Math.abs(Date.parse(last?.createdAt ?? '') - Date.now())).toBeLessThan(60_000)
    expect(await anna.call.activity.get({ id: last?.id ?? '' })).toEqual({ activityLog: last })
  })

  test('R-LOG-01 a user who takes an administrator’s name is still distinguishable: in the log, its export and its filter', async () => {
    const real = await signIn(server.services, { role: 'admin', name: 'Demo', username: 'demo' })
    const { user, token } = await signIn(server.services, { username: 'mallory' })
    const mallory = await signInAgain(token)
    await mallory.me.update({ name: 'Demo' })
    const { groups } = await signInAgain(token)
    await groups.create({ name: 'Hers' })
    await real.call.groups.create({ name: 'His' })

    const { activityLogs } = await real.call.activity.list({ entityType: 'group' })
    expect(activityLogs.map(({ entityName, actor, owner }) => [entityName, actor.name, owner?.name])).toEqual([
      ['His', 'Demo · demo', 'Demo · demo'],
      ['Hers', 'Demo · mallory', 'Demo · mallory'],
    ])
    const people = new Map((await real.call.activity.people()).people.map(({ id, name }) => [id, name]))
    expect([people.get(real.user.id), people.get(user.id)]).toEqual(['Demo · demo', 'Demo · mallory'])

    // Also after the user is deleted.
    await server.services.db.sql`delete from users where id = ${user.id}`
    const lines = (await real.call.activity.export({ entityType: 'group' })).text
      .trim()
      .split('\r\n')
      .map((line) => line.split(','))
    const column = (name: string) => lines.slice(1).map((line) => line[lines[0]?.indexOf(name) ?? -1])
    expect(column('actor')).toEqual(['Demo · demo', 'Demo · mallory'])
    expect(column('actor_id')).toEqual([real.user.id, user.id])
    expect(column('actor_username')).toEqual(['demo', 'mallory'])
  })

  test('R-LOG-01 the time of an entry equals the time in its id', async () => {
    await write(by(anna), on(anna))
    const [row] = await server.services.db.sql<{ ms: number }[]>`select extract(epoch from created_at) * 1000 as ms from activity`
    const [entry] = (await anna.call.activity.list({})).activityLogs
    expect(Date.parse(entry?.createdAt ?? '')).toBe(Math.round(Number(row?.ms)))
  })

  test('an operation’s entry links to the operation, and to the domain while it exists', async () => {
    const account = await insertAccount(server.services.db, { ownerId: anna.user.id })
    const zone = await insertZone(server.services.db, { ownerId: anna.user.id, accountId: account.id })
    const { operation } = await anna.call.operations.preview({
      request: { kind: 'settings', input: { settings: { ssl: 'off' } } },
      target: { ids: [zone.id] },
    })
    await write(by(anna, { kind: 'operation', id: operation.id }), on(anna, { entityId: zone.id }))
    const get = async () => (await anna.call.activity.list({})).activityLogs[0]
    expect(await get()).toMatchObject({ zoneId: zone.id, operation: { id: operation.id, kind: 'settings' }, actor: { kind: 'operation' } })
    await server.services.db.sql`delete from zones`
    await server.services.db.sql`delete from operations`
    expect(await get()).toMatchObject({ zoneId: null, operation: null, actor: { kind: 'operation' } })
  })

  test('R-LOG-01 each step of an operation is logged with its object', async () => {
    const account = await insertAccount(server.services.db, { ownerId: anna.user.id })
    const zone = await insertZone(server.services.db, { ownerId: anna.user.id, accountId: account.id })
    const request = { kind: 'settings', input: { settings: { ssl: 'off' } } } as const
    const {
      operation: { id },
    } = await anna.call.operations.preview({ request, target: { ids: [zone.id] } })
    expect(await names(anna)).toEqual([])
    await anna.call.operations.start({ id, scheduledAt: new Date(Date.now() + 86_400_000).toISOString() })
    await anna.call.operations.pause({ id })
    await anna.call.operations.resume({ id })
    await anna.call.operations.cancel({ id })
    const { activityLogs } = await anna.call.activity.list({ entityType: 'operation' })
    expect(activityLogs.map(({ details }) => details?.['step'])).toEqual(['cancel', 'resume', 'pause', 'start'])
    expect(activityLogs[3]).toMatchObject({ operation: { id, kind: 'settings' }, entityName: 'settings', details: { domains: 1 } })
  })

  test('actions of a deleted user, and changes to their resources, stay in the log', async () => {
    await write(by(anna), on(anna, { entityName: 'hers' }))
    await server.services.db.sql`delete from users where id = ${anna.user.id}`
    expect((await admin.call.activity.list({})).activityLogs).toEqual([
      expect.objectContaining({ entityName: 'hers', owner: { id: anna.user.id, name: null } }),
    ])
  })

  test('long details are omitted from lists and included in the single entry', async () => {
    const text = Array.from({ length: 3_000 }, () => Math.random().toString(36)).join(' ')
    await write(by(anna), on(anna, { details: { comment: text } }))
    const [entry] = (await anna.call.activity.list({})).activityLogs
    expect(entry?.details).toBeNull()
    expect((await anna.call.activity.get({ id: entry?.id ?? '' })).activityLog.details).toEqual({ comment: text })
  })
})

describe('visibility', () => {
  beforeEach(async () => {
    await write(by(anna), on(anna, { entityName: 'anna on her own' }))
    await write(by(admin), on(anna, { entityName: 'admin on anna’s' }))
    await write(by(anna), on(boris, { entityName: 'anna on boris’s' }))
    await write(by(boris), on(boris, { entityName: 'boris on his own' }))
    await write(system, on(anna, { entityName: 'system on anna’s' }))
    await write({ ...system, actor: null }, on(boris, { action: 'denied', entityName: 'nobody as boris' }))
    await write(system, { action: 'update', entityType: 'settings', entityName: 'of nobody' })
  })

  test('R-PRM-02 a user sees their own actions and changes to their resources, an administrator everything', async () => {
    expect(await names(anna)).toEqual(['system on anna’s', 'anna on boris’s', 'admin on anna’s', 'anna on her own'])
    expect(await names(boris)).toEqual(['nobody as boris', 'boris on his own', 'anna on boris’s'])
    expect(await names(admin)).toHaveLength(7)
    const [first] = (await boris.call.activity.list({})).activityLogs
    await expect(anna.call.activity.get({ id: first?.id ?? '' })).rejects.toMatchObject({ message: 'not_found' })
  })

  test('R-LOG-02 the filters on actor and owner combine with all others', async () => {
    expect(await names(anna, { actorId: anna.user.id })).toEqual(['anna on boris’s', 'anna on her own'])
    expect(await names(anna, { actorId: admin.user.id })).toEqual(['admin on anna’s'])
    expect(await names(anna, { actorId: boris.user.id })).toEqual([])
    expect(await names(anna, { ownerId: anna.user.id })).toEqual(['system on anna’s', 'admin on anna’s', 'anna on her own'])
    expect(await names(anna, { ownerId: boris.user.id })).toEqual(['anna on boris’s'])
    expect(await names(admin, { ownerId: anna.user.id })).toEqual(['system on anna’s', 'admin on anna’s', 'anna on her own'])
    expect(await names(admin, { ownerId: anna.user.id, actorId: anna.user.id })).toEqual(['anna on her own'])
    expect(await names(admin, { ownerId: boris.user.id, actorId: anna.user.id })).toEqual(['anna on boris’s'])
    expect(await names(admin, { actorKind: 'system' })).toEqual(['of nobody', 'system on anna’s'])
    expect(await names(admin, { actorKind: 'anonymous', action: 'denied' })).toEqual(['nobody as boris'])
    expect(await names(admin, { actorKind: 'system', actorId: anna.user.id })).toEqual([])
    expect(await names(boris, { action: 'update', actorId: boris.user.id })).toEqual(['boris on his own'])
  })

  test('only administrators see another person’s IP address', async () => {
    const addresses = async (who: SignedIn) =>
      new Map((await who.call.activity.list({})).activityLogs.map(({ entityName, address }) => [entityName, address]))
    expect((await addresses(anna)).get('admin on anna’s')).toBeNull()
    expect((await addresses(anna)).get('anna on her own')).toBe('192.0.2.7')
    expect((await addresses(admin)).get('anna on her own')).toBe('192.0.2.7')
  })

  test('the actor filter lists only people the reader may see', async () => {
    const of = async (who: SignedIn) => (await who.call.activity.people()).people.map(({ id }) => id)
    expect((await of(anna)).toSorted()).toEqual([anna.user.id, admin.user.id].toSorted())
    expect((await of(boris)).toSorted()).toEqual([anna.user.id, boris.user.id].toSorted())
    expect(await of(admin)).toEqual(expect.arrayContaining([anna.user.id, boris.user.id, admin.user.id]))
  })
})

describe('paging', () => {
  test('R-LOG-02 pages of 50 follow without gaps or repetitions while entries are written', async () => {
    const entries = (from: number, to: number) =>
      Array.from({ length: to - from }, (_, n) => on(n % 3 === 0 ? boris : anna, { entityName: String(from + n) }))
    await write(by(anna), ...entries(0, 130))
    const seen: string[] = []
    for (let cursor: string | undefined, page = 0; ; page += 1) {
      const { activityLogs, nextCursor } = await admin.call.activity.list({ cursor })
      seen.push(...activityLogs.map(({ entityName }) => entityName ?? ''))
      expect(activityLogs).toHaveLength(page < 2 ? 50 : 30)
      if (nextCursor === null) break
      cursor = nextCursor
      await write(by(anna), on(anna, { entityName: 'new' }))
    }
    expect(seen).toEqual(Array.from({ length: 130 }, (_, n) => String(129 - n)))
  })

  test('R-LOG-02 every combination of filters matches a scan of all entries', async () => {
    const { db } = server.services
    const people = [anna, boris, admin]
    let at = 0
    const pick = <T>(values: readonly T[]): T => values[(at = (at * 31 + 17) % 10_007) % values.length] as T
    for (let n = 0; n < 300; n += 1) {
      const who = pick(people)
      const kind = pick(['user', 'operation', 'system', 'none'] as const)
      const source =
        kind === 'system'
          ? system
          : kind === 'none'
            ? { ...system, actor: null }
            : by(who, kind === 'user' ? undefined : { kind, id: crypto.randomUUID() })
      await write(source, on(pick(people), { action: pick(['create', 'update', 'denied']), entityType: pick(['zone', 'group', 'user']) }))
    }
    const all = await db.sql<{ id: string; owner: string; actor: string | null; kind: string; action: string; entity: string }[]>`
      select id, owner_id as owner, actor_id as actor, actor_kind as kind, action, entity_type as entity from activity order by id desc`
    const choices = <T>(...values: T[]) => [undefined, ...values]
    for (const viewer of [null, anna.user.id]) {
      for (const ownerId of choices(anna.user.id, boris.user.id))
        for (const actorId of choices(anna.user.id, boris.user.id))
          for (const actorKind of choices('user' as const, 'system' as const))
            for (const action of choices('update' as const))
              for (const entityType of choices('group' as const)) {
                const filter = { ownerId, actorId, actorKind, action, entityType, timeZone: 'UTC' }
                const rows = await listEntries(db, { viewer, filter, cursor: null, limit: 1_000, longestDetails: 1 })
                const expected = all.filter(
                  (row) =>
                    (viewer === null || row.owner === viewer || row.actor === viewer) &&
                    (ownerId === undefined || row.owner === ownerId) &&
                    (actorId === undefined || row.actor === actorId) &&
                    (actorKind === undefined || row.kind === actorKind) &&
                    (action === undefined || row.action === action) &&
                    (entityType === undefined || row.entity === entityType),
                )
                expect([filter, rows.map(({ id }) => id)]).toEqual([filter, expected.map(({ id }) => id)])
              }
    }
  })

  test('R-LOG-02 a date range includes its first and last day completely, in the requested time zone', async () => {
    const { sql } = server.services.db
    const at = (time: string, name: string) => sql`
      insert into activity (id, owner_id, actor_name, action, entity_type, code, entity_name)
      values (overlay(uuidv7()::text placing left(id_floor(${time}::timestamptz)::text, 13) from 1)::uuid, ${anna.user.id}, 'x', 'update', 'zone', ${activityCode({ action: 'update', entityType: 'zone', actorKind: 'user', own: false })}, ${name})`
    await at('2026-11-19T20:59:59.999Z', 'before')
    await at('2026-11-19T21:00:00Z', 'first')
    await at('2026-11-21T20:59:59.999Z', 'last')
    await at('2026-11-21T21:00:00Z', 'after')
    expect(await names(anna, { from: '2026-11-20', to: '2026-11-21', timeZone: 'Europe/Moscow' })).toEqual(['last', 'first'])
    expect(await names(anna, { from: '2026-11-21', timeZone: 'Europe/Moscow' })).toEqual(['after', 'last'])
    expect(await names(anna, { to: '2026-11-19' })).toEqual(['first', 'before'])
    await expect(anna.call.activity.list({ from: 'yesterday' })).rejects.toThrow('invalid_day')
    await expect(anna.call.activity.list({ timeZone: 'Mars/Olympus' })).rejects.toThrow('invalid_time_zone')
  })
})

describe('the cost of a page', () => {
  const entries = 20_000
  /** Other entries must not be scanned: a scan of all entries for each code without any would read hundreds of thousands. */
  const mostBlocks = 6_000
  const blocksOf = async (viewer: string | null, filter: ActivityFilter, cursor: string | null = null) => {
    const { text, parameters } = pageStatement({ viewer, filter: { ...filter, timeZone: 'UTC' }, cursor, limit: 51, longestDetails: 4_000 })
    const [plan] = await server.services.db.sql.unsafe<{ 'QUERY PLAN': [{ Plan: Record<string, number> }] }[]>(
      `explain (analyze, buffers, timing off, format json) ${text}`,
      parameters as never[],
    )
    const { 'Shared Hit Blocks': hit = 0, 'Shared Read Blocks': read = 0, 'Actual Rows': rows = 0 } = plan?.['QUERY PLAN'][0].Plan ?? {}
    return { blocks: hit + read, rows }
  }

  test('does not depend on how many entries share a person and a code', async () => {
    const { sql } = server.services.db
    const code = activityCode({ action: 'update', entityType: 'zone', actorKind: 'user', own: true })
    await sql`
      insert into activity (id, owner_id, actor_id, actor_name, actor_kind, action, entity_type, code, entity_id, entity_name)
      select uuidv7(-n * interval '1 second'), ${anna.user.id}, ${anna.user.id}, 'Anna', 'user', 'update', 'zone', ${code}, gen_random_uuid()::text, 'example.com'
      from generate_series(1, ${entries}::int) n`
    await sql`analyze activity`
    const [middle] = await sql<{ id: string }[]>`select id from activity order by id desc offset ${entries / 2} limit 1`
    const all: ActivityFilter[] = [{}, { action: 'update' }, { ownerId: anna.user.id }, { actorId: anna.user.id }]
    const none: ActivityFilter[] = [{ action: 'denied' }, { entityType: 'profile' }, { actorKind: 'token' }, { actorId: boris.user.id }]
    for (const viewer of [anna.user.id, null]) {
      for (const filter of all) {
        for (const cursor of [null, middle?.id ?? '']) {
          const { blocks, rows } = await blocksOf(viewer, filter, cursor)
          expect({ viewer, filter, cursor, rows, cheap: blocks < mostBlocks }).toEqual({ viewer, filter, cursor, rows: 51, cheap: true })
        }
      }
      for (const filter of none) {
        const { blocks, rows } = await blocksOf(viewer, filter)
        expect({ viewer, filter, rows, cheap: blocks < mostBlocks }).toEqual({ viewer, filter, rows: 0, cheap: true })
      }
    }
  })
})

describe('statistics', () => {
  test('R-LOG-02 statistics count all, today, this week, this month, the last 7 days and the most frequent action, compacted or not', async () => {
    await write(by(anna), ...Array.from({ length: 3 }, () => on(anna, { action: 'delete' })))
    await age('400 days')
    await write(by(anna), on(anna), on(anna, { entityType: 'group', action: 'create' }), on(anna))
    await write({ ...system, actor: null }, on(anna, { action: 'denied', entityType: 'user' }))
    await write(by(boris), on(boris))
    await write(by(anna), on(boris))
    const expected = {
      windows: { total: 8, today: 5, week: 5, month: 5 },
      actions: [
        { action: 'update', count: 3 },
        { action: 'create', count: 1 },
        { action: 'denied', count: 1 },
      ],
      entities: [
        { entityType: 'zone', count: 3 },
        { entityType: 'group', count: 1 },
        { entityType: 'user', count: 1 },
      ],
    }
    const sorted = async (who: SignedIn, ownerId?: string) => {
      const { days, actions, ...stats } = await who.call.activity.stats({ ownerId })
      expect(days).toHaveLength(7)
      expect(days.slice(0, 6).every(({ count }) => count === 0)).toBe(true)
      return { ...stats, actions: actions.toSorted((a, b) => b.count - a.count || (a.action < b.action ? -1 : 1)), last: days[6] }
    }
    const both = async () => [
      await sorted(anna),
      (await admin.call.activity.stats({})).windows.total,
      (await admin.call.activity.stats({ ownerId: boris.user.id })).windows.total,
      (await boris.call.activity.stats({})).windows.total,
    ]
    const before = await both()
    expect(before).toEqual([expect.objectContaining(expected), 9, 2, 2])
    expect(before[0]).toMatchObject({ last: { count: 5, denied: 1 } })
    await compactCounts(server.services.db)
    expect((await server.services.db.sql`select 1 from activity_count_changes`).length).toBe(0)
    expect(await both()).toEqual(before)
  })

  test.each(['Asia/Kolkata', 'Asia/Kathmandu', 'Australia/Lord_Howe', 'America/St_Johns', 'Europe/Moscow'])(
    'R-LOG-02 in %s every entry counts on its own day, also one in the hour in which the day begins',
    async (timeZone) => {
      const at = Date.parse('2026-11-21T09:00:00Z')
      const own = await createTestApp({ clock: createFakeClock(at) })
      onTestFinished(() => own.close())
      const { sql } = own.services.db
      const [olga, petr, chief] = await Promise.all([signIn(own.services), signIn(own.services), signIn(own.services, { role: 'admin' })])
      const people = [olga.user.id, petr.user.id, null]
      // One every seven minutes, for a month, with alternating owners and actors.
      const entries = Array.from({ length: 6_800 }, (_, n) => {
        const [ownerId = null, actorId = null] = [people[n % 2], people[n % 3]]
        const ms = at - n * 7 * 60_000 - 1
        const kind = {
          action: 'update',
          entityType: 'zone',
          actorKind: actorId === null ? 'system' : 'user',
          own: ownerId === actorId,
        } as const
        const id = `${ms.toString(16).padStart(12, '0')}7${crypto.randomUUID().replaceAll('-', '').slice(13)}`
        return { id, ownerId, actorId, actorKind: kind.actorKind, code: activityCode(kind), day: dayIn(timeZone, ms) }
      })
      await sql`
        insert into activity (id, owner_id, actor_id, actor_name, actor_kind, action, entity_type, code)
        select id, owner, actor, 'x', kind::activity_actor, 'update', 'zone', code from unnest(
          ${entries.map(({ id }) => id)}::uuid[], ${entries.map(({ ownerId }) => ownerId)}::uuid[], ${entries.map(({ actorId }) => actorId)}::uuid[],
          ${entries.map(({ actorKind }) => actorKind)}::text[], ${entries.map(({ code }) => code)}::smallint[]) as e (id, owner, actor, kind, code)`
      const { today, week, month, days } = windowsOf(at, timeZone, 'monday')
      const expected = (theirs: readonly (typeof entries)[number][]) => {
        const since = (day: string) => theirs.filter((entry) => entry.day >= day).length
        return {
          windows: { total: theirs.length, today: since(today), week: since(week), month: since(month) },
          days: days.map((date) => ({ date, count: theirs.filter(({ day }) => day === date).length, denied: 0 })),
        }
      }
      for (let turn = 0; turn < 2; turn += 1) {
        const stats = (who: SignedIn, ownerId?: string) => who.call.activity.stats({ timeZone, ownerId })
        expect(await stats(chief)).toMatchObject(expected(entries))
        expect(await stats(chief, olga.user.id)).toMatchObject(expected(entries.filter(({ ownerId }) => ownerId === olga.user.id)))
        expect(await stats(petr)).toMatchObject(
          expected(entries.filter(({ ownerId, actorId }) => ownerId === petr.user.id || actorId === petr.user.id)),
        )
        await compactCounts(own.services.db)
      }
    },
  )

  test('periods start with the person’s day, week and month', () => {
    const at = Date.parse('2026-11-01T22:30:00Z') // a Sunday in UTC, Monday the 2nd in Moscow
    expect(windowsOf(at, 'UTC', 'monday')).toMatchObject({
      today: '2026-11-01',
      week: '2026-10-26',
      month: '2026-11-01',
      since: '2026-10-26',
    })
    expect(windowsOf(at, 'Europe/Moscow', 'monday')).toMatchObject({ today: '2026-11-02', week: '2026-11-02', month: '2026-11-01' })
    expect(windowsOf(at, 'Europe/Moscow', 'sunday')).toMatchObject({ week: '2026-11-01', since: '2026-10-27' })
    expect(windowsOf(at, 'UTC', 'sunday').days).toEqual([
      '2026-10-26',
      '2026-10-27',
      '2026-10-28',
      '2026-10-29',
      '2026-10-30',
      '2026-10-31',
      '2026-11-01',
    ])
  })
})

describe('retention', () => {
  test('entries older than the configured period are deleted with their counts, and nothing else', async () => {
    const { services } = server
    await write(by(anna), ...Array.from({ length: 12 }, () => on(anna, { entityName: 'old' })))
    await age('366 days')
    await write(by(anna), on(anna, { entityName: 'new' }))
    await compactCounts(services.db)
    await forgetOldActivity(services, new AbortController().signal)
    expect(await names(anna)).toEqual(['new'])
    expect((await anna.call.activity.stats({})).windows.total).toBe(1)
    await compactCounts(services.db)
    await forgetOldActivity(services, new AbortController().signal)
    expect(await services.db.sql`select n::int from activity_counts where n <> 1`).toEqual([])
    expect((await anna.call.activity.stats({})).windows.total).toBe(1)
  })
})

describe('export', () => {
  const file = (query = '', headers: object = anna.headers) =>
    server.app.inject({ url: `/api/activity-logs/export${query}`, headers: { ...headers } })

  test('every entry of the filter is exported in parts, and no cell is a formula', async () => {
    await write(by(anna), ...Array.from({ length: 2_100 }, (_, n) => on(anna, { entityName: `zone${n}.example` })))
    await write(by(anna), on(anna, { action: 'create', entityName: '=HYPERLINK("http://x")', details: { name: '1,2' } }), on(boris))
    await write(by(boris), on(boris, { entityName: 'not hers' }))
    const { statusCode, headers, body } = await file()
    expect([statusCode, headers['content-type']]).toEqual([200, 'text/csv; charset=utf-8'])
    const lines = body.trimEnd().split('\r\n')
    expect(lines[0]).toBe(
      '\uFEFFtime,actor,actor_id,actor_username,by,token,operation,action,entity,name,entityId,owner,address,details,id',
    )
    expect(lines).toHaveLength(2_103)
    expect(body).not.toContain('not hers')
    const formula = (await file('?action=create')).body.trimEnd().split('\r\n')
    expect(formula).toHaveLength(2)
    expect(formula[1]).toContain(raw`"'=HYPERLINK(""http://x"")"`)
    expect(formula[1]).toContain(raw`"{""name"":""1,2""}"`)
  })

  test('R-API-02 JSON is selected by the URL or the Accept header and contains all entries with every detail', async () => {
    const long = { comment: 'x'.repeat(5_000) }
    await write(by(anna), ...Array.from({ length: 2_000 }, (_, n) => on(anna, { entityName: `zone${n}.example` })))
    const begin = await file('?format=json')
    await write(by(anna), on(anna, { details: long }))
    const read = async (query: string, accept: string) => {
      const { headers, body } = await file(query, { ...anna.headers, accept })
      return { type: headers['content-type'], file: headers['content-disposition'], body }
    }
    const json = await read('', 'application/json, text/plain, */*')
    expect([json.type, json.file]).toEqual(['application/json; charset=utf-8', 'attachment; filename="activity-logs.json"'])
    const { activityLogs } = JSON.parse(json.body) as { activityLogs: { id: string; details: unknown }[] }
    expect([activityLogs.length, activityLogs[0]?.details]).toEqual([2_001, long])
    expect(begin.json<{ activityLogs: unknown[] }>().activityLogs).toEqual(activityLogs.slice(1))
    expect((await read('?format=json', 'text/csv')).body).toBe(json.body)
    for (const accept of ['*/*', 'text/csv', 'text/csv, application/json;q=0.5', 'text/html'])
      expect((await read('', accept)).type).toBe('text/csv; charset=utf-8')
    expect((await read('?format=csv', 'application/json')).type).toBe('text/csv; charset=utf-8')
    const rest = await read(`?format=json&cursor=${activityLogs.at(-3)?.id}`, '*/*')
    expect(JSON.parse(rest.body)).toEqual({ activityLogs: activityLogs.slice(-2) })
    expect((await file('?format=json&action=sync')).json()).toEqual({ activityLogs: [] })
    expect((await file('?format=xml')).statusCode).toBe(400)
  })

  test('R-PRM-02 the export requires authentication and refuses the same input as the procedure, naming the accepted formats', async () => {
    expect((await file('', {})).statusCode).toBe(401)
    const faulty = await file('?from=2026-12-01T00:00:00Z')
    expect([faulty.statusCode, faulty.json()]).toMatchObject([
      400,
      { issues: [{ path: 'from', message: 'Enter a date such as 2026-12-01' }] },
    ])
  })
})

test('R-API-01 the log is available over REST', async () => {
  await write(by(anna), on(anna), on(anna, { action: 'create' }))
  const get = async (path: string) =>
    (await server.app.inject({ url: `/api/activity-logs${path}`, headers: anna.headers })).json<Record<string, unknown>>()
  const { activityLogs, nextCursor } = (await get('?limit=1&action=create')) as { activityLogs: { id: string }[]; nextCursor: null }
  expect([activityLogs.length, nextCursor]).toEqual([1, null])
  expect(await get(`/${activityLogs[0]?.id}`)).toEqual({ activityLog: activityLogs[0] })
  expect(await get('/stats')).toMatchObject({ windows: { total: 2 } })
  expect(await get('/export?format=json&action=create')).toEqual({ activityLogs })
})

test('the activity code in the index identifies action, object and actor kind, and fits a smallint', () => {
  const codes = listActivityCodes({})
  expect(new Set(codes).size).toBe(codes.length)
  expect(Math.max(...codes)).toBeLessThan(2 ** 15)
  for (const code of codes) {
    const kind = readActivityCode(code)
    expect(kind && activityCode(kind)).toBe(code)
  }
  expect(readActivityCode(2 ** 15 - 1)).toBeNull()
})

test('the actions, objects and actor kinds in the database match the shared types', async () => {
  const values = async (type: string) =>
    (
      await server.services.db.sql<{ value: string }[]>`select unnest(enum_range(null::${server.services.db.sql(type)}))::text as value`
    ).map((row) => row.value)
  expect(await values('activity_action')).toEqual(activityAction.options)
  expect(await values('activity_entity')).toEqual(activityEntity.options)
  expect(await values('activity_actor')).toEqual(activityActorKind.options)
})
