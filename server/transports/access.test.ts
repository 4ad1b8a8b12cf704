import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp, signIn } from '#server/testing/app.ts'
import type { TestApp } from '#server/testing/app.ts'
import { listRestRoutes } from '#server/transports/rest/rest-routes.ts'
import { listProcedures } from '#server/transports/trpc/list-procedures.ts'

/**
 * Who may call what; a procedure that is not here fails the test. `owner`: a signed-in person, each for their own things
 * only. What that means for each procedure is tested beside its use case; here nobody gets in without signing in.
 */
const expectations: Readonly<Record<string, 'public' | 'owner' | 'admin'>> = {
  'accounts.add': 'owner',
  'accounts.addMany': 'owner',
  'accounts.check': 'owner',
  'accounts.checkProgress': 'owner',
  'accounts.deletionPreview': 'owner',
  'accounts.get': 'owner',
  'accounts.list': 'owner',
  'accounts.remove': 'owner',
  'accounts.removeMany': 'owner',
  'accounts.requestSync': 'owner',
  'accounts.reveal': 'owner',
  'accounts.sync': 'owner',
  'accounts.update': 'owner',
  'auth.config': 'public',
  'auth.register': 'public',
  'auth.login': 'public',
  'auth.logout': 'owner',
  'auth.me': 'owner',
  'domains.filterOptions': 'owner',
  'domains.full': 'owner',
  'domains.get': 'owner',
  'domains.list': 'owner',
  'domains.live': 'owner',
  'domains.lookup': 'owner',
  'domains.matchingIds': 'owner',
  'domains.range': 'owner',
  'domains.search': 'owner',
  'domains.settings': 'owner',
  'domains.summary': 'owner',
  'live.events': 'owner',
}

let t: TestApp
beforeAll(async () => {
  t = await createTestApp()
})
afterAll(() => t.close())

const callTrpc = (path: string, type: string, headers: Record<string, string> = {}) =>
  type === 'mutation'
    ? t.app.inject({ method: 'POST', url: `/trpc/${path}`, headers: { 'content-type': 'application/json', ...headers }, payload: '{}' })
    : t.app.inject({ url: `/trpc/${path}`, headers })

test('R-PRM-02 every procedure of the live router has its line here', () => {
  expect(
    listProcedures()
      .map((procedure) => procedure.path)
      .toSorted(),
  ).toEqual(Object.keys(expectations).toSorted())
})

test.each(listProcedures())('R-PRM-02 $path asks who it is', async ({ path, type }) => {
  const answer = await callTrpc(path, type)
  if (expectations[path] === 'public') expect(answer.statusCode).not.toBe(401)
  // A subscription's refusal is its first event; the stream itself has begun.
  else if (type === 'subscription') expect(answer.body).toContain('"code":"unauthorized"')
  else expect(answer.statusCode).toBe(401)
})

test.each(listProcedures().filter(({ path }) => expectations[path] === 'admin'))(
  'R-PRM-01 $path is for administrators',
  async ({ path, type }) => {
    const { headers } = await signIn(t.services)
    expect((await callTrpc(path, type, headers)).statusCode).toBe(403)
  },
)

test.each(listRestRoutes())('R-PRM-02 $method $url asks who it is, like the procedure behind it', async ({ method, url, path }) => {
  const answer = await t.app.inject({ method, url: url.replaceAll(/:\w+/g, '01a1fcdd-50f5-7bb3-90c9-934147e5e7fb') })
  if (expectations[path] === 'public') expect(answer.statusCode).not.toBe(401)
  else expect(answer.statusCode).toBe(401)
})

test.each(['Bearer', 'Bearer x', 'Basic YTpi', 'bearer null', `Bearer ${'x'.repeat(600)}`])(
  'a header that is no session (%s) is nobody',
  async (authorization) => {
    const answer = await t.app.inject({ url: '/api/auth/me', headers: { authorization } })
    expect(answer.statusCode).toBe(401)
  },
)
