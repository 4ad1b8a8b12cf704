import { createHash, randomBytes } from 'node:crypto'
import { request as httpRequest } from 'node:http'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { createTestApp, signIn } from '#server/testing/app.ts'
import type { SignedIn, TestApp } from '#server/testing/app.ts'
import { mostLarge } from '#server/transports/body-limits.ts'
import { findTooMany, maximumOf } from '#server/transports/find-too-many.ts'
import { boundsOf, boundsOfCalls, mostBytes } from '#server/transports/input-bounds.ts'
import { assertJsonShape } from '#server/platform/json-shape.ts'
import { unwrap } from '#server/transports/rest/coerce-query.ts'
import { listProcedures } from '#server/transports/trpc/list-procedures.ts'
import { assertBatchCost, costlyCalls, costlyCallSemaphore, mostCostly } from '#server/transports/trpc/costly-calls.ts'
import { mostIssues } from '#server/transports/trpc/trpc.ts'

let t: TestApp
let anna: SignedIn
beforeAll(async () => {
  t = await createTestApp()
  anna = await signIn(t.services)
})
afterAll(() => t.close())

const json = { 'content-type': 'application/json' }
const send = async (url: string, payload: string | Readable, headers: Readonly<Record<string, string>>) => {
  const answer = await t.app.inject({ method: 'POST', url, headers: { ...json, ...headers }, payload })
  return [answer.statusCode, /"code":"([a-z_]+)"/.exec(answer.body)?.[1]]
}
const padded = (kilobytes: number) => `{"name":"${'x'.repeat(kilobytes * 1024)}"}`

describe('a body is accepted only from permitted callers and up to the limit of its call', () => {
  const token = `zd_${randomBytes(32).toString('base64url')}`

  test.each([
    ['no token', undefined, [413, 'body_too_large']],
    ['a token that is none', 'Bearer x', [401, 'unauthorized']],
    ['the token of no session', `Bearer ${createHash('sha256').update('x').digest('base64url')}`, [401, 'unauthorized']],
    ['the token of no tool', `Bearer ${token}`, [401, 'unauthorized']],
    ['another scheme', 'Basic YTpi', [401, 'unauthorized']],
  ])('with %s a body of 20 kB is refused before it is read', async (_, authorization, refusal) => {
    const headers = authorization === undefined ? {} : { authorization }
    // Invalid JSON would be rejected if it were parsed.
    const broken = '{'.repeat(20 * 1024)
    for (const url of ['/trpc/groups.create', '/trpc/auth.login']) expect(await send(url, broken, headers)).toEqual(refusal)
  })

  test('over REST even a small body of an unauthenticated caller is not read', async () => {
    expect(await send('/api/groups', '{', {})).toEqual([401, 'unauthorized'])
    expect(await send('/api/groups', '{', { authorization: 'Bearer x' })).toEqual([401, 'unauthorized'])
    expect(await send('/api/groups', '{', anna.headers)).toEqual([400, 'malformed_request'])
    expect(await send('/api/auth/login', '{', {})).toEqual([400, 'malformed_request'])
  })

  test('an authenticated caller may send up to the limit of the call, and no more', async () => {
    for (const url of ['/api/groups', '/trpc/groups.create']) {
      expect(await send(url, padded(200), anna.headers)).toEqual([400, 'validation_failed'])
      expect(await send(url, padded(300), anna.headers)).toEqual([413, 'body_too_large'])
    }
    const text = JSON.stringify({ text: 'x\n'.repeat(400_000) })
    expect((await send('/trpc/accounts.addMany', text, anna.headers))[0]).not.toBe(413)
    expect(await send('/trpc/groups.create,accounts.addMany?batch=1', `{"1":${text}}`, anna.headers)).not.toEqual([413, 'body_too_large'])
  })

  test('the limit also applies to chunked bodies', async () => {
    const pieces = (kilobytes: number) => Readable.from(['{"name":"', ...Array.from({ length: kilobytes }, () => 'x'.repeat(1024)), '"}'])
    const chunked = { ...anna.headers, 'transfer-encoding': 'chunked' }
    for (const url of ['/api/groups', '/trpc/groups.create']) {
      expect(await send(url, pieces(200), chunked)).toEqual([400, 'validation_failed'])
      expect(await send(url, pieces(300), chunked)).toEqual([413, 'body_too_large'])
      expect((await send(url, pieces(1), { 'transfer-encoding': 'chunked' }))[0]).toBe(413)
    }
  })
})

