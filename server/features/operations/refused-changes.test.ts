import { expect, test } from 'vitest'
import { applyEdit } from '#server/simulators/cloudflare/control.ts'
import { recordsOf } from '#server/simulators/cloudflare/records.ts'
import { createOperationWorld } from '#server/testing/operation-world.ts'
import type { OperationRequest } from '#shared/features/operations/registry.ts'

const secured: OperationRequest = { kind: 'settings', input: { settings: { minTlsVersion: '1.3' } } }
const added: OperationRequest = {
  kind: 'dns_add',
  input: { records: [{ type: 'TXT', name: 'proof', content: 'a proof', ttl: 1, proxied: false }], mode: 'add', values: [] },
}

test('one refusal of a valid credential fails nothing: the credential is verified before its account is stopped', async () => {
  const world = await createOperationWorld(30, 1)
  const { userId } = world.panel.credential(0)
  const id = await world.begin(secured)
  world.panel.simulator.faults.add({ userId, method: 'PATCH', times: 1, effect: { kind: 'revoked-key' } })
  const runner = await world.work()
  await world.reaches(id, 'done')
  const rows = await world.services.db.sql`select state, count(*)::int as n from operation_items group by 1`
  expect(rows).toEqual([{ state: 'done', n: 30 }])
  await runner.stop()
})

test('a change made at the provider after the preview is not overwritten: the domain is excluded and the history records the change', async () => {
  const world = await createOperationWorld(4, 1)
  for (const id of world.ids) await world.ann.call.records.refresh({ id })
  const request: OperationRequest = { kind: 'ip', input: { ipAddress: '203.0.113.200', mode: 'replace' } }
  const preview = await world.ann.call.operations.preview({ request, target: { ids: [...world.ids] } })
  const [zone] = world.sims
  if (zone === undefined) throw new Error('there is no zone')
  const { state } = world.panel.simulator
  const theirs = recordsOf(state, zone).find(({ type }) => type === 'A')
  if (theirs === undefined) throw new Error('there is no address')
  applyEdit(state, { kind: 'edit-record', zone: zone.id, recordId: theirs.id, set: { content: '198.51.100.77' } })
  await world.ann.call.operations.start({ id: preview.operation.id })
  const runner = await world.work()
  await world.reaches(preview.operation.id, 'done')
  const { items } = await world.ann.call.operations.items({ id: preview.operation.id })
  expect(items.filter(({ state: became }) => became !== 'done')).toEqual([
    expect.objectContaining({ zoneId: world.ids[0], state: 'skipped', code: 'changed_since' }),
  ])
  expect(recordsOf(state, zone).find(({ id }) => id === theirs.id)?.content).toBe('198.51.100.77')
  const [entry] = await world.services.db.sql`
    select source, after ->> 'content' as content from zone_changes where zone_id = ${world.ids[0] ?? ''} order by id desc limit 1`
  expect(entry).toEqual({ source: 'outside', content: '198.51.100.77' })
  await runner.stop()
})

test('retrying failed items does not resume a paused operation', async () => {
  const world = await createOperationWorld(12, 1)
  const heal = world.panel.simulator.faults.add({ method: 'POST', times: 3, effect: { kind: 'forbidden' } })
  const id = await world.begin(added)
  const runner = await world.work({ itemsPerKey: 1 })
  await world.calls(3, { method: 'POST' })
  await world.ann.call.operations.pause({ id })
  await runner.stop()
  heal()
  const { sql } = world.services.db
  const states = () => sql`select state, count(*)::int as n from operation_items where state <> 'done' group by 1 order by 1`
  const [count] = await sql<{ n: number }[]>`select count(*)::int as n from operation_items where state = 'failed'`
  expect(count?.n).toBeGreaterThan(0)
  const { operation } = await world.ann.call.operations.retryFailed({ id })
  expect(operation).toMatchObject({ state: 'paused', failed: 0 })
  const resting = await states()
  const again = await world.work()
  await again.stop()
  expect(await states()).toEqual(resting)
})

test('a preview made before the settings were first read still runs: an unknown value does not count as changed', async () => {
  const world = await createOperationWorld(5, 1)
  for (const { id: zone } of world.sims)
    applyEdit(world.panel.simulator.state, { kind: 'setting', zone, setting: 'min_tls_version', value: '1.0' })
  const preview = await world.ann.call.operations.preview({ request: secured, target: { ids: [...world.ids] } })
  for (const id of world.ids) await world.ann.call.zoneSettings.refresh({ id })
  await world.ann.call.operations.start({ id: preview.operation.id })
  const runner = await world.work()
  await world.reaches(preview.operation.id, 'done')
  expect(await world.services.db.sql`select state, count(*)::int as n from operation_items group by 1`).toEqual([{ state: 'done', n: 5 }])
  await runner.stop()
})

test('changes of an item that later failed are undone with the operation, once', async () => {
  const world = await createOperationWorld(3, 1)
  const { faults, state } = world.panel.simulator
  const modes = () => world.sims.map((zone) => state.changesOf(zone).settings.get('ssl')?.value)
  for (const { id: zone } of world.sims) {
    applyEdit(state, { kind: 'setting', zone, setting: 'ssl', value: 'off' })
    applyEdit(state, { kind: 'setting', zone, setting: 'min_tls_version', value: '1.0' })
  }
  for (const id of world.ids) await world.ann.call.zoneSettings.refresh({ id })
  const heal = faults.add({ method: 'PATCH', path: '/zones/*/settings/min_tls_version', effect: { kind: 'forbidden' } })
  const id = await world.begin({ kind: 'settings', input: { settings: { ssl: 'strict', minTlsVersion: '1.3' } } })
  const runner = await world.work()
  await world.reaches(id, 'done')
  heal()
  const shown = async () => (await world.ann.call.operations.items({ id })).operation
  expect(await shown()).toMatchObject({ done: 0, failed: 3, partlyDone: true })
  expect(modes()).toEqual(['strict', 'strict', 'strict'])
  await world.reaches(await world.beginUndo(id), 'done')
  expect(modes()).toEqual(['off', 'off', 'off'])
  expect(await shown()).toMatchObject({ failed: 3, partlyDone: false })
  await expect(world.ann.call.operations.previewUndo({ id })).rejects.toThrow('nothing_to_undo')
  await runner.stop()
})

test('a domain that was added but could not be set up is deleted by the undo', async () => {
  const world = await createOperationWorld(1, 1)
  const { faults, state } = world.panel.simulator
  const before = [...state.zonesById.keys()]
  faults.add({ method: 'PATCH', path: '/zones/*/settings/*', effect: { kind: 'forbidden' } })
  const { operation } = await world.ann.call.operations.previewCreate({
    domains: [{ name: 'halfway.com' }],
    accountIds: [...world.accountIds],
    ipAddress: '203.0.113.5',
  })
  await world.ann.call.operations.start({ id: operation.id })
  const runner = await world.work()
  await world.reaches(operation.id, 'done')
  expect((await world.ann.call.operations.items({ id: operation.id })).operation).toMatchObject({ failed: 1, partlyDone: true })
  expect(state.zonesById.size).toBe(before.length + 1)
  await world.reaches(await world.beginUndo(operation.id), 'done')
  expect([...state.zonesById.keys()]).toEqual(before)
  await runner.stop()
})
