import { fork } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { setImmediate as turn } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterEach, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { createSecrets } from '#server/platform/secrets.ts'
import { signIn } from '#server/testing/app.ts'
import { insertAccount, insertZones } from '#server/testing/factories.ts'
import { createTestPanel } from '#server/testing/panel.ts'
import type { TestPanel } from '#server/testing/panel.ts'
import type { OperationKind } from './operation-kind.ts'
import { maxCrashCount, quarantineCrashCount } from './claim-items.repo.ts'
import { startOperations } from './run-operations.ts'

const script = fileURLToPath(new URL('../../testing/worker.ts', import.meta.url))
const key = randomBytes(32)
const accounts = 2
const zones = 40

let panel: TestPanel | null = null
let worker: ChildProcess | null = null
afterEach(async () => {
  worker?.kill('SIGKILL')
  await panel?.close()
})

/** A setting to change in every zone, and a function that starts a worker process for it. */
async function prepare() {
  panel = await createTestPanel({ world: { zones, accounts, recordsPerZone: 2 } })
  const { simulator, databaseUrl } = panel
  const services = { ...panel.services, secrets: createSecrets(key) }
  const ann = await signIn(services)
  const rows: { readonly id: string; readonly name: string }[] = []
  for (let index = 0; index < accounts; index += 1) {
    const { email, globalKey, accountId, userId } = panel.credential(index)
    const account = await insertAccount(
      services.db,
      { ownerId: ann.user.id, email, providerUserId: userId },
      { secrets: services.secrets, apiKey: globalKey },
    )
    const theirs = [...simulator.state.zonesById.values()].filter((zone) => zone.account.id === accountId)
    rows.push(
      ...(await insertZones(services.db, { ownerId: ann.user.id, accountId: account.id }, theirs.length, (at) => ({
        providerZoneId: theirs[at]?.id ?? '',
        name: theirs[at]?.name ?? '',
      }))),
    )
  }
  const { operation } = await ann.call.operations.preview({
    request: { kind: 'settings', input: { settings: { minTlsVersion: '1.3' } } },
    target: { ids: rows.map(({ id }) => id) },
  })
  simulator.journal.reset()
  return {
    ann,
    services,
    simulator,
    rows,
    id: operation.id,
    begin(crashingName = '') {
      const args = [databaseUrl, simulator.url, key.toString('base64'), 'operations', '', crashingName]
      worker = fork(script, args, { stdio: 'inherit' })
      return worker
    },
    async state() {
      const [row] = await services.db.sql<{ state: string }[]>`select state from operations where id = ${operation.id}`
      return row?.state
    },
  }
}

test('an item that crashes its process each time fails after the maximum number of crashes, and all others are done', async () => {
  const { ann, id, rows, simulator, begin, state, services } = await prepare()
  const poison = rows[3]?.name ?? ''
  await ann.call.operations.start({ id })
  let deaths = 0
  for (; deaths < maxCrashCount; deaths += 1) {
    const [, signal] = (await once(begin(poison), 'exit')) as [number | null, string | null]
    expect(signal).toBe('SIGKILL')
    expect(await state()).not.toBe('done')
  }
  begin(poison)
  await expect.poll(state, { timeout: 60_000 }).toBe('done')
  expect(worker?.exitCode ?? worker?.signalCode).toBeNull()

  const { items } = await ann.call.operations.items({ id, limit: 1_000 })
  expect(items.filter(({ state: became }) => became !== 'done')).toEqual([
    expect.objectContaining({ domain: poison, state: 'failed', code: 'process_died' }),
  ])
  // A write whose process died before recording it is repeated, which changes nothing.
  const changed = [...simulator.state.zonesById.values()].filter(
    (zone) => simulator.state.changesOf(zone).settings.get('min_tls_version')?.value === '1.3',
  )
  expect(changed.map(({ name }) => name).toSorted()).toEqual(rows.flatMap(({ name }) => (name === poison ? [] : [name])).toSorted())
  // A retried item runs separately from the start.
  worker?.kill('SIGKILL')
  await ann.call.operations.retryFailed({ id })
  expect(await services.db.sql`select deaths from operation_items where state = 'pending'`).toEqual([{ deaths: quarantineCrashCount }])
  begin()
  await expect.poll(state, { timeout: 60_000 }).toBe('done')
  expect((await ann.call.operations.items({ id, limit: 1_000 })).operation).toMatchObject({ done: zones, failed: 0 })
}, 300_000)

