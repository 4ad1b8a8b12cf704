import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { buildApp } from '#server/app.ts'
import { syncDueTrackers } from '#server/features/trackers/index.ts'
import { signIn } from '#server/testing/app.ts'
import type { SignedIn } from '#server/testing/app.ts'
import { emptyTables } from '#server/testing/empty-tables.ts'
import { insertAccount, insertZones } from '#server/testing/factories.ts'
import { createTestPanel } from '#server/testing/panel.ts'
import type { TestPanel } from '#server/testing/panel.ts'
import type { TestTrackers } from '#server/testing/test-trackers.ts'
import type { OperationRequest } from '#shared/features/operations/registry.ts'
import { operationKinds, startOperations } from './index.ts'

const count = 6
let panel: TestPanel
let app: FastifyInstance
let trackers: TestTrackers
let ann: SignedIn
let trackerId: string
let campaignId: string
let zones: { readonly id: string; readonly name: string }[]

beforeAll(async () => {
  panel = await createTestPanel({ world: { zones: count, accounts: 1, recordsPerZone: 4 }, trackers: true })
  if (panel.trackers === null) throw new Error('no trackers')
  trackers = panel.trackers
  app = await buildApp(panel.services, { publicUrl: 'http://panel.test', trustProxy: [], clientDir: null })
})
afterAll(async () => {
  await app.close()
  await panel.close()
})

beforeEach(async () => {
  panel.simulator.reset()
  const { services } = panel
  await emptyTables(services.db, 'users')
  for (const { state, faults } of [trackers.keitaro, trackers.binom]) {
    state.clear()
    faults.clear()
  }
  ann = await signIn(services)
  const { email, globalKey, userId, accountId: theirAccount } = panel.credential(0)
  const owner = { ownerId: ann.user.id, email, providerUserId: userId }
  const account = await insertAccount(services.db, owner, { secrets: services.secrets, apiKey: globalKey })
  const sims = [...panel.simulator.state.zonesById.values()].filter((zone) => zone.account.id === theirAccount)
  zones = await insertZones(services.db, { ownerId: ann.user.id, accountId: account.id }, sims.length, (at) => ({
    providerZoneId: sims[at]?.id ?? '',
    name: sims[at]?.name ?? '',
    status: 'active',
  }))
  campaignId = trackers.keitaro.state.addCampaign('Spring').id
  const { keitaro } = trackers
  trackerId = (await ann.call.trackers.create({ kind: 'KEITARO', name: 'Main', url: keitaro.url, apiKey: keitaro.apiKey })).tracker.id
  for (const { journal } of [trackers.keitaro, trackers.binom, panel.simulator]) journal.reset()
  const runner = await startOperations(services, operationKinds, { pollMs: 20 })
  onTestFinished(() => runner.stop())
})

const zone = (at: number) => {
  const found = zones[at]
  if (found === undefined) throw new Error('no such zone')
  return found
}
const ids = (...places: number[]) => places.map((at) => zone(at).id)
const all = () => zones.map(({ id }) => id)
async function ended(id: string) {
  const items = () => ann.call.operations.items({ id, limit: 1_000 })
  await expect.poll(async () => (await items()).operation.state, { timeout: 60_000, interval: 20 }).toBe('done')
  return items()
}
async function run(request: OperationRequest, domainIds = all()) {
  const preview = await ann.call.operations.preview({ request, target: { ids: domainIds } })
  const planned = await ann.call.operations.items({ id: preview.operation.id, limit: 1_000 })
  await ann.call.operations.start({ id: preview.operation.id })
  return { preview, planned: planned.items, ...(await ended(preview.operation.id)) }
}
const bindAll = (domainIds = all()) =>
  run({ kind: 'tracker_bind', input: { trackerId, campaignId, groupId: null, sslRedirect: true } }, domainIds)
const there = () => [...trackers.keitaro.state.domains.values()]
const liveThere = () => there().flatMap(({ name, archived }) => (archived ? [] : [name]))
const boundHere = async () =>
  (await ann.call.domains.list({ filter: { tracker: 'KEITARO' }, limit: 100 })).domains.map(({ name }) => name).toSorted()
const named = (given: readonly { readonly name: string }[]) => given.map(({ name }) => name).toSorted()

