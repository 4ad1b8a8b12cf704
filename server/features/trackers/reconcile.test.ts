import { randomUUID } from 'node:crypto'
import { afterEach, expect, test } from 'vitest'
import { registrarNames, registrars, trackerBindings, trackerDomains, trackers } from '#server/db/schema/index.ts'
import { signIn } from '#server/testing/app.ts'
import { insertAccount, insertRecord, insertZone, insertZones } from '#server/testing/factories.ts'
import { createTestServices } from '#server/testing/services.ts'
import type { ReconcileState } from '#shared/features/trackers/schema.ts'

const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close()
})

const wanted = '192.0.2.7'
const readAt = new Date('2026-11-20T10:00:00Z')

async function stage() {
  const test = await createTestServices()
  closers.push(() => test.close())
  const { db } = test.services
  const me = await signIn(test.services)
  const ownerId = me.user.id
  const account = await insertAccount(db, { ownerId })
  const track = async (given: Partial<typeof trackers.$inferInsert> = {}) => {
    const id = randomUUID()
    const row = { kind: 'KEITARO' as const, name: 'Main', url: 'https://tracker.example', apiKeySealed: 'v1.x', syncedAt: readAt }
    await db.orm.insert(trackers).values({ id, ownerId, addresses: [wanted], ...row, ...given })
    return id
  }
  const trackerId = await track()
  return {
    ...test,
    ...me,
    db,
    ownerId,
    track,
    trackerId,
    /** A domain in the tracker. */
    listed: async (name: string, given: Partial<typeof trackerDomains.$inferInsert> = {}) => {
      const row = { id: randomUUID(), trackerId, remoteId: randomUUID(), name, ...given }
      await db.orm.insert(trackerDomains).values(row)
      return row
    },
    zone: (name: string, given: object = {}) =>
      insertZone(db, { ownerId, accountId: account.id, name, recordsReadAt: readAt, originIps: [wanted], ...given }),
    zones: (count: number, given: (index: number) => object) => insertZones(db, { ownerId, accountId: account.id }, count, given),
    bind: async (domainId: string, remoteId: string | null, given: Partial<typeof trackerBindings.$inferInsert> = {}) =>
      db.orm.insert(trackerBindings).values({ domainId, trackerId, remoteId, boundAt: new Date('2026-11-19T10:00:00Z'), ...given }),
    states: async (input: Parameters<typeof me.call.trackers.reconcile>[0] = {}) =>
      (await me.call.trackers.reconcile(input)).rows.map(({ name, states }) => [name, ...states]),
  }
}

test('differences between trackers and accounts are reported', async () => {
  const s = await stage()
  const bound = async (name: string, domain: object = {}, zone: object = {}) => {
    const { remoteId } = await s.listed(name, domain)
    await s.bind((await s.zone(name, zone)).id, remoteId)
  }
  await bound('agreed.com')
  await bound('astray.com', {}, { originIps: ['198.51.100.1'] })
  await bound('both.com', { sslProblem: 'no certificate', problem: 'Timeout was reached' }, { originIps: ['198.51.100.1'] })
  await s.listed('nowhere.com')
  await s.zone('linked-not.com')
  await s.listed('linked-not.com', { sslProblem: 'expired' })
  await s.zone('apart.com')
  await s.zone('left.com', { goneAt: readAt })
  await s.listed('left.com')

  const answer = await s.call.trackers.reconcile({})
  expect(answer.rows.map(({ name, states }) => [name, ...states])).toEqual([
    ['agreed.com', 'agreed'],
    ['astray.com', 'address_differs'],
    ['both.com', 'address_differs', 'ssl_error', 'check_error'],
    ['left.com', 'not_in_cloudflare'],
    ['linked-not.com', 'not_linked', 'ssl_error'],
    ['nowhere.com', 'not_in_cloudflare'],
  ])
  const counts = {
    not_in_cloudflare: 2,
    not_linked: 1,
    not_bound: 1,
    address_differs: 2,
    ssl_error: 2,
    check_error: 1,
    gone_there: 0,
    agreed: 1,
  }
  expect(answer).toMatchObject({ counts, nextCursor: null, readAt: readAt.toISOString() })
  expect(answer.rows[1]).toMatchObject({
    tracker: { id: s.trackerId, kind: 'KEITARO', name: 'Main' },
    zone: { name: 'astray.com', status: 'active', originIPs: ['198.51.100.1'], proxied: false, gone: false },
    wantedAddresses: [wanted],
    registrar: null,
  })
  // Counts cover everything, independent of the filter.
  const some = await s.call.trackers.reconcile({ state: 'ssl_error', limit: 1 })
  expect(some.counts).toEqual(counts)
  expect(some.rows.map(({ name }) => name)).toEqual(['both.com'])
  expect(await s.states({ state: 'ssl_error', limit: 1, cursor: some.nextCursor ?? '' })).toEqual([
    ['linked-not.com', 'not_linked', 'ssl_error'],
  ])
  expect(await s.states({ state: 'not_bound' })).toEqual([['apart.com', 'not_bound']])
})

