import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startMcp } from '../server/testing/mcp-session.ts'
import { servePanel } from '../server/testing/served-panel.ts'
import type { ServedPanel } from '../server/testing/served-panel.ts'
import { operationRegistry } from '../shared/features/operations/registry.ts'
import { notForAssistants } from './src/mcp/api-tools.ts'
import { callsOf } from './src/rest/calls.ts'
import type { OpenApiDocument } from './src/rest/calls.ts'

let served: ServedPanel
beforeAll(async () => {
  served = await servePanel(6)
})
afterAll(() => served.close())

const start = (token: string) => startMcp(served.url, token)
const protocolOf = async (id: string) => (await served.owner.call.domains.settings({ id })).settings.minTlsVersion

test('an assistant with a read-only token can read and preview, and has no tool that changes anything', async () => {
  const session = await start(served.readToken)
  const names = await session.names()
  expect(names).toEqual(expect.arrayContaining(['list_domains', 'preview_change']))
  expect(names).not.toContain('apply_preview')
  const { data } = await session.use('list_domains', { limit: 3 })
  expect(data).toHaveLength(3)
  const [{ id, name }] = data as [{ id: string; name: string }]
  expect(await session.use('list_records', { domain: name })).toMatchObject({
    failed: false,
    data: { records: expect.any(Array) as unknown },
  })
  const before = await protocolOf(id)
  const change = { kind: 'settings', input: { settings: { minTlsVersion: '1.2' } }, domains: [name] }
  const { data: preview } = await session.use('preview_change', change)
  expect(preview).toMatchObject({ domains: 1, examples: [{ domain: name, after: expect.anything() as unknown }] })
  const { previewId } = preview as { previewId: string }
  expect((await session.use('apply_preview', { previewId })).error).toMatchObject({ code: -32_602 })
  expect((await session.use('get_operation', { id: previewId })).data).toMatchObject({ operation: { state: 'draft' } })
  expect(await protocolOf(id)).toBe(before)
  expect(await session.use('get_domain', { domain: 'no-such.example' })).toMatchObject({
    failed: true,
    text: expect.stringContaining('no-such') as unknown,
  })
  expect(await session.end()).toBe(0)
})

test('a change is previewed in the same session before it is applied, and is applied once', async () => {
  const session = await start(served.writeToken)
  const { data: domains } = await session.use('list_domains', { limit: 2 })
  const [first, second] = domains as { id: string; name: string }[]
  const change = { kind: 'settings', input: { settings: { minTlsVersion: '1.3' } }, domains: [first?.name, second?.id] }
  const before = await protocolOf(first?.id ?? '')
  const { data: preview } = await session.use('preview_change', change)
  expect(preview).toMatchObject({ domains: 2, examples: [{ after: expect.anything() as unknown }, {}] })
  expect(await protocolOf(first?.id ?? '')).toBe(before)
  const { previewId } = preview as { previewId: string }

  // Another session of the same user has not seen the preview.
  const other = await start(served.writeToken)
  expect(await other.use('apply_preview', { previewId })).toMatchObject({ failed: true })

  expect(await session.use('apply_preview', { previewId })).toMatchObject({ failed: false })
  await expect
    .poll(async () => (await session.use('get_operation', { id: previewId })).data)
    .toMatchObject({ operation: { state: 'done', done: 2 } })
  expect([before, await protocolOf(first?.id ?? '')]).toEqual(['1.0', '1.3'])
  expect(await session.use('apply_preview', { previewId })).toMatchObject({ failed: true })
})

test('R-DOM-02 an address filter matches exactly, and a partial address is rejected with the accepted forms', async () => {
  const session = await start(served.readToken)
  const { data } = await session.use('list_domains', { limit: 500 })
  const all = data as { name: string; originIPs: string[] }[]
  const address = all[0]?.originIPs[0] ?? ''
  const found = (await session.use('list_domains', { ip: address })).data as { name: string }[]
  expect(found.map(({ name }) => name)).toEqual(all.filter(({ originIPs }) => originIPs.includes(address)).map(({ name }) => name))
  expect(await session.use('list_domains', { ip: address.slice(0, -1) + '.' })).toMatchObject({
    failed: true,
    text: expect.stringContaining('203.0.113.0/24') as unknown,
  })
})

