import { afterEach, expect, test } from 'vitest'
import { notifyDefaults, notifyOwners } from '#server/features/alerts/outbox/notify-owners.ts'
import { insertChannel } from '#server/testing/alerts.ts'
import { createTestMonitoring } from '#server/testing/test-monitoring.ts'
import type { TestMonitoring } from '#server/testing/test-monitoring.ts'
import { ensureCursors } from '../checks/schedule.repo.ts'
import { followAccounts } from './account-incidents.ts'
import { scheduleSharers } from './shared-cause.repo.ts'

let watched: TestMonitoring | null = null
afterEach(() => watched?.close())

const second = 1_000
const iso = (at: number) => new Date(at).toISOString()
const address = '198.51.100.7'
/** Cloudflare's answer when it cannot connect to the origin. */
const down = { page: { kind: 'page', status: 522 } } as const

interface Round {
  readonly at: number
  readonly names: readonly string[]
}

/** Domains on one address, checked once, whose server can be switched off. */
async function watchServer(onServer: number, others: readonly string[] = []) {
  let isDead = false
  const served = Array.from({ length: onServer }, (_, index) => `n${index}.example`)
  const isServed = (name: string) => served.includes(name)
  const panel = await createTestMonitoring({
    names: [...served, ...others],
    regions: ['EUROPE'],
    // Hundreds of real connections at the same time may take a while.
    options: { timeoutSeconds: 30 },
    sites: (name) => (isDead && isServed(name) ? down : {}),
    zone: (name) => ({ originIps: [isServed(name) ? address : '203.0.113.1'] }),
  })
  watched = panel
  await panel.look('EUROPE', [...served, ...others])
  await panel.services.db.sql`update zone_views set retry_at = null`
  await ensureCursors(panel.services.db.orm, 'EUROPE', panel.clock.now())
  await insertChannel(panel.services, { ownerId: panel.owner.id })
  await panel.clock.advance(10 * 60 * second)
  await panel.services.db
    .sql`update probe_cursors set position = ${iso(panel.clock.now())}::timestamptz, claimed_at = ${iso(panel.clock.now())}::timestamptz`
  return {
    panel,
    served,
    switchServer: (dead: boolean) => void (isDead = dead),
    /** Passes time second by second, as probes and the notifier do. */
    async pass(seconds: number, until: () => Promise<boolean> = () => Promise.resolve(false)): Promise<Round[]> {
      const rounds: Round[] = []
      for (let gone = 0; gone < seconds && !(await until()); gone += 1) {
        await panel.clock.advance(second)
        const names = await panel.look('EUROPE')
        rounds.push({ at: panel.clock.now(), names })
        await notifyOwners(panel.services, notifyDefaults)
      }
      return rounds
    },
    messages: () =>
      panel.services.db.sql<{ kind: string; cause: string; count: number; at: string }[]>`
        select body ->> 'kind' as kind, body ->> 'cause' as cause, (body ->> 'count')::int as count, created_at as at from outbox
        where body ->> 'cause' = ${`origin:${address}`} order by id`,
    /** When domains were found down, or up again, by name. */
    async foundAt(column: 'opened_at' | 'closed_at' = 'opened_at'): Promise<Map<string, number>> {
      const { sql } = panel.services.db
      const rows = await sql<
        { name: string; at: string }[]
      >`select name, ${sql(column)} as at from incidents where ${sql(column)} is not null`
      return new Map(rows.map(({ name, at }) => [name, Date.parse(at)]))
    },
    async open(): Promise<Map<string, string>> {
      const rows = await panel.services.db.sql<{ name: string; cause: string }[]>`select name, cause from incidents where closed_at is null`
      return new Map(rows.map(({ name, cause }) => [name, cause]))
    },
  }
}
const countOf = (rounds: readonly Round[], name: string) => rounds.filter(({ names }) => names.includes(name)).length
const mostOf = (rounds: readonly Round[], names: readonly string[]) => Math.max(...names.map((name) => countOf(rounds, name)))

