import { expect, test, vi } from 'vitest'
import { insertAccount } from '#server/testing/factories.ts'
import { stageSync } from '#server/testing/sync-stage.ts'
import { wakeSync } from './sync.repo.ts'

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs
const list = '/accounts/{account}/abuse-reports'
const eventually = <T>(check: () => T | Promise<T>) => vi.waitFor(check, { timeout: 30_000, interval: 20 })

interface FeedRow {
  readonly state: string
  readonly errorMessage: string | null
  readonly dueInSeconds: number
  readonly page: number | null
}

/** An account whose zones have been read. Its reports are read when `read` is called. */
async function stage() {
  const s = await stageSync({
    world: { zones: 3, recordsPerZone: 1 },
    sync: { intervalSeconds: { least: 3_600, most: 3_600 }, reportsEverySeconds: 600 },
  })
  const { sql } = s.services.db
  await s.startSync()
  const accountId = await s.add(0)
  await s.settled(accountId)
  const account = { id: s.credential(0).accountId }
  const [zone] = [...s.simulator.state.zonesById.values()]
  if (zone === undefined) throw new Error('no zone')
  const { abuse } = s.simulator.state
  const feed = async () => {
    const [found] = await sql<FeedRow[]>`
      select state, error_message, extract(epoch from due_at - now())::float8 as due_in_seconds, page from report_feeds
      where account_id = ${accountId} and kind = 'abuse_reports'`
    return found
  }
  return {
    ...s,
    sql,
    accountId,
    abuse,
    zone,
    feed,
    report: (given: Partial<Parameters<typeof abuse.add>[1]> = {}, more: Parameters<typeof abuse.add>[2] = {}) =>
      abuse.add(account, { domain: zone.name, ...given }, { timeMs: Date.now() - minuteMs, ...more }),
    /** Reads the reports to the end, or until that is refused. */
    async read() {
      await sql`update report_feeds set due_at = now() where account_id = ${accountId}`
      await wakeSync(s.services.db.orm)
      await eventually(async () => expect((await feed())?.dueInSeconds).toBeGreaterThan(1))
    },
    sweep: () => sql`update report_feeds set swept_at = null where account_id = ${accountId}`,
    stored: () => sql<Record<string, unknown>[]>`
      select report_id, domain, zone_name, kind, status, urls, active, pending, in_review, mitigations, mitigations_due, state from abuse_reports
      order by reported_at, report_id`,
    calls: (path: string) => s.simulator.journal.count({ method: 'GET', path }),
  }
}

test('abuse reports of an account are stored with their mitigations, once each, also if they are listed twice or late', async () => {
  const s = await stage()
  s.abuse.settings.duplicates = true
  const old = s.report({ domain: `login.${s.zone.name}`, type: 'DMCA', status: 'accepted' }, { timeMs: Date.now() - 90 * dayMs })
  const fresh = s.report({}, { mitigations: [{ status: 'pending' }, { status: 'active', type: 'network_block' }] })
  await s.read()
  expect(await s.feed()).toMatchObject({ state: 'working', page: null })
  expect(await s.stored()).toMatchObject([
    { reportId: old, domain: `login.${s.zone.name}`, zoneName: s.zone.name, kind: 'copyright', status: 'accepted', mitigations: [] },
    {
      reportId: fresh,
      zoneName: s.zone.name,
      kind: 'phishing',
      status: 'in_review',
      urls: [`https://${s.zone.name}/login`],
      active: 1,
      pending: 1,
      mitigationsDue: false,
      state: 'open',
      mitigations: [
        { type: 'phishing_interstitial', status: 'pending', entityType: 'zone' },
        { type: 'network_block', status: 'active' },
      ],
    },
  ])
  // It was reported before the last reading, but can be read only now.
  s.report({ id: 'late' }, { timeMs: Date.now() - 5 * minuteMs })
  s.simulator.journal.reset()
  await s.read()
  expect((await s.stored()).map(({ reportId }) => reportId)).toEqual([old, 'late', fresh])
  // Without a change, a reading needs one call.
  s.simulator.journal.reset()
  await s.read()
  expect([s.calls(list), s.calls(`${list}/{report}/mitigations`)]).toEqual([1, 0])
})

test('what Cloudflare decides later is read from the beginning every few hours, and what people noted stays', async () => {
  const s = await stage()
  const mitigations: { status: 'pending' | 'active' }[] = [{ status: 'pending' }]
  const id = s.report({}, { timeMs: Date.now() - 60 * dayMs, mitigations })
  await s.read()
  await s.sql`update abuse_reports set state = 'in_work', note = 'ours'`
  const [entry] = s.abuse.visible(s.credential(0).accountId, Date.now())
  if (entry === undefined) throw new Error('no report')
  Object.assign(entry.report, { status: 'accepted' })
  Object.assign(entry.mitigations[0] ?? {}, { status: 'active' })
  await s.read()
  expect(await s.stored()).toMatchObject([{ status: 'in_review' }])
  await s.sweep()
  await s.read()
  expect(await s.stored()).toMatchObject([
    { reportId: id, status: 'accepted', active: 1, pending: 0, state: 'in_work', mitigations: [{ status: 'active' }] },
  ])
})

