import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { startTestSimulator } from '#server/testing/cloudflare-simulator.ts'

let running: Awaited<ReturnType<typeof startTestSimulator>>
beforeAll(async () => {
  running = await startTestSimulator({ world: { zones: 60, accounts: 6, plain: false } })
})
afterAll(() => running.simulator.close())

async function send(headers: Record<string, string>) {
  const response = await fetch(`${running.simulator.url}/user`, { headers })
  return { status: response.status, body: (await response.json()) as { errors: unknown[] } }
}

describe('credentials', () => {
  test('missing, malformed and unknown ones are distinguished', async () => {
    const email = running.owner.email
    expect(await send({})).toMatchObject({ status: 400, body: { errors: [{ code: 9106 }] } })
    expect(await send({ 'x-auth-email': email, 'x-auth-key': 'short' })).toMatchObject({
      status: 400,
      body: { errors: [{ code: 6003, error_chain: [{ code: 6103 }] }] },
    })
    expect(await send({ 'x-auth-email': email, 'x-auth-key': 'f'.repeat(37) })).toMatchObject({
      status: 403,
      body: { errors: [{ code: 9103 }] },
    })
    expect(await send({ authorization: 'Bearer x' })).toMatchObject({
      status: 400,
      body: { errors: [{ code: 6003, error_chain: [{ code: 6111 }] }] },
    })
    expect(await send({ authorization: `Bearer ${'x'.repeat(40)}` })).toMatchObject({ status: 403, body: { errors: [{ code: 9109 }] } })
  })

  test('a revoked key is refused, whether revoked in the world or at run time', async () => {
    const revoked = running.world.credentials.find((entry) => entry.condition === 'revoked')
    if (revoked === undefined) throw new Error('no revoked account')
    expect(await running.call('GET', '/user', { as: revoked })).toMatchObject({ status: 403, code: 9103 })
    const second = running.credentials(2)
    expect((await running.call('GET', '/user', { as: second })).status).toBe(200)
    running.simulator.state.revokeKey(second.userId)
    expect(await running.call('GET', '/user', { as: second })).toMatchObject({ status: 403, code: 9103 })
  })

  test('a token is limited to its permissions and its own account', async () => {
    const { call, owner, credentials, simulator } = running
    const own = [...simulator.state.zonesOfAccount(owner.accountId)][0]?.id ?? ''
    const other = [...simulator.state.zonesOfAccount(credentials(1).accountId)][0]?.id ?? ''
    const token = owner.readOnlyToken
    expect((await call('GET', `/zones/${own}/dns_records`, { token })).status).toBe(200)
    expect(await call('POST', `/zones/${own}/dns_records`, { token, body: {} })).toMatchObject({ status: 403, code: 10000 })
    expect(await call('POST', `/zones/${own}/purge_cache`, { token, body: { purge_everything: true } })).toMatchObject({
      status: 403,
      code: 10000,
    })
    expect(await call('GET', `/zones/${other}`, { token: owner.apiToken })).toMatchObject({ status: 403, code: 10000 })
    expect(await call('GET', `/zones/${other}`)).toMatchObject({ status: 403, code: 9109 })
    expect(await call('GET', `/zones/${'0'.repeat(32)}`)).toMatchObject({ status: 404, code: 1001 })
  })

  test('an expired or disabled token verifies as such and grants nothing', async () => {
    const { call, owner, simulator, clock } = running
    const token = simulator.state.tokensByValue.get(owner.apiToken)
    if (token === undefined) throw new Error('no token')
    token.expiresOnMs = clock.nowMs - 1
    expect((await call('GET', '/user/tokens/verify', { token: owner.apiToken })).result).toMatchObject({ status: 'expired' })
    expect(await call('GET', '/zones', { token: owner.apiToken })).toMatchObject({ status: 403, code: 9109 })
    token.expiresOnMs = null
    token.status = 'disabled'
    expect((await call('GET', '/user/tokens/verify', { token: owner.apiToken })).result).toMatchObject({ status: 'disabled' })
    token.status = 'active'
  })

  test('a user in two accounts sees both, each zone with its account', async () => {
    const { call, credentials } = running
    const accounts = await call('GET', '/accounts', { as: credentials(1) })
    expect(accounts.info).toMatchObject({ total_count: 2 })
    const one = await call('GET', `/zones?account.id=${credentials(0).accountId}`, { as: credentials(1) })
    const same = await call('GET', '/zones')
    expect(one.info).toEqual(same.info)
  })

  test('unknown paths and malformed identifiers answer 7003 with 7000, unknown methods 405', async () => {
    expect(await running.call('GET', '/zones/abc')).toMatchObject({ status: 404, code: 7003 })
    expect(await running.call('GET', '/nothing/here')).toMatchObject({ status: 404, code: 7003 })
    expect(await running.call('DELETE', '/user')).toMatchObject({ status: 405, code: 7001 })
  })
})