test('a process killed repeatedly from outside fails no item, although the same items were in progress each time', async () => {
  const { ann, id, simulator, begin, state, services } = await prepare()
  await ann.call.operations.start({ id })
  // No answer ever arrives, so the same items are in progress at every kill.
  const answer = simulator.faults.add({ effect: { kind: 'slow', delayMs: 600_000 } })
  // More kills than one item may have crashes, but each time another item is in progress.
  for (let kill = 0; kill < maxCrashCount + 1; kill += 1) {
    const killed = begin()
    const until = simulator.journal.count() + 1
    await vi.waitFor(() => expect(simulator.journal.count()).toBeGreaterThanOrEqual(until), { timeout: 60_000, interval: 5 })
    killed.kill('SIGKILL')
    await once(killed, 'exit')
  }
  answer()
  begin()
  await expect.poll(state, { timeout: 60_000 }).toBe('done')
  expect((await ann.call.operations.items({ id, limit: 1_000 })).operation).toMatchObject({ done: zones, failed: 0 })
  const [most] = await services.db.sql<{ deaths: number }[]>`select max(deaths) as deaths from operation_items`
  expect(most?.deaths).toBeGreaterThanOrEqual(quarantineCrashCount)
}, 300_000)

/** A kind whose items record when they are tried; `hold` blocks one of them until it is released. */
function noting(quarantined: ReadonlySet<number>) {
  const tried: number[] = []
  const beside: number[] = []
  const held = new Map<number, PromiseWithResolvers<void>>()
  let atWork = 0
  const kind: OperationKind = {
    input: z.unknown(),
    async run(_ctx, { position }) {
      atWork += 1
      tried.push(position)
      await held.get(position)?.promise
      for (let turns = 0; turns < 5; turns += 1) {
        await turn()
        if (quarantined.has(position)) beside.push(atWork)
      }
      atWork -= 1
      return { state: 'done' }
    },
  }
  return {
    kind,
    tried,
    beside,
    hold(position: number): () => void {
      const hold = Promise.withResolvers<void>()
      held.set(position, hold)
      return hold.resolve
    },
  }
}

/** The same database, and a promise for the moment when the runner sees a quarantined item. */
function hearing(services: TestPanel['services']) {
  const known = Promise.withResolvers<void>()
  const sql = new Proxy(services.db.sql, {
    get(target, property, receiver) {
      if (property !== 'unsafe') return Reflect.get(target, property, receiver) as unknown
      return (...args: Parameters<typeof target.unsafe>) => {
        const query = target.unsafe(...args)
        if (args[0].startsWith('select exists(')) void query.then(([row]) => row?.['due'] === true && known.resolve())
        return query
      }
    },
  })
  return { services: { ...services, db: { ...services.db, sql } }, known: known.promise }
}

test('a quarantined item runs with nothing beside it, before anything new starts', async () => {
  const { ann, id, services, state } = await prepare()
  const quarantined = [10, 11, 15]
  const { kind, tried, beside, hold } = noting(new Set(quarantined))
  const letGo = hold(0)
  await ann.call.operations.start({ id })
  const heard = hearing(services)
  const runner = await startOperations(heard.services, { settings: kind }, { pollMs: 20, itemsPerKey: 1, concurrentKeys: 1 })
  await expect.poll(() => tried).toContain(0)
  await services.db.sql`update operation_items set deaths = ${quarantineCrashCount} where position in ${services.db.sql(quarantined)}`
  await heard.known
  await turn()
  letGo()
  await expect.poll(state, { timeout: 30_000 }).toBe('done')
  await runner.stop()
  expect(new Set(beside)).toEqual(new Set([1]))
  // Items claimed earlier finish first; with one at a time there are only a few.
  expect(tried.filter((position) => quarantined.includes(position))).toEqual(quarantined)
  expect(tried.indexOf(15) - tried.indexOf(0)).toBeLessThan(8)
  expect(tried).toHaveLength(zones)
})

test('a hanging quarantined item delays the others only for a while, and no other quarantined item runs beside others', async () => {
  const { ann, id, services, state } = await prepare()
  const quarantined = [2, 3]
  const { kind, tried, beside, hold } = noting(new Set([3]))
  const letGo = hold(2)
  await services.db.sql`update operation_items set deaths = ${quarantineCrashCount} where position in ${services.db.sql(quarantined)}`
  await ann.call.operations.start({ id })
  const runner = await startOperations(services, { settings: kind }, { pollMs: 20 })
  await expect.poll(() => tried.length, { timeout: 30_000 }).toBe(zones - 1)
  expect(tried[0]).toBe(2)
  expect(tried).not.toContain(3)
  letGo()
  await expect.poll(state, { timeout: 30_000 }).toBe('done')
  await runner.stop()
  expect(tried.at(-1)).toBe(3)
  expect(new Set(beside)).toEqual(new Set([1]))
})
