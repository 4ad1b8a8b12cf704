import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { UserActor } from '#server/platform/actor.ts'
import { callAs, signIn } from '#server/testing/app.ts'
import type { SignedIn } from '#server/testing/app.ts'
import { createBuyingStage } from '#server/testing/buying-stage.ts'
import type { TestPanel } from '#server/testing/panel.ts'
import { centsPerMinor, usdCentsOf } from '#shared/features/registrars/buying/spending.ts'
import { requireWithinLimits } from './limit-spending.ts'

const stage = createBuyingStage()
const { orderOf, itemsOf, run, ends, sold, errorOf } = stage
let panel: TestPanel
let ann: SignedIn
let root: SignedIn

beforeAll(async () => {
  await stage.start()
  ;({ panel } = stage)
})
afterAll(() => stage.panel.close())
beforeEach(async () => {
  await stage.reset()
  ;({ ann } = stage)
  root = await signIn(panel.services, { role: 'admin' })
})

const price = 1_098
const refused = (code: string) => ({ cause: { code } })
const namesOf = (word: string, count: number) => Array.from({ length: count }, (_, index) => `free-${word}-${index}.com`)
const as = (more: Partial<UserActor>) => callAs(panel.services, { ...ann.actor, ...more })
const planned = async (word: string, count: number) =>
  (await ann.call.operations.previewPurchase(await orderOf('PORKBUN', namesOf(word, count)))).operation.id
const limit = (spendLimitUsd: number | null) => root.call.users.update({ id: ann.user.id, spendLimitUsd })

test('an order above the configured amount, or a day’s orders together above it, requires recent authentication; the number of names does not matter', async () => {
  const stale = as({ verifiedAt: new Date(Date.now() - 3_600_000) })
  const dear = await planned('dear', 5)
  expect(await errorOf(stale.operations.start({ id: dear }))).toMatchObject(refused('confirmation_needed'))
  expect((await itemsOf(dear)).operation.state).toBe('draft')
  await stale.operations.start({ id: await planned('cheap', 4) })
  const oneMore = await planned('more', 1)
  expect(await errorOf(stale.operations.start({ id: oneMore }))).toMatchObject(refused('confirmation_needed'))
  await ann.call.operations.start({ id: oneMore })

  await root.call.settings.update({ purchaseProofUsd: 1_000 })
  await stale.operations.start({ id: dear })
  await root.call.settings.update({ purchaseProofUsd: 0 })
  expect(await errorOf(stale.operations.start({ id: await planned('free', 1) }))).toMatchObject(refused('confirmation_needed'))
})

test('R-BUY-02 a person’s spending limit covers all orders of 24 hours, including those confirmed concurrently', async () => {
  await limit(33)
  const orders = await Promise.all([1, 2, 3, 4].map((index) => planned(`at-${index}`, 1)))
  const answers = await Promise.all(orders.map((id) => errorOf(ann.call.operations.start({ id }))))
  expect(answers.filter((error) => error === null)).toHaveLength(3)
  expect(answers.find((error) => error !== null)).toMatchObject({ cause: { code: 'spend_limit', params: { limitUsd: 33, leftUsd: 0.06 } } })
  await run()
  for (const [index, id] of orders.entries()) if (answers[index] === null) await ends(id)
  expect(sold(...[1, 2, 3, 4].flatMap((index) => namesOf(`at-${index}`, 1)))).toHaveLength(3)
  // A purchase counts for a day, and no longer.
  const later = await planned('later', 1)
  expect(await errorOf(ann.call.operations.start({ id: later }))).toMatchObject(refused('spend_limit'))
  await panel.services.db.sql`update purchases set bought_at = now() - interval '25 hours'`
  await ann.call.operations.start({ id: later })
})

test('a limit lowered after an order was confirmed still applies: nothing beyond it is sent, and failed items can be retried once there is room', async () => {
  const id = await planned('lowered', 3)
  await ann.call.operations.start({ id })
  await limit(22)
  await run()
  await ends(id)
  const { items } = await itemsOf(id)
  expect(items.map(({ state, code }) => `${state} ${code ?? ''}`.trim()).toSorted()).toEqual(['done', 'done', 'failed spend_limit'])
  expect(sold(...namesOf('lowered', 3))).toHaveLength(2)
  expect(await errorOf(ann.call.operations.retryFailed({ id }))).toMatchObject(refused('spend_limit'))
  await limit(null)
  await ann.call.operations.retryFailed({ id })
  await ends(id)
  expect(sold(...namesOf('lowered', 3))).toHaveLength(3)
})

