import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { writeHistory } from '#server/platform/history.ts'
import { signIn } from '#server/testing/app.ts'
import type { SignedIn } from '#server/testing/app.ts'
import { insertAccount, insertGroup, insertZone } from '#server/testing/factories.ts'
import { createTestPanel } from '#server/testing/panel.ts'
import type { TestPanel } from '#server/testing/panel.ts'
import { revertPlan } from '#shared/features/domains/history/schema.ts'
import type { ZoneChange } from '#shared/features/domains/history/schema.ts'

let panel: TestPanel
let me: SignedIn
let accountId: string
let zoneAt = 0
/** A zone that no other test has changed. */
let id: string
let name: string
let providerId: string

beforeAll(async () => {
  panel = await createTestPanel({ world: { zones: 40, accounts: 1, recordsPerZone: 6 } })
  me = await signIn(panel.services)
  const { email, globalKey } = panel.credential(0)
  const credential = { secrets: panel.services.secrets, apiKey: globalKey }
  accountId = (await insertAccount(panel.services.db, { ownerId: me.user.id, email }, credential)).id
})
afterAll(() => panel.close())

beforeEach(async () => {
  const zone = [...panel.simulator.state.zonesById.values()].filter(({ plan }) => plan === 'free')[zoneAt]
  zoneAt += 1
  if (zone === undefined) throw new Error('no zone is left')
  providerId = zone.id
  name = zone.name
  const given = { ownerId: me.user.id, accountId, providerZoneId: zone.id, name: zone.name, plan: 'Free Website' }
  id = (await insertZone(panel.services.db, given)).id
  await me.call.records.refresh({ id })
})

const entries = async (): Promise<ZoneChange[]> => (await me.call.history.list({ id, limit: 200 })).entries
const records = async () => (await me.call.records.refresh({ id })).records
/** Without the fields that the provider generates. */
const contents = async () =>
  (await records())
    .map((record) => [record.type, record.name, record.content, record.ttl, record.proxied, record.priority, record.comment].join(' '))
    .toSorted()
const preview = (changes: readonly ZoneChange[]) => me.call.history.previewRevert({ id, ids: changes.map((change) => change.id) })
async function takeBack(changes: readonly ZoneChange[], force = false) {
  const { token } = await preview(changes)
  return me.call.history.revert({ id, ids: changes.map((change) => change.id), token, force })
}
const writes = () => ['POST', 'PATCH', 'PUT', 'DELETE'].reduce((sum, method) => sum + panel.simulator.journal.count({ method }), 0)
const make = async (label: string, content = '192.0.2.1') =>
  (await me.call.records.create({ id, type: 'A', name: label, content, ttl: 300, comment: 'note' })).record