describe('R-TRK-03 many domains are bound', () => {
  test('each is bound with one call; already bound domains are excluded, and the preview and the result say so', async () => {
    await ann.call.trackers.bind({ id: zone(0).id, trackerId })
    trackers.keitaro.journal.reset()
    const { preview, planned, operation, items } = await bindAll()
    expect(preview).toMatchObject({
      operation: { total: count, skipped: 1 },
      calls: count - 1,
      bottleneck: { account: 'Main', items: count - 1 },
    })
    expect(planned.find(({ domain }) => domain === zone(1).name)).toMatchObject({
      account: 'Main',
      plan: { before: null, after: { tracker: 'Main', campaign: 'Spring', group: null, sslRedirect: true } },
    })
    expect(operation).toMatchObject({ done: count - 1, skipped: 1, failed: 0, subject: 'Main · Spring' })
    expect(items.filter(({ state }) => state === 'skipped').map(({ domain, code }) => [domain, code])).toEqual([
      [zone(0).name, 'domain_bound'],
    ])
    expect(liveThere().toSorted()).toEqual(named(zones))
    expect(await boundHere()).toEqual(named(zones))
    expect(trackers.keitaro.journal.count({ method: 'POST' })).toBe(count - 1)
    expect(panel.simulator.journal.count()).toBe(0)
  })

  test('a domain that is bound between preview and start is excluded as well', async () => {
    const { operation } = await ann.call.operations.preview({
      request: { kind: 'tracker_bind', input: { trackerId } },
      target: { ids: ids(0, 1) },
    })
    await ann.call.trackers.bind({ id: zone(0).id, trackerId })
    await ann.call.operations.start({ id: operation.id })
    const { items } = await ended(operation.id)
    const became = new Map(items.map(({ domain, state, code }) => [domain, [state, code]]))
    expect([became.get(zone(0).name), became.get(zone(1).name)]).toEqual([
      ['skipped', 'domain_bound'],
      ['done', null],
    ])
  })

  test('a busy tracker is waited for and a lost answer is looked up, so nothing is duplicated', async () => {
    trackers.keitaro.faults.add({ method: 'POST', times: 1, effect: { kind: 'rate-limited', retryAfterSeconds: 1 } })
    trackers.keitaro.faults.add({ method: 'POST', times: 2, effect: { kind: 'error-after-write' } })
    trackers.keitaro.faults.add({ method: 'GET', times: 1, effect: { kind: 'reset' } })
    const { operation } = await bindAll()
    expect(operation).toMatchObject({ done: count, failed: 0 })
    expect(
      there()
        .map(({ name }) => name)
        .toSorted(),
    ).toEqual(named(zones))
    const [{ n } = { n: 0 }] = await panel.services.db.sql<{ n: number }[]>`
      select count(*)::int as n from activity where details ? 'tracker' and entity_id = any(${all()}::text[])`
    expect(n).toBe(count)
  })

  test('a refused key stops the remaining items of the tracker, and nothing stays bound', async () => {
    trackers.keitaro.faults.add({ method: 'POST', effect: { kind: 'revoked-key' } })
    const { operation, items } = await bindAll()
    expect(operation).toMatchObject({ done: 0, failed: count })
    expect(new Set(items.map(({ code }) => code))).toEqual(new Set(['tracker_auth']))
    expect(await boundHere()).toEqual([])
  })

  test('on retry a domain that was bound elsewhere in the meantime is not changed', async () => {
    const { binom } = trackers
    trackers.keitaro.faults.add({ method: 'POST', effect: { kind: 'revoked-key' } })
    const { operation } = await bindAll(ids(0))
    const second = await ann.call.trackers.create({ kind: 'BINOM', name: 'Second', url: binom.url, apiKey: binom.apiKey })
    await ann.call.trackers.bind({ id: zone(0).id, trackerId: second.tracker.id })
    trackers.keitaro.faults.clear()
    await ann.call.operations.retryFailed({ id: operation.id })
    expect((await ended(operation.id)).items).toMatchObject([{ state: 'skipped', code: 'domain_bound' }])
    expect(liveThere()).toEqual([])
  })

  test('a disabled tracker or one of another user binds nothing and gives the reason', async () => {
    await ann.call.trackers.update({ id: trackerId, enabled: false })
    const refused = async (id: string) => {
      const change = { kind: 'tracker_bind', input: { trackerId: id } } as const
      return (await ann.call.operations.previewChange({ id: zone(0).id, change })).preview.refused
    }
    expect(await refused(trackerId)).toBe('tracker_disabled')
    const ben = await signIn(panel.services)
    const { keitaro } = trackers
    const theirs = await ben.call.trackers.create({ kind: 'KEITARO', name: 'His', url: keitaro.url, apiKey: keitaro.apiKey })
    await expect(refused(theirs.tracker.id)).rejects.toMatchObject({ cause: { code: 'not_found' } })
  })

  test('domains deleted and restored by the undo get their campaign back; the preview warns if a tracker deletes them', async () => {
    const { binom } = trackers
    const given = binom.state.addCampaign('Summer').id
    const { tracker } = await ann.call.trackers.create({ kind: 'BINOM', name: 'Second', url: binom.url, apiKey: binom.apiKey })
    const input = { trackerId: tracker.id, campaignId: given, groupId: null, sslRedirect: false }
    const bound = await run({ kind: 'tracker_bind', input }, ids(0))
    const back = await ann.call.operations.previewUndo({ id: bound.operation.id })
    expect(back.dangers).toEqual({ unbinds_live: 1, tracker_deletes: 1 })
    const unbound = await run({ kind: 'tracker_unbind', input: { archive: true } }, ids(0))
    expect(binom.state.find(zone(0).name)).toBeNull()
    const undone = await ann.call.operations.previewUndo({ id: unbound.operation.id })
    expect(undone.dangers).toEqual({})
    await ann.call.operations.start({ id: undone.operation.id })
    expect((await ended(undone.operation.id)).operation).toMatchObject({ done: 1, failed: 0 })
    expect(binom.state.find(zone(0).name)).toMatchObject({ campaignId: given })
  })

  test('undoing a binding unbinds, and undoing an unbinding restores the binding', async () => {
    const bound = await bindAll(ids(0, 1))
    const undo = async (id: string) => {
      const preview = await ann.call.operations.previewUndo({ id })
      await ann.call.operations.start({ id: preview.operation.id })
      return ended(preview.operation.id)
    }
    expect((await undo(bound.operation.id)).operation).toMatchObject({ done: 2, failed: 0 })
    expect([await boundHere(), liveThere()]).toEqual([[], []])

    await bindAll(ids(0, 1))
    const unbound = await run({ kind: 'tracker_unbind', input: { archive: true } }, ids(0, 1))
    expect(unbound.preview.dangers).toEqual({ unbinds_live: 2 })
    expect(liveThere()).toEqual([])
    expect((await undo(unbound.operation.id)).operation).toMatchObject({ done: 2, failed: 0 })
    expect(await boundHere()).toEqual(named([zone(0), zone(1)]))
    expect(there()).toMatchObject([
      { archived: false, campaignId, sslRedirect: true },
      { archived: false, campaignId, sslRedirect: true },
    ])
  })
})

