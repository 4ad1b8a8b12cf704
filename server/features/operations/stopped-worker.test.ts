import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { applyEdit } from '#server/simulators/cloudflare/control.ts'
import type { OperationRequest } from '#shared/features/operations/registry.ts'
import { createOperationWorld } from '#server/testing/operation-world.ts'
import type { OperationWorld } from '#server/testing/operation-world.ts'

/** Several calls per domain, so that a worker is always between two of them. */
const settings: OperationRequest = {
  kind: 'settings',
  input: { settings: { ssl: 'strict', minTlsVersion: '1.3', alwaysUseHttps: true, securityLevel: 'high' } },
}
const zones = 60

const writesOf = ({ panel: { simulator } }: OperationWorld) => simulator.journal.count({ method: 'PATCH' })
const levels = ({ panel: { simulator }, sims }: OperationWorld) =>
  sims.map((zone) => simulator.state.changesOf(zone).settings.get('min_tls_version')?.value)

/** The panel's values, which must not be reverted either. */
const shownLevels = async ({ services }: OperationWorld) =>
  (await services.db.sql<{ value: string }[]>`select distinct values #>> '{min_tls_version,value}' as value from zone_settings`).map(
    ({ value }) => value,
  )

/** Backend pids of a process's connections. */
async function connectionsOf({ services }: OperationWorld, before: ReadonlySet<number>): Promise<number[]> {
  const rows = await services.db.sql<{ pid: number }[]>`select pid from pg_stat_activity where datname = current_database()`
  return rows.map(({ pid }) => pid).filter((pid) => !before.has(pid))
}

async function stopMidway(world: OperationWorld) {
  for (const { id: zone } of world.sims)
    applyEdit(world.panel.simulator.state, { kind: 'setting', zone, setting: 'min_tls_version', value: '1.0' })
  for (const id of world.ids) await world.ann.call.zoneSettings.refresh({ id })
  const before = new Set(await connectionsOf(world, new Set()))
  const worker = await world.forkWorker()
  world.panel.simulator.journal.reset()
  const id = await world.begin(settings)
  await world.calls(30, { method: 'PATCH' })
  const theirs = await connectionsOf(world, before)
  worker.send('stop')
  await once(worker, 'message')
  return { worker, id, theirs }
}

test('a stopped worker that lost its connections writes nothing when it continues: what was done and undone in the meantime stays', async () => {
  const world = await createOperationWorld(zones, 2, { latencyMs: 20 })
  const { worker, id, theirs } = await stopMidway(world)
  const { sql } = world.services.db
  await sql`select pg_terminate_backend(pid) from unnest(${theirs}::int[]) as pid where pid <> pg_backend_pid()`
  const runner = await world.work()
  await world.reaches(id, 'done')
  expect(new Set(levels(world))).toEqual(new Set(['1.3']))
  const undo = await world.beginUndo(id)
  await world.reaches(undo, 'done')
  await runner.stop()
  const settled = levels(world)
  expect(new Set(settled)).toEqual(new Set(['1.0']))
  const written = writesOf(world)
  worker.kill('SIGCONT')
  // When it continues, it gets a new worker id and works normally.
  const group = await world.begin({ kind: 'refresh', input: {} }, world.ids.slice(0, 1))
  await world.reaches(group, 'done')
  expect(writesOf(world) - written).toBe(0)
  expect(levels(world)).toEqual(settled)
  expect(await shownLevels(world)).toEqual(['1.0'])
  const [state] = await sql`select count(*)::int as n from operation_items where state not in ('done', 'undone')`
  expect(state).toEqual({ n: 0 })
}, 180_000)

test('a hanging worker with open connections loses its items when its heartbeat expires, and writes nothing afterwards', async () => {
  const world = await createOperationWorld(zones, 2, { latencyMs: 20 })
  const { worker, id } = await stopMidway(world)
  const runner = await world.work({ hungAfterMs: 6_000 })
  await world.reaches(id, 'done')
  const undo = await world.beginUndo(id)
  await world.reaches(undo, 'done')
  await runner.stop()
  const written = writesOf(world)
  const settled = levels(world)
  worker.kill('SIGCONT')
  const after = await world.begin({ kind: 'refresh', input: {} }, world.ids.slice(0, 1))
  await world.reaches(after, 'done')
  await pause(0)
  expect(writesOf(world) - written).toBe(0)
  expect(levels(world)).toEqual(settled)
  expect(await shownLevels(world)).toEqual(['1.0'])
}, 180_000)
