import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { buildApp } from '#server/app.ts'
import { signIn } from '#server/testing/app.ts'
import type { SignedIn } from '#server/testing/app.ts'
import { emptyTables } from '#server/testing/empty-tables.ts'
import { insertAccount, insertZones } from '#server/testing/factories.ts'
import { createTestPanel } from '#server/testing/panel.ts'
import type { TestPanel } from '#server/testing/panel.ts'
import type { TestTrackers } from '#server/testing/test-trackers.ts'
import { syncDueTrackers } from './index.ts'

let panel: TestPanel
let app: FastifyInstance
let sims: TestTrackers
let ann: SignedIn
let trackerId: string
let campaignId: string
let groupId: string
/** Ids and names of ann's domains. */
let zones: { readonly id: string; readonly name: string }[]

beforeAll(async () => {
  panel = await createTestPanel({ world: { zones: 1, accounts: 1, recordsPerZone: 1 }, trackers: true })
  if (panel.trackers === null) throw new Error('no trackers')
  sims = panel.trackers
  app = await buildApp(panel.services, { publicUrl: 'http://panel.test', trustProxy: [], clientDir: null })
})
afterAll(async () => {
  await app.close()
  await panel.close()
})

async function zonesOf(me: SignedIn, count: number) {
  const { services } = panel
  const account = await insertAccount(services.db, { ownerId: me.user.id }, { secrets: services.secrets, apiKey: 'f'.repeat(37) })
  return insertZones(services.db, { ownerId: me.user.id, accountId: account.id }, count)
}
const keitaroOf = async (me: SignedIn, name = 'Main') =>
  (await me.call.trackers.create({ kind: 'KEITARO', name, url: sims.keitaro.url, apiKey: sims.keitaro.apiKey })).tracker.id

beforeEach(async () => {
  const { services } = panel
  await emptyTables(services.db, 'users')
  for (const { state, faults, journal } of [sims.keitaro, sims.binom]) {
    state.clear()
    faults.clear()
    journal.reset()
  }
  campaignId = sims.keitaro.state.addCampaign('Spring').id
  groupId = sims.keitaro.state.addGroup('Shops')
  ann = await signIn(services)
  zones = await zonesOf(ann, 3)
  trackerId = await keitaroOf(ann)
  sims.keitaro.journal.reset()
})

const zone = (at: number) => {
  const found = zones[at]
  if (found === undefined) throw new Error('no such zone')
  return found
}
const bind = (at = 0, me = ann) => me.call.trackers.bind({ id: zone(at).id, trackerId, campaignId, groupId, sslRedirect: true })
const there = (at = 0) => [...sims.keitaro.state.domains.values()].filter(({ name }) => name === zone(at).name)
const typeOf = async (at = 0) => (await ann.call.domains.get({ id: zone(at).id })).zone.trackerType
const logged = async (at = 0) => {
  const rows = await panel.services.db.sql<{ tracker: { from: { name: string } | null; to: { name: string } | null } }[]>`
    select details -> 'tracker' as tracker from activity where entity_id = ${zone(at).id} and details ? 'tracker' order by id`
  return rows.map(({ tracker }) => [tracker.from?.name ?? null, tracker.to?.name ?? null])
}
const written = async (at = 0) =>
  (await ann.call.history.list({ id: zone(at).id })).entries
    .filter(({ key }) => key === 'tracker')
    .map(({ before, after }) => [before, after])
/** Calls that changed the tracker, and calls that only read it. */
const sent = () => sims.keitaro.journal.summary().map(({ method, path }) => `${method} ${path}`)
const read = async () => {
  await ann.call.trackers.sync({ id: trackerId })
  await syncDueTrackers(panel.services, new AbortController().signal)
  sims.keitaro.journal.reset()
}