describe('reverting record changes', () => {
  test('undoes an update, a deletion and a creation in one call, and the history refers to the revert', async () => {
    const kept = await make('kept')
    const gone = await make('gone')
    const before = await contents()
    const made = await make('made')
    await me.call.records.update({ id, recordId: kept.id, content: '192.0.2.2', ttl: 600, comment: null })
    await me.call.records.remove({ id, recordId: gone.id })
    const changes = (await entries()).slice(0, 3)

    const writesBefore = writes()
    const plan = await preview(changes)
    expect(writes()).toBe(writesBefore)
    expect(plan.calls).toBe(1)
    expect(plan.steps.map(({ state, reason }) => [state, reason])).toEqual([
      ['will_change', 'new_id'],
      ['will_change', null],
      ['will_change', null],
    ])
    expect(revertPlan.parse(plan)).toEqual(plan)
    expect(await takeBack(changes)).toEqual({ done: 3, failed: [] })
    expect(writes()).toBe(writesBefore + 1)
    expect(await contents()).toEqual(before)
    expect((await records()).map((record) => record.id)).not.toContain(made.id)

    const after = await entries()
    const byId = new Map(after.map((entry) => [entry.id, entry]))
    for (const change of changes) {
      const revert = byId.get(byId.get(change.id)?.revertedById ?? '')
      expect(revert).toMatchObject({ source: 'revert', revertsId: change.id, actor: { id: me.user.id } })
    }
    expect(new Set(after.slice(0, 3).map((entry) => entry.batchId)).size).toBe(1)
    expect((await preview(changes)).steps.map(({ state }) => state)).toEqual(['already', 'already', 'already'])
  })

  test('an entry reverted together with the creation of its record counts as already done, not as changed since', async () => {
    const record = await make('brief')
    await me.call.records.update({ id, recordId: record.id, content: '192.0.2.2' })
    const changes = (await entries()).slice(0, 2)
    expect(await takeBack(changes)).toEqual({ done: 2, failed: [] })
    const again = (await entries()).filter((entry) => changes.some((change) => change.id === entry.id))
    expect((await preview(again)).steps.map(({ state, reason }) => [state, reason])).toEqual([
      ['already', null],
      ['already', null],
    ])
  })

  test('a record that Cloudflare no longer lists is not taken for a deleted one, also one that was created again', async () => {
    const made = await make('held')
    const gone = await make('gone')
    await me.call.records.remove({ id, recordId: gone.id })
    const [removal, , creation] = await entries()
    if (removal === undefined || creation === undefined) throw new Error('no entries')
    await takeBack([removal])
    expect(creation.key).toBe(made.id)
    panel.simulator.faults.add({ path: `/zones/${providerId}/dns_records`, times: 1, effect: { kind: 'short-list', share: 0 } })
    expect(await records()).toEqual([])
    for (const change of [creation, removal])
      expect((await preview([change])).steps).toMatchObject([{ state: 'impossible', reason: 'record_missing' }])
    await records()
    expect((await preview([creation, removal])).steps.map(({ state }) => state)).toEqual(['already', 'will_change'])
  })

  test('a revert can be reverted, including a record created again', async () => {
    const record = await make('again')
    await me.call.records.remove({ id, recordId: record.id })
    const gone = (await entries())[0]
    if (gone === undefined) throw new Error('no entry')
    await takeBack([gone])
    expect(await contents()).toContain(`A again.${name} 192.0.2.1 300 false  note`)
    const revert = (await entries())[0]
    if (revert === undefined) throw new Error('no entry')
    expect(await takeBack([revert])).toEqual({ done: 1, failed: [] })
    expect((await contents()).join()).not.toContain('again')
  })

  test('several changes of one record are undone together, down to the oldest, even after its deletion', async () => {
    const record = await make('many')
    const before = await contents()
    await me.call.records.update({ id, recordId: record.id, content: '192.0.2.2' })
    await me.call.records.update({ id, recordId: record.id, content: '192.0.2.3' })
    await me.call.records.remove({ id, recordId: record.id })
    const made = (await entries())[3]
    const changes = (await entries()).slice(0, 3)
    expect(await takeBack(changes)).toEqual({ done: 3, failed: [] })
    expect(await contents()).toEqual(before)

    const [revert, ...rest] = await entries()
    const marks = new Map(rest.map((entry) => [entry.id, entry.revertedById]))
    expect(changes.map((change) => marks.get(change.id))).toEqual([revert?.id, revert?.id, revert?.id])
    expect(marks.get(made?.id ?? '')).toBeNull()
  })

  test('one revert marks all entries that it covers and no others, even if the record changed its type in between', async () => {
    const other = await make('other')
    const record = await make('over')
    await me.call.records.update({ id, recordId: record.id, content: '192.0.2.2' })
    const { record: typed } = await me.call.records.update({ id, recordId: record.id, type: 'TXT', content: '"words"' })
    await me.call.records.update({ id, recordId: other.id, content: '192.0.2.8' })
    const [ofOther, second, first] = await entries()
    if (second === undefined || first === undefined) throw new Error('no entries')
    await takeBack([second, first])
    await me.call.records.update({ id, recordId: other.id, content: '192.0.2.9' })
    const after = await entries()
    const revert = after.find(({ source }) => source === 'revert')
    expect(revert?.before).toMatchObject({ id: typed.id })
    expect(after.filter((entry) => entry.revertedById !== null).map((entry) => [entry.id, entry.revertedById])).toEqual([
      [second.id, revert?.id],
      [first.id, revert?.id],
    ])
    expect(after.find((entry) => entry.id === ofOther?.id)?.revertedById).toBeNull()
  })

  test('a changed type is restored too', async () => {
    const record = await make('typed')
    const before = await contents()
    await me.call.records.update({ id, recordId: record.id, type: 'CNAME', content: 'host.example.net' })
    expect(await takeBack((await entries()).slice(0, 1))).toEqual({ done: 1, failed: [] })
    expect(await contents()).toEqual(before)
  })

  test('a record changed since is reported, not touched, and reverted only on request', async () => {
    const record = await make('since')
    await me.call.records.update({ id, recordId: record.id, content: '192.0.2.2' })
    await me.call.records.update({ id, recordId: record.id, content: '192.0.2.3' })
    const [, older] = await entries()
    if (older === undefined) throw new Error('no entry')
    expect((await preview([older])).steps).toMatchObject([
      { state: 'changed_since', now: { content: '192.0.2.3' }, wanted: { content: '192.0.2.1' } },
    ])
    expect(await takeBack([older])).toEqual({ done: 0, failed: [] })
    expect(await takeBack([older], true)).toEqual({ done: 1, failed: [] })
    expect((await contents()).join()).toContain('192.0.2.1 300')
  })

  test('an outdated plan is refused, and nothing is sent', async () => {
    const record = await make('stale')
    await me.call.records.update({ id, recordId: record.id, content: '192.0.2.2' })
    const changes = (await entries()).slice(0, 1)
    const { token } = await preview(changes)
    await me.call.records.update({ id, recordId: record.id, content: '192.0.2.3' })
    const writesBefore = writes()
    const ids = changes.map((change) => change.id)
    await expect(me.call.history.revert({ id, ids, token })).rejects.toMatchObject({ cause: { code: 'conflict' } })
    expect(writes()).toBe(writesBefore)
  })

  test('a change from outside is reverted like any other', async () => {
    const record = await make('drift')
    const [stored] = await panel.services.db.sql<{ content: string }[]>`
      update dns_records set content = '192.0.2.250' where record_id = ${record.id} returning content`
    expect(stored?.content).toBe('192.0.2.250')
    await panel.services.db.sql`update zones set records_read_at = now() - interval '1 minute' where id = ${id}`
    await panel.services.db.sql`update zone_changes set at = at - interval '1 minute' where zone_id = ${id}`
    await me.call.records.refresh({ id })
    const drift = (await entries())[0]
    if (drift === undefined) throw new Error('no entry')
    expect(drift).toMatchObject({ source: 'outside', before: { content: '192.0.2.250' }, after: { content: '192.0.2.1' } })
    expect(await takeBack([drift])).toEqual({ done: 1, failed: [] })
    expect((await contents()).join()).toContain('192.0.2.250')
  })

  test('a refusal by the provider is reported for its entry', async () => {
    const record = await make('refused')
    await me.call.records.remove({ id, recordId: record.id })
    const changes = (await entries()).slice(0, 1)
    const { token } = await preview(changes)
    const heal = panel.simulator.faults.add({ method: 'POST', path: `/zones/${providerId}/dns_records`, effect: { kind: 'forbidden' } })
    const answer = await me.call.history.revert({ id, ids: changes.map((change) => change.id), token })
    heal()
    expect(answer).toMatchObject({ done: 0, failed: [{ entryId: changes[0]?.id, code: 'provider_forbidden' }] })
  })
})