test('a bound domain missing from the tracker is reported only after a list read later than the binding', async () => {
  const s = await stage()
  const gone = await s.listed('gone.com', { goneAt: readAt })
  const archived = await s.listed('archived.com', { archived: true })
  await s.listed('kept.com', { archived: true })
  await s.bind((await s.zone('gone.com')).id, gone.remoteId)
  await s.bind((await s.zone('archived.com')).id, archived.remoteId)
  await s.bind((await s.zone('never.com')).id, 'r1')
  await s.bind((await s.zone('just-bound.com')).id, 'r2', { boundAt: new Date('2026-11-21T10:00:00Z') })
  await s.bind((await s.zone('asking.com')).id, null, { boundAt: new Date('2026-11-21T10:00:00Z') })
  const { rows, counts } = await s.call.trackers.reconcile({})
  expect(rows.map(({ name, states }) => [name, ...states])).toEqual([
    ['archived.com', 'gone_there'],
    ['asking.com', 'agreed'],
    ['gone.com', 'gone_there'],
    ['just-bound.com', 'agreed'],
    ['never.com', 'gone_there'],
  ])
  expect(rows[2]).toMatchObject({ key: rows[2]?.zone?.id, trackerDomain: { id: gone.id, gone: true } })
  // An archived domain that is not bound is not a difference.
  expect(counts).toMatchObject({ gone_there: 3, not_bound: 0, agreed: 2 })
})

test('a subdomain in a tracker belongs to the nearest zone above it, or to none', async () => {
  const s = await stage()
  const zone = await s.zone('shop.example')
  const inner = await s.zone('eu.shop.example')
  await s.listed('track.shop.example')
  await s.listed('a.b.eu.shop.example')
  await s.listed('myshop.example')
  await s.listed('localhost')
  const { rows, counts } = await s.call.trackers.reconcile({})
  expect(rows.map(({ name, zone: found }) => [name, found?.id ?? null])).toEqual([
    ['a.b.eu.shop.example', inner.id],
    ['localhost', null],
    ['myshop.example', null],
    ['track.shop.example', zone.id],
  ])
  // The zone of a subdomain is not the same name, so there is nothing to link.
  expect(counts).toMatchObject({ not_linked: 0, agreed: 2, not_in_cloudflare: 2, not_bound: 0 })
})