test('many reports are read page by page, and a reading that was interrupted continues', async () => {
  const s = await stage()
  const ids = Array.from({ length: 120 }, (_, n) => s.report({ id: `r${String(n).padStart(3, '0')}` }, { timeMs: Date.now() - dayMs + n }))
  s.simulator.journal.reset()
  await s.read()
  expect((await s.stored()).map(({ reportId }) => reportId)).toEqual(ids)
  expect(s.calls(list)).toBe(3)
  await s.sql`delete from abuse_reports`
  await s.sql`update report_feeds set since = now() - interval '180 days', page = 3, swept_at = null`
  await s.read()
  expect((await s.stored()).map(({ reportId }) => reportId)).toEqual(ids.slice(100))
  expect(await s.feed()).toMatchObject({ state: 'working', page: null })
})

test('odd reports are left out or stored as far as they are understood', async () => {
  const s = await stage()
  s.report({ id: '../../zones' })
  s.report({ id: 'when', cdate: 'yesterday' })
  s.report({
    id: 'odd',
    domain: 'ELSEWHERE.example',
    type: 'NEW' as 'GEN',
    status: 'closed' as 'accepted',
    justification: 'a\0b',
    urls: ['\ud800'],
  })
  await s.read()
  expect(await s.stored()).toMatchObject([
    { reportId: 'odd', domain: 'elsewhere.example', kind: 'unknown', status: 'unknown', urls: ['\ufffd'] },
  ])
})

test('without the permission this is stored with its name, tried again hours later, and the sync goes on', async () => {
  const s = await stage()
  s.simulator.faults.add({ path: '/accounts/*/abuse-reports', effect: { kind: 'forbidden' } })
  await s.read()
  const refused = await s.feed()
  expect(refused).toMatchObject({ state: 'no_permission', errorMessage: 'Authentication error' })
  expect(refused?.dueInSeconds).toBeGreaterThan(5 * 3_600)
  const [account] = (await s.person.call.accounts.list({})).accounts
  expect(account?.abuseFeed).toMatchObject({ state: 'no_permission', permission: 'Trust and Safety Read' })
  s.simulator.faults.clear()
  // A person has added the permission.
  await s.person.call.accounts.requestSync({ ids: [s.accountId] })
  await eventually(async () => expect((await s.feed())?.state).toBe('working'))
})

test('an account that is removed while its reports are read keeps none', async () => {
  const s = await stage()
  s.report()
  s.simulator.faults.add({ path: '/accounts/*/abuse-reports', effect: { kind: 'slow', delayMs: 300 } })
  await s.sql`update report_feeds set due_at = now()`
  await wakeSync(s.services.db.orm)
  await eventually(() => expect(s.calls(list)).toBeGreaterThan(0))
  await s.sql`delete from accounts where id = ${s.accountId}`
  await eventually(() => expect(s.simulator.journal.count({ path: list })).toBeGreaterThan(0))
  expect(await s.stored()).toEqual([])
})

test('a report whose mitigations cannot be read hides no other reports, and is tried again when all are read', async () => {
  const s = await stage()
  const mitigations = [{ status: 'active' as const }]
  s.report({ id: 'older' }, { timeMs: Date.now() - dayMs, mitigations })
  const bad = s.report({ id: 'bad' }, { mitigations })
  const remove = s.simulator.faults.add({ path: `/accounts/*/abuse-reports/${bad}/mitigations`, effect: { kind: 'malformed-json' } })
  await s.read()
  expect(await s.feed()).toMatchObject({ state: 'working', errorMessage: null, page: null })
  expect((await s.feed())?.dueInSeconds).toBeGreaterThan(60)
  expect(await s.stored()).toMatchObject([
    { reportId: 'older', mitigationsDue: false, mitigations: [{ status: 'active' }] },
    { reportId: 'bad', mitigationsDue: false, mitigations: [] },
  ])
  const [feed] = await s.sql<{ swept: boolean }[]>`select swept_at is not null as swept from report_feeds where account_id = ${s.accountId}`
  expect(feed).toEqual({ swept: true })
  remove()
  await s.read()
  expect((await s.stored())[1]).toMatchObject({ mitigations: [] })
  await s.sweep()
  await s.read()
  expect((await s.stored())[1]).toMatchObject({ mitigations: [{ status: 'active' }] })
})

test('an endpoint that answers with the same page again and again ends the reading', async () => {
  const s = await stage()
  s.abuse.settings.ignoresPage = true
  for (let n = 0; n < 60; n += 1) s.report({ id: `r${n}` }, { timeMs: Date.now() - dayMs + n })
  s.simulator.journal.reset()
  await s.read()
  expect(s.calls(list)).toBe(2)
  expect(await s.feed()).toMatchObject({ state: 'working', page: null })
  expect(await s.stored()).toHaveLength(50)
})

test('of two credentials for one account at Cloudflare only one reads, until it is removed', async () => {
  const s = await stage()
  s.report()
  const other = await insertAccount(s.services.db, {
    ownerId: s.person.user.id,
    providerAccountIds: [s.credential(0).accountId],
    nextSyncAt: new Date(Date.now() + dayMs),
  })
  await s.sql`insert into report_feeds (account_id, kind, due_at, read_until, read_at)
    values (${other.id}, 'abuse_reports', now() + interval '1 day', now(), now())`
  await s.sql`update report_feeds set read_at = null where account_id = ${s.accountId}`
  s.simulator.journal.reset()
  await s.read()
  expect(await s.feed()).toMatchObject({ state: 'waiting' })
  expect([s.calls(list), await s.stored()]).toEqual([0, []])
  await s.sql`delete from accounts where id = ${other.id}`
  await s.read()
  expect(await s.feed()).toMatchObject({ state: 'working' })
  expect(await s.stored()).toHaveLength(1)
})
