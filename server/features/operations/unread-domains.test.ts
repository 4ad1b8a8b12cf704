import { expect, test } from 'vitest'
import { recordsOf } from '#server/simulators/cloudflare/records.ts'
import { createOperationWorld } from '#server/testing/operation-world.ts'
import type { OperationRequest } from '#shared/features/operations/registry.ts'

const text = { type: 'TXT' as const, name: 'proof', content: '"a proof"', ttl: 1, proxied: false }
const whole = { match: 'whole' as const }

/** `read`: the domain must be read before planning; `done`: the operation runs without it. */
const kinds: readonly (readonly [string, OperationRequest, 'read' | 'done'])[] = [
  ['ip', { kind: 'ip', input: { ipAddress: '203.0.113.200', mode: 'replace' } }, 'read'],
  ['dns_add', { kind: 'dns_add', input: { records: [text], mode: 'add', values: [] } }, 'read'],
  ['dns_add to replace', { kind: 'dns_add', input: { records: [text], mode: 'replace', values: [] } }, 'read'],
  ['dns_edit', { kind: 'dns_edit', input: { ...whole, type: 'A', set: { ttl: 600 }, values: [] } }, 'read'],
  ['dns_replace', { kind: 'dns_replace', input: { ...whole, find: '192.0.2.1', replace: '192.0.2.2', types: [] } }, 'read'],
  ['dns_delete', { kind: 'dns_delete', input: { ...whole, type: 'A' } }, 'read'],
  [
    'settings',
    { kind: 'settings', input: { settings: { ssl: 'strict', minTlsVersion: '1.3', universalSsl: false, developmentMode: true } } },
    'done',
  ],
  ['purge', { kind: 'purge', input: {} }, 'done'],
  ['refresh', { kind: 'refresh', input: {} }, 'done'],
  ['delete', { kind: 'delete', input: {} }, 'done'],
]

test.each(kinds)('%s of domains that were never read is done, or refused as not read yet', async (_kind, request, expected) => {
  const world = await createOperationWorld(2, 1, { read: false })
  const { sql } = world.services.db
  await sql`update zones set status = 'active'`
  const preview = await world.ann.call.operations.preview({ request, target: { ids: [...world.ids] } })
  expect(preview.unchanged).toBe(0)
  // Reading the values meanwhile does not count as a change.
  for (const id of world.ids) await world.ann.call.zoneSettings.refresh({ id })
  if (expected === 'done') {
    await world.ann.call.operations.start({ id: preview.operation.id })
    const runner = await world.work()
    await world.reaches(preview.operation.id, 'done')
    await runner.stop()
  }
  const items = await sql`select distinct state, code, message from operation_items`
  expect(items).toEqual([
    expected === 'done' ? { state: 'done', code: null, message: null } : { state: 'skipped', code: 'not_read_yet', message: null },
  ])
})

test('applying a profile to domains that were never read is refused as not read yet', async () => {
  const world = await createOperationWorld(2, 1, { read: false })
  const profiles = [
    { name: 'Records', settings: {}, records: [text] },
    { name: 'Settings', settings: { ssl: 'strict' as const }, records: [] },
  ]
  for (const given of profiles) {
    const { profile } = await world.ann.call.profiles.create(given)
    const request: OperationRequest = { kind: 'profile', input: { profileId: profile.id } }
    const { operation } = await world.ann.call.operations.preview({ request, target: { ids: [...world.ids] } })
    const { items } = await world.ann.call.operations.items({ id: operation.id })
    expect(items.map(({ state, code }) => [state, code])).toEqual(world.ids.map(() => ['skipped', 'not_read_yet']))
  }
})

test('a change of one record in a domain that was never read reads the domain for the preview', async () => {
  const world = await createOperationWorld(1, 1, { read: false })
  const [id = ''] = world.ids
  const [zone] = world.sims
  const record = zone === undefined ? undefined : recordsOf(world.panel.simulator.state, zone)[0]
  if (record === undefined) throw new Error('there is no record')
  const updates = [{ recordId: record.id, patch: { comment: 'ours' } }]
  const { preview } = await world.ann.call.operations.previewChange({ id, change: { kind: 'records', deletes: [], updates, creates: [] } })
  expect(preview).toMatchObject({ unchanged: false, refused: null, before: [{ id: record.id }], after: [{ comment: 'ours' }] })
})

test('an undo reads the domain first if nothing of it is known any more', async () => {
  const world = await createOperationWorld(2, 1)
  const { sql } = world.services.db
  for (const id of world.ids) await world.ann.call.zoneSettings.refresh({ id })
  const before = world.sims.map((zone) => recordsOf(world.panel.simulator.state, zone))
  const done = [
    await world.begin({ kind: 'settings', input: { settings: { minTlsVersion: '1.3' } } }),
    await world.begin({ kind: 'dns_add', input: { records: [text], mode: 'add', values: [] } }),
  ]
  const runner = await world.work()
  for (const id of done) await world.reaches(id, 'done')
  const forget = async () => {
    await sql`update zones set records_read_at = null, settings_read_at = null`
    await sql`delete from dns_records`
    await sql`delete from zone_settings`
  }
  for (const id of done) {
    await forget()
    await world.reaches(await world.beginUndo(id), 'done')
  }
  expect(await sql`select distinct state, code from operation_items order by state`).toEqual([
    { state: 'done', code: null },
    { state: 'undone', code: null },
  ])
  for (const [at, zone] of world.sims.entries()) {
    expect(recordsOf(world.panel.simulator.state, zone)).toEqual(before[at])
    expect(world.panel.simulator.state.changesOf(zone).settings.get('min_tls_version')?.value).not.toBe('1.3')
  }
  await runner.stop()
})

test('an undo reports that a deleted group cannot be restored', async () => {
  const world = await createOperationWorld(1, 1)
  const { sql } = world.services.db
  const groups = await Promise.all(['Shops', 'Blogs'].map((name) => world.ann.call.groups.create({ name })))
  const [shops = '', blogs = ''] = groups.map(({ group }) => group.id)
  await world.ann.call.groups.addZones({ id: shops, zoneIds: [...world.ids] })
  const id = await world.begin({ kind: 'group', input: { groupId: blogs } })
  const runner = await world.work()
  await world.reaches(id, 'done')
  await world.ann.call.groups.remove({ id: shops })
  const undo = await world.beginUndo(id)
  await world.reaches(undo, 'done')
  await runner.stop()
  expect(await sql`select operation_id = ${undo} as of_undo, state, code from operation_items order by 1`).toEqual([
    { ofUndo: false, state: 'done', code: null },
    { ofUndo: true, state: 'skipped', code: 'not_restorable' },
  ])
})