describe('R-TRK-03 many domains are unbound and checked', () => {
  test('they are archived; domains without a binding are excluded', async () => {
    await bindAll(ids(0, 1))
    const { operation, items } = await run({ kind: 'tracker_unbind', input: { archive: true } }, ids(0, 1, 2))
    expect(operation).toMatchObject({ done: 2, skipped: 1, subject: 'Main' })
    expect(items.find(({ state }) => state === 'skipped')).toMatchObject({ domain: zone(2).name, code: 'domain_not_bound' })
    expect([liveThere(), await boundHere()]).toEqual([[], []])
  })

  test('unbinding from a tracker without an archive warns that the domains are deleted there', async () => {
    const { binom } = trackers
    const { tracker } = await ann.call.trackers.create({ kind: 'BINOM', name: 'Second', url: binom.url, apiKey: binom.apiKey })
    await run({ kind: 'tracker_bind', input: { trackerId: tracker.id, campaignId: null, groupId: null, sslRedirect: false } }, ids(0, 1))
    await bindAll(ids(2))
    const { operation } = await run({ kind: 'tracker_check', input: {} }, ids(0, 2))
    expect(operation.subject).toBe('Main +1')
    expect([...binom.state.domains.values()].map(({ name }) => name).toSorted()).toEqual(named([zone(0), zone(1)]))
    const gone = await run({ kind: 'tracker_unbind', input: { archive: true } }, ids(0))
    expect(gone.preview.dangers).toEqual({ tracker_deletes: 1 })
    const kept = await run({ kind: 'tracker_unbind', input: { archive: false } }, ids(1))
    expect(kept.preview.dangers).toEqual({})
    expect([...binom.state.domains.values()].map(({ name }) => name)).toEqual([zone(1).name])
  })

  test('each tracker checks its domains again, and the result is shown', async () => {
    await bindAll(ids(0, 1))
    for (const domain of there()) domain.error = { description: 'Couldn’t resolve host', solution: 'Add an A record' }
    const { operation } = await run({ kind: 'tracker_check', input: {} }, ids(0, 1))
    expect(operation).toMatchObject({ done: 2, failed: 0, subject: 'Main' })
    for (const at of [0, 1]) {
      expect((await ann.call.trackers.ofDomain({ id: zone(at).id })).binding?.domain).toMatchObject({ problem: 'Couldn’t resolve host' })
    }
    await expect(ann.call.operations.previewUndo({ id: operation.id })).rejects.toMatchObject({ cause: { code: 'nothing_to_undo' } })
  })

  test('tracker domains without a zone are archived; bound ones are not, and those of other users are not found', async () => {
    trackers.keitaro.state.add({ name: 'left-over.com', campaignId })
    await bindAll(ids(0))
    await ann.call.trackers.sync({ id: trackerId })
    await syncDueTrackers(panel.services, new AbortController().signal)
    const rows = await panel.services.db.sql<{ id: string }[]>`select id from tracker_domains`
    const trackerDomainIds = rows.map(({ id }) => id)
    const ben = await signIn(panel.services)
    await expect(ben.call.operations.previewTrackerArchive({ trackerDomainIds })).rejects.toMatchObject({ cause: { code: 'not_found' } })
    const preview = await ann.call.operations.previewTrackerArchive({ trackerDomainIds })
    expect(preview).toMatchObject({ operation: { total: 2, skipped: 1 }, dangers: { unbinds_live: 1 }, calls: 1 })
    await ann.call.operations.start({ id: preview.operation.id })
    expect((await ended(preview.operation.id)).operation).toMatchObject({ done: 1, skipped: 1, subject: 'Main' })
    expect(liveThere()).toEqual([zone(0).name])
  })
})

