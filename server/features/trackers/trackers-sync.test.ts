import { randomUUID } from 'node:crypto'
import { afterEach, expect, test } from 'vitest'
import { connect } from '#server/db/client.ts'
import { trackerBindings } from '#server/db/schema/index.ts'
import type { AdTrackers } from '#server/ports/ad-tracker.ts'
import { signIn } from '#server/testing/app.ts'
import { createTestDatabase } from '#server/testing/database.ts'
import { insertAccount, insertZone } from '#server/testing/factories.ts'
import { createFakeClock } from '#server/testing/fake-clock.ts'
import { createTestServices } from '#server/testing/services.ts'
import { startTestTrackers } from '#server/testing/test-trackers.ts'
import { noteDomain, syncDueTrackers } from './index.ts'

const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close()
})

const minute = 60_000

/** Blocks list requests until released. */
function blockBefore(trackers: AdTrackers) {
  const { promise: open, resolve: letGo } = Promise.withResolvers<void>()
  const { promise: reached, resolve: arrive } = Promise.withResolvers<void>()
  const blocked: AdTrackers = {
    ...trackers,
    connect: (access) => {
      const connection = trackers.connect(access)
      const listDomains: typeof connection.listDomains = async (call) => {
        const domains = await connection.listDomains(call)
        arrive()
        await open
        return domains
      }
      return { ...connection, listDomains }
    },
  }
  return { blocked, reached, letGo }
}

async function stage() {
  const database = await createTestDatabase()
  const world = await startTestTrackers(database)
  const clock = createFakeClock(Date.now())
  const { services, close } = await createTestServices({ database, trackers: world.trackers, clock })
  closers.push(close)
  const { call, user } = await signIn(services)
  const { tracker } = await call.trackers.create({
    kind: 'KEITARO',
    name: 'Main',
    url: world.keitaro.url,
    apiKey: world.keitaro.apiKey,
  })
  const stop = new AbortController()
  return {
    ...world,
    services,
    databaseUrl: database.url,
    clock,
    call,
    user,
    id: tracker.id,
    sync: (as = services) => syncDueTrackers(as, stop.signal),
    shown: async () => (await call.trackers.get({ id: tracker.id })).tracker,
    mirror: () =>
      services.db.sql<{ name: string; archived: boolean; gone: boolean; problem: string | null }[]>`
        select name, archived, gone_at is not null as gone, problem from tracker_domains where tracker_id = ${tracker.id} order by name`,
    zone: async (name: string) => {
      const account = await insertAccount(services.db, { ownerId: user.id })
      return insertZone(services.db, { ownerId: user.id, accountId: account.id, name })
    },
  }
}

test('a tracker’s list is read in full every 15 minutes, and missing domains are removed', async () => {
  const s = await stage()
  const one = s.keitaro.state.add({ name: 'one.com', error: { description: 'Timeout was reached', solution: 'Point it to the tracker' } })
  s.keitaro.state.add({ name: 'kept.com', archived: true })
  s.keitaro.state.add({ name: 'two.com' })
  expect((await s.shown()).sync.state).toBe('queued')
  await s.sync()
  expect(await s.shown()).toMatchObject({
    domainsCount: 2,
    foundAddresses: ['127.0.0.1'],
    sync: { state: 'idle', syncedAt: new Date(s.clock.now()).toISOString(), nextAt: new Date(s.clock.now() + 15 * minute).toISOString() },
  })
  expect(await s.mirror()).toEqual([
    { name: 'kept.com', archived: true, gone: false, problem: null },
    { name: 'one.com', archived: false, gone: false, problem: 'Timeout was reached' },
    { name: 'two.com', archived: false, gone: false, problem: null },
  ])
  const read = s.keitaro.journal.count()
  await s.clock.advance(14 * minute)
  await s.sync()
  expect(s.keitaro.journal.count()).toBe(read)

  s.keitaro.state.domains.delete(one.id)
  await s.clock.advance(minute)
  await s.sync()
  expect(s.keitaro.journal.count()).toBe(2 * read)
  expect((await s.mirror()).filter(({ gone }) => gone)).toMatchObject([{ name: 'one.com' }])
  expect((await s.shown()).domainsCount).toBe(1)
})

test('5,000 domains are read in the minimum number of calls and written in as few statements', async () => {
  const s = await stage()
  s.keitaro.state.add({ name: 'first.com' })
  await s.sync()
  const calls = s.keitaro.journal.count()
  for (let index = 0; index < 4_999; index += 1) s.keitaro.state.add({ name: `many-${index}.com` })
  await s.call.trackers.sync({ id: s.id })
  await s.sync()
  expect(s.keitaro.journal.count()).toBe(2 * calls)
  expect((await s.shown()).domainsCount).toBe(5_000)
})

test('a failing tracker is retried with growing pauses, keeps its domains, and shows its own error message', async () => {
  const s = await stage()
  s.keitaro.state.add({ name: 'one.com' })
  await s.sync()
  s.keitaro.ways.adminApi = false
  await s.clock.advance(15 * minute)
  for (const pause of [2, 4, 8]) {
    await s.sync()
    expect((await s.shown()).sync).toMatchObject({
      state: 'failed',
      errorCode: 'tracker_edition',
      errorMessage: 'Admin API is not available in your edition',
      nextAt: new Date(s.clock.now() + pause * minute).toISOString(),
    })
    await s.clock.advance(pause * minute)
  }
  expect(await s.mirror()).toMatchObject([{ name: 'one.com', gone: false }])
  s.keitaro.ways.adminApi = true
  await s.sync()
  expect((await s.shown()).sync).toMatchObject({ state: 'idle', errorCode: null, errorMessage: null })
})

