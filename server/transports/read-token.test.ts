import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { buildApp } from '#server/app.ts'
import { signIn } from '#server/testing/app.ts'
import type { SignedIn } from '#server/testing/app.ts'
import { insertAccount, insertGroup, insertZones } from '#server/testing/factories.ts'
import { createTestPanel } from '#server/testing/panel.ts'
import type { TestPanel } from '#server/testing/panel.ts'
import { listProcedures } from '#server/transports/trpc/list-procedures.ts'

let panel: TestPanel
let app: FastifyInstance
let ann: SignedIn
let secret: string
let ids: string[]
let groupId: string
beforeAll(async () => {
  panel = await createTestPanel({ world: { zones: 1, accounts: 1 } })
  app = await buildApp(panel.services, { publicUrl: 'http://panel.test', trustProxy: [], clientDir: null })
})
afterAll(async () => {
  await app.close()
  await panel.close()
})
beforeEach(async () => {
  ann = await signIn(panel.services)
  secret = (await ann.call.apiTokens.create({ name: 'looks', scope: 'read' })).secret
  const key = { secrets: panel.services.secrets, apiKey: 'a'.repeat(37) }
  const { id: accountId } = await insertAccount(panel.services.db, { ownerId: ann.user.id }, key)
  ids = (await insertZones(panel.services.db, { ownerId: ann.user.id, accountId }, 3)).map(({ id }) => id)
  groupId = (await insertGroup(panel.services.db, { ownerId: ann.user.id })).id
})

const ask = async (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, payload?: object, token = secret) => {
  const headers = { authorization: `Bearer ${token}` }
  const answer = await app.inject({ method, url: `/api${path}`, headers, ...(payload && { payload }) })
  return { status: answer.statusCode, body: answer.body === '' ? {} : answer.json<Record<string, unknown>>(), headers: answer.headers }
}
const refused = { status: 403, body: { code: 'read_only_token' } }
const toGroup = () => ({ request: { kind: 'group', input: { groupId } }, target: { ids } })
const draft = async () => {
  const { body } = await ask('POST', '/operations', toGroup())
  return (body as { operation: { id: string; state: string } }).operation
}
const rows = async () => panel.services.db.sql`select id, state, owner_id from operations where owner_id = ${ann.user.id}`

test('R-AUT-07 the mutations a read token may call are a fixed list of previews; any new one is refused until listed here', () => {
  const open = listProcedures().flatMap(({ path, type, meta }) =>
    type === 'mutation' && meta?.forReaders !== undefined ? [`${path} ${meta.forReaders}`] : [],
  )
  expect(open.toSorted()).toEqual([
    'buying.check always',
    'history.previewRevert always',
    'history.previewRevertOfAccount always',
    'operations.bulkBindTracker preview',
    'operations.bulkCreate preview',
    'operations.bulkDelete preview',
    'operations.bulkDns preview',
    'operations.bulkIp preview',
    'operations.bulkSettings preview',
    'operations.bulkUnbindTracker preview',
    'operations.preview always',
    'operations.previewAutoRenew always',
    'operations.previewChange always',
    'operations.previewCreate always',
    'operations.previewDomainRedirects always',
    'operations.previewPurchase always',
    'operations.previewRedirects always',
    'operations.previewRenewal always',
    'operations.previewTrackerArchive always',
    'operations.previewUndo always',
    'operations.purchase preview',
    'operations.refreshAll preview',
    'records.previewImport always',
  ])
})

test('R-AUT-07 a read token previews an operation and reads the draft, and can neither start nor discard it', async () => {
  const { id, state } = await draft()
  expect(state).toBe('draft')
  expect(await ask('GET', `/operations/${id}`)).toMatchObject({ status: 200, body: { operation: { total: 3 } } })
  expect(await ask('POST', `/operations/${id}/start`, {})).toMatchObject(refused)
  expect(await ask('DELETE', `/operations/${id}`)).toMatchObject(refused)
  expect(await rows()).toEqual([{ id, state: 'draft', ownerId: ann.user.id }])
  const [zone] = await panel.services.db.sql`select count(*)::int as moved from zones where group_id = ${groupId}`
  expect(zone).toEqual({ moved: 0 })
})

test('R-PRM-02 a token’s drafts belong to its person: other people’s tokens find none and preview no other person’s domains', async () => {
  const { id } = await draft()
  const bob = await signIn(panel.services)
  const other = (await bob.call.apiTokens.create({ name: 'looks', scope: 'read' })).secret
  expect(await ask('GET', `/operations/${id}`, undefined, other)).toMatchObject({ status: 404 })
  expect(await ask('POST', '/operations', toGroup(), other)).toMatchObject({ status: 404 })
})

test.each<[method: 'POST' | 'PATCH', path: string, body: () => object, done: number]>([
  ['POST', '/zones/bulk-ip-address', () => ({ ids, ipAddress: '192.0.2.9' }), 202],
  ['PATCH', '/zones/{id}/group', () => ({ groupId }), 200],
])('R-API-01 %s %s is permitted to a read token only with ?preview=true', async (method, path, body, done) => {
  const url = path.replace('{id}', ids[0] ?? '')
  expect(await ask(method, `${url}?preview=true`, body())).toMatchObject({ status: done, body: { preview: expect.anything() as unknown } })
  for (const query of ['', '?preview=false']) expect(await ask(method, `${url}${query}`, body())).toMatchObject(refused)
  const write = (await ann.call.apiTokens.create({ name: 'changes', scope: 'write' })).secret
  expect((await ask(method, url, body(), write)).status).toBe(done)
})

test('R-AUT-07 a request that only resembles a preview is not one', async () => {
  const body = { ids, ipAddress: '192.0.2.9' }
  const payloads = ['yes', 'on', '1', 1, [true], { valueOf: true }, null].map((preview) => ({ ...body, preview }))
  for (const payload of payloads) expect(await ask('POST', '/zones/bulk-ip-address', payload)).toMatchObject(refused)
  expect(await rows()).toEqual([])
})

test('R-AUT-07 a token that only reads or buys cannot fill the database: it creates at most 100 drafts an hour and is sent the remaining number', async () => {
  const first = await ask('POST', '/operations', toGroup())
  expect(first.headers).toMatchObject({ 'ratelimit-limit': '100', 'ratelimit-remaining': '99' })
  await panel.services.db.sql`update attempts set count = 99 where key like 'drafts:%'`
  expect((await ask('POST', '/operations', toGroup())).headers['ratelimit-remaining']).toBe('0')
  const last = await ask('POST', '/operations', toGroup())
  expect(last).toMatchObject({ status: 429, body: { code: 'too_many_attempts' } })
  expect(Number(last.headers['retry-after'])).toBeGreaterThan(3_500)
  expect((await ask('POST', '/zones/bulk-ip-address?preview=true', { ids, ipAddress: '192.0.2.9' })).status).toBe(429)
  expect(await rows()).toHaveLength(2)
  const shop = (await ann.call.apiTokens.create({ name: 'shop', scope: 'buy', spendLimitUsd: 5 })).secret
  expect(await ask('POST', '/operations', toGroup(), shop)).toMatchObject({ status: 201, headers: { 'ratelimit-remaining': '99' } })
  // Calls without an effect are not counted, and a write token has the limits of its person.
  expect((await ask('PATCH', `/zones/${ids[0]}/group?preview=true`, { groupId })).status).toBe(200)
  const write = (await ann.call.apiTokens.create({ name: 'changes', scope: 'write' })).secret
  expect(await ask('POST', '/operations', toGroup(), write)).toMatchObject({ status: 201 })
})