test('an API error is passed to the assistant with its fields', async () => {
  const session = await start(served.writeToken)
  const { data } = await session.use('list_domains', { limit: 1 })
  const [{ name }] = data as [{ name: string }]
  expect(await session.use('preview_change', { kind: 'ip', input: { ipAddress: 'nowhere' }, domains: [name] })).toMatchObject({
    failed: true,
    text: expect.stringContaining('validation_failed') as unknown,
  })
})

test('a tool validates its own schema: unknown or invalid fields are rejected by name', async () => {
  const session = await start(served.writeToken)
  const cases: [string, object, RegExp][] = [
    ['list_domains', { serach: 'zzz' }, /^unknown field serach; the fields are search, /],
    ['list_domains', { search: 7 }, /search must be a string/],
    ['list_domains', { limit: 501 }, /limit must be an integer from 1 to 500/],
    ['list_accounts', { all: true }, /unknown field all; the fields are none/],
    ['list_accounts', { constructor: 1 }, /unknown field constructor/],
    ['get_domain', {}, /domain is missing/],
    ['preview_change', { kind: 'create', domains: ['a.example'] }, /kind must be one of settings, ip/],
    ['preview_change', { kind: 'purge', domains: ['a.example'], foo: 1 }, /unknown field foo/],
    ['preview_change', { kind: 'purge', input: [], domains: ['a.example'] }, /input must be an object/],
    ['preview_change', { kind: 'purge', domains: [] }, /domains must be a list of 1 to 500 items/],
    ['preview_change', { kind: 'purge', domains: ['a.example', 1] }, /domains must be a list in which each item must be a string/],
  ]
  for (const [tool, given, message] of cases) {
    expect(await session.use(tool, given)).toMatchObject({ failed: true, text: expect.stringMatching(message) as unknown })
  }
})

test('preview_change takes every kind of operation on selected domains, and its description has the fields of each', async () => {
  const session = await start(served.readToken)
  const { result } = await session.ask('tools/list')
  const tool = result?.tools?.find(({ name }) => name === 'preview_change')
  const kinds = Object.entries(operationRegistry).flatMap(([kind, row]) => ('request' in row ? [kind] : []))
  expect(tool).toMatchObject({ inputSchema: { properties: { kind: { enum: kinds } } } })
  expect(kinds.filter((kind) => !new RegExp(`^${kind} \\(.+\\): \\{`, 'm').test(tool?.description ?? ''))).toEqual([])
  for (const field of ['hsts?: {', 'ipAddress: string', 'reserveZoneId: string']) expect(tool?.description).toContain(field)
})

test('a preview that failed to start can be applied again', async () => {
  const session = await start(served.writeToken)
  const { data } = await session.use('list_domains', { limit: 1 })
  const [{ name }] = data as [{ name: string }]
  const { data: preview } = await session.use('preview_change', { kind: 'refresh', domains: [name] })
  const { previewId } = preview as { previewId: string }
  const { sql } = served.panel.services.db
  await sql`update operations set state = 'paused' where id = ${previewId}`
  expect(await session.use('apply_preview', { previewId })).toMatchObject({
    failed: true,
    text: expect.stringContaining('operation_moved_on') as unknown,
  })
  await sql`update operations set state = 'draft' where id = ${previewId}`
  expect(await session.use('apply_preview', { previewId })).toMatchObject({ failed: false })
  expect(await session.use('apply_preview', { previewId })).toMatchObject({
    failed: true,
    text: expect.stringContaining('already been applied') as unknown,
  })
})

test('an invalid protocol message gets a protocol error, and the next one is served', async () => {
  const session = await start(served.readToken)
  expect((await session.say('{')).error).toMatchObject({ code: -32_700 })
  expect((await session.say('[]')).error).toMatchObject({ code: -32_600 })
  expect((await session.ask('resources/list')).error).toMatchObject({ code: -32_601 })
  expect((await session.ask('tools/call', { name: '__proto__' })).error).toMatchObject({ code: -32_602 })
  expect((await session.ask('ping')).result).toEqual({})
})

