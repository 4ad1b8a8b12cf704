import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { signIn } from '#server/testing/app.ts'
import type { SignedIn } from '#server/testing/app.ts'
import { emptyTables } from '#server/testing/empty-tables.ts'
import { insertAccount, insertZones } from '#server/testing/factories.ts'
import { createTestPanel } from '#server/testing/panel.ts'
import type { TestPanel } from '#server/testing/panel.ts'
import type { TestTrackers } from '#server/testing/test-trackers.ts'
import { recordsOf } from '#server/simulators/cloudflare/records.ts'
import { operationKinds, startOperations } from './index.ts'
import type { OperationRunner } from './run-operations.ts'

/** The first zone fails, the others are candidates to replace it. */
const count = 4
let panel: TestPanel
let trackers: TestTrackers
let ann: SignedIn
let accountId: string
let trackerId: string
let campaignId: string
let zones: { readonly id: string; readonly name: string }[]
let runner: OperationRunner

beforeAll(async () => {
  panel = await createTestPanel({ world: { zones: count, accounts: 1, recordsPerZone: 4 }, trackers: true })
  if (panel.trackers === null) throw new Error('no trackers')
  trackers = panel.trackers
})
afterAll(() => panel.close())

beforeEach(async () => {
  panel.simulator.reset()
  const { services } = panel
  await emptyTables(services.db, 'users')
  trackers.keitaro.state.clear()
  trackers.keitaro.faults.clear()
  trackers.binom.state.clear()
  trackers.keitaro.ways.campaignsReportDomain = false
  ann = await signIn(services)
  const { email, globalKey, userId, accountId: theirAccount } = panel.credential(0)
  const owner = { ownerId: ann.user.id, email, providerUserId: userId }
  accountId = (await insertAccount(services.db, owner, { secrets: services.secrets, apiKey: globalKey })).id
  const sims = [...panel.simulator.state.zonesById.values()].filter((zone) => zone.account.id === theirAccount)
  zones = await insertZones(services.db, { ownerId: ann.user.id, accountId }, sims.length, (at) => ({
    providerZoneId: sims[at]?.id ?? '',
    name: sims[at]?.name ?? '',
    status: 'active',
  }))
  for (const { id } of zones) await ann.call.zoneSettings.refresh({ id })
  await services.db.sql`update zones set status = 'active', paused = false, phishing = false, health = 'ok'`
  campaignId = trackers.keitaro.state.addCampaign('Spring').id
  const { keitaro } = trackers
  trackerId = (await ann.call.trackers.create({ kind: 'KEITARO', name: 'Main', url: keitaro.url, apiKey: keitaro.apiKey })).tracker.id
  runner = await startOperations(services, operationKinds, { pollMs: 20 })
  onTestFinished(() => runner.stop())
})

const zone = (at: number) => {
  const found = zones[at]
  if (found === undefined) throw new Error('no such zone')
  return found
}
const reserve = (...places: number[]) => ann.call.trackers.addReserve({ zoneIds: places.map((at) => zone(at).id) })
const preview = (at: number[], input: { pairs?: { zoneId: string; reserveZoneId: string }[]; archive?: boolean } = {}) =>
  ann.call.operations.preview({
    request: { kind: 'replace', input: { reason: 'banned', ...input } },
    target: { ids: at.map((each) => zone(each).id) },
  })
const itemsOf = (id: string) => ann.call.operations.items({ id, limit: 100 })
async function ended(id: string) {
  await expect.poll(async () => (await itemsOf(id)).operation.state, { timeout: 60_000, interval: 20 }).toBe('done')
  return itemsOf(id)
}
async function start(id: string) {
  await ann.call.operations.start({ id })
  return ended(id)
}
const stepsOf = ({ items }: Awaited<ReturnType<typeof itemsOf>>) =>
  items.map(({ steps }) => steps?.map(({ step, state, code }) => [step, state, code].filter((part) => part !== null).join(' ')))
