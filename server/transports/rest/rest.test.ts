import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { addAccountInput } from '#shared/features/accounts/schema.ts'
import { createTestApp, signIn } from '#server/testing/app.ts'
import type { SignedIn, TestApp } from '#server/testing/app.ts'
import { coerceQuery } from '#server/transports/rest/coerce-query.ts'
import { listRestRoutes } from '#server/transports/rest/rest-routes.ts'

let t: TestApp
let anna: SignedIn
beforeAll(async () => {
  t = await createTestApp()
  anna = await signIn(t.services)
})
afterAll(() => t.close())

describe('R-API-03 errors', () => {
  test('have a code, an English message and the request id that is also in the header', async () => {
    const answer = await t.app.inject('/api/auth/me')
    expect(answer.statusCode).toBe(401)
    expect(answer.json()).toEqual({
      code: 'unauthorized',
      message: expect.stringMatching(/^Authentication required/) as unknown,
      requestId: answer.headers['x-request-id'],
    })
  })

  test('a missing token gets a request to sign in, a wrong or expired one an invalid token error', async () => {
    const over = await t.app.inject({ url: '/api/auth/me', headers: { authorization: 'Bearer over' } })
    expect(over.json()).toMatchObject({
      code: 'unauthorized',
      message: 'The token is invalid, expired or revoked.',
    })
  })

  test('malformed JSON gets a message suited to scripts, without advice to reload a page', async () => {
    const headers = { ...anna.headers, 'content-type': 'application/json' }
    const answer = await t.app.inject({ method: 'POST', url: '/api/groups', headers, payload: '{' })
    expect(answer.json()).toMatchObject({ code: 'malformed_request', message: expect.stringContaining('JSON') as unknown })
    expect(answer.body).not.toMatch(/reload/i)
  })

  test('an unexpected error reveals neither its text nor its stack', async () => {
    const own = await createTestApp()
    const { headers } = await signIn(own.services)
    await own.services.db.sql`alter table users rename column username to secret_detail`
    const answer = await own.app.inject({ url: '/api/auth/me', headers })
    await own.close()
    expect(answer.statusCode).toBe(500)
    expect(answer.json()).toEqual({ code: 'internal', message: expect.any(String) as unknown, requestId: expect.any(String) as unknown })
    expect(answer.body).not.toMatch(/username|select|\bat /)
  })

  test('an unknown path is not found, and a wrong method lists the allowed ones', async () => {
    const message = 'This endpoint does not exist. See /api/docs for the available endpoints.'
    expect((await t.app.inject('/api/no/such')).json()).toMatchObject({ code: 'not_found', message })
    for (const url of ['/api/health', '/api/docs', '/api/openapi.json', '/api/renewals.ics']) {
      const other = await t.app.inject({ method: 'POST', url: `${url}?x=1`, headers: anna.headers, payload: {} })
      expect([url, other.statusCode, other.headers['allow']]).toEqual([url, 405, 'GET, HEAD'])
    }
    for (const url of ['/api/:a(', '/api/groups/:id/*', '/api/*', '/(']) {
      expect([url, (await t.app.inject({ method: 'POST', url, headers: anna.headers, payload: {} })).statusCode]).toEqual([url, 404])
    }
    const answer = await t.app.inject({ method: 'DELETE', url: '/api/auth/login', payload: 'x', headers: { 'content-type': 'text/plain' } })
    expect([answer.statusCode, answer.headers['allow'], answer.json<{ code: string }>().code]).toEqual([405, 'POST', 'method_not_allowed'])
  })

  test('a malformed path gets an ordinary error', async () => {
    const answer = await t.app.inject('/api/%ff')
    expect([answer.statusCode, answer.json<{ code: string }>().code]).toEqual([400, 'malformed_request'])
  })
})

test('a call without input may declare JSON and send nothing', async () => {
  const { headers } = await signIn(t.services)
  const answer = await t.app.inject({
    method: 'POST',
    url: '/api/auth/logout',
    headers: { ...headers, 'content-type': 'application/json' },
  })
  expect(answer.statusCode).toBe(200)
})

test('R-APP-03 a form, tRPC and REST refuse the same input at the same fields for the same reasons', async () => {
  const { headers } = await signIn(t.services)
  const faulty = { email: 'nobody', apiKey: '', name: 'x'.repeat(1_000) }
  const form = addAccountInput.safeParse(faulty).error?.issues.map(({ path, message }) => ({ path: path.join('.'), message })) ?? []
  expect(form.length).toBeGreaterThan(1)
  const places = (issues: readonly { path: string }[]) => issues.map(({ path }) => path).toSorted()
  const rest = await t.app.inject({ method: 'POST', url: '/api/accounts', headers, payload: faulty })
  const trpc = await t.app.inject({ method: 'POST', url: '/trpc/accounts.add', headers, payload: faulty })
  expect(places(rest.json<{ issues: { path: string }[] }>().issues)).toEqual(places(form))
  const { issues } = trpc.json<{ error: { data: { issues: { path: string; message: string }[] } } }>().error.data
  expect(issues.map(({ path, message }) => ({ path, message }))).toEqual(form)
})