test('R-MON-04 400 domains of a dead server are named in one message within a minute at an interval of five minutes, with at most two checks of each', async () => {
  const { panel, served, switchServer, pass, messages, open, foundAt } = await watchServer(400, ['own.example', 'fine.example'])
  switchServer(true)
  panel.targets.set('own.example', { dns: 'no-name' })
  const firstFailure = async () =>
    (
      await panel.services.db
        .sql`select from zone_views v join zones z on z.id = v.zone_id where failures > 0 and ${address} = any(origin_ips)`
    ).length > 0
  await pass(60, firstFailure)
  const failedAt = panel.clock.now()
  const rounds = await pass(60, async () => (await messages()).length > 0)
  const [message, ...others] = await messages()
  expect(others).toEqual([])
  expect(message).toMatchObject({ kind: 'opened', cause: `origin:${address}`, count: 400 })
  expect(Date.parse(message?.at ?? '') - failedAt).toBeLessThanOrEqual(60 * second)
  // Two checks confirm that it is down; a third is the scheduled one of a domain whose turn comes meanwhile.
  const found = await foundAt()
  expect(
    Math.max(
      ...served.map((name) =>
        countOf(
          rounds.filter(({ at }) => at <= (found.get(name) ?? 0)),
          name,
        ),
      ),
    ),
  ).toBe(2)
  expect(rounds.flatMap(({ names }) => names).length).toBeLessThan(2 * 400 + 1.5 * (402 / 300) * rounds.length)
  // Others are not checked for it.
  expect(mostOf(rounds, ['fine.example'])).toBeLessThanOrEqual(1)

  // The outage is known: until their turn, its domains are not checked again.
  const later = await pass(60)
  expect(mostOf(later, served)).toBeLessThanOrEqual(1)
  expect(later.flatMap(({ names }) => names).length).toBeLessThan(1.3 * (402 / 300) * 60)
  expect(await messages()).toHaveLength(1)

  await panel.look('EUROPE', ['own.example'])
  await panel.look('EUROPE', ['own.example'])
  expect((await open()).get('own.example')).toBe('code:dns_no_such_name')

  switchServer(false)
  const isUp = async (count: number) => [...(await open()).values()].filter((cause) => cause === `origin:${address}`).length <= 400 - count
  await pass(120, () => isUp(1))
  const recovery = await pass(60, () => isUp(400))
  expect(await isUp(400)).toBe(true)
  const closed = await foundAt('closed_at')
  expect(
    Math.max(
      ...served.map((name) =>
        countOf(
          recovery.filter(({ at }) => at <= (closed.get(name) ?? 0)),
          name,
        ),
      ),
    ),
  ).toBe(2)
}, 180_000)

test('R-MON-04 when one domain of a server fails for its own reason, the others are checked once and have no incident', async () => {
  const { panel, served, pass, open } = await watchServer(50)
  panel.targets.set('n7.example', down)
  await panel.look('EUROPE', ['n7.example'])
  const rounds = await pass(50)
  expect([...(await open()).keys()]).toEqual(['n7.example'])
  // Once for the outage, and when their turn comes.
  const others = served.filter((name) => name !== 'n7.example')
  expect(mostOf(rounds, others)).toBeLessThanOrEqual(2)
  expect(others.filter((name) => countOf(rounds, name) > 0)).toEqual(others)
  expect(rounds.flatMap(({ names }) => names).length).toBeLessThan(50 + 20)
}, 60_000)

test('R-MON-04 a domain is confirmed sooner only while an outage of its server is new', async () => {
  const { panel } = await watchServer(3)
  const { sql } = panel.services.db
  const secondsToRetry = async (name: string) => {
    panel.targets.set(name, down)
    await panel.look('EUROPE', [name])
    const [view] = await sql<{ at: string }[]>`select retry_at as at from zone_views where zone_id = ${panel.zone(name).id}`
    return (Date.parse(view?.at ?? '') - panel.clock.now()) / second
  }
  expect(await secondsToRetry('n0.example')).toBe(30)
  await panel.look('EUROPE', ['n0.example'])
  expect(await secondsToRetry('n1.example')).toBe(10)
  await panel.clock.advance(6 * 60 * second)
  expect(await secondsToRetry('n2.example')).toBe(30)
}, 30_000)

test('R-MON-04 checks of an outage are a hundred a second, and scheduled checks are not delayed by them', async () => {
  const { panel, pass } = await watchServer(300)
  const { sql } = panel.services.db
  panel.targets.set('n7.example', down)
  await panel.look('EUROPE', ['n7.example'])
  await panel.clock.advance(30 * second)
  await sql`update zone_views set checked_at = ${iso(panel.clock.now() - 60 * second)}::timestamptz
    where checked_at < ${iso(panel.clock.now() - 31 * second)}::timestamptz`
  await panel.look('EUROPE', ['n7.example'])
  const [waiting] = await sql<
    { n: number; last: string }[]
  >`select count(*)::int as n, max(retry_at) as last from zone_views where retry_at is not null`
  expect(waiting?.n).toBe(299)
  expect(Date.parse(waiting?.last ?? '') - panel.clock.now()).toBe(2_990)
  const rounds = await pass(4)
  expect(Math.max(...rounds.map(({ names }) => names.length))).toBeLessThan(120)
}, 60_000)

