import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { syncDueRegistrars } from '../index.ts'
import { behindFence, ClaimLost } from '#server/platform/write-fence.ts'
import type { MarketName } from '#server/simulators/registrars/market.ts'
import { callAs, signIn } from '#server/testing/app.ts'
import type { SignedIn } from '#server/testing/app.ts'
import { createBuyingStage } from '#server/testing/buying-stage.ts'
import { insertZone } from '#server/testing/factories.ts'
import { contextOf } from '#server/testing/services.ts'
import type { RegistrarProvider } from '#shared/features/registrars/catalog.ts'
import { renewName } from './renew-name.ts'

const stage = createBuyingStage()
const { run, itemsOf, ends, sold, wait, tried, errorOf, registrarOf } = stage
const dayMs = 86_400_000

beforeAll(() => stage.start())
afterAll(() => stage.panel.close())
beforeEach(() => stage.reset())

/** Registers these names at a registrar, 40 days before expiry and in its list. */
async function hold(provider: RegistrarProvider, ...names: string[]): Promise<string[]> {
  const account = stage.world.accounts[provider]
  for (const name of names) {
    const held: MarketName = {
      name,
      createdAtMs: Date.now() - 325 * dayMs,
      expiresAtMs: Date.now() + 40 * dayMs,
      autoRenew: true,
      locked: true,
      privacy: true,
      nameServers: [],
      apiAccess: true,
    }
    account.names.set(name, held)
  }
  await stage.panel.services.db.sql`update registrars set next_sync_at = now() - interval '1 second' where id = ${registrarOf(provider)}`
  await syncDueRegistrars(stage.panel.services, new AbortController().signal)
  const { names: listed } = await stage.ann.call.registrars.names({ registrarId: registrarOf(provider), limit: 1_000 })
  return names.map((name) => listed.find((each) => each.name === name)?.id ?? '')
}
const endOf = (provider: RegistrarProvider, name: string) => stage.world.accounts[provider].names.get(name)?.expiresAtMs ?? 0
const previewOf = (nameIds: string[], years = 1, me = stage.ann) => me.call.operations.previewRenewal({ target: { nameIds }, years })
async function started(nameIds: string[]): Promise<string> {
  const { operation } = await previewOf(nameIds)
  await stage.ann.call.operations.start({ id: operation.id })
  return operation.id
}
const linesOf = (name: string) =>
  stage.panel.services.db.sql<{ state: string; isSent: boolean; answer: unknown }[]>`
    select state, sent_at is not null as "isSent", answer from purchases where name = ${name} order by id`
const over = (id: string) =>
  expect.poll(async () => (await wait(0), (await itemsOf(id)).operation.finishedAt !== null), { timeout: 30_000, interval: 20 }).toBe(true)
const errorCode = (code: string) => ({ cause: { code } })