describe('queries', () => {
  const input = z.object({
    limit: z.int().default(50),
    deep: z.boolean().optional(),
    ids: z.array(z.int()).optional(),
    text: z.string().optional(),
    filter: z
      .object({ status: z.enum(['a', 'b']).optional(), tags: z.array(z.string()).optional(), text: z.string().optional() })
      .default({}),
  })

  test.each<[Record<string, string | string[]>, unknown]>([
    [
      { limit: '5', deep: 'true', text: '12' },
      { limit: 5, deep: true, text: '12' },
    ],
    [{ ids: '1,2' }, { ids: [1, 2] }],
    [{ ids: ['1', '2'] }, { ids: [1, 2] }],
    [{ ids: '' }, { ids: [] }],
    [{ status: 'a', tags: 'x,y' }, { filter: { status: 'a', tags: ['x', 'y'] } }],
    [{ filter: '{"status":"b"}' }, { filter: { status: 'b' } }],
    [
      { limit: 'many', deep: 'yes', filter: '{' },
      { limit: 'many', deep: 'yes', filter: '{' },
    ],
    [{ limit: '0x10' }, { limit: '0x10' }],
    [{ limit: '1e2' }, { limit: '1e2' }],
    [{ limit: '-1.5' }, { limit: -1.5 }],
    [{ limit: '' }, { limit: '' }],
  ])('%j becomes %j', (query, expected) => {
    expect(coerceQuery(input, query)).toEqual(expected)
  })

  test('an invalid value is refused with the name of its field', async () => {
    const { headers } = await signIn(t.services)
    const answer = await t.app.inject({ url: '/api/zones/live?limit=many', headers })
    expect(answer.statusCode).toBe(400)
    expect(answer.json()).toMatchObject({ code: 'validation_failed', issues: [{ path: 'limit' }] })
  })

  test.each(listRestRoutes())(
    '$method $url refuses an unknown query parameter, so a misspelt filter does not select everything',
    async ({ method, url }) => {
      const target = url.replaceAll(/:\w+/g, () => crypto.randomUUID())
      const { headers } = anna
      const answer = await t.app.inject({
        method,
        url: target,
        query: { staus: 'active', toString: 'x' },
        headers,
        ...(method !== 'GET' && { payload: {} }),
      })
      expect(answer.json()).toMatchObject({
        code: 'validation_failed',
        issues: ['staus', 'toString'].map((path) => ({ path, message: 'Unknown field' })),
      })
    },
  )
})

test.each<[payload: object, paths: string[]]>([
  [{ name: 'g', colour: '#ffffff', toString: 1 }, ['colour', 'toString']],
  [{ name: '', colour: 1 }, ['colour']],
])('an unknown field of a body is refused, not dropped: %j', async (payload, paths) => {
  const answer = await t.app.inject({ method: 'POST', url: '/api/groups', headers: anna.headers, payload })
  expect([answer.statusCode, answer.json()]).toMatchObject([
    400,
    { code: 'validation_failed', issues: paths.map((path) => ({ path, message: 'Unknown field' })) },
  ])
})