test('R-MON-04 the domains of a server are found by an index of addresses', async () => {
  const names = Array.from({ length: 200 }, (_, index) => `n${index}.example`)
  const panel = await createTestMonitoring({
    names,
    regions: ['EUROPE'],
    zone: (name) => ({ originIps: ['203.0.113.1', name < 'n11' ? '2001:db8::7' : '203.0.113.2'] }),
  })
  watched = panel
  const { db } = panel.services
  await db.sql`update zone_views set retry_at = null`
  await db.sql`analyze zones, zone_monitors, zone_views`
  const searches = await db.orm.transaction(async (tx) => {
    await scheduleSharers(tx, { ownerId: panel.owner.id, cause: 'origin:2001:db8::7' }, panel.clock.now())
    return tx.execute<{ n: number }>(`select pg_stat_get_xact_numscans('zones_addresses'::regclass)::int as n`)
  })
  expect(searches[0]?.n).toBeGreaterThan(0)
  const due = await db.sql<{ name: string }[]>`
    select name from zone_views v join zones z on z.id = v.zone_id where v.retry_at is not null order by name`
  expect(due.map(({ name }) => name)).toEqual(names.filter((name) => name < 'n11').toSorted())
}, 30_000)

test.each([
  [
    'name servers',
    (panel: TestMonitoring, name: string) => panel.targets.set(name, { dns: 'silent' }),
    'name_servers:ada.ns.cloudflare.com,bob.ns.cloudflare.com',
  ],
  ['tracker', (panel: TestMonitoring, name: string) => panel.targets.set(name, down), 'tracker:'],
] as const)(
  'R-MON-04 domains with the same %s are checked immediately',
  async (kind, fail, cause) => {
    const names = ['a.example', 'b.example', 'c.example']
    const panel = await createTestMonitoring({ names, regions: ['EUROPE'], options: { failuresToDown: 1, timeoutSeconds: 2 } })
    watched = panel
    const { sql } = panel.services.db
    if (kind === 'tracker') {
      const [tracker] = await sql<
        { id: string }[]
      >`insert into trackers (owner_id, kind, name) values (${panel.owner.id}, 'KEITARO', 'main') returning id`
      await sql`insert into tracker_bindings (zone_id, tracker_id) select id, ${tracker?.id ?? ''} from zones where name <> 'c.example'`
    } else {
      await sql`update zones set name_servers = '{x.example,y.example}' where name = 'c.example'`
      await sql`update zones set name_servers = '{bob.ns.cloudflare.com,ada.ns.cloudflare.com}' where name = 'b.example'`
    }
    await panel.look('EUROPE', names)
    await panel.clock.advance(100 * second)
    await sql`update zone_views set retry_at = null`
    fail(panel, 'a.example')
    await panel.look('EUROPE', ['a.example'])
    const [incident] = await sql<{ cause: string }[]>`select cause from incidents where name = 'a.example'`
    expect(incident?.cause).toContain(cause)
    const due = await sql<
      { name: string }[]
    >`select name from zone_views v join zones z on z.id = v.zone_id where v.retry_at is not null order by name`
    expect(due.map(({ name }) => name)).toEqual(['b.example'])
  },
  30_000,
)

test('R-MON-04 the domains of a refused account are checked immediately, and of a registrar only those that have expired', async () => {
  const names = ['a.example', 'b.example', 'c.example']
  const panel = await createTestMonitoring({ names, regions: ['EUROPE'] })
  watched = panel
  const { sql } = panel.services.db
  await panel.look('EUROPE', names)
  await panel.clock.advance(100 * second)
  const due = async () =>
    (
      await sql<
        { name: string }[]
      >`select name from zone_views v join zones z on z.id = v.zone_id where v.retry_at is not null order by name`
    ).map(({ name }) => name)
  await sql`update accounts set health = 'auth_error'`
  await followAccounts(panel.services)
  expect(await due()).toEqual(names)
  await sql`update zone_views set retry_at = null`
  const [registrar] = await sql<{ id: string }[]>`
    insert into registrars (owner_id, name, credential_sealed, credential_fields, credential_hash)
    values (${panel.owner.id}, 'main', 'v1.none', '{}', 'x') returning id`
  const day = 86_400 * second
  const paid = (days: number) => iso(panel.clock.now() + days * day)
  await sql`
    insert into registrar_names (registrar_id, name, expires_at)
    select ${registrar?.id ?? ''}, name, case when name = 'c.example' then ${paid(300)}::timestamptz else ${paid(-2)}::timestamptz end from zones`
  await sql`update zones set registrar_id = ${registrar?.id ?? ''}`
  await panel.reconcile()
  expect(await due()).toEqual(['a.example', 'b.example'])
}, 30_000)