describe('R-BUY-02 tokens', () => {
  const via = async (scope: 'read' | 'write' | 'buy', spendLimitUsd?: number) => {
    const { token } = await stage.ann.call.apiTokens.create({ name: scope, scope, ...(spendLimitUsd !== undefined && { spendLimitUsd }) })
    const actor = { ...stage.ann.actor, verifiedAt: null, sessionId: '', via: { kind: 'token', id: token.id, name: scope, scope } } as const
    return callAs(stage.panel.services, actor)
  }
  const preview = async (call: SignedIn['call'], ...nameIds: string[]) =>
    (await call.operations.previewRenewal({ target: { nameIds }, years: 1 })).operation.id

  test('a token with the scope buy previews and starts renewals and purchases up to one 24-hour limit', async () => {
    const [one = '', two = ''] = await hold('NAMECHEAP', 'held-t1.com', 'held-t2.com')
    const buyer = await via('buy', 27)
    const both = await preview(buyer, one, two)
    expect(await errorOf(buyer.operations.start({ id: both }))).toMatchObject({ cause: { code: 'spend_limit', params: { of: 'token' } } })
    expect((await itemsOf(both)).operation.state).toBe('draft')

    const before = endOf('NAMECHEAP', 'held-t1.com')
    const id = await preview(buyer, one)
    await buyer.operations.start({ id })
    await run()
    await ends(id)
    expect(endOf('NAMECHEAP', 'held-t1.com')).toBeGreaterThan(before)
    // The renewal counts: 14.98 of 27 are spent.
    const another = await preview(buyer, two)
    expect(await errorOf(buyer.operations.start({ id: another }))).toMatchObject({
      cause: { code: 'spend_limit', params: { of: 'token', leftUsd: 12.02 } },
    })
    const bought = await buyer.operations.previewPurchase(await stage.orderOf('PORKBUN', ['free-token-0.com']))
    await buyer.operations.start({ id: bought.operation.id })
    const more = await buyer.operations.previewPurchase(await stage.orderOf('PORKBUN', ['free-token-1.com']))
    expect(await errorOf(buyer.operations.start({ id: more.operation.id }))).toMatchObject(errorCode('spend_limit'))
  })

  test('a token with the scope buy starts nothing else, and is not described as read-only', async () => {
    const [nameId = ''] = await hold('NAMECHEAP', 'held-t3.com')
    const buyer = await via('buy', 100)
    const { operation } = await buyer.operations.previewAutoRenew({ target: { nameIds: [nameId] }, enabled: false })
    expect(await errorOf(buyer.operations.start({ id: operation.id }))).toMatchObject(errorCode('buy_only_token'))
    expect((await itemsOf(operation.id)).operation.state).toBe('draft')
    const id = await preview(buyer, nameId)
    await buyer.operations.start({ id, scheduledAt: new Date(Date.now() + dayMs).toISOString() })
    for (const step of ['pause', 'resume', 'cancel', 'retryFailed', 'discard'] as const)
      expect(await errorOf(buyer.operations[step]({ id }))).toMatchObject(errorCode('buy_only_token'))
  })

  test('tokens with the scopes read and write preview prices and orders, and start none', async () => {
    const [nameId = ''] = await hold('NAMECHEAP', 'held-t4.com')
    for (const [scope, code] of [
      ['read', 'read_only_token'],
      ['write', 'buying_token_needed'],
    ] as const) {
      const other = await via(scope)
      const order = await stage.orderOf('PORKBUN', [`free-${scope}-0.com`])
      expect(await other.buying.check({ registrarId: registrarOf('PORKBUN'), names: [`free-${scope}-0.com`] })).toMatchObject({
        results: [{ state: 'available' }],
      })
      for (const draft of [await preview(other, nameId), (await other.operations.previewPurchase(order)).operation.id]) {
        expect(await errorOf(other.operations.start({ id: draft }))).toMatchObject(errorCode(code))
        expect((await itemsOf(draft)).operation.state).toBe('draft')
      }
    }
  })
})

