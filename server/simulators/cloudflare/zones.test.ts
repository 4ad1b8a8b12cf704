import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { field, startTestSimulator } from '#server/testing/cloudflare-simulator.ts'

let running: Awaited<ReturnType<typeof startTestSimulator>>
beforeAll(async () => {
  running = await startTestSimulator({ world: { zones: 300, accounts: 1, plain: false } })
})
afterAll(() => running.simulator.close())

const list = (query: string) => running.call('GET', `/zones?${query}`)

describe('the zone list', () => {
  test('has 20 zones a page, at most 50, and every zone once over all pages', async () => {
    expect((await list('')).info).toEqual({ page: 1, per_page: 20, count: 20, total_count: 300, total_pages: 15 })
    const pages = await Promise.all([1, 2, 3, 4, 5, 6].map((page) => list(`per_page=50&page=${page}`)))
    const ids = pages.flatMap((page) => field(page.result, 'id'))
    expect(new Set(ids).size).toBe(300)
    expect(await list('per_page=50&page=7')).toMatchObject({ status: 200, result: [], info: { count: 0, total_pages: 6 } })
  })

  test.each(['per_page=51', 'per_page=4', 'per_page=x', 'page=0', 'order=size', 'direction=up', 'status=gone', 'type=odd', 'name=like:a'])(
    'refuses %s',
    async (query) => {
      expect(await list(query)).toMatchObject({ status: 400, code: 6003 })
    },
  )

  test('filters by name operators, status and account name, with match all or any', async () => {
    const names = running.zones.map((zone) => zone.name)
    const count = async (query: string) => field((await list(`${query}&per_page=50`)).info, 'total_count')
    expect(await count('name=contains:CASINO')).toBe(names.filter((name) => name.includes('casino')).length)
    expect(await count('name=starts_with:best')).toBe(names.filter((name) => name.startsWith('best')).length)
    expect(await count('name=ends_with:.ru')).toBe(names.filter((name) => name.endsWith('.ru')).length)
    const pending = running.zones.filter((zone) => zone.status === 'pending')
    expect(await count('status=pending')).toBe(pending.length)
    expect(await count('status=pending&name=ends_with:.ru')).toBe(pending.filter((zone) => zone.name.endsWith('.ru')).length)
    const either = running.zones.filter((zone) => zone.status === 'pending' || zone.name.endsWith('.ru'))
    expect(await count('status=pending&name=ends_with:.ru&match=any')).toBe(either.length)
    expect(await count(`name=${names[0] ?? ''}`)).toBe(1)
  })

  test('sorts by name in both directions, and by status', async () => {
    const names = running.zones.map((zone) => zone.name).toSorted()
    expect(field((await list('order=name')).result, 'name')).toEqual(names.slice(0, 20))
    expect(field((await list('order=name&direction=desc')).result, 'name')).toEqual(names.toReversed().slice(0, 20))
    expect(field((await list('order=status')).result, 'status')).toEqual(Array.from({ length: 20 }, () => 'active'))
  })

  test('returns every field of the published list call', async () => {
    const { result } = await list('')
    const zone: unknown = Array.isArray(result) ? result[0] : null
    const fields =
      'id name status paused type development_mode name_servers original_name_servers original_registrar original_dnshost created_on modified_on activated_on account owner tenant tenant_unit permissions plan meta'
    expect(Object.keys(zone ?? {}).toSorted()).toEqual(fields.split(' ').toSorted())
  })
})

describe('settings', () => {
  test('the call for all settings in one request is gone', async () => {
    const id = running.zones[0]?.id ?? ''
    expect((await running.call('GET', `/zones/${id}/settings`)).status).toBe(410)
    expect((await running.call('PATCH', `/zones/${id}/settings`, { body: { items: [] } })).status).toBe(410)
  })

  test('values, plans and names are validated, and a change updates modified_on', async () => {
    const { call, clock, zones } = running
    const id = zones.find((zone) => zone.plan === 'free')?.id ?? ''
    const edit = (setting: string, value: unknown) => call('PATCH', `/zones/${id}/settings/${setting}`, { body: { value } })
    expect(await edit('ssl', 'sometimes')).toMatchObject({ status: 400, code: 1007 })
    expect(await edit('ssl', 'origin_pull')).toMatchObject({ status: 400, code: 1007 })
    expect(await edit('polish', 'lossy')).toMatchObject({ status: 400, code: 1015 })
    expect(await edit('minify', 'on')).toMatchObject({ status: 400, code: 1003 })
    expect(await edit('browser_cache_ttl', 31)).toMatchObject({ status: 400, code: 1007 })
    clock.nowMs += 5000
    expect((await edit('browser_cache_ttl', 30)).result).toMatchObject({ value: 30, modified_on: new Date(clock.nowMs).toISOString() })
    expect((await call('GET', `/zones/${id}`)).result).toMatchObject({ modified_on: new Date(clock.nowMs).toISOString() })
  })

  test('development mode ends automatically after three hours', async () => {
    const { call, clock, zones } = running
    const id = zones[1]?.id ?? ''
    await call('PATCH', `/zones/${id}/settings/development_mode`, { body: { value: 'on' } })
    clock.nowMs += 3_600_000
    expect((await call('GET', `/zones/${id}/settings/development_mode`)).result).toMatchObject({ value: 'on', time_remaining: 7200 })
    clock.nowMs += 7_200_000 + 60_000
    expect((await call('GET', `/zones/${id}/settings/development_mode`)).result).toMatchObject({ value: 'off', time_remaining: 0 })
    expect((await call('GET', `/zones/${id}`)).result).toMatchObject({ development_mode: -60 })
  })
})

describe('purge', () => {
  test('is limited per account and not per zone: 25 in a burst, then 5 a minute', async () => {
    const { call, clock, zones } = running
    const free = zones.filter((zone) => zone.plan === 'free')
    const purge = (index: number) => call('POST', `/zones/${free[index]?.id ?? ''}/purge_cache`, { body: { purge_everything: true } })
    for (let index = 0; index < 25; index++) expect((await purge(index)).status).toBe(200)
    const refused = await purge(25)
    expect(refused.status).toBe(429)
    expect(refused.headers.get('retry-after')).toBe('12')
    clock.nowMs += 12_000
    expect((await purge(25)).status).toBe(200)
  })

  test('accepts exactly one kind, 100 items, and only URLs of the zone', async () => {
    const { call, zones } = running
    const zone = zones.find((entry) => entry.plan === 'free')
    const purge = (body: object) => call('POST', `/zones/${zone?.id ?? ''}/purge_cache`, { body })
    expect((await purge({})).code).toBe(1012)
    expect((await purge({ purge_everything: true, hosts: ['a'] })).code).toBe(1012)
    expect((await purge({ files: ['https://elsewhere.com/'] })).code).toBe(1016)
    expect((await purge({ files: Array.from({ length: 101 }, () => `https://${zone?.name ?? ''}/`) })).code).toBe(1094)
  })
})