test('more names than a batch may have raise no limit', async () => {
  const names = (count: number) => Array.from({ length: count }, () => 'operations.bulkDelete').join(',')
  const most = boundsOfCalls(names(20).split(',')).values
  // The brackets are nearly three times the limit of twenty calls, and less than that of sixty.
  const values = `{"0":[${'[],'.repeat(1.2 * most)}[]]}`
  expect(await send(`/trpc/${names(60)}?batch=1`, values, anna.headers)).toEqual([413, 'body_too_large'])
})

describe('the limit of an input is derived from its schema', () => {
  const listsWithoutEnd = (given: z.core.$ZodType, path: string): string[] => {
    const schema = unwrap(given)
    if (schema instanceof z.ZodArray)
      return [...(maximumOf(schema) === null ? [path] : []), ...listsWithoutEnd(schema.element, `${path}[]`)]
    if (schema instanceof z.ZodObject)
      return Object.entries<z.core.$ZodType>(schema.shape).flatMap(([name, member]) => listsWithoutEnd(member, `${path}.${name}`))
    if (schema instanceof z.ZodUnion) return schema.options.flatMap((option) => listsWithoutEnd(option, path))
    if (schema instanceof z.ZodIntersection) return [...listsWithoutEnd(schema.def.left, path), ...listsWithoutEnd(schema.def.right, path)]
    return []
  }
  test('every procedure limits the length of its lists', () => {
    const inputs = listProcedures().filter(({ input }) => input !== undefined)
    expect(inputs.length).toBeGreaterThan(150)
    expect(inputs.flatMap(({ path, input }) => (input === undefined ? [] : listsWithoutEnd(input, path)))).toEqual([])
  })

  test('a hundred thousand ids and a pasted list of accounts fit, and most calls accept a quarter of a megabyte', () => {
    expect(boundsOfCalls(['operations.bulkDelete']).bytes).toBeGreaterThan(100_000 * 39)
    expect(boundsOfCalls(['operations.bulkDelete']).values).toBeGreaterThan(100_000)
    expect(boundsOfCalls(['accounts.addMany']).bytes).toBe(mostBytes)
    expect(boundsOfCalls(['groups.create']).bytes).toBeLessThan(300 * 1024)
    expect(boundsOfCalls(['no.such', 'nothing'])).toEqual({ bytes: 256 * 1024, values: 10_000 })
    expect(boundsOfCalls(Array.from({ length: 20 }, () => 'operations.bulkDelete')).bytes).toBe(mostBytes)
    expect(boundsOf([z.object({ a: z.array(z.string().max(10)).max(5) })]).values).toBe(10_000 + 1 + 1 + 5 + 1)
  })

  test('a list that is too long is rejected before its elements are validated, at any depth', () => {
    const schema = z.object({
      ids: z.array(z.uuid()).max(3),
      change: z.union([z.object({ adds: z.array(z.object({ tags: z.array(z.string()).max(2) })).max(4) }), z.string()]),
    })
    expect(findTooMany(schema, { ids: [1, 2, 3], change: { adds: [{}, {}, {}, {}] } })).toBeNull()
    expect(findTooMany(schema, { ids: [1, 2, 3, 4] })).toEqual({ path: 'ids', max: 3 })
    expect(findTooMany(schema, { change: { adds: [{}, { tags: [1, 2, 3] }] } })).toEqual({ path: 'change.adds.1.tags', max: 2 })
    expect(findTooMany(schema, { change: { adds: Array(5) } })).toEqual({ path: 'change.adds', max: 4 })
    expect(findTooMany(schema, null)).toBeNull()
  })
})

test('JSON text is refused by its shape before parsing, regardless of its string contents', () => {
  const shaped =
    (text: string, values = 10) =>
    () =>
      assertJsonShape(text, values)
  expect(shaped('[1,2,3,4,5,6,7,8,9]')).not.toThrow()
  expect(shaped('[1,2,3,4,5,6,7,8,9,10,11]')).toThrow('body_too_large')
  expect(shaped('[{},{},{},{},{},{}]')).toThrow('body_too_large')
  expect(shaped(JSON.stringify({ text: ',[{'.repeat(100), quoted: String.raw`\",,,,,,,,,,,,` }))).not.toThrow()
  expect(shaped(String.raw`"\\",1,1,1,1,1,1,1,1,1,1,1`)).toThrow('body_too_large')
  expect(shaped('['.repeat(41), 100)).toThrow('validation_failed')
  expect(shaped('[]'.repeat(41), 100)).not.toThrow()
  expect(shaped('"never ends,,,,,,,,,,,,,,,')).not.toThrow()
})