describe('R-BUY-02 the plan of a renewal', () => {
  test('lists the cost and expiry of each name, the total per registrar, and the skipped names; nothing is sent', async () => {
    const ids = await hold('NAMECHEAP', 'held-r1.com', 'held-r2.shop')
    const [godaddy = ''] = await hold('GODADDY', 'held-r3.com')
    stage.world.simulators.NAMECHEAP.journal.reset()
    const preview = await previewOf([...ids, godaddy])
    expect(preview.operation).toMatchObject({ kind: 'renew', state: 'draft', total: 3, skipped: 1 })
    expect(preview.totals).toMatchObject([
      { registrar: 'namecheap', names: 2, total: { minor: 1_498 + 3_198, currency: 'USD' }, enough: true },
    ])
    expect(preview.dangers).toEqual({ renewal_final: 2 })
    expect((await itemsOf(preview.operation.id)).items).toMatchObject([
      {
        domain: 'held-r1.com',
        state: 'pending',
        account: 'namecheap',
        plan: { after: { renewal: { price: { minor: 1_498 }, years: 1 } } },
      },
      { domain: 'held-r2.shop', state: 'pending' },
      // Its API shows no price that includes fees.
      { domain: 'held-r3.com', state: 'skipped', code: 'registrar_price_unknown' },
    ])
    expect(sold('held-r1.com', 'held-r2.shop')).toEqual([])
  })

  test('requests the price for several years once per zone', async () => {
    const ids = await hold('NAMECHEAP', 'held-y1.com', 'held-y2.com', 'held-y3.com')
    stage.world.simulators.NAMECHEAP.journal.reset()
    const { totals } = await previewOf(ids, 2)
    expect(totals).toMatchObject([{ names: 3, total: { minor: 3 * 2 * 1_498, currency: 'USD' } }])
    expect(stage.world.simulators.NAMECHEAP.journal.count({ path: 'namecheap.domains.getInfo' })).toBeLessThanOrEqual(1)
  })

  test('prices internationalized names separately where they cost more than the zone', async () => {
    const ids = await hold('REGRU', 'held-plain-letters.com', 'xn--80ak6aa92e.com')
    await run()
    const { operation, totals } = await previewOf(ids)
    expect(totals).toMatchObject([{ names: 2, total: { minor: 3 * 1_498 * 90, currency: 'RUB' } }])
    await stage.ann.call.operations.start({ id: operation.id })
    await ends(operation.id)
    expect((await itemsOf(operation.id)).items).toMatchObject([{ state: 'done' }, { state: 'done' }])
    expect(sold('xn--80ak6aa92e.com')).toMatchObject([{ amountMinor: 2 * 1_498 * 90 }])
  })

  test('is refused when the balance is too low', async () => {
    const ids = await hold('NAMECHEAP', 'held-low.com')
    const account = stage.world.accounts.NAMECHEAP
    const before = account.balanceMinor
    account.balanceMinor = 1_000
    expect(await errorOf(previewOf(ids))).toMatchObject({ cause: { code: 'registrar_money', params: { needed: 1_498, available: 1_000 } } })
    account.balanceMinor = before
  })

  test('is available only to the registrar’s owner', async () => {
    const ids = await hold('NAMECHEAP', 'held-own.com')
    const other = await signIn(stage.panel.services)
    const autoRenewal = () => other.call.operations.previewAutoRenew({ target: { nameIds: ids }, enabled: false })
    expect(await errorOf(previewOf(ids, 1, other))).toMatchObject(errorCode('not_found'))
    // A user with access to the registrar for name servers must not spend its owner's money.
    await stage.ann.call.sharing.create({ registrarId: registrarOf('NAMECHEAP'), user: other.user.username, level: 'manage' })
    expect(await errorOf(previewOf(ids, 1, other))).toMatchObject(errorCode('level_too_low'))
    expect(await errorOf(autoRenewal())).toMatchObject(errorCode('level_too_low'))
  })
})

