import { once } from 'node:events'
import { expect, test, vi } from 'vitest'
import { applyEdit } from '#server/simulators/cloudflare/control.ts'
import { recordsOf } from '#server/simulators/cloudflare/records.ts'
import type { OperationRequest } from '#shared/features/operations/registry.ts'
import { createOperationWorld } from '#server/testing/operation-world.ts'
import type { OperationWorld } from '#server/testing/operation-world.ts'
import { countUnendedItems } from './run-items.repo.ts'

const zones = 40
const added: OperationRequest = {
  kind: 'dns_add',
  input: { records: [{ type: 'TXT', name: 'proof', content: 'a proof', ttl: 1, proxied: false }], mode: 'add', values: [] },
}
const secured: OperationRequest = { kind: 'settings', input: { settings: { minTlsVersion: '1.3' } } }

const proofs = ({ panel: { simulator }, sims }: OperationWorld) =>
  sims.filter((zone) => recordsOf(simulator.state, zone).some(({ name }) => name.startsWith('proof.'))).map(({ name }) => name)
const secure = ({ panel: { simulator }, sims }: OperationWorld) =>
  sims.filter((zone) => simulator.state.changesOf(zone).settings.get('min_tls_version')?.value === '1.3').map(({ name }) => name)

/** All items have ended, and what was changed at the provider is the operation's and can be undone. */
async function requireAccounted(world: OperationWorld, id: string, changed: (world: OperationWorld) => string[]) {
  const { db } = world.services
  const unended = async () =>
    (await db.sql<{ n: number }[]>`select count(*)::int as n from operation_items where state in ('pending', 'running', 'waiting')`)[0]?.n
  await expect.poll(unended, { timeout: 60_000 }).toBe(0)
  await vi.waitFor(async () => {
    const [row] = await db.sql`select state, finished_at is not null as over from operations where id = ${id}`
    expect(row).toEqual({ state: 'cancelled', over: true })
  })
  expect(await countUnendedItems(db)).toBe(0)
  const there = changed(world)
  const done = await db.sql<
    { name: string }[]
  >`select name from operation_items where operation_id = ${id} and state = 'done' order by name`
  expect(done.map(({ name }) => name)).toEqual(there.toSorted())
  const owned = await db.sql<{ name: string }[]>`
    select distinct z.name from zone_changes c join zones z on z.id = c.zone_id where c.batch_id = ${id} order by z.name`
  expect(owned.map(({ name }) => name)).toEqual(there.toSorted())
  return there
}

test.each([
  ['records', added, 'POST', proofs],
  ['settings', secured, 'PATCH', secure],
] as const)(
  'R-OPS-04 %s: cancelled while answers are lost and nothing can be read, every item ends, and what took effect is known and undone',
  async (_name, request, method, changed) => {
    const world = await createOperationWorld(zones, 2)
    const { faults, state } = world.panel.simulator
    if (request === secured) {
      for (const { id: zone } of world.sims) applyEdit(state, { kind: 'setting', zone, setting: 'min_tls_version', value: '1.0' })
      for (const id of world.ids) await world.ann.call.zoneSettings.refresh({ id })
    }
    const lost = [
      faults.add({ method, effect: { kind: 'error-after-write' } }),
      faults.add({ method: 'GET', path: '/zones/', effect: { kind: 'server-error' } }),
    ]
    const id = await world.begin(request)
    const runner = await world.work()
    await vi.waitFor(() => expect(changed(world).length).toBeGreaterThan(4), { timeout: 60_000 })
    await world.ann.call.operations.cancel({ id })
    for (const heal of lost) heal()
    await requireAccounted(world, id, changed)
    const undo = await world.beginUndo(id)
    await world.reaches(undo, 'done')
    expect(changed(world)).toEqual([])
    await runner.stop()
  },
  120_000,
)

test('R-OPS-04 cancelled after its worker was killed, what the worker did is found out', async () => {
  const world = await createOperationWorld(zones, 2, { latencyMs: 20 })
  const worker = await world.forkWorker()
  const id = await world.begin(added)
  await world.calls(8, { method: 'POST' })
  worker.kill('SIGKILL')
  await once(worker, 'exit')
  await world.ann.call.operations.cancel({ id })
  const runner = await world.work()
  const there = await requireAccounted(world, id, proofs)
  expect(there.length).toBeGreaterThan(0)
  await world.reaches(await world.beginUndo(id), 'done')
  expect(proofs(world)).toEqual([])
  await runner.stop()
}, 120_000)