describe('all other API calls', () => {
  const calls = async () => callsOf((await (await fetch(`${served.url}/api/openapi.json`)).json()) as OpenApiDocument)

  test('the list of tools is short, however many calls the API has', async () => {
    const session = await start(served.writeToken)
    const { result } = await session.ask('tools/list')
    expect(JSON.stringify(result).length).toBeLessThan(10_000)
    expect(result?.tools?.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['search_calls', 'describe_call', 'read_call', 'prepare_call', 'apply_preview']),
    )
  })

  test('a list of fifty domains is short too', async () => {
    const session = await start(served.readToken)
    const { text } = await session.use('list_domains', {})
    expect(text.length / 6).toBeLessThan(400)
  })

  test('every call of the OpenAPI document can be found, described and made, except those reserved for people', async () => {
    const session = await start(served.writeToken)
    const missing: string[] = []
    for (const call of await calls()) {
      if (call.name in notForAssistants) continue
      const found = (await session.use('search_calls', { words: `${call.name} ${call.path}` })).data as { calls: string[] } | null
      const described = await session.use('describe_call', { name: call.name })
      const isRead = call.reads && !call.drafts
      const made = await session.use(isRead ? 'prepare_call' : 'read_call', { name: call.name })
      if (!found?.calls.some((line) => line.startsWith(`${call.name}: `)) || described.failed !== false) missing.push(call.name)
      // Every call is offered by one of the two tools, and the other refers to it.
      if (made.failed !== true || !made.text.includes(isRead ? 'use read_call' : 'use prepare_call')) missing.push(call.name)
    }
    expect(missing).toEqual([])
  })

  test('calls reserved for people can be neither found nor made, and each has its reason', async () => {
    const session = await start(served.writeToken)
    const names = (await calls()).map(({ name }) => name)
    for (const [name, why] of Object.entries(notForAssistants)) {
      expect(names).toContain(name)
      const found = (await session.use('search_calls', { words: name })).data as { calls: string[] }
      expect(found.calls.filter((line) => line.startsWith(`${name}: `))).toEqual([])
      for (const tool of ['describe_call', 'read_call', 'prepare_call']) {
        expect(await session.use(tool, { name })).toMatchObject({ failed: true, text: expect.stringContaining(why) as unknown })
      }
    }
  })

  test('a read is answered, and a long answer is truncated with a note', async () => {
    const session = await start(served.readToken)
    const { data } = await session.use('read_call', { name: 'domains.live', input: { limit: 2 } })
    expect(data).toMatchObject({ data: [{ name: expect.any(String) as unknown }, {}] })
    expect(await session.use('read_call', { name: 'domains.live', input: { staus: 'active' } })).toMatchObject({
      failed: true,
      text: expect.stringContaining('does not accept staus; it accepts search') as unknown,
    })
    const long = (await session.use('describe_call', { name: 'operations.preview' })).text
    expect(long.length).toBeLessThan(61_000)
  })

  test('a change is prepared first, made once, and never made with a read-only token', async () => {
    const names = async () => (await served.owner.call.groups.list({})).groups.map(({ name }) => name)
    const reader = await start(served.readToken)
    expect(await reader.use('prepare_call', { name: 'groups.create', input: { name: 'By an assistant' } })).toMatchObject({
      failed: false,
      data: { request: { method: 'POST', path: '/groups', body: { name: 'By an assistant' } } },
    })
    const session = await start(served.writeToken)
    const { data } = await session.use('prepare_call', { name: 'groups.create', input: { name: 'By an assistant' } })
    expect(await names()).toEqual([])
    const { previewId } = data as { previewId: string }
    const both = [await session.use('apply_preview', { previewId }), await session.use('apply_preview', { previewId })]
    expect(both.map(({ failed }) => failed)).toEqual([false, true])
    expect(await names()).toEqual(['By an assistant'])
  })

  test('the previewed draft for many domains is what runs', async () => {
    const session = await start(served.writeToken)
    const [{ id }] = (await session.use('list_domains', { limit: 1 })).data as [{ id: string }]
    const { data } = await session.use('prepare_call', {
      name: 'operations.bulkSettings',
      input: { ids: [id], settings: { minTlsVersion: '1.1' } },
    })
    const { previewId, preview } = data as { previewId: string; preview: { operation: { id: string; state: string } } }
    expect(preview.operation).toMatchObject({ id: previewId, state: 'draft' })
    expect(await session.use('apply_preview', { previewId })).toMatchObject({ failed: false })
    await expect.poll(() => protocolOf(id)).toBe('1.1')
  })
})