test('an address difference is reported only when both addresses are known', async () => {
  const s = await stage()
  const bound = async (name: string, zone: object, trackerId = s.trackerId) => {
    const { remoteId } = await s.listed(name, { trackerId })
    const { id } = await s.zone(name, zone)
    await s.bind(id, remoteId, { trackerId })
    return id
  }
  const elsewhere = ['198.51.100.1']
  await bound('one-of-many.com', { originIps: ['198.51.100.1', wanted] })
  await bound('unread.com', { originIps: elsewhere, recordsReadAt: null })
  await bound('differs.com', { originIps: elsewhere })
  await bound('nowhere.com', { originIps: [] })
  // Only some of a zone's addresses are stored in its row.
  const many = await bound('many.com', { originIps: elsewhere })
  await insertRecord(s.db, { domainId: many, name: 'x.many.com', content: wanted })
  const alias = await bound('alias.com', { originIps: [] })
  await insertRecord(s.db, { domainId: alias, type: 'CNAME', name: 'alias.com', content: 'tracker.example' })
  const unknown = await s.track({ name: 'Unknown', url: 'https://b.example', addresses: [] })
  await bound('unknown.com', { originIps: elsewhere }, unknown)
  const found = await s.track({ name: 'Found', url: 'https://c.example', addresses: [], foundAddresses: ['203.0.113.9'] })
  await bound('found.com', { originIps: ['203.0.113.9'] }, found)
  await bound('found-not.com', { originIps: elsewhere }, found)
  const { rows } = await s.call.trackers.reconcile({ state: 'address_differs' })
  expect(rows.map(({ name, wantedAddresses }) => [name, ...wantedAddresses])).toEqual([
    ['differs.com', wanted],
    ['found-not.com', '203.0.113.9'],
    ['nowhere.com', wanted],
  ])
})

test('R-PRM-02 each person’s trackers are compared with their own domains only', async () => {
  const s = await stage()
  const stranger = await signIn(s.services)
  const admin = await signIn(s.services, { role: 'admin' })
  const account = await insertAccount(s.db, { ownerId: stranger.user.id })
  await insertZone(s.db, { ownerId: stranger.user.id, accountId: account.id, name: 'theirs.com' })
  await s.listed('theirs.com')
  await s.zone('mine.com')
  expect(await s.states()).toEqual([['theirs.com', 'not_in_cloudflare']])
  expect((await stranger.call.trackers.reconcile({ ownerId: s.ownerId })).counts).toMatchObject({ not_in_cloudflare: 0, not_bound: 1 })
  expect((await stranger.call.trackers.reconcile({ trackerIds: [s.trackerId] })).rows).toEqual([])
  expect((await stranger.call.trackers.reconcileIds({ ownerId: s.ownerId })).names).toEqual([])
  const all = await admin.call.trackers.reconcile({})
  expect(all.counts).toMatchObject({ not_in_cloudflare: 1, not_bound: 2 })
  expect((await admin.call.trackers.reconcile({ ownerId: s.ownerId })).counts).toMatchObject({ not_in_cloudflare: 1, not_bound: 1 })
})

test('the comparison filters by tracker and by part of a name, including Unicode', async () => {
  const s = await stage()
  const other = await s.track({ name: 'Other', kind: 'BINOM', url: 'https://b.example', syncedAt: null })
  await s.listed('one.com')
  await s.listed('two.com', { trackerId: other })
  await s.listed('xn--80aswg.xn--p1ai', { trackerId: other })
  await s.zone('one-more.com')
  expect(await s.states({ trackerIds: [other] })).toHaveLength(2)
  expect(await s.states({ search: 'ONE' })).toEqual([['one.com', 'not_in_cloudflare']])
  expect(await s.states({ search: 'сайт' })).toEqual([['xn--80aswg.xn--p1ai', 'not_in_cloudflare']])
  expect(await s.states({ search: 'o_e' })).toEqual([])
  expect((await s.call.trackers.reconcile({ search: 'one' })).counts).toMatchObject({ not_in_cloudflare: 1, not_bound: 1 })
  // One tracker was never read, so the age of the whole is unknown.
  expect((await s.call.trackers.reconcile({})).readAt).toBeNull()
  expect((await s.call.trackers.reconcile({ trackerIds: [s.trackerId] })).readAt).toBe(readAt.toISOString())
  await expect(s.call.trackers.reconcile({ cursor: 'x' })).rejects.toMatchObject({ cause: { code: 'validation_failed' } })
})

