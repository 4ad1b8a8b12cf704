import { fork } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { afterEach, expect, test, vi } from 'vitest'
import { createSecrets } from '#server/platform/secrets.ts'
import { between, randomFrom } from '#server/simulators/random.ts'
import { signIn } from '#server/testing/app.ts'
import { insertAccount, insertZones } from '#server/testing/factories.ts'
import { createTestPanel } from '#server/testing/panel.ts'
import type { TestPanel } from '#server/testing/panel.ts'

const script = fileURLToPath(new URL('../../testing/worker.ts', import.meta.url))
const count = 60
/** Starting a process takes most of the time. */
const kills = 4

let panel: TestPanel | null = null
let worker: ChildProcess | null = null
afterEach(async () => {
  worker?.kill('SIGKILL')
  await panel?.close()
})

test('R-TRK-03 workers killed at any moment bind each domain once, and tracker, panel, history and log agree', async () => {
  const key = randomBytes(32)
  panel = await createTestPanel({ world: { zones: 1, accounts: 1, recordsPerZone: 1 }, trackers: true })
  const { simulator, databaseUrl, trackers } = panel
  if (trackers === null) throw new Error('no trackers')
  const { keitaro } = trackers
  const services = { ...panel.services, secrets: createSecrets(key) }
  const { sql } = services.db
  const { call, user } = await signIn(services)
  const account = await insertAccount(services.db, { ownerId: user.id }, { secrets: services.secrets, apiKey: 'f'.repeat(37) })
  const zones = await insertZones(services.db, { ownerId: user.id, accountId: account.id }, count)
  const { tracker } = await call.trackers.create({ kind: 'KEITARO', name: 'Main', url: keitaro.url, apiKey: keitaro.apiKey })
  const request = { kind: 'tracker_bind', input: { trackerId: tracker.id } } as const
  const { operation } = await call.operations.preview({ request, target: { ids: zones.map(({ id }) => id) } })
  await call.operations.start({ id: operation.id })
  keitaro.journal.reset()
  // Each response is delayed, so that a process may die before it arrives.
  keitaro.faults.add({ method: 'POST', probability: 0.8, effect: { kind: 'slow', delayMs: 30 } })
  keitaro.faults.add({ method: 'POST', times: 3, effect: { kind: 'error-after-write' } })

  const begin = () => {
    worker = fork(script, [databaseUrl, simulator.url, key.toString('base64'), 'operations'], { stdio: 'inherit' })
    return worker
  }
  const left = async () => (await sql<{ n: number }[]>`select count(*)::int as n from operations where state <> 'done'`)[0]?.n
  const random = randomFrom(20261122)
  for (let kill = 0; kill < kills; kill += 1) {
    const killed = begin()
    const until = keitaro.journal.count() + between(random, 1, 12)
    const reached = async () => {
      await sql`update operation_items set wait_until = now() where state = 'waiting'`
      expect(keitaro.journal.count() >= until || (await left()) === 0).toBe(true)
    }
    await vi.waitFor(reached, { timeout: 60_000, interval: 1 })
    killed.kill('SIGKILL')
    await once(killed, 'exit')
  }
  // The last process left claims whose response never arrived.
  expect(await left()).toBe(1)
  keitaro.faults.clear()
  begin()
  const over = async () => {
    await sql`update operation_items set wait_until = now() where state = 'waiting'`
    return left()
  }
  await expect.poll(over, { timeout: 120_000 }).toBe(0)

  expect(await sql`select state, code, count(*)::int as n from operation_items group by 1, 2`).toEqual([
    { state: 'done', code: null, n: count },
  ])
  const names = zones.map(({ name }) => name).toSorted()
  const there = [...keitaro.state.domains.values()].flatMap(({ name, archived }) => (archived ? [] : [name]))
  expect(there.toSorted()).toEqual(names)
  const bound = await sql<{ name: string; remoteId: string }[]>`
    select z.name, b.remote_id from tracker_bindings b join zones z on z.id = b.zone_id order by z.name collate "C"`
  expect(bound).toEqual(names.map((name) => ({ name, remoteId: keitaro.state.find(name)?.id })))
  const onceEach = { n: count, zones: count }
  expect(await sql`select count(*)::int as n, count(distinct zone_id)::int as zones from zone_changes where key = 'tracker'`).toEqual([
    onceEach,
  ])
  expect(await sql`select count(*)::int as n, count(distinct entity_id)::int as zones from activity where details ? 'tracker'`).toEqual([
    onceEach,
  ])
}, 300_000)
