import { afterEach, beforeEach, describe, expect, test } from 'vitest'

import { startTestSimulator } from '#server/testing/cloudflare-simulator.ts'

let running: Awaited<ReturnType<typeof startTestSimulator>>
beforeEach(async () => {
  running = await startTestSimulator({ world: { accounts: 2 } })
})
afterEach(() => running.simulator.close())

const user = () => running.call('GET', '/user')
const raw = (path: string, init: RequestInit = {}) =>
  fetch(running.simulator.url + path, { ...init, headers: { 'x-auth-email': running.owner.email, 'x-auth-key': running.owner.globalKey } })

describe('injected faults', () => {
  test('429 with and without retry-after, until removed', async () => {
    const remove = running.simulator.faults.add({ effect: { kind: 'rate-limited', retryAfterSeconds: 9 } })
    const refused = await user()
    expect(refused.status).toBe(429)
    expect(refused.headers.get('retry-after')).toBe('9')
    remove()
    running.simulator.faults.add({ effect: { kind: 'rate-limited' }, times: 1 })
    const bare = await user()
    expect([bare.status, bare.headers.get('retry-after')]).toEqual([429, null])
    expect((await user()).status).toBe(200)
  })

  test('5xx as JSON and as a page of HTML', async () => {
    running.simulator.faults.add({ effect: { kind: 'server-error', status: 503 }, times: 1 })
    expect((await user()).status).toBe(503)
    running.simulator.faults.add({ effect: { kind: 'server-error', body: 'html' }, times: 1 })
    const page = await raw('/user')
    expect([page.status, (await page.text()).startsWith('<!DOCTYPE html>')]).toEqual([502, true])
  })

  test('a body cut in the middle, a reset connection, malformed JSON', async () => {
    running.simulator.faults.add({ effect: { kind: 'cut-body' }, times: 1 })
    const cut = await raw('/user')
    expect(cut.status).toBe(200)
    await expect(cut.text()).rejects.toThrow('terminated')
    running.simulator.faults.add({ effect: { kind: 'reset' }, times: 1 })
    await expect(raw('/user')).rejects.toThrow('fetch failed')
    running.simulator.faults.add({ effect: { kind: 'malformed-json' }, times: 1 })
    await expect((await raw('/user')).json()).rejects.toThrow(SyntaxError)
  })

  test('HTTP 200 with success: false, a temporary 403, a revoked key, unknown fields', async () => {
    const { faults } = running.simulator
    faults.add({ effect: { kind: 'success-false' }, times: 1 })
    expect(await user()).toMatchObject({ status: 200, code: 1000, result: null })
    faults.add({ effect: { kind: 'forbidden' }, forMs: 60_000 })
    expect(await user()).toMatchObject({ status: 403, code: 10000 })
    running.clock.nowMs += 60_000
    expect((await user()).status).toBe(200)
    faults.add({ effect: { kind: 'revoked-key' }, userId: running.owner.userId })
    expect(await user()).toMatchObject({ status: 403, code: 9103 })
    expect((await running.call('GET', '/user', { as: running.credentials(1) })).status).toBe(200)
    faults.clear()
    faults.add({ effect: { kind: 'unknown-fields' } })
    expect((await user()).result).toMatchObject({ id: running.owner.userId, new_field_2027: { beta: true } })
  })

  test('a time-out after the write took effect', async () => {
    const zone = running.simulator.state.zonesOfAccount(running.owner.accountId).values().next().value
    running.simulator.faults.add({ method: 'DELETE', path: '/zones/*', effect: { kind: 'timeout-after-write', holdMs: 20 } })
    await expect(raw(`/zones/${zone?.id ?? ''}`, { method: 'DELETE' })).rejects.toThrow('fetch failed')
    expect(await running.call('GET', `/zones/${zone?.id ?? ''}`)).toMatchObject({ status: 404, code: 1001 })
  })

  test('match by method, path, account and a seeded chance', async () => {
    const { simulator, owner, call, credentials } = running
    const own = [...simulator.state.zonesOfAccount(owner.accountId)][0]?.id ?? ''
    simulator.faults.add({ path: '/zones/*/settings/*', accountId: owner.accountId, effect: { kind: 'server-error' } })
    expect((await call('GET', `/zones/${own}/settings/ssl`)).status).toBe(502)
    expect((await call('GET', `/zones/${own}`)).status).toBe(200)
    const other = credentials(1)
    const others = [...simulator.state.zonesOfAccount(other.accountId)][0]?.id ?? ''
    expect((await call('GET', `/zones/${others}/settings/ssl`, { as: other })).status).toBe(200)

    const statuses = async () => {
      simulator.reset()
      simulator.faults.add({ probability: 0.5, effect: { kind: 'server-error' } })
      const answers = []
      for (let index = 0; index < 20; index++) answers.push((await user()).status)
      return answers
    }
    expect(new Set(await statuses())).toEqual(new Set([200, 502]))
  })
})

describe('control by another process', () => {
  const root = () => new URL('/__simulator/', running.simulator.url).href
  const send = async (path: string, body: unknown, method = 'POST') => {
    const response = await fetch(root() + path, { method, ...(body === undefined ? {} : { body: JSON.stringify(body) }) })
    return { status: response.status, body: (await response.json()) as Record<string, unknown> }
  }

  test('sets and clears faults, reads the journal, and resets', async () => {
    expect((await send('faults', { effect: { kind: 'rate-limited' } })).status).toBe(200)
    expect((await user()).status).toBe(429)
    await send('faults', undefined, 'DELETE')
    expect((await user()).status).toBe(200)
    expect((await send('journal', undefined, 'GET')).body).toMatchObject({ total: 2 })
    await running.call('DELETE', `/zones/${[...running.simulator.state.zonesOfAccount(running.owner.accountId)][0]?.id ?? ''}`)
    await send('reset', {})
    expect(running.simulator.state.zonesById.size).toBe(12)
    expect((await send('journal', undefined, 'GET')).body).toMatchObject({ total: 0 })
  })

  test('changes zones and records at the provider, by name', async () => {
    const zone = [...running.simulator.state.zonesOfAccount(running.owner.accountId)][0]
    if (zone === undefined) throw new Error('no zone')
    const record = { type: 'A', name: 'outside', content: '192.0.2.77' }
    running.clock.nowMs += 1000
    const { body } = await send('edit', { kind: 'create-record', zone: zone.name, record })
    const id = String(body['result'])
    expect((await running.call('GET', `/zones/${zone.id}/dns_records/${id}`)).result).toMatchObject({ content: '192.0.2.77' })
    await send('edit', { kind: 'edit-record', zone: zone.name, recordId: id, set: { content: '192.0.2.78' } })
    await send('edit', { kind: 'zone', zone: zone.name, set: { status: 'moved', paused: true } })
    expect((await running.call('GET', `/zones/${zone.id}`)).result).toMatchObject({
      status: 'moved',
      paused: true,
      modified_on: new Date(running.clock.nowMs).toISOString(),
    })
    await send('edit', { kind: 'delete-zone', zone: zone.name })
    expect((await running.call('GET', `/zones/${zone.id}`)).status).toBe(404)
  })

  test('reports an invalid request instead of ignoring it', async () => {
    expect((await send('edit', { kind: 'zone', zone: 'nowhere.com', set: {} })).status).toBe(400)
    expect((await send('edit', { kind: 'odd' })).status).toBe(400)
    expect((await send('faults', { effect: { kind: 'slow' } })).status).toBe(400)
    expect((await send('odd', {})).status).toBe(404)
  })
})
