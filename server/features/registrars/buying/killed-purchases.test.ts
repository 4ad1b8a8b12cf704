import { fork } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { afterEach, expect, test, vi } from 'vitest'
import { createSecrets } from '#server/platform/secrets.ts'
import { between, randomFrom } from '#server/simulators/random.ts'
import { signIn } from '#server/testing/app.ts'
import { insertAccount } from '#server/testing/factories.ts'
import { createTestPanel } from '#server/testing/panel.ts'
import type { TestPanel } from '#server/testing/panel.ts'
import { registrarKeys, registrarUrls } from '#server/testing/test-registrars.ts'

const script = fileURLToPath(new URL('../../../testing/worker.ts', import.meta.url))
/** One registrar with idempotent orders and one without. */
const providers = ['PORKBUN', 'NAMECHEAP'] as const
const namesEach = 8
/** Starting a process takes most of the time. */
const kills = 6

let panel: TestPanel | null = null
let worker: ChildProcess | null = null
afterEach(async () => {
  worker?.kill('SIGKILL')
  await panel?.close()
})

test('R-BUY-03 workers killed at any moment buy each name once, and both ledgers, items and domains agree', async () => {
  const key = randomBytes(32)
  panel = await createTestPanel({ world: { zones: 2, accounts: 2, recordsPerZone: 2 }, registrarNames: [], latencyMs: 5 })
  const { simulator, databaseUrl, registrars: world } = panel
  if (world === null) throw new Error('no registrars')
  const services = { ...panel.services, secrets: createSecrets(key) }
  const { sql } = services.db
  const { call, user } = await signIn(services)
  const accountIds: string[] = []
  for (const index of [0, 1]) {
    const { email, globalKey, userId } = panel.credential(index)
    const owner = { ownerId: user.id, email, providerUserId: userId }
    accountIds.push((await insertAccount(services.db, owner, { secrets: services.secrets, apiKey: globalKey })).id)
  }
  const { contact } = await call.buying.contacts.create({
    name: 'Anna',
    firstName: 'Anna',
    lastName: 'Petrova',
    email: 'anna@people.example',
    phone: '+79161234567',
    address: 'Tverskaya 1',
    city: 'Moscow',
    region: 'Moscow',
    postalCode: '125009',
    country: 'RU',
  })
  const names = new Map<string, (typeof providers)[number]>()
  const wanted = []
  for (const provider of providers) {
    const { registrar } = await call.registrars.create({ name: provider, type: 'API_ENABLED', provider, ...registrarKeys[provider] })
    for (let index = 0; index < namesEach; index += 1) {
      const name = `free-killed-${provider.toLowerCase()}-${index}.com`
      names.set(name, provider)
      wanted.push({ name, registrarId: registrar.id, price: { minor: 1_098, currency: 'USD' }, years: 1 })
    }
  }
  const order = { names: wanted, accountIds, contactId: contact.id, ipAddress: '192.0.2.7' }
  const { operation } = await call.operations.previewPurchase(order)
  expect(operation).toMatchObject({ total: names.size, skipped: 0 })
  await call.operations.start({ id: operation.id })
  // The first response of each never arrives: a process waiting for it is killed without knowing that the name was sold. Later processes are not
  // killed, so the timeout is limited.
  const lost = { times: 1, effect: { kind: 'timeout-after-write', holdMs: 15_000 } } as const
  world.simulators.PORKBUN.faults.add({ path: '/domain/create', ...lost })
  world.simulators.NAMECHEAP.faults.add({ path: 'namecheap.domains.create', ...lost })

  const calls = () => simulator.journal.count() + providers.reduce((sum, provider) => sum + world.simulators[provider].journal.count(), 0)
  const begin = () => {
    const urls = JSON.stringify(registrarUrls(world))
    worker = fork(script, [databaseUrl, simulator.url, key.toString('base64'), 'operations', urls], { stdio: 'inherit' })
    return worker
  }
  /** Makes waiting items due and moves sent orders into the past. */
  const passTime = async () => {
    await sql`
      update purchases p set sent_at = sent_at - interval '10 minutes' from operation_items i
      where p.state = 'sent' and i.operation_id = p.operation_id and i.name = p.name and i.state = 'waiting'`
    await sql`update operation_items set wait_until = now() where state = 'waiting'`
  }
  const left = async () => (await sql<{ n: number }[]>`select count(*)::int as n from operations where state <> 'done'`)[0]?.n
  const random = randomFrom(20261122)
  for (let kill = 0; kill < kills; kill += 1) {
    const killed = begin()
    const until = calls() + between(random, 1, 12)
    const reached = async () => {
      await passTime()
      expect(calls() >= until || (await left()) === 0).toBe(true)
    }
    await vi.waitFor(reached, { timeout: 60_000, interval: 1 })
    killed.kill('SIGKILL')
    await once(killed, 'exit')
  }
  for (const provider of providers) world.simulators[provider].faults.clear()
  begin()
  const over = async () => {
    await passTime()
    return left()
  }
  await expect.poll(over, { timeout: 120_000 }).toBe(0)

  expect(await sql`select state, code, count(*)::int as n from operation_items group by 1, 2`).toEqual([
    { state: 'done', code: null, n: names.size },
  ])
  const sold = Map.groupBy(world.market.ledger, ({ name }) => name)
  // A market sells a name only once, so duplicate orders show only in what it received.
  const ordered = Map.groupBy(world.market.received, ({ name }) => name)
  const bought = new Map(
    (await sql<{ name: string; state: string }[]>`select name, state from purchases`).map((row) => [row.name, row.state]),
  )
  expect(bought.size).toBe(names.size)
  for (const [name, provider] of names) {
    expect([name, sold.get(name)?.map((entry) => entry.provider), bought.get(name)]).toEqual([name, [provider], 'bought'])
    const orders = ordered.get(name) ?? []
    // Only idempotent orders are ever sent again.
    if (provider === 'NAMECHEAP') expect([name, orders]).toEqual([name, [{ provider, name, key: null }]])
    else expect([name, new Set(orders.map(({ key }) => key)).size, orders[0]?.key]).toEqual([name, 1, expect.any(String)])
    const [zone, ...others] = simulator.state.zonesNamed(name)
    expect([name, others.length, zone === undefined ? 0 : simulator.state.changesOf(zone).records?.size]).toEqual([name, 0, 2])
    expect(world.accounts[provider].names.get(name)?.nameServers).toEqual(zone?.nameServers.toSorted())
  }
  const [logged] = await sql<{ n: number; names: number }[]>`
    select count(*)::int as n, count(distinct details ->> 'bought')::int as names from activity where details ? 'bought'`
  expect(logged).toEqual({ n: names.size, names: names.size })
}, 300_000)
