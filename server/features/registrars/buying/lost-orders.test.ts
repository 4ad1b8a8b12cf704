import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { behindFence, ClaimLost } from '#server/platform/write-fence.ts'
import { createBuyingStage } from '#server/testing/buying-stage.ts'
import { contextOf } from '#server/testing/services.ts'
import { buyName } from './buy-name.ts'
import { sumReserved } from './purchases.repo.ts'

const stage = createBuyingStage()
const { orderOf, run, itemsOf, ends, sold, wait, tried, stepsOf } = stage

beforeAll(() => stage.start())
afterAll(() => stage.panel.close())
beforeEach(() => stage.reset())

const orders = (name: string) => stage.world.market.received.filter((each) => each.name === name)
const rows = (name: string) =>
  stage.panel.services.db.sql<{ state: string; quote: { idempotencyKey: string } | null }[]>`
    select state, quote from purchases where name = ${name} order by created_at`
const bought = async (provider: 'NAMECHEAP' | 'GODADDY' | 'PORKBUN' | 'REGRU', name: string) => {
  const { operation } = await stage.ann.call.operations.previewPurchase(await orderOf(provider, [name]))
  await stage.ann.call.operations.start({ id: operation.id })
  return operation.id
}
const ended = async (id: string) =>
  expect.poll(async () => (await wait(0), (await itemsOf(id)).operation.state), { timeout: 30_000, interval: 20 }).toBe('done')

describe('R-BUY-03 processes with different clocks', () => {
  test.each([
    ['ahead', 30],
    ['behind', -30],
  ])('a process whose clock is %s waits for a lost order as long as one with a correct clock', async (_, minutes) => {
    const name = `free-clock${minutes}.com`
    const { services } = stage.panel
    const { clock } = services
    const skewed = { ...services, clock: { ...clock, now: () => clock.now() + minutes * 60_000 } }
    const { faults } = stage.world.simulators.NAMECHEAP
    faults.add({ path: 'namecheap.domains.create', times: 1, effect: { kind: 'server-error', status: 502, body: 'html' } })
    const first = await run()
    const id = await bought('NAMECHEAP', name)
    await tried(1)
    await first.stop()
    await run(skewed)
    for (const attempts of [2, 3]) {
      await wait(10)
      await tried(attempts)
      expect(orders(name)).toHaveLength(1)
    }
    await wait(120)
    await ends(id)
    expect(orders(name)).toHaveLength(2)
    expect(sold(name)).toHaveLength(1)
  })
})

test('R-BUY-03 a lost order of a cancelled purchase is looked up; it is neither sent again nor marked as sent again', async () => {
  const name = 'free-cancelled-lost.com'
  await run()
  const { faults } = stage.world.simulators.REGRU
  faults.add({ path: 'domain/create', times: 1, effect: { kind: 'server-error', status: 502, body: 'html' } })
  const id = await bought('REGRU', name)
  await tried(1)
  await stage.ann.call.operations.cancel({ id })
  let waited = 0
  const over = async () => {
    await wait(130)
    waited += 130
    return (await itemsOf(id)).operation.finishedAt !== null
  }
  await expect.poll(over, { timeout: 30_000, interval: 50 }).toBe(true)
  expect((await itemsOf(id)).items).toMatchObject([{ state: 'cancelled' }])
  expect(orders(name)).toHaveLength(1)
  const [row] = await stage.panel.services.db.sql`
    select state, sent_at < now() - ${waited} * interval '1 second' as "isTheFirst" from purchases where name = ${name}`
  expect(row).toEqual({ state: 'sent', isTheFirst: true })
})

