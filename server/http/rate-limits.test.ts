import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp, signIn } from '#server/testing/app.ts'
import type { TestApp } from '#server/testing/app.ts'
import { testPassword } from '#server/testing/factories.ts'

let t: TestApp
beforeAll(async () => {
  t = await createTestApp()
})
afterAll(() => t.close())

const limitsOf = ({ headers }: { readonly headers: Readonly<Record<string, unknown>> }) =>
  ['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset'].map((name) => headers[name])
const byEmail = 10

test.each(['/api/auth/login', '/trpc/auth.login'])(
  'R-AUT-06 %s reports the remaining attempts and the reset time, and a success uses none',
  async (url) => {
    const { user } = await signIn(t.services)
    const login = (password: string) => t.app.inject({ method: 'POST', url, payload: { email: user.email, password } })
    const [limit, remaining, reset] = limitsOf(await login('not that one'))
    expect([limit, remaining]).toEqual([String(byEmail), String(byEmail - 1)])
    expect(Number(reset)).toBeGreaterThan(0)
    expect(limitsOf(await login('nor that one'))[1]).toBe(String(byEmail - 2))
    const signedIn = await login(testPassword)
    expect([signedIn.statusCode, limitsOf(signedIn)[1]]).toEqual([200, String(byEmail - 2)])
  },
)

test('R-AUT-06 a batch of sign-ins reports the strictest limit', async () => {
  const [one, other] = [await signIn(t.services), await signIn(t.services)]
  const payload = Object.fromEntries([one, one, other].map(({ user }, at) => [at, { email: user.email, password: 'not that one' }]))
  const answer = await t.app.inject({ method: 'POST', url: '/trpc/auth.login,auth.login,auth.login?batch=1', payload })
  expect(limitsOf(answer).slice(0, 2)).toEqual([String(byEmail), String(byEmail - 2)])
})

test('a call without a rate limit sends no rate-limit headers', async () => {
  const { headers } = await signIn(t.services)
  for (const url of ['/api/groups', '/trpc/groups.list?input={}', '/api/health', '/api/no/such']) {
    expect(limitsOf(await t.app.inject({ url, headers }))).toEqual([undefined, undefined, undefined])
  }
})
