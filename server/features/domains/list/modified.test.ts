import { expect, test } from 'vitest'
import { applyEdit } from '#server/simulators/cloudflare/control.ts'
import { createOperationWorld } from '#server/testing/operation-world.ts'
import type { OperationWorld } from '#server/testing/operation-world.ts'

const long = '2025-01-01T00:00:00.000Z'

/** Changes of the first of two domains; until then the second one is the last modified. */
const changes: readonly (readonly [string, (world: OperationWorld, id: string) => Promise<unknown>])[] = [
  ['a record', ({ ann }, id) => ann.call.records.create({ id, type: 'TXT', name: 'new', content: 'text' })],
  ['a setting', ({ ann }, id) => ann.call.zoneSettings.update({ id, minTlsVersion: '1.3' })],
  ['pausing', ({ ann }, id) => ann.call.zoneSettings.pause({ id, paused: true })],
  [
    'a record that somebody changed at the provider',
    async ({ ann, panel, sims: [zone] }, id) => {
      applyEdit(panel.simulator.state, {
        kind: 'create-record',
        zone: zone?.id ?? '',
        record: { type: 'TXT', name: 'new', content: 'text' },
      })
      await ann.call.records.refresh({ id })
    },
  ],
]

test.each(changes)(
  'after %s a domain counts as modified now: in the list, its order, the details and REST, and a later listing keeps it',
  async (_what, change) => {
    const world = await createOperationWorld(2, 1)
    const { ann, services } = world
    const { sql } = services.db
    const [id = '', other = ''] = world.ids
    await sql`update zones set status = 'active', provider_status = 'active'`
    for (const each of world.ids) await ann.call.zoneSettings.refresh({ id: each })
    await sql`update zones set provider_modified_at = ${long}, listed_modified_at = ${long}, records_due_at = null, settings_due_at = null`
    await sql`update zones set provider_modified_at = '2025-02-01T00:00:00Z' where id = ${other}`
    const order = async () => (await ann.call.domains.list({ sort: { by: 'updatedAt', direction: 'desc' } })).domains.map((each) => each.id)
    expect(await order()).toEqual([other, id])
    const [{ now } = { now: '' }] = await sql<
      { now: string }[]
    >`select to_char(now() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as now`
    await change(world, id)
    expect(await order()).toEqual([id, other])
    const { updatedAt } = (await ann.call.domains.get({ id })).zone
    expect(updatedAt >= now).toBe(true)
    expect((await ann.call.domains.full({ id })).zone.modifiedAt).toBe(updatedAt)
    await ann.call.zoneSettings.refresh({ id })
    const [row] = await sql`select provider_modified_at >= ${updatedAt}::timestamptz as kept from zones where id = ${id}`
    expect(row).toEqual({ kept: true })
    const { updatedAt: untouched } = (await ann.call.domains.get({ id: other })).zone
    expect(untouched).toBe('2025-02-01T00:00:00.000Z')
  },
)

test('changes made by the panel do not cause another read: the provider’s last known value is compared with its current one', async () => {
  const world = await createOperationWorld(1, 1)
  const { sql } = world.services.db
  const [id = ''] = world.ids
  await world.ann.call.zoneSettings.refresh({ id })
  await sql`update zones set provider_modified_at = now() + interval '1 hour', records_due_at = null, settings_due_at = null`
  await world.ann.call.zoneSettings.refresh({ id })
  expect(await sql`select records_due_at, settings_due_at from zones`).toEqual([{ recordsDueAt: null, settingsDueAt: null }])
})