test('R-BUY-03 cancelling a purchase before its order was sent finishes it: the order is not marked as sent and the name can be ordered again', async () => {
  const name = 'free-cancelled-unsent.com'
  const runner = await run()
  const { faults } = stage.world.simulators.PORKBUN
  faults.add({ path: '/domain/create', effect: { kind: 'rate-limited', retryAfterSeconds: 1 } })
  const id = await bought('PORKBUN', name)
  await tried(1)
  expect(await rows(name)).toEqual([{ state: 'intended', quote: null }])
  await runner.stop()
  faults.clear()
  await stage.ann.call.operations.cancel({ id })
  await wait(0)
  await run()
  await expect.poll(async () => (await itemsOf(id)).operation.finishedAt !== null, { timeout: 30_000, interval: 20 }).toBe(true)
  expect((await itemsOf(id)).items).toMatchObject([{ state: 'cancelled' }])
  const [row] = await stage.panel.services.db.sql`select state, sent_at as "sentAt", answer from purchases where name = ${name}`
  expect(row).toEqual({ state: 'refused', sentAt: null, answer: { code: 'cancelled' } })
  expect(sold(name)).toEqual([])
  await ended(await bought('REGRU', name))
  expect(sold(name)).toHaveLength(1)
})

test.each([
  ['before it wrote', false, 'intended'],
  ['after it may have written', true, 'sent'],
] as const)('R-BUY-03 the order of a worker that lost its claim %s keeps the matching state', async (_, isLate, state) => {
  const name = `free-claim-lost-${state}.com`
  const { operation } = await stage.ann.call.operations.previewPurchase(await orderOf('PORKBUN', [name]))
  const order = {
    operationId: operation.id,
    name,
    registrarId: stage.registrarOf('PORKBUN'),
    contactId: stage.contactId,
    price: { minor: 1_098, currency: 'USD' },
    years: 1,
    premium: false,
    privacy: true,
    autoRenew: false,
    endUserIp: '192.0.2.7',
  }
  const lost = new AbortController()
  const fence = {
    lost: lost.signal,
    confirm: () => Promise.resolve(),
    check() {
      lost.abort(new ClaimLost())
      if (!isLate) throw new ClaimLost()
    },
  }
  const ctx = contextOf(stage.panel.services, stage.ann.actor)
  const buying = behindFence(fence, () => buyName(ctx, order, { priority: 'bulk', signal: lost.signal }))
  await expect(buying).rejects.toThrow(ClaimLost)
  const [row] = await stage.panel.services.db.sql`
    select state, sent_at is null as "isUnsent", quote is null as "isForgotten" from purchases where name = ${name}`
  expect(row).toEqual({ state, isUnsent: !isLate, isForgotten: !isLate })
})