describe('R-BUY-03 a renewal', () => {
  test.each(['NAMECHEAP', 'PORKBUN', 'REGRU'] as const)(
    'is paid once at %s and moves the expiry in the list; the receipt shows it',
    async (provider) => {
      const name = `held-once-${provider.toLowerCase()}.com`
      const ids = await hold(provider, name)
      const before = endOf(provider, name)
      await run()
      // Two people renew the same name concurrently.
      const [first, second] = [(await previewOf(ids)).operation.id, (await previewOf(ids)).operation.id]
      await stage.ann.call.operations.start({ id: first })
      await ends(first)
      await stage.ann.call.operations.start({ id: second })
      await ends(second)
      expect((await itemsOf(first)).items).toMatchObject([{ state: 'done' }])
      expect((await itemsOf(second)).items).toMatchObject([{ state: 'skipped', code: 'renewed_since' }])
      expect(sold(name)).toMatchObject([{ kind: 'renew', years: 1 }])
      expect(endOf(provider, name)).toBeGreaterThan(before + 360 * dayMs)
      const { names } = await stage.ann.call.registrars.names({ registrarId: registrarOf(provider), search: name })
      expect(Date.parse(names[0]?.expiresAt ?? '')).toBeGreaterThan(before + 360 * dayMs)
      expect((await stage.ann.call.buying.purchases({ operationId: first })).purchases).toMatchObject([{ name, renewal: true, years: 1 }])
    },
  )

  test('is refused when the price has risen since it was confirmed; nothing is paid', async () => {
    const ids = await hold('NAMECHEAP', 'held-dearer.io')
    await run()
    const { operation } = await previewOf(ids)
    stage.world.market.changePrice('io', 2)
    await stage.ann.call.operations.start({ id: operation.id })
    await ends(operation.id)
    expect((await itemsOf(operation.id)).items).toMatchObject([{ state: 'failed', code: 'registrar_price_changed' }])
    expect(sold('held-dearer.io')).toEqual([])
    stage.world.market.changePrice('io', 1)
  })

  test('with a lost response is recognized by the later expiry and not sent again', async () => {
    const ids = await hold('NAMECHEAP', 'held-cut.com')
    await run()
    stage.world.simulators.NAMECHEAP.faults.add({ path: 'namecheap.domains.renew', times: 1, effect: { kind: 'cut-body' } })
    const id = await started(ids)
    await tried(1)
    await wait(0)
    await ends(id)
    expect((await itemsOf(id)).items).toMatchObject([{ state: 'done' }])
    expect(sold('held-cut.com')).toHaveLength(1)
  })

  test('lost in transit is not sent again: it is looked up for a day, then a person decides', async () => {
    const ids = await hold('NAMECHEAP', 'held-lost.com')
    await run()
    const { faults, journal } = stage.world.simulators.NAMECHEAP
    faults.add({ path: 'namecheap.domains.renew', times: 1, effect: { kind: 'server-error', status: 502, body: 'html' } })
    const id = await started(ids)
    await tried(1)
    const sent = journal.count({ path: 'namecheap.domains.renew' })
    for (const attempts of [2, 3]) {
      await wait(600)
      await tried(attempts)
    }
    expect((await itemsOf(id)).items).toMatchObject([{ state: 'waiting', code: 'purchase_unclear' }])
    // Meanwhile no other operation can renew it.
    const other = await previewOf(ids)
    expect((await itemsOf(other.operation.id)).items).toMatchObject([{ state: 'skipped', code: 'registrar_ordered' }])
    await wait(24 * 3_600)
    await ends(id)
    expect((await itemsOf(id)).items).toMatchObject([{ state: 'failed', code: 'renewal_unconfirmed' }])
    expect(journal.count({ path: 'namecheap.domains.renew' })).toBe(sent)
    expect(sold('held-lost.com')).toEqual([])
  })

  test('that was lost and then rate limited stays sent and is paid once', async () => {
    const ids = await hold('PORKBUN', 'held-lost-limit.com')
    await run()
    const { faults } = stage.world.simulators.PORKBUN
    faults.add({ path: '/domain/renew', times: 1, effect: { kind: 'error-after-write' } })
    faults.add({ path: '/domain/renew', effect: { kind: 'rate-limited', retryAfterSeconds: 1 } })
    const id = await started(ids)
    await tried(1)
    expect(await stage.panel.services.db.sql`select state from purchases where name = 'held-lost-limit.com'`).toEqual([{ state: 'sent' }])
    faults.clear()
    await wait(10)
    await ends(id)
    expect((await itemsOf(id)).items).toMatchObject([{ state: 'done' }])
    expect(sold('held-lost-limit.com')).toHaveLength(1)
  })

  test('that was lost blocks the name for a day only, even if its operation was cancelled', async () => {
    const ids = await hold('NAMECHEAP', 'held-left.com')
    await run()
    const { faults } = stage.world.simulators.NAMECHEAP
    faults.add({ path: 'namecheap.domains.renew', times: 1, effect: { kind: 'server-error', status: 502, body: 'html' } })
    const id = await started(ids)
    await tried(1)
    await stage.ann.call.operations.cancel({ id })
    expect((await itemsOf((await previewOf(ids)).operation.id)).items).toMatchObject([{ state: 'skipped', code: 'registrar_ordered' }])
    await wait(24 * 3_600 + 1)
    const again = await started(ids)
    await ends(again)
    expect((await itemsOf(again)).items).toMatchObject([{ state: 'done' }])
    expect(sold('held-left.com')).toHaveLength(1)
  })

  test('cancelled before it was sent is finished: it is not marked as sent and the name can be renewed again', async () => {
    const name = 'held-cancelled-unsent.com'
    const ids = await hold('PORKBUN', name)
    const runner = await run()
    const { faults } = stage.world.simulators.PORKBUN
    faults.add({ path: '/domain/renew', effect: { kind: 'rate-limited', retryAfterSeconds: 1 } })
    const id = await started(ids)
    await tried(1)
    expect(await linesOf(name)).toEqual([{ state: 'intended', isSent: false, answer: null }])
    await runner.stop()
    faults.clear()
    await stage.ann.call.operations.cancel({ id })
    await run()
    await over(id)
    expect((await itemsOf(id)).items).toMatchObject([{ state: 'cancelled' }])
    expect(await linesOf(name)).toEqual([{ state: 'refused', isSent: false, answer: { code: 'cancelled' } }])
    expect(sold(name)).toEqual([])
    await ends(await started(ids))
    expect(sold(name)).toHaveLength(1)
  })

  test.each([
    ['NAMECHEAP', 'namecheap.domains.renew', { kind: 'cut-body' }],
    ['PORKBUN', '/domain/renew', { kind: 'error-after-write' }],
  ] as const)(
    'accepted at %s and cancelled before that is known is recognized by the later expiry and entered in the ledger',
    async (provider, path, effect) => {
      const name = `held-cancelled-${provider.toLowerCase()}.com`
      const ids = await hold(provider, name)
      const runner = await run()
      const { faults } = stage.world.simulators[provider]
      faults.add({ path, times: 1, effect })
      faults.add({ path, effect: { kind: 'server-error', status: 502, body: 'html' } })
      const id = await started(ids)
      await tried(1)
      expect(await linesOf(name)).toMatchObject([{ state: 'sent', isSent: true }])
      await runner.stop()
      await stage.ann.call.operations.cancel({ id })
      await run()
      await over(id)
      expect((await itemsOf(id)).items).toMatchObject([{ state: 'done' }])
      expect(await linesOf(name)).toMatchObject([{ state: 'bought' }])
      expect(sold(name)).toHaveLength(1)
    },
  )

  test('that was rate limited when its process stopped counts as never sent, and the next process renews the name', async () => {
    const name = 'held-limit-stopped.com'
    const ids = await hold('PORKBUN', name)
    const runner = await run()
    const { faults } = stage.world.simulators.PORKBUN
    faults.add({ path: '/domain/renew', effect: { kind: 'rate-limited', retryAfterSeconds: 1 } })
    const id = await started(ids)
    await tried(1)
    await runner.stop()
    expect(await linesOf(name)).toEqual([{ state: 'intended', isSent: false, answer: null }])
    faults.clear()
    await run()
    await ends(id)
    expect(sold(name)).toHaveLength(1)
  })

  describe('of a worker that lost its claim', () => {
    /** @param onWrite called once connected, right before the first byte */
    async function lose(name: string, onWrite: () => void): Promise<unknown> {
      const ids = await hold('NAMECHEAP', name)
      const { operation } = await previewOf(ids)
      const renewal = {
        operationId: operation.id,
        name,
        registrarId: registrarOf('NAMECHEAP'),
        price: { minor: 1_498, currency: 'USD' },
        years: 1,
        premium: false,
        expiresAt: new Date(endOf('NAMECHEAP', name)),
      }
      const fence = { lost: lost.signal, confirm: () => Promise.resolve(), check: onWrite }
      const ctx = contextOf(stage.panel.services, stage.ann.actor)
      return stage.errorOf(behindFence(fence, () => renewName(ctx, renewal, { priority: 'bulk', signal: lost.signal })))
    }
    let lost = new AbortController()
    beforeEach(() => (lost = new AbortController()))

    test('before writing was never sent', async () => {
      const error = await lose('held-claim-unsent.com', () => {
        lost.abort(new ClaimLost())
        throw new ClaimLost()
      })
      expect(error).toBeInstanceOf(ClaimLost)
      expect(await linesOf('held-claim-unsent.com')).toEqual([{ state: 'intended', isSent: false, answer: null }])
    })

    test('while writing may have been sent', async () => {
      expect(await lose('held-claim-sent.com', () => lost.abort(new ClaimLost()))).toBeInstanceOf(ClaimLost)
      expect(await linesOf('held-claim-sent.com')).toMatchObject([{ state: 'sent', isSent: true }])
    })

    test('after paying is in the ledger with the amount charged', async () => {
      const name = 'held-claim-paid.com'
      const { faults, journal } = stage.world.simulators.NAMECHEAP
      const reading = { path: 'namecheap.domains.getInfo' }
      let readBefore = 0
      const renewing = lose(name, () => {
        readBefore = journal.count(reading)
        faults.add({ ...reading, effect: { kind: 'timeout-after-write' } })
      })
      await expect.poll(() => readBefore > 0 && journal.count(reading) > readBefore, { timeout: 30_000, interval: 20 }).toBe(true)
      lost.abort(new ClaimLost())
      expect(await renewing).toBeNull()
      const [line] = await stage.panel.services.db.sql`select state, charged_minor::int as minor from purchases where name = ${name}`
      expect(line).toEqual({ state: 'bought', minor: 1_498 })
    })
  })

  test('counts against the spending limit', async () => {
    const ids = await hold('NAMECHEAP', 'held-limit-a.com', 'held-limit-b.com')
    await stage.panel.services.db.sql`update users set spend_limit_usd = 20 where id = ${stage.ann.user.id}`
    const { operation } = await previewOf(ids)
    expect(await errorOf(stage.ann.call.operations.start({ id: operation.id }))).toMatchObject(errorCode('spend_limit'))
    await stage.panel.services.db.sql`update users set spend_limit_usd = 40 where id = ${stage.ann.user.id}`
    await run()
    await stage.ann.call.operations.start({ id: operation.id })
    await ends(operation.id)
    expect(sold('held-limit-a.com', 'held-limit-b.com')).toHaveLength(2)
  })
})