describe('parameters', () => {
  const issuesOf = (answer: { json: () => unknown }) => (answer.json() as { issues?: unknown }).issues

  test('a change accepts only documented query parameters, since a password there would be logged by proxies', async () => {
    const { headers } = anna
    const query = { email: 'ann@example.com', password: 'secret' }
    const signIn = await t.app.inject({ method: 'POST', url: '/api/auth/login', query, payload: {} })
    const rename = await t.app.inject({
      method: 'PATCH',
      url: `/api/groups/${crypto.randomUUID()}`,
      query: { name: 'x' },
      headers,
      payload: {},
    })
    const message = 'Send this in the request body, not in the URL'
    expect([signIn.statusCode, issuesOf(signIn)]).toEqual([400, ['email', 'password'].map((path) => ({ path, message }))])
    expect([rename.statusCode, issuesOf(rename)]).toEqual([400, [{ path: 'name', message }]])
  })

  test('a documented query parameter of a change is accepted', async () => {
    const url = `/api/zones/${crypto.randomUUID()}`
    const answer = await t.app.inject({ method: 'DELETE', url, query: { name: 'example.com' }, headers: anna.headers })
    expect(answer.json()).toMatchObject({ code: 'not_found' })
  })

  test('a parameter given twice with different values is refused', async () => {
    const id = crypto.randomUUID()
    const message = 'This is set twice with different values'
    for (const [url, payload, path] of [
      [`/api/groups/${id}`, { id: crypto.randomUUID(), name: 'x' }, 'id'],
      [`/api/zones/bulk-delete?preview=true`, { ids: [id], preview: false }, 'preview'],
      [`/api/zones/bulk-update-settings?preview=false`, { ids: [id], settings: { ssl: 'strict' }, preview: true }, 'preview'],
    ] as const) {
      const method = path === 'id' ? 'PATCH' : 'POST'
      const answer = await t.app.inject({ method, url, headers: anna.headers, payload })
      expect([answer.statusCode, issuesOf(answer)]).toEqual([400, [{ path, message }]])
    }
    const alike = await t.app.inject({ method: 'PATCH', url: `/api/groups/${id}`, headers: anna.headers, payload: { id, name: 'x' } })
    expect(alike.json()).toMatchObject({ code: 'not_found' })
  })

  test('an endlessly nested input is refused by every entry point before it is traversed, also with an Idempotency-Key', async () => {
    const deep = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`
    const headers = { ...anna.headers, 'content-type': 'application/json' }
    for (const levels of [40, 8_000, 20_000]) {
      for (const url of ['/api/zones/bulk-delete', '/api/groups', '/trpc/groups.create', '/trpc/operations.bulkDelete']) {
        for (const more of [{}, { 'idempotency-key': `deep ${levels}` }]) {
          const payload = `{"ids":${deep(levels)}}`
          const answer = await t.app.inject({ method: 'POST', url, headers: { ...headers, ...more }, payload })
          expect([url, answer.statusCode, answer.body]).toEqual([url, 400, expect.stringContaining('validation_failed')])
          expect(answer.body).toMatch(/too_deep|nested too deeply/i)
        }
      }
    }
  })
})

test('an unknown field deep in a body is refused with its full path', async () => {
  const { headers } = anna
  const url = `/api/zones/${crypto.randomUUID()}/dns-records/batch`
  const record = { type: 'A', name: 'www', content: '192.0.2.1', proxyed: true }
  const answer = await t.app.inject({ method: 'POST', url, headers, payload: { creates: [record] } })
  expect(answer.json()).toMatchObject({ code: 'validation_failed', issues: [{ path: 'creates.0.proxyed' }] })
})

/** Section 7 of the specification; `PATCH /zones/{id}/registrar` comes with registrars. */
const calls = [
  'GET /groups',
  'GET /groups/:id',
  'POST /groups',
  'PATCH /groups/:id',
  'DELETE /groups/:id',
  'POST /groups/:id/zones',
  'DELETE /groups/:id/zones',
  'GET /zones/live',
  'GET /zones/:id',
  'GET /zones/:id/full',
  'GET /zones/:id/settings',
  'POST /zones/settings/batch',
  'POST /zones',
  'POST /zones/bulk-create',
  'DELETE /zones/:id',
  'POST /zones/:id/purge-cache',
  'POST /zones/bulk-delete',
  'POST /zones/bulk-update-settings',
  'PATCH /zones/:id/settings',
  'PATCH /zones/:id/ip-address',
  'POST /zones/:id/refresh-ip',
  'POST /zones/refresh-all-ips',
  'PATCH /zones/:id/group',
  'PATCH /zones/:id/development-mode',
  'GET /zones/:id/ssl',
  'PATCH /zones/:id/ssl/universal',
]
/** Calls that the section names without an example. */
const named = ['/accounts', '/users', '/activity-logs', '/settings', '/zones/:id/dns-records', '/operations'].map((path) => `GET ${path}`)

test('R-API-01 the calls of section 7 are available under /api, including those it only names', async () => {
  const served = new Set(listRestRoutes().map(({ method, url }) => `${method} ${url.replace(/^\/api/, '')}`))
  const wanted = [...calls, ...named, 'POST /auth/register', 'POST /auth/login']
  expect(wanted.filter((call) => !served.has(call))).toEqual([])
  expect((await t.app.inject('/api/health')).json()).toMatchObject({ status: 'ok' })
})

describe('R-API-02 the OpenAPI document', () => {
  interface Document {
    readonly openapi: string
    readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly security?: unknown }>>>>
  }

  test('has every route, with its authentication requirement', async () => {
    const answer = await t.app.inject('/api/openapi.json')
    const document = answer.json<Document>()
    expect(document.openapi).toMatch(/^3\.1\./)
    const described = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} /api${path.replaceAll(/\{(\w+)\}/g, ':$1')}`),
    )
    const served = listRestRoutes().map(({ method, url }) => `${method} ${url}`)
    expect(described.toSorted()).toEqual([...served, 'GET /api/health'].toSorted())
    expect(document.paths['/auth/me']?.['get']?.security).toEqual([{ bearer: [] }])
    expect(document.paths['/auth/login']?.['post']?.security).toEqual([])
  })
})