describe('R-BUY-03 a repeated request is identical to the first', () => {
  test.each([
    ['PORKBUN', '/domain/create'],
    ['GODADDY', '/v3/domains/registrations'],
  ] as const)('%s: a lost order whose repetitions are rate limited stays sent and keeps its key', async (provider, path) => {
    const name = `free-lost-then-limit-${provider.toLowerCase()}.com`
    await run()
    const { faults } = stage.world.simulators[provider]
    faults.add({ path, times: 1, effect: { kind: 'server-error', status: 502, body: 'html' } })
    faults.add({ path, effect: { kind: 'rate-limited', retryAfterSeconds: 1 } })
    const id = await bought(provider, name)
    await tried(1)
    const [sent] = await rows(name)
    expect(sent).toMatchObject({ state: 'sent', quote: { idempotencyKey: expect.any(String) as string } })
    expect((await itemsOf(id)).items).toMatchObject([{ code: 'purchase_unclear' }])
    faults.clear()
    await wait(10)
    await ended(id)
    expect(new Set(orders(name).map(({ key }) => key))).toEqual(new Set([sent?.quote?.idempotencyKey]))
    expect(sold(name)).toHaveLength(1)
  })

  test('an order lost in transit is sent again with its key and price; if the price has risen, nothing is bought', async () => {
    const name = 'free-lost-dearer.com'
    await run()
    const { faults } = stage.world.simulators.PORKBUN
    faults.add({ path: '/domain/create', times: 4, effect: { kind: 'server-error', status: 502, body: 'html' } })
    const id = await bought('PORKBUN', name)
    await tried(1)
    const [sent] = await rows(name)
    expect(sent).toMatchObject({ state: 'sent', quote: { idempotencyKey: expect.any(String) as string } })
    stage.world.market.changePrice(name, 2)
    await wait(0)
    await ends(id)
    expect(new Set(orders(name).map(({ key }) => key))).toEqual(new Set([sent?.quote?.idempotencyKey]))
    expect((await itemsOf(id)).items).toMatchObject([{ state: 'failed', code: 'registrar_price_changed' }])
    expect(sold(name)).toEqual([])
    expect(await rows(name)).toEqual([{ state: 'refused', quote: null }])
  })

  test('a refused credential does not settle an order lost before it: the order stays sent and is repeated with its key', async () => {
    const name = 'free-lost-locked.com'
    await run()
    const { faults } = stage.world.simulators.PORKBUN
    faults.add({ path: '/domain/create', times: 4, effect: { kind: 'server-error', status: 502, body: 'html' } })
    const id = await bought('PORKBUN', name)
    await tried(1)
    const [sent] = await rows(name)
    expect(sent).toMatchObject({ state: 'sent' })
    faults.clear()
    faults.add({ path: '/domain/create', effect: { kind: 'revoked-key' } })
    await wait(10)
    await ends(id)
    expect((await itemsOf(id)).items).toMatchObject([{ state: 'failed', code: 'registrar_auth' }])
    expect(await rows(name)).toMatchObject([{ state: 'sent' }])
    faults.clear()
    await stage.ann.call.operations.retryFailed({ id })
    await ended(id)
    expect(new Set(orders(name).map(({ key }) => key))).toEqual(new Set([sent?.quote?.idempotencyKey]))
    expect(sold(name)).toHaveLength(1)
  })

  test('an order that is rate limited after a lost attempt stays sent and is looked up before anything is sent', async () => {
    const name = 'free-lost-limit.com'
    await run()
    const { faults, journal } = stage.world.simulators.NAMECHEAP
    const create = 'namecheap.domains.create'
    faults.add({ path: create, times: 1, effect: { kind: 'server-error', status: 502, body: 'html' } })
    const id = await bought('NAMECHEAP', name)
    await tried(1)
    await wait(120)
    // A rate limit on orders also applies to repetitions.
    faults.add({ path: create, times: 8, effect: { kind: 'rate-limited' } })
    await expect.poll(() => journal.count({ path: create, status: 405 }), { timeout: 30_000, interval: 20 }).toBeGreaterThan(0)
    await expect.poll(async () => (await rows(name)).map(({ state }) => state), { timeout: 30_000, interval: 20 }).toEqual(['sent'])
    faults.clear()
    expect(await rows(name)).toMatchObject([{ state: 'sent' }])
    expect(sold(name)).toEqual([])
    await stage.ann.call.operations.cancel({ id })
  })
})