test('pages follow each other without gaps, and a repair selects all of them', async () => {
  const s = await stage()
  for (let index = 0; index < 25; index += 1) await s.listed(`my site ${String(index).padStart(2, '0')}`)
  const zones = await s.zones(12, (index) => ({ name: `z${String(index).padStart(2, '0')}.com` }))
  const all = async (state: ReconcileState | undefined) => {
    const names: string[] = []
    let cursor: string | null = null
    do {
      const page: Awaited<ReturnType<typeof s.call.trackers.reconcile>> = await s.call.trackers.reconcile({
        limit: 10,
        ...(state === undefined ? {} : { state }),
        ...(cursor === null ? {} : { cursor }),
      })
      names.push(...page.rows.map(({ name }) => name))
      cursor = page.nextCursor
    } while (cursor !== null)
    return names
  }
  expect(await all(undefined)).toHaveLength(25)
  expect(new Set(await all('not_in_cloudflare')).size).toBe(25)
  expect(await all('not_bound')).toEqual(zones.map(({ name }) => name))
  const apart = await s.call.trackers.reconcileIds({ state: 'not_bound' })
  expect(apart).toEqual({ zoneIds: expect.any(Array) as unknown, trackerDomainIds: [], names: zones.map(({ name }) => name) })
  expect(new Set(apart.zoneIds)).toEqual(new Set(zones.map(({ id }) => id)))
  const lost = await s.call.trackers.reconcileIds({ state: 'not_in_cloudflare' })
  expect(lost).toMatchObject({ zoneIds: [] })
  expect(lost.trackerDomainIds).toHaveLength(25)
})

test('domains that can be repaired together are distinguished by tracker and by whether they are bound here (R-TRK-03)', async () => {
  const s = await stage()
  const other = await s.track({ name: 'Other', url: 'https://b.example' })
  const wrong = { problem: 'Timeout was reached' }
  const bound = await s.listed('bound.com', wrong)
  const zone = await s.zone('bound.com')
  await s.bind(zone.id, bound.remoteId)
  await s.zone('loose.com')
  await s.listed('loose.com', wrong)
  await s.listed('nowhere.com', { trackerId: other, ...wrong })
  const lost = await s.listed('lost.com')
  const gone = await s.zone('lost.com', { goneAt: readAt })
  await s.bind(gone.id, lost.remoteId)

  const { rows, tally } = await s.call.trackers.reconcile({ state: 'check_error' })
  expect(rows.map(({ name, bound: here }) => [name, here])).toEqual([
    ['bound.com', true],
    ['loose.com', false],
    ['nowhere.com', false],
  ])
  expect(tally).toHaveLength(4)
  expect(tally).toEqual(
    expect.arrayContaining([
      { trackerId: s.trackerId, states: ['check_error'], bound: true, count: 1 },
      { trackerId: s.trackerId, states: ['not_linked', 'check_error'], bound: false, count: 1 },
      { trackerId: s.trackerId, states: ['not_in_cloudflare'], bound: true, count: 1 },
      { trackerId: other, states: ['not_in_cloudflare', 'check_error'], bound: false, count: 1 },
    ]),
  )
  expect(await s.call.trackers.reconcileIds({ state: 'check_error', bound: true })).toMatchObject({
    zoneIds: [zone.id],
    trackerDomainIds: [],
  })
  expect((await s.call.trackers.reconcileIds({ state: 'not_in_cloudflare', bound: true })).zoneIds).toEqual([gone.id])
  expect((await s.call.trackers.reconcileIds({ state: 'not_in_cloudflare', bound: false })).names).toEqual(['nowhere.com'])
})

test('the registrar is shown for domains in Cloudflare and for those that are not', async () => {
  const s = await stage()
  const registrarId = randomUUID()
  await s.db.orm.insert(registrars).values({
    id: registrarId,
    ownerId: s.ownerId,
    name: 'Pork',
    type: 'API_ENABLED',
    provider: 'PORKBUN',
    credentialSealed: 'v1.x',
    credentialFields: [],
    credentialHash: registrarId,
  })
  const expiresAt = new Date('2027-03-01T00:00:00Z')
  await s.db.orm.insert(registrarNames).values([
    { registrarId, name: 'here.com', expiresAt },
    { registrarId, name: 'away.com', expiresAt },
  ])
  await s.zone('here.com', { registrarId })
  await s.listed('here.com')
  await s.listed('go.away.com')
  const { rows } = await s.call.trackers.reconcile({})
  const registrar = { name: 'Pork', paidUntil: expiresAt.toISOString() }
  expect(rows).toMatchObject([
    { name: 'go.away.com', zone: null, registrar },
    { name: 'here.com', registrar },
  ])
})
