import { afterEach, beforeEach, describe, expect, test } from 'vitest'

import { field, startTestSimulator } from '#server/testing/cloudflare-simulator.ts'

let running: Awaited<ReturnType<typeof startTestSimulator>>
beforeEach(async () => {
  running = await startTestSimulator({ world: { accounts: 2, zones: 20 } })
})
afterEach(() => running.simulator.close())

const create = (name: string, more: object = {}) =>
  running.call('POST', '/zones', { body: { name, account: { id: running.owner.accountId }, ...more } })

describe('creating a zone', () => {
  test('returns a pending zone without records, and IDN names in Punycode', async () => {
    const { result } = await create('пример-ставки.рф')
    expect(result).toMatchObject({ status: 'pending' })
    expect(field(result, 'name')).toMatch(/^xn--.*\.xn--p1ai$/)
    const records = await running.call('GET', `/zones/${String(field(result, 'id'))}/dns_records`)
    expect(records.result).toEqual([])
  })

  test.each([
    ['localhost', 1099],
    ['not a name', 1099],
    ['shop.example.com', 1116],
    ['a.shop.co.uk', 1116],
    ['shop.invalid', 1049],
  ])('refuses %s with %i', async (name, code) => {
    expect(await create(name)).toMatchObject({ status: 400, code })
  })

  test('refuses an existing zone, and accepts it after deletion with other name servers', async () => {
    const first = await create('twice.com')
    expect(await create('twice.com')).toMatchObject({ status: 400, code: 1061 })
    await running.call('DELETE', `/zones/${String(field(first.result, 'id'))}`)
    const second = await create('twice.com')
    expect(second.status).toBe(200)
    expect(field(second.result, 'name_servers')).not.toEqual(field(first.result, 'name_servers'))
  })

  test('accepts the same name in two accounts unless the first holds it', async () => {
    const other = running.credentials(1)
    const body = { name: 'shared.com', account: { id: other.accountId } }
    await create('shared.com')
    const zone = running.simulator.state.zonesNamed('shared.com')[0]
    if (zone === undefined) throw new Error('no zone')
    zone.hold = true
    expect((await running.call('POST', '/zones', { as: other, body })).status).toBe(400)
    zone.hold = false
    expect((await running.call('POST', '/zones', { as: other, body })).status).toBe(200)
  })

  test('answers with each refusal configured for a name', async () => {
    const { refusals } = running.simulator.state
    refusals.unregistered.add('a.com')
    refusals.banned.add('b.com')
    refusals.temporarilyBanned.add('c.com')
    refusals.lookupFailing.add('d.com')
    const answers = await Promise.all(['a.com', 'b.com', 'c.com', 'd.com'].map((name) => create(name)))
    expect(answers.map((answer) => answer.code)).toEqual([1049, 1097, 1098, 1110])
    expect((await create('e.com', { type: 'partial' })).code).toBe(1104)
  })

  test('blocks a name for 3 hours after five attempts', async () => {
    for (let tries = 0; tries < 5; tries++) await create('again.com')
    expect((await create('again.com')).code).toBe(1105)
    running.clock.nowMs += 3 * 3_600_000 + 1
    expect((await create('again.com')).code).toBe(1061)
  })

  test('refuses an account without permission to create zones', async () => {
    const account = running.simulator.state.accountsById.get(running.owner.accountId)
    if (account === undefined) throw new Error('no account')
    account.mayCreateZones = false
    expect(await create('new.com')).toMatchObject({ status: 403, code: 1106 })
  })

  test('permits 25 zones in 10 minutes and reports the wait', async () => {
    for (let number = 0; number < 25; number++) expect((await create(`new${number}.com`)).status).toBe(200)
    running.clock.nowMs += 60_000
    const refused = await create('new25.com')
    expect(refused).toMatchObject({ status: 429, code: 971 })
    expect(refused.headers.get('retry-after')).toBe('540')
    running.clock.nowMs += 540_000
    expect((await create('new25.com')).status).toBe(200)
  })

  test('blocks an account with too many pending zones until some are active', async () => {
    const { state } = running.simulator
    const account = state.accountsById.get(running.owner.accountId)
    if (account === undefined) throw new Error('no account')
    account.pendingAllowance = 0
    const active = state.zonesOfAccount(account.id).size
    for (let number = 0; number < active; number++) state.createZone(account, `pending${number}.com`, 'full')
    expect((await create('one-more.com')).code).toBe(1118)
    state.activate(state.zonesNamed('pending0.com')[0]?.id ?? '')
    expect((await create('one-more.com')).status).toBe(200)
  })
})

describe('activation', () => {
  test('happens at a check once the registrar has the right name servers, at most hourly', async () => {
    const { simulator, clock, call } = running
    const { result } = await create('activate.com')
    const id = String(field(result, 'id'))
    expect((await call('PUT', `/zones/${id}/activation_check`)).status).toBe(200)
    expect(field((await call('GET', `/zones/${id}`)).result, 'status')).toBe('pending')
    simulator.state.registrarNameServers.set('activate.com', simulator.state.getZone(id).nameServers)
    expect((await call('PUT', `/zones/${id}/activation_check`)).status).toBe(400)
    clock.nowMs += 3_600_000
    await call('PUT', `/zones/${id}/activation_check`)
    expect((await call('GET', `/zones/${id}`)).result).toMatchObject({
      status: 'active',
      activated_on: new Date(clock.nowMs).toISOString(),
    })
  })
})
