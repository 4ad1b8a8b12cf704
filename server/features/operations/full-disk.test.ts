import { expect, test } from 'vitest'
import { recordsOf } from '#server/simulators/cloudflare/records.ts'
import { createOperationWorld } from '#server/testing/operation-world.ts'

test('while the database disk is full, items wait and report it, and completed changes are not repeated', async () => {
  const world = await createOperationWorld(4, 1)
  const { sql } = world.services.db
  await sql.unsafe(`
    create function disk_full() returns trigger language plpgsql as
      $$ begin raise exception 'could not extend file: No space left on device' using errcode = '53100'; end $$;
    create trigger disk_full before insert on zone_changes for each row execute function disk_full()`)
  await world.work()
  const id = await world.begin({
    kind: 'dns_add',
    input: { records: [{ type: 'A', name: 'full', content: '203.0.113.9', ttl: 1, proxied: true }], mode: 'add', values: [] },
  })
  const items = () => sql`select distinct state, code from operation_items where operation_id = ${id}`
  await expect.poll(items).toEqual([{ state: 'waiting', code: 'database_full' }])
  await sql`drop trigger disk_full on zone_changes`
  await sql`update operation_items set wait_until = now() where operation_id = ${id}`
  await world.reaches(id, 'done')
  expect(await items()).toEqual([{ state: 'done', code: null }])
  const { state } = world.panel.simulator
  for (const zone of world.sims) expect(recordsOf(state, zone).filter(({ name }) => name === `full.${zone.name}`)).toHaveLength(1)
})
