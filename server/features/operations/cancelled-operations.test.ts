import { once } from 'node:events'
import { expect, test, vi } from 'vitest'
import { applyEdit } from '#server/simulators/cloudflare/control.ts'
import { recordsOf } from '#server/simulators/cloudflare/records.ts'
import type { OperationRequest } from '#shared/features/operations/registry.ts'
import { signIn } from '#server/testing/app.ts'
import { createOperationWorld } from '#server/testing/operation-world.ts'
import type { OperationWorld } from '#server/testing/operation-world.ts'
import { countUnendedItems } from './update-progress.repo.ts'

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

/** Waits until all items and the operation itself have ended. */
async function requireEnded({ services: { db } }: OperationWorld, id: string) {
  const unended = async () =>
    (await db.sql<{ n: number }[]>`select count(*)::int as n from operation_items where state in ('pending', 'running', 'waiting')`)[0]?.n
  await expect.poll(unended, { timeout: 60_000 }).toBe(0)
  await vi.waitFor(async () => {
    const [row] = await db.sql`select state, finished_at is not null as over from operations where id = ${id}`
    expect(row).toEqual({ state: 'cancelled', over: true })
  })
  expect(await countUnendedItems(db)).toBe(0)
}

const doneNames = async ({ services: { db } }: OperationWorld, id: string) =>
  (await db.sql<{ name: string }[]>`select name from operation_items where operation_id = ${id} and state = 'done' order by name`).map(
    ({ name }) => name,
  )

/** Waits until all items have ended, then checks that every change at the provider is recorded for the operation and can be undone. */
async function requireAccounted(world: OperationWorld, id: string, changed: (world: OperationWorld) => string[]) {
  const { db } = world.services
  await requireEnded(world, id)
  const there = changed(world)
  expect(await doneNames(world, id)).toEqual(there.toSorted())
  const owned = await db.sql<{ name: string }[]>`
    select distinct z.name from zone_changes c join zones z on z.id = c.zone_id where c.batch_id = ${id} order by z.name`
  expect(owned.map(({ name }) => name)).toEqual(there.toSorted())
  return there
}

test.each([
  ['records', added, 'POST', proofs],
  ['settings', secured, 'PATCH', secure],
] as const)(
  '%s: cancelled while answers are lost and nothing can be read, every item ends and what took effect is recorded and can be undone',
  async (_name, request, method, changed) => {
    const world = await createOperationWorld(zones, 2)
    const { faults, state } = world.panel.simulator
    if (request === secured) {
      for (const { id: zone } of world.sims) applyEdit(state, { kind: 'setting', zone, setting: 'min_tls_version', value: '1.0' })
      for (const id of world.ids) await world.ann.call.zoneSettings.refresh({ id })
    }
    const lost = [
      faults.add({ method, effect: { kind: 'error-after-write' } }),
      faults.add({ method: 'GET', path: '/zones/*', effect: { kind: 'server-error' } }),
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

test('when an operation is cancelled after its worker was killed, the effect of the interrupted items is determined', async () => {
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

/** Answers are lost and reads fail, so the effect of every attempt is unknown. */
function loseAnswers({ panel: { simulator } }: OperationWorld, method: string) {
  const lost = [
    simulator.faults.add({ method, effect: { kind: 'error-after-write' } }),
    simulator.faults.add({ method: 'GET', path: '/zones*', effect: { kind: 'server-error' } }),
  ]
  return () => {
    for (const heal of lost) heal()
  }
}
const namesThere = ({ panel: { simulator } }: OperationWorld) => [...simulator.state.zonesById.values()].map(({ name }) => name).toSorted()

test('deletions: cancelled after the process died, every deleted domain is recorded as deleted and the undo creates it again', async () => {
  const world = await createOperationWorld(12, 1)
  const { db } = world.services
  const before = namesThere(world)
  for (const id of world.ids) {
    await world.ann.call.records.refresh({ id })
    await world.ann.call.zoneSettings.refresh({ id })
  }
  const id = await world.begin({ kind: 'delete', input: {} })
  // One of the attempted items had not been sent.
  await db.sql`update operation_items set attempts = 1, started_at = now() where zone_id = any(${world.ids.slice(0, 6)}::uuid[])`
  for (const zone of world.sims.slice(0, 5)) world.panel.simulator.state.removeZone(zone.id)
  await world.ann.call.operations.cancel({ id })
  const runner = await world.work()
  await requireEnded(world, id)
  const left = namesThere(world)
  expect(left).toHaveLength(before.length - 5)
  expect(await doneNames(world, id)).toEqual(before.filter((name) => !left.includes(name)))
  await world.reaches(await world.beginUndo(id), 'done')
  expect(namesThere(world)).toEqual(before)
  await runner.stop()
}, 60_000)

test('new domains: cancelled while answers are lost, every created domain is recorded and the undo deletes it', async () => {
  const world = await createOperationWorld(1, 1)
  const before = namesThere(world)
  const names = Array.from({ length: 8 }, (_, at) => `cancelled-${at}.com`)
  const { operation } = await world.ann.call.operations.previewCreate({
    domains: names.map((name) => ({ name })),
    accountIds: [...world.accountIds],
    ipAddress: '203.0.113.5',
  })
  const find = loseAnswers(world, 'POST')
  await world.ann.call.operations.start({ id: operation.id })
  const runner = await world.work({ itemsPerKey: 1 })
  await vi.waitFor(() => expect(namesThere(world).length).toBeGreaterThan(before.length + 1), { timeout: 60_000 })
  await world.ann.call.operations.cancel({ id: operation.id })
  find()
  await requireEnded(world, operation.id)
  const made = namesThere(world).filter((name) => !before.includes(name))
  const known = await world.services.db.sql<{ name: string }[]>`
    select i.name from operation_items i join zones z on z.id = (i.result ->> 'zoneId')::uuid where operation_id = ${operation.id} order by i.name`
  expect(known.map(({ name }) => name)).toEqual(made)
  await world.reaches(await world.beginUndo(operation.id), 'done')
  expect(namesThere(world)).toEqual(before)
  await expect(world.ann.call.operations.previewUndo({ id: operation.id })).rejects.toThrow('nothing_to_undo')
  await runner.stop()
}, 120_000)

test('an operation cancelled after its actor was disabled checks the items in progress and ends', async () => {
  const world = await createOperationWorld(6, 1)
  const admin = await signIn(world.services, { role: 'admin' })
  const id = await world.begin(added)
  // The state that a process leaves when it dies after its first calls.
  await world.services.db.sql`update operation_items set attempts = 1, started_at = now() where position < 3`
  await admin.call.users.disable({ id: world.ann.user.id })
  await admin.call.operations.cancel({ id })
  await world.work()
  await requireEnded(world, id)
  expect(proofs(world)).toEqual([])
}, 60_000)

test('an operation cancelled by a process that died before updating the progress is ended by the next process', async () => {
  const world = await createOperationWorld(2, 1)
  const { sql } = world.services.db
  const id = await world.begin(added)
  await sql`update operation_items set attempts = 1, started_at = now() where position = 0`
  await world.ann.call.operations.cancel({ id })
  await expect(world.ann.call.operations.previewUndo({ id })).rejects.toThrow('operation_moved_on')
  await sql`update operation_items set state = 'cancelled', finished_at = now() where state = 'pending'`
  await world.work()
  await requireEnded(world, id)
}, 60_000)
