import { fetchRequestHandler } from '@trpc/server/adapters/fetch'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp, signIn } from '#server/testing/app.ts'
import type { SignedIn, TestApp } from '#server/testing/app.ts'
import { appRouter } from '#server/transports/trpc/router.ts'
import { maximumBatchSize } from '#server/transports/body-limits.ts'

let t: TestApp
let ann: SignedIn
beforeAll(async () => {
  t = await createTestApp()
  ann = await signIn(t.services)
})
afterAll(() => t.close())

interface Asked {
  readonly method?: 'GET' | 'POST' | 'HEAD'
  readonly url: string
  readonly body?: string
  readonly signedIn?: boolean
}

const id = '01a1fcdd-50f5-7bb3-90c9-934147e5e7fb'
const query = (value: unknown) => encodeURIComponent(JSON.stringify(value))

async function ofLibrary({ method = 'GET', url, body, signedIn = true }: Asked) {
  const headers = body === undefined ? undefined : { 'content-type': 'application/json' }
  const answer = await fetchRequestHandler({
    endpoint: '/trpc',
    req: new Request(`http://localhost${url}`, { method, ...(headers && { headers, body }) }),
    router: appRouter,
    allowMethodOverride: true,
    maxBatchSize: maximumBatchSize,
    createContext: () => ({
      ...t.services,
      actor: signedIn ? ann.actor : null,
      requestId: 'same',
      address: '127.0.0.1',
      userAgent: null,
      origin: null,
      recheck: () => Promise.resolve(),
    }),
  })
  return {
    status: answer.status,
    // The library labels errors raised before parsing a call as text, although they are JSON.
    type: String(answer.headers.get('content-type')).split(';')[0]?.replace('text/plain', 'application/json'),
    vary: answer.headers.get('vary'),
    text: await answer.text(),
  }
}

async function ofPanel({ method = 'GET', url, body, signedIn = true }: Asked) {
  const headers = { ...(signedIn && ann.headers), ...(body !== undefined && { 'content-type': 'application/json' }) }
  const answer = await t.app.inject({ method, url, headers, ...(body !== undefined && { payload: body }) })
  const text = answer.body.replaceAll(/"requestId":"[^"]+"/g, '"requestId":"same"')
  return {
    status: answer.statusCode,
    type: String(answer.headers['content-type'] ?? null).split(';')[0],
    // The panel compresses answers, the library does not.
    vary: answer.headers['vary']?.replace(/(?:, )?accept-encoding$/, '') || null,
    text,
  }
}

test.each<[string, Asked]>([
  ['a query', { url: '/trpc/auth.me' }],
  ['a query of nobody', { url: '/trpc/auth.me', signedIn: false }],
  ['a query with input', { url: `/trpc/accounts.list?input=${query({ page: 1 })}` }],
  ['what is not there', { url: `/trpc/domains.full?input=${query({ id })}` }],
  ['a wrong input', { url: `/trpc/domains.full?input=${query({ id: 1 })}` }],
  ['no input where one is asked for', { url: '/trpc/domains.full' }],
  ['text that cannot be stored', { url: `/trpc/domains.full?input=${query({ id: 'a\0b' })}` }],
  ['an input that is no JSON', { url: '/trpc/domains.full?input=%7B' }],
  ['a procedure that is none', { url: '/trpc/domains.everything' }],
  ['a procedure called like a part of every object', { url: '/trpc/constructor,toString?batch=1' }],
  ['a mutation by GET', { url: `/trpc/records.refresh?input=${query({ id })}` }],
  ['a mutation', { method: 'POST', url: '/trpc/records.refresh', body: JSON.stringify({ id }) }],
  ['a body that is no JSON', { method: 'POST', url: '/trpc/records.refresh', body: '{' }],
  ['a query by POST', { method: 'POST', url: '/trpc/auth.me', body: '{}' }],
  ['a batch of one', { method: 'POST', url: '/trpc/auth.me?batch=1', body: '{}' }],
  ['a batch, some of it refused', { url: `/trpc/auth.me,domains.full,auth.me?batch=1&input=${query({ 1: { id } })}` }],
  ['a batch, all of it refused', { url: `/trpc/domains.full,domains.full?batch=1&input=${query({ 0: { id }, 1: { id } })}` }],
  ['a batch of what there is and what not', { url: '/trpc/auth.me,domains.everything?batch=1' }],
  ['a batch whose input is no object', { url: `/trpc/auth.me,auth.me?batch=1&input=${query([1])}` }],
  ['a batch that is too large', { url: `/trpc/${Array.from({ length: maximumBatchSize + 1 }, () => 'auth.me').join(',')}?batch=1` }],
  ['several without saying that they are a batch', { url: '/trpc/auth.me,auth.me' }],
  ['a head', { method: 'HEAD', url: '/trpc/auth.me' }],
])('%s gets the same response as from the library', async (_, asked) => {
  expect(await ofPanel(asked)).toEqual(await ofLibrary(asked))
})

test.each(['PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'] as const)('%s is no method of tRPC, and that is said', async (method) => {
  const answer = await t.app.inject({ method: method as 'PUT', url: '/trpc/auth.me', headers: ann.headers })
  expect([answer.statusCode, answer.headers['allow'], answer.json()]).toMatchObject([
    405,
    'GET, HEAD, POST',
    { error: { data: { code: 'method_not_allowed' } } },
  ])
})

test('a name with escapes is not found as a procedure', async () => {
  for (const url of ['/trpc/auth.me%25', '/trpc/auth.me%25zz', '/trpc/auth%252eme'])
    expect((await t.app.inject({ method: 'POST', url, headers: ann.headers, payload: {} })).statusCode).toBe(404)
})

test('errors raised by the tRPC library are JSON too', async () => {
  const untyped = await t.app.inject({ method: 'POST', url: '/trpc/auth.me', headers: ann.headers })
  const streamed = await t.app.inject({ url: '/trpc/auth.me', headers: { ...ann.headers, 'trpc-accept': 'application/jsonl' } })
  for (const { headers } of [untyped, streamed]) expect(headers['content-type']).toMatch(/^application\/json/)
})