describe('R-BUY-03 GoDaddy responds with 202 and completes the order later', () => {
  test('an incomplete order is polled by its operation and not sent again', async () => {
    const name = 'free-later-godaddy.com'
    await run()
    // The order does not complete while the first attempt waits, so later attempts must poll it.
    stage.world.simulators.GODADDY.faults.add({
      path: '/v3/domains/operations/{id}',
      times: 4,
      effect: { kind: 'server-error', status: 502 },
    })
    const id = await bought('GODADDY', name)
    await tried(1)
    expect(await stepsOf(id)).toEqual([['buy waiting']])
    await wait(3_600)
    await tried(2)
    expect(orders(name)).toHaveLength(1)
    stage.world.market.complete(name)
    await ended(id)
    expect(orders(name)).toHaveLength(1)
    expect(sold(name)).toHaveLength(1)
    expect((await itemsOf(id)).items).toMatchObject([{ state: 'done' }])
  })

  test('an accepted order stays sent while the credential is refused; once the credential works, it is polled and bought once', async () => {
    const name = 'free-later-locked.com'
    await run()
    const { faults } = stage.world.simulators.GODADDY
    faults.add({ path: '/v3/domains/operations/{id}', effect: { kind: 'revoked-key' } })
    const id = await bought('GODADDY', name)
    await tried(1)
    expect(await stepsOf(id)).toEqual([['buy waiting']])
    await wait(60)
    await ends(id)
    expect((await itemsOf(id)).items).toMatchObject([{ state: 'failed', code: 'registrar_auth' }])
    expect(await rows(name)).toMatchObject([{ state: 'sent' }])
    faults.clear()
    stage.world.market.complete(name)
    await stage.ann.call.operations.retryFailed({ id })
    await ended(id)
    expect((await itemsOf(id)).items).toMatchObject([{ state: 'done' }])
    expect(orders(name)).toHaveLength(1)
    expect(sold(name)).toHaveLength(1)
  })

  test('a failed operation is a refusal with the registrar’s message, charges nothing, and frees the name', async () => {
    const name = 'free-fails.com'
    await run()
    const id = await bought('GODADDY', name)
    await ends(id)
    expect((await itemsOf(id)).items).toMatchObject([{ state: 'failed', code: 'registrar_rejected', providerCode: 'REGISTRY_REJECTED' }])
    expect(sold(name)).toEqual([])
    expect(await rows(name)).toEqual([{ state: 'refused', quote: null }])
    const again = await bought('REGRU', name)
    await ends(again)
    expect(sold(name)).toHaveLength(1)
  })

  test('a quote that expired before its order arrived is replaced once, with a new key, and the name is bought once', async () => {
    const name = 'free-expired-quote.com'
    await run()
    const { faults } = stage.world.simulators.GODADDY
    faults.add({ path: '/v3/domains/registrations', times: 4, effect: { kind: 'server-error', status: 502 } })
    const id = await bought('GODADDY', name)
    await tried(1)
    const { sql } = stage.panel.services.db
    const [before] = await rows(name)
    // The quote token expires after ten minutes.
    await sql`update purchases set quote = jsonb_set(quote, '{quote,reference}', to_jsonb(replace(quote #>> '{quote,reference}', '0000-4000-8000', '0000-4000-9000')))`
    await wait(600)
    await ended(id)
    expect((await itemsOf(id)).items).toMatchObject([{ state: 'done' }])
    expect(sold(name)).toHaveLength(1)
    const keys = [...new Set(orders(name).map(({ key }) => key))]
    expect(keys).toHaveLength(2)
    expect(keys[0]).toBe(before?.quote?.idempotencyKey)
  })
})

test('R-BUY-02 money is reserved for unfinished items of running, queued and paused purchases, and for nothing else', async () => {
  const { sql, orm } = stage.panel.services.db
  const { operation } = await stage.ann.call.operations.previewPurchase(await orderOf('PORKBUN', ['free-reserved.com']))
  const [row] = await sql<{ hash: string }[]>`select credential_hash as hash from registrars where provider = 'PORKBUN'`
  const reserved = () => sumReserved(orm, row?.hash ?? '', 'USD', new Date())
  const counted: string[] = []
  const states = await sql<{ operation: string; item: string }[]>`
    select o.v as operation, i.v as item from unnest(enum_range(null::operation_state)) o(v), unnest(enum_range(null::operation_item_state)) i(v)`
  for (const state of states) {
    await sql`update operations set state = ${state.operation}::operation_state where id = ${operation.id}`
    await sql`update operation_items set state = ${state.item}::operation_item_state where operation_id = ${operation.id}`
    const minor = await reserved()
    expect([0, 1_098]).toContain(minor)
    if (minor > 0) counted.push(`${state.operation} ${state.item}`)
  }
  expect(counted.toSorted()).toEqual(
    ['paused', 'queued', 'running', 'waiting']
      .flatMap((each) => ['pending', 'running', 'waiting'].map((item) => `${each} ${item}`))
      .toSorted(),
  )
  expect(await sumReserved(orm, row?.hash ?? '', 'EUR', new Date())).toBe(0)
  expect(await sumReserved(orm, 'another', 'USD', new Date())).toBe(0)
})