describe('reverting settings and domain attributes', () => {
  test('settings are restored, each with its own call', async () => {
    await me.call.zoneSettings.update({ id, ssl: 'full', minTlsVersion: '1.0', hsts: { enabled: false } })
    await me.call.zoneSettings.update({ id, ssl: 'strict', minTlsVersion: '1.2', hsts: { enabled: true, maxAge: 15_552_000 } })
    const changes = (await entries()).slice(0, 3)
    const plan = await preview(changes)
    expect(plan.calls).toBe(3)
    expect(await takeBack(changes)).toEqual({ done: 3, failed: [] })
    const { settings } = await me.call.domains.settings({ id })
    expect(settings).toMatchObject({ ssl: 'full', minTlsVersion: '1.0', hsts: false })
    expect(
      (await entries()).slice(0, 3).map(({ source, revertsId }) => [source, changes.some((change) => change.id === revertsId)]),
    ).toEqual(Array.from({ length: 3 }, () => ['revert', true]))
  })

  test('the group is restored unless it was deleted', async () => {
    const one = await insertGroup(panel.services.db, { ownerId: me.user.id })
    const other = await insertGroup(panel.services.db, { ownerId: me.user.id })
    await panel.services.db.sql`update zones set group_id = ${one.id} where id = ${id}`
    await writeHistory(panel.services.db.orm, me, { source: 'panel' }, [
      {
        domainId: id,
        subject: 'zone',
        key: 'group',
        label: 'group',
        before: { value: { id: other.id, name: 'x' } },
        after: { value: { id: one.id, name: 'y' } },
      },
    ])
    const changes = (await entries()).slice(0, 1)
    expect(await preview(changes)).toMatchObject({ calls: 0, steps: [{ state: 'will_change' }] })
    expect(await takeBack(changes)).toEqual({ done: 1, failed: [] })
    expect((await entries())[0]).toMatchObject({
      source: 'revert',
      key: 'group',
      revertsId: changes[0]?.id,
      after: { value: { id: other.id } },
    })
    await panel.services.db.sql`update zones set group_id = ${one.id} where id = ${id}`
    await panel.services.db.sql`delete from groups where id = ${other.id}`
    expect((await preview(changes)).steps).toMatchObject([{ state: 'impossible', reason: 'group_gone' }])
  })

  test('a value that cannot be written is reported as impossible with the reason', async () => {
    await writeHistory(panel.services.db.orm, me, { source: 'panel' }, [
      { domainId: id, subject: 'setting', key: 'rocket_loader', label: 'rocket_loader', before: { value: 'on' }, after: { value: 'off' } },
      { domainId: id, subject: 'record', key: 'r', label: 'A x', before: { broken: true }, after: null },
    ])
    const steps = new Map((await preview((await entries()).slice(0, 2))).steps.map(({ label, state, reason }) => [label, [state, reason]]))
    expect(Object.fromEntries(steps)).toEqual({ rocket_loader: ['impossible', 'not_read'], 'A x': ['impossible', 'unreadable'] })
    expect(await takeBack((await entries()).slice(0, 2), true)).toEqual({ done: 0, failed: [] })
  })

  test('R-PRM-02 entries of another domain are not found', async () => {
    await make('mine')
    const changes = await entries()
    const other = await insertZone(panel.services.db, { ownerId: me.user.id, accountId })
    const ids = changes.map((change) => change.id)
    await expect(me.call.history.previewRevert({ id: other.id, ids })).rejects.toMatchObject({ cause: { code: 'not_found' } })
  })
})

test('the preview warns of a setting that becomes dangerous again', async () => {
  await me.call.zoneSettings.refresh({ id })
  await me.call.zoneSettings.update({ id, dnssec: true })
  const [enabled] = (await entries()).filter(({ subject }) => subject === 'setting')
  if (enabled === undefined) throw new Error('no entry')
  expect((await preview([enabled])).warnings).toEqual(['dnssec_off'])
})