describe('R-TRK-03 binding a domain', () => {
  test('creates it in the tracker in one call with campaign, group and redirect; the panel, history and log show it', async () => {
    const { binding } = await bind()
    expect(binding).toMatchObject({
      tracker: { id: trackerId, kind: 'KEITARO', name: 'Main', enabled: true },
      domain: {
        name: zone(0).name,
        campaign: { id: campaignId, name: 'Spring' },
        group: { id: groupId, name: 'Shops' },
        sslRedirect: true,
      },
      pending: false,
    })
    expect(sent()).toEqual(['POST /domains'])
    expect(there()).toMatchObject([{ campaignId, groupId, sslRedirect: true, archived: false }])
    expect(await typeOf()).toBe('KEITARO')
    expect(await logged()).toEqual([[null, 'Main']])
    expect(await written()).toEqual([[{ value: null }, { value: { id: trackerId, name: 'Main' } }]])
  })

  test('is refused for a domain that is already bound, here or elsewhere, without calling the tracker', async () => {
    await bind()
    const other = await ann.call.trackers.create({ kind: 'BINOM', name: 'Second', url: sims.binom.url, apiKey: sims.binom.apiKey })
    sims.keitaro.journal.reset()
    sims.binom.journal.reset()
    await expect(bind()).rejects.toMatchObject({ cause: { code: 'domain_bound' } })
    const elsewhere = ann.call.trackers.bind({ id: zone(0).id, trackerId: other.tracker.id })
    await expect(elsewhere).rejects.toMatchObject({ cause: { code: 'domain_bound' } })
    expect([sims.keitaro.journal.count(), sims.binom.journal.count()]).toEqual([0, 0])
    expect(await logged()).toEqual([[null, 'Main']])
  })

  test('is refused without a call for the same name in another account of the owner, and allowed for another person’s', async () => {
    const { services } = panel
    const duplicateOf = async (me: SignedIn) => {
      const account = await insertAccount(services.db, { ownerId: me.user.id }, { secrets: services.secrets, apiKey: 'e'.repeat(37) })
      const [duplicate] = await insertZones(services.db, { ownerId: me.user.id, accountId: account.id }, 1, () => ({ name: zone(0).name }))
      return duplicate?.id ?? ''
    }
    const duplicate = await duplicateOf(ann)
    await bind()
    const other = await ann.call.trackers.create({ kind: 'BINOM', name: 'Second', url: sims.binom.url, apiKey: sims.binom.apiKey })
    sims.keitaro.journal.reset()
    sims.binom.journal.reset()
    for (const there of [trackerId, other.tracker.id]) {
      await expect(ann.call.trackers.bind({ id: duplicate, trackerId: there })).rejects.toMatchObject({ cause: { code: 'domain_bound' } })
      const change = { kind: 'tracker_bind', input: { trackerId: there } } as const
      expect((await ann.call.operations.previewChange({ id: duplicate, change })).preview.refused).toBe('domain_bound')
    }
    expect([sims.keitaro.journal.count(), sims.binom.journal.count()]).toEqual([0, 0])
    await ann.call.trackers.unbind({ id: zone(0).id })
    const both = await Promise.allSettled([bind(), ann.call.trackers.bind({ id: duplicate, trackerId: other.tracker.id })])
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    const ben = await signIn(services)
    const [theirs, his] = [await duplicateOf(ben), await keitaroOf(ben)]
    expect(await ben.call.trackers.bind({ id: theirs, trackerId: his })).toMatchObject({ binding: { pending: false } })
  })

  test('links a domain that the tracker already has, with no call when nothing changes and one call otherwise', async () => {
    sims.keitaro.state.add({ name: zone(0).name, campaignId, sslRedirect: true })
    sims.keitaro.state.add({ name: zone(1).name })
    await read()
    const { binding } = await ann.call.trackers.bind({ id: zone(0).id, trackerId })
    expect(binding).toMatchObject({ domain: { campaign: { id: campaignId }, sslRedirect: true }, pending: false })
    expect(sent()).toEqual([])
    expect((await bind(1)).binding).toMatchObject({ domain: { campaign: { id: campaignId }, group: { id: groupId } } })
    expect(sent()).toEqual(['PUT /domains/{id}'])
    expect([there(0).length, there(1).length]).toEqual([1, 1])
  })

  test('finds a domain unknown to the panel in the tracker or its archive instead of creating a duplicate', async () => {
    sims.keitaro.state.add({ name: zone(0).name })
    sims.keitaro.state.add({ name: zone(1).name, archived: true })
    await bind(0)
    await bind(1)
    expect(there(0)).toMatchObject([{ campaignId, archived: false }])
    expect(there(1)).toMatchObject([{ campaignId, archived: false }])
  })

  test('leaves nothing behind when refused and reports the tracker’s message', async () => {
    const wrong = ann.call.trackers.bind({ id: zone(0).id, trackerId, campaignId: '999' })
    await expect(wrong).rejects.toMatchObject({
      cause: { code: 'tracker_rejected', provider: { message: expect.stringContaining('Campaign not found') as unknown } },
    })
    expect(await ann.call.trackers.ofDomain({ id: zone(0).id })).toEqual({ binding: null })
    expect([await typeOf(), await logged(), there()]).toEqual([null, [], []])
  })

  test('with a lost response keeps the domain reserved; binding it again finds the one created', async () => {
    sims.keitaro.faults.add({ method: 'POST', times: 1, effect: { kind: 'error-after-write' } })
    sims.keitaro.faults.add({ method: 'GET', effect: { kind: 'server-error' } })
    await expect(bind()).rejects.toMatchObject({ cause: { code: 'tracker_unavailable' } })
    expect(await ann.call.trackers.ofDomain({ id: zone(0).id })).toMatchObject({ binding: { pending: true } })
    const other = await ann.call.trackers.create({ kind: 'BINOM', name: 'Second', url: sims.binom.url, apiKey: sims.binom.apiKey })
    const elsewhere = ann.call.trackers.bind({ id: zone(0).id, trackerId: other.tracker.id })
    await expect(elsewhere).rejects.toMatchObject({ cause: { code: 'domain_bound' } })
    sims.keitaro.faults.clear()
    expect((await bind()).binding).toMatchObject({ pending: false })
    expect([there().length, await logged()]).toEqual([1, [[null, 'Main']]])
  })

  test('with a lost response and no retry is completed when the list is read, and the log records it', async () => {
    sims.keitaro.faults.add({ method: 'POST', times: 1, effect: { kind: 'error-after-write' } })
    sims.keitaro.faults.add({ method: 'GET', effect: { kind: 'server-error' } })
    await expect(bind()).rejects.toMatchObject({ cause: { code: 'tracker_unavailable' } })
    sims.keitaro.faults.clear()
    await read()
    expect(await ann.call.trackers.ofDomain({ id: zone(0).id })).toMatchObject({ binding: { pending: true } })
    await panel.services.db.sql`update tracker_bindings set bound_at = now() - interval '6 minutes'`
    await read()
    expect(await ann.call.trackers.ofDomain({ id: zone(0).id })).toMatchObject({
      binding: { pending: false, domain: { name: zone(0).name } },
    })
    expect(await logged()).toEqual([[null, 'Main']])
  })

  test('twice concurrently creates one domain and one log line', async () => {
    const both = await Promise.allSettled([bind(), bind()])
    expect(both.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect([there().length, await logged()]).toEqual([1, [[null, 'Main']]])
  })
})

describe('R-TRK-03 unbinding a domain', () => {
  test('archives it in the tracker and removes it from the panel; the log and history record it', async () => {
    await bind()
    sims.keitaro.journal.reset()
    expect(await ann.call.trackers.unbind({ id: zone(0).id })).toEqual({ binding: null })
    expect(sent()).toEqual(['DELETE /domains/{id}'])
    expect(there()).toMatchObject([{ archived: true }])
    expect([await typeOf(), await logged()]).toEqual([
      null,
      [
        [null, 'Main'],
        ['Main', null],
      ],
    ])
    await expect(ann.call.trackers.unbind({ id: zone(0).id })).rejects.toMatchObject({ cause: { code: 'domain_not_bound' } })
  })

  test('without archiving does not call the tracker, even a disabled one', async () => {
    await bind()
    await ann.call.trackers.update({ id: trackerId, enabled: false })
    sims.keitaro.journal.reset()
    await expect(ann.call.trackers.unbind({ id: zone(0).id })).rejects.toMatchObject({ cause: { code: 'tracker_disabled' } })
    await ann.call.trackers.unbind({ id: zone(0).id, archive: false })
    expect([sent(), there()[0]?.archived, await typeOf()]).toEqual([[], false, null])
  })

  test('succeeds when it is already gone there; a refusal leaves it bound', async () => {
    await bind(0)
    await bind(1)
    for (const domain of there(0)) sims.keitaro.state.domains.delete(domain.id)
    await ann.call.trackers.unbind({ id: zone(0).id })
    expect(await typeOf(0)).toBeNull()
    sims.keitaro.faults.add({ method: 'DELETE', times: 1, effect: { kind: 'revoked-key' } })
    await expect(ann.call.trackers.unbind({ id: zone(1).id })).rejects.toMatchObject({ cause: { code: 'tracker_auth' } })
    expect(await typeOf(1)).toBe('KEITARO')
  })

  test('looks up a domain by name when its binding was never confirmed', async () => {
    sims.keitaro.faults.add({ method: 'POST', times: 1, effect: { kind: 'error-after-write' } })
    const off = sims.keitaro.faults.add({ method: 'GET', effect: { kind: 'server-error' } })
    await expect(bind()).rejects.toMatchObject({ cause: { code: 'tracker_unavailable' } })
    off()
    await ann.call.trackers.unbind({ id: zone(0).id })
    expect([there()[0]?.archived, await typeOf()]).toEqual([true, null])
  })

  test('a domain that disappeared from the tracker can be bound again, there or elsewhere', async () => {
    await bind(0)
    for (const domain of there(0)) sims.keitaro.state.domains.delete(domain.id)
    await read()
    await bind(0)
    expect([there(0).length, await logged()]).toEqual([
      1,
      [
        [null, 'Main'],
        ['Main', null],
        [null, 'Main'],
      ],
    ])
  })
})

describe('R-TRK-03 checking a domain in its tracker', () => {
  test('stores and shows what the tracker finds', async () => {
    await bind()
    const [domain] = there()
    if (domain === undefined) throw new Error('not there')
    domain.error = { description: 'Timeout was reached', solution: 'Point the A record at the tracker' }
    expect((await ann.call.trackers.check({ id: zone(0).id })).binding?.domain).toMatchObject({
      problem: 'Timeout was reached',
      solution: 'Point the A record at the tracker',
    })
    domain.healed = true
    expect((await ann.call.trackers.check({ id: zone(0).id })).binding?.domain).toMatchObject({ problem: null })
    await expect(ann.call.trackers.check({ id: zone(1).id })).rejects.toMatchObject({ cause: { code: 'domain_not_bound' } })
  })
})

describe('R-PRM-02 trackers and domains of other users', () => {
  test('another person’s tracker or domain is not found, an administrator cannot mix two owners, and a share is not enough', async () => {
    const ben = await signIn(panel.services)
    const admin = await signIn(panel.services, { role: 'admin' })
    const [theirs] = await zonesOf(ben, 1)
    await expect(ben.call.trackers.bind({ id: theirs?.id ?? '', trackerId })).rejects.toMatchObject({ cause: { code: 'not_found' } })
    await expect(bind(0, ben)).rejects.toMatchObject({ cause: { code: 'not_found' } })
    const mixed = admin.call.trackers.bind({ id: theirs?.id ?? '', trackerId })
    await expect(mixed).rejects.toMatchObject({ cause: { code: 'tracker_other_owner' } })
    expect((await bind(0, admin)).binding).toMatchObject({ tracker: { id: trackerId } })
    expect(sims.keitaro.journal.count()).toBe(1)
  })
})