const atProvider = (at: number) => {
  const [sim] = panel.simulator.state.zonesNamed(zone(at).name)
  if (sim === undefined) throw new Error('no such zone at the provider')
  return {
    records: [...recordsOf(panel.simulator.state, sim).values()].map(({ type, name, content, proxied }) => [type, name, content, proxied]),
    tls: panel.simulator.state.changesOf(sim).settings.get('min_tls_version')?.value,
  }
}
const renamed = (name: string, from: number, to: number) => name.replace(zone(from).name, zone(to).name)
const logged = async (at: number) =>
  panel.services.db.sql<{ details: Record<string, string> }[]>`
    select details from activity where entity_id = ${zone(at).id} and details ? 'reason'`
const reserved = async () => (await ann.call.trackers.reserve({})).domains.map(({ name }) => name)
const there = (at: number) => trackers.keitaro.state.find(zone(at).name)

describe('R-TRK-03 a failing domain is replaced by a reserve domain', () => {
  test('a domain is not copied while Cloudflare no longer lists some of its records, and a reserve domain with missing records is not ready', async () => {
    await reserve(2)
    const { sql } = panel.services.db
    const pairs = [{ zoneId: zone(0).id, reserveZoneId: zone(2).id }]
    for (const [at, input, expected] of [
      [0, {}, { code: 'records_missing' }],
      [2, {}, { code: 'reserve_empty' }],
      [2, { pairs }, { code: 'reserve_unready', plan: { after: { domain: zone(2).name, problems: ['records_missing'] } } }],
    ] as const) {
      await sql`insert into record_disappearances (zone_id, missing, known) values (${zone(at).id}, 1, 2)`
      await sql`insert into missing_records (zone_id, record_id, record) values (${zone(at).id}, 'r', '{"name": "www.example.com"}')`
      const { items } = await itemsOf((await preview([0], input)).operation.id)
      expect(items).toMatchObject([{ state: 'skipped', ...expected }])
      await sql`delete from record_disappearances`
    }
  })

  test('a domain whose settings or records were never read is not copied', async () => {
    await reserve(2)
    const { sql } = panel.services.db
    for (const part of ['settings_read_at', 'records_read_at']) {
      await sql`update zones set ${sql(part)} = null where id = ${zone(0).id}`
      const { items } = await itemsOf((await preview([0])).operation.id)
      expect(items).toMatchObject([{ state: 'skipped', code: 'not_read_yet' }])
      await sql`update zones set ${sql(part)} = now() where id = ${zone(0).id}`
    }
  })

  test('what only the failing domain has is not copied: DNSSEC, and settings of bots that the reserve domain lacks', async () => {
    const { state } = panel.simulator
    const simOf = (at: number) => state.getZone(state.zonesNamed(zone(at).name)[0]?.id ?? '')
    const [failing, spare] = [simOf(0), simOf(2)]
    failing.plan = 'free'
    spare.plan = 'business'
    state.changesOf(failing).bots = { fight_mode: true, crawler_protection: 'enabled' }
    state.changesOf(spare).bots = { crawler_protection: 'disabled' }
    state.changesOf(spare).dnssec = { enabled: true, modifiedOnMs: Date.now() }
    for (const at of [0, 2]) await ann.call.zoneSettings.refresh({ id: zone(at).id })
    await ann.call.trackers.bind({ id: zone(0).id, trackerId, campaignId })
    await reserve(2)
    const done = await start((await preview([0])).operation.id)
    expect(done.operation).toMatchObject({ done: 1, failed: 0 })
    expect(spare.changes).toMatchObject({ bots: { crawler_protection: 'enabled' }, dnssec: { enabled: true } })
  })

  test('records, settings, group and campaign move, the old domain is archived, and both activity logs record why', async () => {
    const { group } = await ann.call.groups.create({ name: 'Shops' })
    await ann.call.groups.addZones({ id: group.id, zoneIds: [zone(0).id] })
    await ann.call.zoneSettings.update({ id: zone(0).id, minTlsVersion: '1.3' })
    await ann.call.records.create({ id: zone(0).id, type: 'CNAME', name: 'go', content: zone(0).name, proxied: true })
    await ann.call.trackers.bind({ id: zone(0).id, trackerId, campaignId, sslRedirect: true })
    trackers.keitaro.ways.campaignsReportDomain = true
    const linked = trackers.keitaro.state.addCampaign('Linked', { domainId: there(0)?.id ?? null })
    await reserve(2)

    const plan = await preview([0])
    expect(plan).toMatchObject({ operation: { total: 1, skipped: 0 }, dangers: { unbinds_live: 1 } })
    const [item] = (await itemsOf(plan.operation.id)).items
    expect(item).toMatchObject({
      domain: zone(0).name,
      plan: {
        before: { domain: zone(0).name, tracker: 'Main', campaign: 'Spring' },
        after: { domain: zone(2).name, reserveZoneId: zone(2).id, tracker: 'Main', group: 'Shops', settings: { minTlsVersion: '1.3' } },
      },
    })
    expect(panel.simulator.journal.count({ method: 'PATCH' })).toBe(1)

    const done = await start(plan.operation.id)
    expect(done.operation).toMatchObject({ done: 1, failed: 0 })
    expect(stepsOf(done)).toEqual([['copy done', 'group done', 'tracker done', 'campaigns done', 'archive done', 'reserve done']])
    const wanted = atProvider(0).records.filter(([type]) => type !== 'NS')
    const held = atProvider(2)
    expect(held.tls).toBe('1.3')
    for (const [type, name, content, proxied] of wanted) {
      const hosts = type === 'CNAME' || type === 'MX'
      const copied = [type, renamed(String(name), 0, 2), hosts ? renamed(String(content), 0, 2) : content, proxied]
      expect(held.records).toContainEqual(copied)
    }
    expect(held.records.filter(([, name]) => String(name).endsWith(zone(0).name))).toEqual([])
    expect(there(2)).toMatchObject({ archived: false, campaignId, sslRedirect: true })
    expect(there(0)).toMatchObject({ archived: true })
    expect(linked.domainId).toBe(there(2)?.id)
    expect((await ann.call.domains.get({ id: zone(2).id })).zone).toMatchObject({ groupId: group.id, trackerType: 'KEITARO' })
    expect((await ann.call.domains.get({ id: zone(0).id })).zone).toMatchObject({ trackerType: null })
    expect((await logged(0)).map(({ details }) => details)).toEqual([{ replacedBy: zone(2).name, reason: 'banned' }])
    expect((await logged(2)).map(({ details }) => details)).toEqual([{ replaces: zone(0).name, reason: 'banned' }])
    expect(await reserved()).toEqual([])
  })

  test('a tracker that does not report the owner of campaign links causes a warning; without an archive the old domain stays bound', async () => {
    await ann.call.trackers.bind({ id: zone(0).id, trackerId, campaignId })
    await reserve(1)
    const done = await start((await preview([0], { archive: false })).operation.id)
    expect(stepsOf(done)).toEqual([['copy done', 'tracker done', 'campaigns done campaigns_untold', 'reserve done']])
    expect([there(0)?.archived, there(1)?.archived]).toEqual([false, false])
  })

  test('R-ERR-04 an old domain whose campaigns could not be moved is neither archived nor deleted and needs manual work', async () => {
    const { binom } = trackers
    const second = await ann.call.trackers.create({ kind: 'BINOM', name: 'Second', url: binom.url, apiKey: binom.apiKey })
    const given = binom.state.addCampaign('Summer').id
    await ann.call.trackers.bind({ id: zone(0).id, trackerId: second.tracker.id, campaignId: given })
    await reserve(1)
    const done = await start((await preview([0])).operation.id)
    expect(done.operation).toMatchObject({ state: 'done', done: 1, attention: 1, failed: 0 })
    expect(done.items).toMatchObject([{ state: 'done', code: 'campaigns_stay' }])
    const { items: left } = await ann.call.operations.items({ id: done.operation.id, state: 'attention' })
    expect(left.map(({ domain }) => domain)).toEqual([zone(0).name])
    expect(stepsOf(done)).toEqual([['copy done', 'tracker done', 'campaigns done campaigns_stay', 'reserve done']])
    expect(binom.state.find(zone(0).name)).toMatchObject({ campaignId: given })
    expect(binom.state.find(zone(1).name)).toMatchObject({ campaignId: given })
    expect((await ann.call.domains.get({ id: zone(0).id })).zone).toMatchObject({ trackerType: 'BINOM' })
  })

  test('a chosen pair is used; otherwise the oldest ready domain, each once, and a missing one is reported', async () => {
    await reserve(2)
    await reserve(3)
    const paired = await preview([0], { pairs: [{ zoneId: zone(0).id, reserveZoneId: zone(3).id }] })
    expect((await itemsOf(paired.operation.id)).items).toMatchObject([{ plan: { after: { domain: zone(3).name } } }])
    const both = await preview([0, 1])
    const selected = (await itemsOf(both.operation.id)).items.map(({ plan }) => (plan.after as { domain: string }).domain)
    expect(selected.toSorted()).toEqual([zone(2).name, zone(3).name].toSorted())
    await ann.call.trackers.removeReserve({ zoneIds: [zone(2).id, zone(3).id] })
    const none = await preview([0])
    expect((await itemsOf(none.operation.id)).items).toMatchObject([{ state: 'skipped', code: 'reserve_empty' }])
  })

  test('no reserve domain is used for a server that is down, neither in the preview nor if it fails afterwards, except with another address', async () => {
    await reserve(1)
    const address = '198.51.100.77'
    const { sql } = panel.services.db
    await sql`update dns_records set type = 'A', content = ${address} where ctid in (select ctid from dns_records where zone_id = ${zone(0).id} and type = 'A' limit 1)`
    const before = await preview([0])
    await sql`
      insert into incidents (owner_id, zone_id, name, health, reasons, cause, opened_at)
      select owner_id, id, name, 'critical', '[{"code":"connect_refused","params":{},"regions":[]}]', ${`origin:${address}`}, now() from zones where id = ${zone(0).id}`
    expect((await start(before.operation.id)).items).toMatchObject([{ state: 'failed', code: 'origin_down' }])
    const refused = await preview([0])
    expect((await itemsOf(refused.operation.id)).items).toMatchObject([{ state: 'skipped', code: 'origin_down' }])
    const beside = await preview([0, 2])
    expect(beside.operation).toMatchObject({ skipped: 1 })
    expect((await itemsOf(beside.operation.id)).items.find(({ domain }) => domain === zone(2).name)?.plan.after).toMatchObject({
      domain: zone(1).name,
    })
    expect(await reserved()).toEqual([zone(1).name])
    await sql`update dns_records set content = '198.51.100.78' where zone_id = ${zone(0).id} and content = ${address}`
    expect((await preview([0])).operation).toMatchObject({ skipped: 0 })
  })

  test('without a recent successful check of the server a replacement warns that it may be down', async () => {
    await reserve(1)
    const { sql } = panel.services.db
    expect((await preview([0])).dangers).toMatchObject({ origin_unchecked: 1 })
    // A working domain on the same server shows that the server is up.
    await sql`
      insert into dns_records (zone_id, record_id, type, name, content, ttl, proxied)
      select ${zone(2).id}, 'beside', 'A', 'beside.' || ${zone(2).name}, content, 1, false from dns_records where zone_id = ${zone(0).id} and type = 'A' limit 1`
    await sql`
      insert into zone_monitors (zone_id, owner_id, interval_seconds, slot, regions)
      select id, owner_id, 300, 0, '{EUROPE}' from zones where id = ${zone(2).id}`
    const seen = (minutes: number) => sql`
      insert into zone_views (zone_id, region, state, checked_at)
      values (${zone(2).id}, 'EUROPE', 'up', now() - make_interval(mins => ${minutes}))
      on conflict (zone_id, region) do update set checked_at = excluded.checked_at`
    await seen(1)
    expect((await preview([0])).dangers).not.toHaveProperty('origin_unchecked')
    await seen(11)
    expect((await preview([0])).dangers).toMatchObject({ origin_unchecked: 1 })
  })

  test('a reserve domain that is not ready is not used, and its problems are reported', async () => {
    await reserve(1)
    await panel.services.db.sql`update zones set health = 'critical', paused = true where id = ${zone(1).id}`
    const plan = await preview([0], { pairs: [{ zoneId: zone(0).id, reserveZoneId: zone(1).id }] })
    expect((await itemsOf(plan.operation.id)).items).toMatchObject([
      { state: 'skipped', code: 'reserve_unready', plan: { after: { domain: zone(1).name, problems: ['paused', 'unhealthy'] } } },
    ])
    const outside = await preview([0], { pairs: [{ zoneId: zone(0).id, reserveZoneId: zone(2).id }] })
    expect((await itemsOf(outside.operation.id)).items).toMatchObject([{ state: 'skipped', code: 'reserve_unready' }])
  })

  test('a domain that left the reserve after the preview is not used, and a changed one is not overwritten', async () => {
    await reserve(1, 2)
    const plan = (at: number) => preview([0], { pairs: [{ zoneId: zone(0).id, reserveZoneId: zone(at).id }] })
    const [gone, changed] = [await plan(1), await plan(2)]
    await ann.call.trackers.removeReserve({ zoneIds: [zone(1).id] })
    expect((await start(gone.operation.id)).items).toMatchObject([{ state: 'failed', code: 'reserve_unready' }])
    const { records } = await ann.call.records.list({ id: zone(2).id })
    for (const { id: recordId, type } of records) {
      if (type !== 'NS') await ann.call.records.update({ id: zone(2).id, recordId, ttl: 300, proxied: false }).catch(() => undefined)
    }
    expect((await start(changed.operation.id)).items).toMatchObject([{ state: 'skipped', code: 'changed_since' }])
    expect(await reserved()).toEqual([zone(2).name])
  })

  test('a failing tracker leaves the reserve unchanged; the retry continues there and repeats nothing', async () => {
    await ann.call.trackers.bind({ id: zone(0).id, trackerId })
    await reserve(1)
    trackers.keitaro.faults.add({ method: 'POST', effect: { kind: 'revoked-key' } })
    const plan = await preview([0])
    const failed = await start(plan.operation.id)
    expect(failed.items).toMatchObject([{ state: 'failed', code: 'tracker_auth' }])
    expect(stepsOf(failed)).toEqual([['copy done', 'tracker failed tracker_auth']])
    expect([await reserved(), there(0)?.archived]).toEqual([[zone(1).name], false])
    trackers.keitaro.faults.clear()
    panel.simulator.journal.reset()
    await ann.call.operations.retryFailed({ id: plan.operation.id })
    const done = await ended(plan.operation.id)
    expect(done.operation).toMatchObject({ done: 1, failed: 0 })
    expect([there(0)?.archived, there(1)?.archived, await reserved()]).toEqual([true, false, []])
    for (const method of ['POST', 'PATCH', 'PUT', 'DELETE'])
      expect([method, panel.simulator.journal.count({ method })]).toEqual([method, 0])
    expect(await logged(0)).toHaveLength(1)
  })

  test('R-PRM-02 sharing only the failing domain is not enough, and the reserve of another user is not used', async () => {
    await reserve(1)
    const ben = await signIn(panel.services)
    await ann.call.sharing.create({ user: ben.user.email, accountId, level: 'manage' })
    const request = { kind: 'replace', input: { reason: 'banned' } } as const
    const theirs = await ben.call.operations.preview({ request, target: { ids: [zone(0).id] } })
    expect((await ben.call.operations.items({ id: theirs.operation.id, limit: 10 })).items).toMatchObject([
      { state: 'skipped', code: 'level_too_low' },
    ])
  })
})