test('orders written concurrently cannot exceed the limit together', async () => {
  await limit(11)
  const [one, other] = [await planned('race-a', 1), await planned('race-b', 1)]
  const { db } = panel.services
  await db.sql`update operations set state = 'queued' where id in ${db.sql([one, other])}`
  const write = (operationId: string, name: string) =>
    db.orm.transaction(async (tx) => {
      await requireWithinLimits(tx, operationId, { minor: price, currency: 'USD' })
      const owner = ann.user.id
      await tx.execute(`insert into purchases (owner_id, operation_id, name, years, price_minor, currency)
        values ('${owner}', '${operationId}', '${name}', 1, ${price}, 'USD')`)
    })
  const answers = await Promise.all([
    errorOf(write(one, namesOf('race-a', 1)[0] ?? '')),
    errorOf(write(other, namesOf('race-b', 1)[0] ?? '')),
  ])
  expect(answers.filter((error) => error === null)).toHaveLength(1)
  expect(answers.find((error) => error !== null)).toMatchObject({ code: 'spend_limit' })
})

test('only administrators set a spending limit, after recent authentication', async () => {
  expect(await errorOf(ann.call.users.update({ id: ann.user.id, spendLimitUsd: null }))).toMatchObject(refused('forbidden'))
  const stale = callAs(panel.services, { ...root.actor, verifiedAt: new Date(Date.now() - 3_600_000) })
  expect(await errorOf(stale.users.update({ id: ann.user.id, spendLimitUsd: 5 }))).toMatchObject(refused('confirmation_needed'))
  await limit(40)
  expect((await root.call.users.list({})).users.find(({ id }) => id === ann.user.id)).toMatchObject({ spendLimitUsd: 40 })
  const raised: object = { name: 'Ann', spendLimitUsd: null }
  await ann.call.me.update(raised)
  expect((await root.call.users.list({})).users.find(({ id }) => id === ann.user.id)).toMatchObject({ spendLimitUsd: 40 })
})

test('a token buys only if created for it, up to its 24-hour limit, and can change nothing else', async () => {
  const { token } = await ann.call.apiTokens.create({ name: 'shop', scope: 'buy', spendLimitUsd: 22 })
  expect(token).toMatchObject({ scope: 'buy', spendLimitUsd: 22 })
  const via = (id: string, scope: 'read' | 'write' | 'buy') =>
    as({ verifiedAt: null, sessionId: '', via: { kind: 'token', id, name: 'shop', scope } })
  const buyer = via(token.id, 'buy')
  const order = async (word: string, count = 1) => orderOf('PORKBUN', namesOf(word, count))
  const write = await ann.call.apiTokens.create({ name: 'deploy', scope: 'write' })
  expect(await errorOf(via(write.token.id, 'write').operations.purchase(await order('t-write')))).toMatchObject(
    refused('buying_token_needed'),
  )
  expect(await errorOf(buyer.groups.create({ name: 'Shops' }))).toMatchObject(refused('buy_only_token'))
  expect(await errorOf(buyer.operations.purchase(await order('t-much', 3)))).toMatchObject(refused('spend_limit'))
  await buyer.operations.purchase(await order('t-two', 2))
  expect(await errorOf(buyer.operations.purchase(await order('t-third')))).toMatchObject(refused('spend_limit'))
  // The person's own orders and those of other tokens do not count.
  await ann.call.operations.purchase(await order('t-own'))
  const second = await ann.call.apiTokens.create({ name: 'second', scope: 'buy', spendLimitUsd: 11 })
  await via(second.token.id, 'buy').operations.purchase(await order('t-second'))
})

test('a token without purchase permission cannot start a purchase by scheduling or resuming it', async () => {
  const { token } = await ann.call.apiTokens.create({ name: 'ci', scope: 'write' })
  const writer = as({ verifiedAt: null, sessionId: '', via: { kind: 'token', id: token.id, name: 'ci', scope: 'write' } })
  const id = await planned('later', 1)
  await ann.call.operations.start({ id, scheduledAt: new Date(Date.now() + 86_400_000).toISOString() })
  expect(await errorOf(writer.operations.reschedule({ id, scheduledAt: null }))).toMatchObject(refused('buying_token_needed'))
  await ann.call.operations.pause({ id })
  expect(await errorOf(writer.operations.resume({ id }))).toMatchObject(refused('buying_token_needed'))
  expect((await ann.call.operations.resume({ id })).operation.state).toBe('queued')
})

test.each([
  [{ scope: 'buy' as const }, 'required'],
  [{ scope: 'write' as const, spendLimitUsd: 5 }, 'invalid_value'],
  [{ scope: 'buy' as const, spendLimitUsd: -1 }, 'too_small'],
])('a token with %j is refused', async (given, message) => {
  const error = await errorOf(ann.call.apiTokens.create({ name: 'wrong', ...given }))
  expect(error).toMatchObject({ cause: { issues: [{ path: ['spendLimitUsd'], message }] } })
})

test('amounts are counted in US cents, rounded up; a currency without a rate exceeds every limit', () => {
  expect(usdCentsOf({ minor: 1_098, currency: 'USD' })).toBe(1_098)
  expect(usdCentsOf({ minor: 29_900, currency: 'RUB' })).toBe(Math.ceil(29_900 * (centsPerMinor['RUB'] ?? 0)))
  expect(usdCentsOf({ minor: 1, currency: 'XXX' })).toBeNull()
})