describe('R-TRK-03 domains are looked up again when they are archived', () => {
  /** Two domains without a zone, and a draft that archives the first. */
  async function planned() {
    const { state } = trackers.keitaro
    const [first, second] = [state.add({ name: 'first.com' }), state.add({ name: 'second.com' })]
    await ann.call.trackers.sync({ id: trackerId })
    await syncDueTrackers(panel.services, new AbortController().signal)
    const rows = await panel.services.db.sql<{ id: string }[]>`select id from tracker_domains where name = 'first.com'`
    const preview = await ann.call.operations.previewTrackerArchive({ trackerDomainIds: rows.map(({ id }) => id) })
    const start = async () => {
      // Makes the last reading old enough to be repeated.
      await panel.services.db.sql`update tracker_domains set seen_at = seen_at - interval '2 minutes'`
      await ann.call.operations.start({ id: preview.operation.id })
      return ended(preview.operation.id)
    }
    return { state, first, second, start }
  }

  test('in a tracker that was reinstalled no other domain is archived, and the reason is reported', async () => {
    const { state, first, second, start } = await planned()
    state.domains.set(first.id, { ...first, name: 'else.com' })
    state.domains.set(second.id, { ...second, name: 'first.com' })
    const { operation, items } = await start()
    expect([operation.failed, items[0]?.code]).toEqual([1, 'tracker_domain_changed'])
    expect(liveThere()).toEqual(['else.com', 'first.com'])
  })

  test('a domain that no longer exists is not a failure, and the others are archived', async () => {
    const gone = await planned()
    gone.state.domains.delete(gone.first.id)
    expect((await gone.start()).operation).toMatchObject({ done: 1, failed: 0 })
    const there = await planned()
    expect((await there.start()).operation).toMatchObject({ done: 1, failed: 0 })
    expect(liveThere()).toEqual(['second.com', 'second.com'])
  })
})