describe('R-REG-05 automatic renewal of many names', () => {
  const stateOf = (provider: RegistrarProvider, name: string) => stage.world.accounts[provider].names.get(name)?.autoRenew

  test('is switched at each registrar, shown in the list, and can be reverted', async () => {
    const names = [
      ...(await hold('PORKBUN', 'held-auto.com')),
      ...(await hold('REGRU', 'held-auto.ru')),
      ...(await hold('NAMECHEAP', 'held-auto.net')),
    ]
    await run()
    const preview = await stage.ann.call.operations.previewAutoRenew({ target: { nameIds: names }, enabled: false })
    expect(preview).toMatchObject({ unchanged: 0, dangers: { renewal_stops: 2 } })
    expect((await itemsOf(preview.operation.id)).items).toMatchObject([
      { domain: 'held-auto.com', plan: { before: { autoRenew: true }, after: { autoRenew: false } } },
      { domain: 'held-auto.net', state: 'skipped', code: 'registrar_auto_renew_website' },
      // REG.RU does not report automatic renewal.
      { domain: 'held-auto.ru', plan: { before: { autoRenew: null }, after: { autoRenew: false } } },
    ])
    await stage.ann.call.operations.start({ id: preview.operation.id })
    await ends(preview.operation.id)
    expect([stateOf('PORKBUN', 'held-auto.com'), stateOf('REGRU', 'held-auto.ru'), stateOf('NAMECHEAP', 'held-auto.net')]).toEqual([
      false,
      false,
      true,
    ])
    const { names: listed } = await stage.ann.call.registrars.names({ search: 'held-auto' })
    expect(listed.map(({ name, autoRenew }) => [name, autoRenew])).toEqual([
      ['held-auto.com', false],
      ['held-auto.net', true],
      ['held-auto.ru', false],
    ])
    // The second time, nothing changes except what the API cannot report.
    const again = await stage.ann.call.operations.previewAutoRenew({ target: { nameIds: names }, enabled: false })
    expect(again).toMatchObject({ unchanged: 2, operation: { total: 1, skipped: 1 } })

    const undo = await stage.ann.call.operations.previewUndo({ id: preview.operation.id })
    expect((await itemsOf(undo.operation.id)).items).toMatchObject([
      { domain: 'held-auto.com', plan: { before: { autoRenew: false }, after: { autoRenew: true } } },
      // The previous value is unknown.
      { domain: 'held-auto.ru', state: 'skipped', code: 'nothing_to_take_back' },
    ])
    await stage.ann.call.operations.start({ id: undo.operation.id })
    await ends(undo.operation.id)
    expect(stateOf('PORKBUN', 'held-auto.com')).toBe(true)
    expect((await itemsOf(preview.operation.id)).operation).toMatchObject({ undone: 1 })
  })

  test('is switched for selected domains; those at no registrar with an API are skipped with the reason', async () => {
    await hold('PORKBUN', 'held-here.com')
    const { services } = stage.panel
    const [accountId = ''] = stage.accountIds
    const insert = (name: string, registrarId: string | null) =>
      insertZone(services.db, { ownerId: stage.ann.user.id, accountId, name, registrarId, status: 'active' })
    const { registrar } = await stage.ann.call.registrars.create({ name: 'By hand', username: 'anna', password: 'secret word' })
    const zones = [
      await insert('held-here.com', null),
      await insert('by-hand.com', registrar.id),
      await insert('nowhere.com', null),
      await insert('not-listed.com', registrarOf('PORKBUN')),
    ]
    const ids = zones.map(({ id }) => id)
    const { operation } = await stage.ann.call.operations.previewAutoRenew({ target: { ids }, enabled: false })
    expect((await itemsOf(operation.id)).items.map(({ domain, state, code }) => [domain, state, code])).toEqual([
      ['by-hand.com', 'skipped', 'registrar_manual'],
      ['held-here.com', 'pending', null],
      ['not-listed.com', 'skipped', 'registrar_not_found'],
      ['nowhere.com', 'skipped', 'registrar_none'],
    ])
    const other = await signIn(services)
    expect(await errorOf(other.call.operations.previewAutoRenew({ target: { ids }, enabled: false }))).toMatchObject(errorCode('not_found'))
  })

  test('stops the remaining names of a registrar whose credential is refused, and no others', async () => {
    const porkbun = await hold('PORKBUN', 'held-key-a.com', 'held-key-b.com')
    const regru = await hold('REGRU', 'held-key.ru')
    const { operation } = await stage.ann.call.operations.previewAutoRenew({ target: { nameIds: [...porkbun, ...regru] }, enabled: false })
    stage.world.simulators.PORKBUN.faults.add({ path: '/domain/updateAutoRenew', times: 5, effect: { kind: 'revoked-key' } })
    await run()
    await stage.ann.call.operations.start({ id: operation.id })
    await ends(operation.id)
    expect((await itemsOf(operation.id)).items.map(({ domain, state }) => [domain, state])).toEqual([
      ['held-key-a.com', 'failed'],
      ['held-key-b.com', 'failed'],
      ['held-key.ru', 'done'],
    ])
  })
})
