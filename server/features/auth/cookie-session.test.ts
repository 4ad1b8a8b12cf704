import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createTestApp } from '#server/testing/app.ts'
import type { TestApp } from '#server/testing/app.ts'
import { insertUser, testPassword } from '#server/testing/factories.ts'

const xsrf = 'a'.repeat(22)

let t: TestApp
let origin: string
beforeAll(async () => {
  t = await createTestApp({ browserSession: 'cookie' })
  origin = await t.app.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(() => t.close())

let email: string
beforeEach(async () => {
  ;({ email } = await insertUser(t.services.db))
})

type Headers = Readonly<Record<string, string>>
const page = (session?: string): Headers => ({
  cookie: `XSRF-TOKEN=${xsrf}${session === undefined ? '' : `; zonedeck-session=${session}`}`,
  'x-xsrf-token': xsrf,
  'sec-fetch-site': 'same-origin',
  ...(session !== undefined && { authorization: 'Bearer cookie' }),
})
const { authorization: _, ...withoutBearer } = page('')

const signInWith = (headers: Headers, app = t.app) =>
  app.inject({ method: 'POST', url: '/api/auth/login', headers, payload: { email, password: testPassword } })
const kept = (answer: Awaited<ReturnType<typeof signInWith>>) => answer.cookies.find(({ name }) => name.endsWith('zonedeck-session'))

/** The cookie set by a sign-in on the page. */
async function openPage(): Promise<string> {
  const value = kept(await signInWith(page()))?.value
  if (value === undefined) throw new Error('no session cookie was set')
  return value
}
const me = async (headers: Headers) => (await t.app.inject({ url: '/api/auth/me', headers })).statusCode

describe('BROWSER_SESSION=cookie', () => {
  test('a browser’s token is in a cookie that scripts cannot read, and in no response', async () => {
    const answer = await signInWith(page())
    const cookie = kept(answer)
    expect(cookie).toMatchObject({ name: 'zonedeck-session', path: '/', httpOnly: true, sameSite: 'Strict' })
    expect(answer.json()).toMatchObject({ token: 'cookie', user: { email } })
    expect(answer.body).not.toContain(cookie?.value)
    expect(await me(page(cookie?.value))).toBe(200)
  })

  test('registration sets the same cookie', async () => {
    const payload = { email: 'new@example.com', password: testPassword, passwordConfirmation: testPassword }
    const answer = await t.app.inject({ method: 'POST', url: '/api/auth/register', headers: page(), payload })
    expect(answer.json()).toMatchObject({ token: 'cookie' })
    expect(await me(page(kept(answer)?.value))).toBe(200)
  })

  test('over HTTPS no other host can set the cookie, and it is never sent over plain HTTP', async () => {
    const secure = await createTestApp({ browserSession: 'cookie', publicUrl: 'https://panel.test' })
    try {
      ;({ email } = await insertUser(secure.services.db))
      const cookie = kept(await signInWith(page(), secure.app))
      expect(cookie).toMatchObject({ name: '__Host-zonedeck-session', secure: true, httpOnly: true, sameSite: 'Strict', path: '/' })
      expect(cookie).not.toHaveProperty('domain')
    } finally {
      await secure.close()
    }
  })

  test('the cookie is not accepted without the panel’s header or from a cross-site request', async () => {
    const session = await openPage()
    const { authorization: _none, ...noHeader } = page(session)
    expect(await me(noHeader)).toBe(401)
    expect(await me({ ...page(session), cookie: `zonedeck-session=${session}` })).toBe(401)
    for (const site of ['cross-site', 'same-site', 'none']) expect(await me({ ...page(session), 'sec-fetch-site': site })).toBe(401)
  })

  test('a change repeats the XSRF cookie and comes from the panel’s origin', async () => {
    const session = await openPage()
    const change = async (headers: Headers) => {
      const answer = await t.app.inject({ method: 'POST', url: '/api/auth/logout', headers })
      return answer.statusCode === 200 ? 'done' : answer.json<{ code: string }>().code
    }
    const { 'x-xsrf-token': _none, ...unmatched } = page(session)
    expect(await change(unmatched)).toBe('xsrf_mismatch')
    expect(await change({ ...page(session), origin: 'https://evil.test' })).toBe('origin_mismatch')
    expect(await change({ ...page(session), 'sec-fetch-site': 'cross-site' })).toBe('unauthorized')
    expect(await change(page(session))).toBe('done')
  })

  test('event streams are opened only by the panel’s own pages', async () => {
    const session = await openPage()
    const open = async (headers: Headers) => {
      const stop = new AbortController()
      const answer = await fetch(`${origin}/trpc/live.events?input=${encodeURIComponent('{}')}`, { headers, signal: stop.signal })
      const first = async () => ((await answer.body?.getReader().read()) as { readonly value?: Uint8Array } | undefined)?.value
      const said = answer.ok ? new TextDecoder().decode(await first()) : await answer.text()
      stop.abort()
      return [answer.headers.get('content-type')?.split(';')[0], said.includes('unauthorized')]
    }
    const stream = await open(page(session))
    expect(stream).toEqual(['text/event-stream', false])
    const { authorization: _none, ...noHeader } = page(session)
    for (const headers of [noHeader, { ...page(session), 'sec-fetch-site': 'cross-site' }]) expect(await open(headers)).not.toEqual(stream)
  })

  test('a password change sets a new session cookie and ends the previous session', async () => {
    const session = await openPage()
    const payload = { currentPassword: testPassword, password: 'another1', passwordConfirmation: 'another1' }
    const answer = await t.app.inject({ method: 'POST', url: '/api/auth/password', headers: page(session), payload })
    expect(answer.json()).toMatchObject({ token: 'cookie' })
    expect([await me(page(session)), await me(page(kept(answer)?.value))]).toEqual([401, 200])
  })

  test('signing out ends the session and clears the cookie', async () => {
    const session = await openPage()
    const answer = await t.app.inject({ method: 'POST', url: '/api/auth/logout', headers: page(session) })
    expect(kept(answer)).toMatchObject({ value: '', expires: new Date(0) })
    expect(await me(page(session))).toBe(401)
  })

  test('API clients get a bearer token and no cookie, and existing tokens stay valid', async () => {
    const answer = await signInWith({})
    const { token } = answer.json<{ token: string }>()
    expect(answer.cookies).toEqual([])
    expect(await me({ authorization: `Bearer ${token}` })).toBe(200)
    // A page signed in before the setting changed, and an API token sent as a session.
    expect(await me({ ...page('x'), authorization: `Bearer ${token}` })).toBe(200)
    const api = await t.app.inject({
      method: 'POST',
      url: '/trpc/apiTokens.create',
      headers: { authorization: `Bearer ${token}` },
      payload: { name: 'ci', scope: 'read' },
    })
    const { secret } = api.json<{ result: { data: { secret: string } } }>().result.data
    expect([await me({ authorization: `Bearer ${secret}` }), await me(page(secret))]).toEqual([200, 401])
  })
})

test('R-AUT-04 without the setting a browser gets a bearer token and no session cookie', async () => {
  const usual = await createTestApp()
  try {
    ;({ email } = await insertUser(usual.services.db))
    const answer = await signInWith(page(), usual.app)
    expect(kept(answer)).toBeUndefined()
    expect(answer.json<{ token: string }>().token).toHaveLength(43)
    expect(
      (await usual.app.inject({ url: '/api/auth/me', headers: { ...withoutBearer, authorization: 'Bearer cookie' } })).statusCode,
    ).toBe(401)
  } finally {
    await usual.close()
  }
})