test('two processes never read one tracker concurrently, and one that dies mid-read blocks nobody', async () => {
  const s = await stage()
  s.keitaro.state.add({ name: 'one.com' })
  const db = connect(s.databaseUrl, { name: 'dies' })
  const { blocked, reached, letGo } = blockBefore(s.trackers)
  const first = s.sync({ ...s.services, db, trackers: blocked }).catch(() => undefined)
  await reached
  const asked = s.keitaro.journal.count()
  expect((await s.shown()).sync.state).toBe('running')
  await s.sync()
  expect(s.keitaro.journal.count()).toBe(asked)
  expect(await s.mirror()).toEqual([])

  await s.services.db.sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'dies'`
  await s.sync()
  expect(await s.mirror()).toMatchObject([{ name: 'one.com' }])
  expect((await s.shown()).sync.state).toBe('idle')
  letGo()
  await first
  await db.close()
})

test('a change made while a list is being read is not overwritten by it', async () => {
  const s = await stage()
  s.keitaro.state.add({ name: 'one.com' })
  await s.sync()
  const [{ remoteId } = { remoteId: '' }] = await s.services.db.sql<
    { remoteId: string }[]
  >`select remote_id as "remoteId" from tracker_domains`
  await s.call.trackers.sync({ id: s.id })
  const { blocked, reached, letGo } = blockBefore(s.trackers)
  const reading = s.sync({ ...s.services, trackers: blocked })
  await reached
  await s.clock.advance(10)
  const reportedDomain = {
    status: null,
    problem: null,
    solution: null,
    sslStatus: null,
    sslProblem: null,
    campaign: null,
    campaignsCount: 0,
    group: null,
  }
  const noted = { ...reportedDomain, sslRedirect: null }
  await noteDomain(s.services, s.services.db.orm, s.id, { ...noted, id: remoteId, name: 'one.com', archived: true })
  await noteDomain(s.services, s.services.db.orm, s.id, { ...noted, id: 'new', name: 'added.com', archived: false })
  letGo()
  await reading
  expect(await s.mirror()).toMatchObject([
    { name: 'added.com', archived: false, gone: false },
    { name: 'one.com', archived: true, gone: false },
  ])
})

test('a change notification leads to a full read within a minute and delays no regular one', async () => {
  const s = await stage()
  await s.sync()
  const reportedDomain = {
    status: null,
    problem: null,
    solution: null,
    sslStatus: null,
    sslProblem: null,
    campaign: null,
    campaignsCount: 0,
    group: null,
  }
  const note = () =>
    noteDomain(s.services, s.services.db.orm, s.id, {
      ...reportedDomain,
      id: randomUUID(),
      name: 'added.com',
      archived: false,
      sslRedirect: null,
    })
  await note()
  const due = new Date(s.clock.now() + minute).toISOString()
  expect((await s.shown()).sync.nextAt).toBe(due)
  await s.clock.advance(30_000)
  await note()
  expect((await s.shown()).sync.nextAt).toBe(due)
})

test('R-TRK-01 data read from another address or with another key is discarded', async () => {
  const s = await stage()
  s.keitaro.state.add({ name: 'old.com' })
  const { blocked, reached, letGo } = blockBefore(s.trackers)
  const reading = s.sync({ ...s.services, trackers: blocked })
  await reached
  await s.call.trackers.update({ id: s.id, enabled: false })
  letGo()
  await reading
  expect(await s.mirror()).toEqual([])
  expect(await s.shown()).toMatchObject({ enabled: false, sync: { state: 'idle', syncedAt: null, nextAt: null } })
  await s.sync()
  expect(await s.mirror()).toEqual([])
})

test('R-TRK-03 a bound domain that was deleted and re-added in the tracker stays bound', async () => {
  const s = await stage()
  const before = s.keitaro.state.add({ name: 'bound.com' })
  await s.sync()
  const zone = await s.zone('bound.com')
  await s.services.db.orm.insert(trackerBindings).values({ domainId: zone.id, trackerId: s.id, remoteId: before.id })
  s.keitaro.state.domains.delete(before.id)
  const after = s.keitaro.state.add({ name: 'bound.com' })
  await s.clock.advance(10)
  await s.call.trackers.sync({ id: s.id })
  await s.sync()
  expect(await s.call.trackers.ofDomain({ id: zone.id })).toMatchObject({
    binding: { tracker: { id: s.id }, pending: false, domain: { remoteId: after.id, gone: false } },
  })
})

test('one malformed domain does not hide the tracker’s other domains', async () => {
  const s = await stage()
  s.keitaro.state.add({ name: 'plain.com' })
  s.keitaro.state.add({ name: 'xn--e1afmkfd-0001.com' })
  s.keitaro.state.add({ name: `${'long.'.repeat(1_800)}com` })
  s.keitaro.state.add({ name: 'odd.com', error: { description: 'half \ud800 \0 word', solution: 'none' } })
  await s.sync()
  expect((await s.shown()).sync).toMatchObject({ state: 'idle', errorCode: null })
  expect((await s.mirror()).map(({ name, problem }) => [name, problem])).toEqual([
    ['odd.com', 'half \ufffd  word'],
    ['plain.com', null],
    ['xn--e1afmkfd-0001.com', null],
  ])
})
