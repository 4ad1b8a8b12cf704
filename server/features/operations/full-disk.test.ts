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

test('while not even the outcome of an item can be written, nothing is lost or reported as internal, and the change is not repeated', async () => {
  const world = await createOperationWorld(4, 1)
  const { sql } = world.services.db
  // Items can be claimed, but what they have changed cannot be stored. A sequence counts through the rollback.
  await sql.unsafe(`
    create sequence refused_outcomes;
    create function disk_full() returns trigger language plpgsql as
      $$ begin raise exception 'could not extend file: No space left on device' using errcode = '53100'; end $$;
    create function outcome_refused() returns trigger language plpgsql as
      $$ begin perform nextval('refused_outcomes'); raise exception 'could not extend file: No space left on device' using errcode = '53100'; end $$;
    create trigger disk_full before insert on zone_changes for each row execute function disk_full();
    create trigger disk_full before update on operation_items for each row
      when (old.state = 'running' and new.state <> 'running') execute function outcome_refused()`)
  await world.work()
  const id = await world.begin({
    kind: 'dns_add',
    input: { records: [{ type: 'A', name: 'full', content: '203.0.113.9', ttl: 1, proxied: true }], mode: 'add', values: [] },
  })
  const added = () => {
    const { state } = world.panel.simulator
    return world.sims.flatMap((zone) => recordsOf(state, zone).filter(({ name }) => name === `full.${zone.name}`))
  }
  const items = () => sql`select distinct state, code from operation_items where operation_id = ${id}`
  const refused = async () => (await sql<{ n: number }[]>`select last_value::int as n from refused_outcomes`)[0]?.n
  await expect.poll(refused, { timeout: 30_000 }).toBeGreaterThan(1)
  expect(added().length).toBeGreaterThan(0)
  expect((await items()).filter(({ code }) => code !== null)).toEqual([])

  await sql`drop trigger disk_full on operation_items`
  await sql`drop trigger disk_full on zone_changes`
  await expect
    .poll(
      async () => {
        await sql`update operation_items set wait_until = now() where operation_id = ${id} and state = 'waiting'`
        return items()
      },
      { timeout: 30_000 },
    )
    .toEqual([{ state: 'done', code: null }])
  await world.reaches(id, 'done')
  expect(added()).toHaveLength(world.sims.length)
  const [row] = await sql<{ n: number }[]>`select count(distinct zone_id)::int as n from zone_changes where batch_id = ${id}`
  expect(row?.n).toBe(world.sims.length)
})