test('at most a hundred issues are reported', async () => {
  const ids = Array.from({ length: 5_000 }, () => 'x')
  const refusals = [
    await t.app.inject({ method: 'POST', url: '/api/zones/bulk-delete', headers: anna.headers, payload: { ids } }),
    await t.app.inject({
      method: 'POST',
      url: '/api/zones/bulk-delete',
      headers: anna.headers,
      payload: Object.fromEntries(ids.map((_, n) => [`field${n}`, 1])),
    }),
    await t.app.inject({ method: 'POST', url: '/trpc/operations.bulkDelete', headers: anna.headers, payload: { ids } }),
  ]
  for (const answer of refusals) {
    expect(answer.statusCode).toBe(400)
    const parsed = answer.json<{ issues?: unknown[]; error?: { data: { issues: unknown[] } } }>()
    expect(parsed.issues ?? parsed.error?.data.issues).toHaveLength(mostIssues)
  }
})

test('a request makes at most six expensive calls, regardless of cheap ones beside them, and every listed call exists', async () => {
  const batch = (count: number) =>
    t.app.inject({
      url: `/trpc/${[...Array.from({ length: count }, () => 'settings.system'), 'auth.me'].join(',')}?batch=1`,
      headers: anna.headers,
    })
  expect((await batch(mostCostly)).statusCode).toBe(200)
  const refused = await batch(mostCostly + 1)
  expect([refused.statusCode, /"code":"([a-z_]+)"/.exec(refused.body)?.[1]]).toEqual([400, 'batch_too_costly'])
  const known = new Set(listProcedures().map(({ path }) => path))
  expect([...costlyCalls].filter((path) => !known.has(path))).toEqual([])
  expect(() => assertBatchCost(Array.from({ length: 20 }, () => 'auth.me'))).not.toThrow()
})

test('expensive calls of one person are queued across requests, one too many is refused, and other people are unaffected', async () => {
  const bob = await signIn(t.services)
  const system = async (who: SignedIn, url: string) => (await t.app.inject({ url, headers: who.headers })).statusCode
  const held = Promise.withResolvers<void>()
  const atWork = [1, 2, 3, 4].map(() => costlyCallSemaphore(t.services)(anna.user.id, () => held.promise))
  const urls = Array.from({ length: 51 }, (_, at) => (at % 2 === 0 ? '/trpc/settings.system' : '/api/settings/system'))
  const answers = urls.map((url) => system(anna, url))
  const refused = await Promise.race(answers)
  expect(refused).toBe(429)
  expect(await system(anna, '/api/auth/me')).toBe(200)
  expect(await system(bob, '/api/settings/system')).toBe(200)
  held.resolve()
  await Promise.all(atWork)
  expect((await Promise.all(answers)).filter((status) => status === 200)).toHaveLength(50)
})

test('one person sends at most eight large bodies at a time; other people and small bodies are unaffected', async () => {
  const bob = await signIn(t.services)
  const address = await t.app.listen({ port: 0, host: '127.0.0.1' })
  const sending = new AbortController()
  onTestFinished(() => sending.abort())
  /** Never ends; returns the refusal. */
  const begin = () =>
    new Promise<number | undefined>((resolve) => {
      const headers = { ...json, ...anna.headers, 'transfer-encoding': 'chunked' }
      const options = { method: 'POST', headers, signal: sending.signal }
      const request = httpRequest(`${address}/trpc/accounts.addMany`, options, ({ statusCode }) => resolve(statusCode))
      request.on('error', () => undefined)
      request.write('{"text":"')
    })
  expect(await Promise.race(Array.from({ length: mostLarge.ofOne + 1 }, begin))).toBe(429)
  const large = (who: SignedIn) => send('/trpc/accounts.addMany', JSON.stringify({ text: ' '.repeat(300 * 1024) }), who.headers)
  expect((await large(anna))[1]).toBe('too_many_attempts')
  expect((await send('/trpc/groups.create', padded(1), anna.headers))[0]).toBe(400)
  expect((await large(bob))[1]).not.toBe('too_many_attempts')
  sending.abort()
  await expect.poll(async () => (await large(anna))[1], { timeout: 30_000 }).not.toBe('too_many_attempts')
})