describe('R-API-01 tools bind and unbind', () => {
  const ask = (method: 'POST' | 'DELETE', path: string, payload: object = {}) =>
    app.inject({ method, url: `/api/zones/${path}`, headers: ann.headers, ...(method === 'POST' ? { payload } : {}) })

  test('one domain at a time, with a preview that sends nothing', async () => {
    const preview = await ask('POST', `${zone(0).id}/tracker?preview=true`, { trackerId, campaignId })
    expect(preview.json()).toMatchObject({ preview: { after: { tracker: 'Main', campaign: 'Spring' }, calls: 1, refused: null } })
    expect(trackers.keitaro.journal.count({ method: 'POST' })).toBe(0)
    expect((await ask('POST', `${zone(0).id}/tracker`, { trackerId })).json()).toMatchObject({ binding: { tracker: { name: 'Main' } } })
    const again = await ask('POST', `${zone(0).id}/tracker`, { trackerId })
    expect([again.statusCode, again.json()]).toMatchObject([409, { code: 'domain_bound' }])
    expect((await ask('POST', `${zone(0).id}/tracker/check`)).json()).toMatchObject({ binding: { domain: { name: zone(0).name } } })
    expect((await ask('DELETE', `${zone(0).id}/tracker?archive=false`)).json()).toEqual({ binding: null })
    expect(liveThere()).toEqual([zone(0).name])
  })

  test('many domains as an operation', async () => {
    const bound = await ask('POST', 'bulk-bind-tracker', { ids: all(), trackerId })
    expect(bound.statusCode).toBe(202)
    await ended(bound.json<{ operation: { id: string } }>().operation.id)
    const live = await app.inject({ url: '/api/zones/live?tracker=KEITARO', headers: ann.headers })
    expect(named(live.json<{ data: { name: string }[] }>().data)).toEqual(named(zones))
    const unbound = await ask('POST', 'bulk-unbind-tracker', { ids: all() })
    await ended(unbound.json<{ operation: { id: string } }>().operation.id)
    expect(await boundHere()).toEqual([])
  })
})

describe('R-TRK-03 before a record exposes a tracker', () => {
  const address = '198.51.100.77'
  const open = { type: 'A', name: 'go', content: address, proxied: false } as const

  test('previews of bulk changes, single changes and new domains warn about the tracker, only for its owner', async () => {
    await ann.call.trackers.update({ id: trackerId, addresses: [address] })
    for (const id of ids(0, 1)) await ann.call.zoneSettings.refresh({ id })
    const many = await ann.call.operations.preview({ request: { kind: 'dns_add', input: { records: [open] } }, target: { ids: ids(0, 1) } })
    expect(many.dangers).toEqual({ tracker_exposed: 2 })
    const behind = { ...open, proxied: true }
    const hidden = await ann.call.operations.preview({
      request: { kind: 'dns_add', input: { records: [behind] } },
      target: { ids: ids(0, 1) },
    })
    expect(hidden.dangers).toEqual({})
    const one = (me: SignedIn) => me.call.operations.previewChange({ id: zone(0).id, change: { kind: 'record', creates: [open] } })
    expect((await one(ann)).preview.dangers).toEqual(['tracker_exposed'])

    const [{ accountId } = { accountId: '' }] = await panel.services.db.sql<{ accountId: string }[]>`select account_id from zones limit 1`
    const fresh = { domains: ['brand-new.com'], accountIds: [accountId], ipAddress: address, enableProxy: false }
    expect((await ann.call.operations.previewCreate(fresh)).dangers).toEqual({ tracker_exposed: 1 })
    expect((await ann.call.operations.previewCreate({ ...fresh, ipAddress: '198.51.100.78' })).dangers).toEqual({ origin_exposed: 1 })

    const ben = await signIn(panel.services)
    await ann.call.sharing.create({ user: ben.user.email, accountId, level: 'manage' })
    expect((await one(ben)).preview.dangers).toEqual([])
  })
})
