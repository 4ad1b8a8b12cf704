import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { callAs, createTestApp, signIn } from '#server/testing/app.ts'
import type { SignedIn, TestApp } from '#server/testing/app.ts'
import { testPassword } from '#server/testing/factories.ts'

let t: TestApp
let ann: SignedIn
beforeAll(async () => {
  t = await createTestApp({ trustProxy: ['127.0.0.1'] })
})
afterAll(() => t.close())
beforeEach(async () => {
  ann = await signIn(t.services, { name: 'Ann' })
})

const refusal = (code: string) => ({ cause: expect.objectContaining({ code }) as unknown })
const status = async (token: string) =>
  (await t.app.inject({ url: '/api/auth/me', headers: { authorization: `Bearer ${token}` } })).statusCode
let host = 0
const login = (email: string, password: string, headers: Record<string, string> = {}) => {
  host += 1
  return t.app.inject({
    method: 'POST',
    url: '/api/auth/login',
    payload: { email, password },
    headers: { 'x-forwarded-for': `198.51.100.${host}`, ...headers },
  })
}
const signInAgain = (from: { address: string | null; userAgent: string | null } = { address: null, userAgent: null }) =>
  t.services.sessions.create(t.services.db.orm, ann.user.id, from)
const passwords = (password: string, currentPassword = testPassword) => ({ currentPassword, password, passwordConfirmation: password })
const log = (id: string) =>
  t.services.db.sql<{ action: string; details: Record<string, unknown> }[]>`
    select action, details from activity where entity_type = 'user' and entity_id = ${id} order by id`

describe('table layouts', () => {
  const layout = { columns: { ssl: true, email: false }, widths: { name: 320 }, comfortable: true }

  test('R-DOM-03 are stored per person and table, and removed by a reset', async () => {
    const bob = await signIn(t.services, { name: 'Bob' })
    await ann.call.me.saveLayout({ table: 'domains', layout })
    await ann.call.me.saveLayout({ table: 'users', layout: { ...layout, comfortable: false } })
    expect(await ann.call.me.layouts()).toEqual({ tables: { domains: layout, users: { ...layout, comfortable: false } } })
    expect(await bob.call.me.layouts()).toEqual({ tables: {} })
    await ann.call.me.saveLayout({ table: 'users', layout: null })
    expect(await ann.call.me.layouts()).toEqual({ tables: { domains: layout } })
  })

  test('are limited in number and size, and unknown parts are dropped', async () => {
    for (let table = 0; table < 60; table += 1) await ann.call.me.saveLayout({ table: `table-${table}`, layout })
    await expect(ann.call.me.saveLayout({ table: 'one-more', layout })).rejects.toMatchObject(refusal('limit_reached'))
    await ann.call.me.saveLayout({ table: 'table-0', layout: { ...layout, comfortable: false } })
    const wide = { ...layout, widths: Object.fromEntries(Array.from({ length: 61 }, (_, at) => [`c${at}`, 100])) }
    await expect(ann.call.me.saveLayout({ table: 'table-0', layout: wide })).rejects.toMatchObject({ code: 'BAD_REQUEST' })
    const kept = JSON.stringify({ domains: { toggled: ['ssl'] }, users: layout })
    await t.services.db.sql`update users set table_layouts = ${kept}::jsonb where id = ${ann.user.id}`
    expect(await ann.call.me.layouts()).toEqual({ tables: { users: layout } })
  })
})

describe('own profile', () => {
  test('name, user name, email and language are changed over REST, and logged', async () => {
    const answer = await t.app.inject({
      method: 'PATCH',
      url: '/api/auth/me',
      headers: ann.headers,
      payload: { name: '', username: 'anna', email: 'Anna@Example.com', language: 'en' },
    })
    expect(answer.statusCode).toBe(200)
    expect(answer.json()).toMatchObject({ user: { name: null, username: 'anna', email: 'anna@example.com', language: 'en', role: 'user' } })
    expect(answer.json()).toEqual(await ann.call.me.get())
    expect((await log(ann.user.id))[0]?.details).toMatchObject({ name: { from: 'Ann', to: null }, language: { from: null, to: 'en' } })
  })

  test('R-PRM-01 the own role cannot be changed', async () => {
    const payload = { name: 'Chief', role: 'admin', id: ann.user.id }
    const answer = await t.app.inject({ method: 'PATCH', url: '/api/auth/me', headers: ann.headers, payload })
    expect(answer.statusCode).toBe(400)
    expect((await ann.call.me.get()).user).toMatchObject({ name: 'Ann', role: 'user' })
  })

  test('another email or user name requires recent authentication, a name and a language do not', async () => {
    const stale = callAs(t.services, { ...ann.actor, verifiedAt: new Date(Date.now() - 15 * 60_000) })
    await expect(stale.me.update({ email: 'thief@example.com' })).rejects.toMatchObject(refusal('confirmation_needed'))
    await expect(stale.me.update({ username: 'thief' })).rejects.toMatchObject(refusal('confirmation_needed'))
    await expect(stale.me.update({ language: 'en' })).resolves.toMatchObject({ user: { language: 'en' } })
    await expect(stale.me.update({ name: 'Anna', email: ann.user.email })).resolves.toMatchObject({ user: { name: 'Anna' } })
  })

  test('an edit based on a state that an administrator has changed in the meantime is refused', async () => {
    const admin = await signIn(t.services, { role: 'admin' })
    const before = (await ann.call.me.get()).user
    await admin.call.users.update({ id: ann.user.id, name: 'By the chief' })
    await expect(ann.call.me.update({ name: 'By me', updatedAt: before.updatedAt })).rejects.toMatchObject(refusal('conflict'))
    expect((await ann.call.me.get()).user.name).toBe('By the chief')
  })

  test('another person’s email or user name is refused', async () => {
    const bob = await signIn(t.services)
    await expect(ann.call.me.update({ email: bob.user.email.toUpperCase() })).rejects.toMatchObject(refusal('email_taken'))
    await expect(ann.call.me.update({ username: bob.user.username.toUpperCase() })).rejects.toMatchObject(refusal('username_taken'))
  })
})

describe('own password', () => {
  test('R-AUT-06 a password change ends every earlier token, including the current one, and returns a new one', async () => {
    const elsewhere = await signInAgain()
    const answer = await t.app.inject({ method: 'POST', url: '/api/auth/password', headers: ann.headers, payload: passwords('another1') })
    expect(answer.statusCode).toBe(200)
    const { token } = answer.json<{ token: string }>()
    expect([await status(ann.token), await status(elsewhere), await status(token)]).toEqual([401, 401, 200])
    expect((await login(ann.user.email, testPassword)).statusCode).toBe(401)
    expect((await login(ann.user.email, 'another1')).statusCode).toBe(200)
    expect(JSON.stringify(await log(ann.user.id))).not.toContain('another1')
  })

  test('a wrong current password changes nothing, ends nothing and is reported at its field', async () => {
    const answer = await t.app.inject({
      method: 'POST',
      url: '/api/auth/password',
      headers: ann.headers,
      payload: passwords('another1', 'not mine'),
    })
    expect(answer.json()).toMatchObject({
      code: 'validation_failed',
      issues: [{ path: 'currentPassword', message: 'Incorrect password' }],
    })
    expect(await status(ann.token)).toBe(200)
    expect((await log(ann.user.id)).map(({ action }) => action)).toEqual(['denied'])
  })

  test('guesses at the current password are limited, also concurrently', async () => {
    const answers = await Promise.allSettled(Array.from({ length: 15 }, () => ann.call.me.changePassword(passwords('another1', 'guess'))))
    const codes = answers.map((answer) =>
      answer.status === 'rejected' ? (answer.reason as { cause: { code: string } }).cause.code : 'none',
    )
    expect(codes.filter((code) => code === 'too_many_attempts')).toHaveLength(5)
    await expect(ann.call.me.changePassword(passwords('another1'))).rejects.toMatchObject(refusal('too_many_attempts'))
  })

  test('of several concurrent changes with the same old password, one succeeds', async () => {
    const answers = await Promise.allSettled(Array.from({ length: 5 }, (_, i) => ann.call.me.changePassword(passwords(`another${i}`))))
    const done = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value.token] : []))
    expect(done).toHaveLength(1)
    expect(await status(done[0] ?? '')).toBe(200)
  })

  test('the own name or email is refused as a password, and the old password stays valid', async () => {
    await expect(ann.call.me.changePassword(passwords(ann.user.email))).rejects.toMatchObject({
      cause: { code: 'validation_failed', issues: [{ path: 'password', message: 'password_own' }] },
    })
    await expect(ann.call.me.changePassword(passwords('another1'))).resolves.toMatchObject({})
  })

  test('with a second factor the password is not enough to change it: recent authentication is required', async () => {
    await t.services.db.sql`
      insert into totp (user_id, secret_sealed, confirmed_at, last_step) values (${ann.user.id}, 'v1.none', now(), 0)`
    const stale = callAs(t.services, { ...ann.actor, verifiedAt: new Date(Date.now() - 15 * 60_000) })
    await expect(stale.me.changePassword(passwords('another1'))).rejects.toMatchObject(refusal('confirmation_needed'))
    await expect(ann.call.me.changePassword(passwords('another1'))).resolves.toMatchObject({ token: expect.any(String) as unknown })
  })

  test('a sign-in started with the old password cannot be completed with the second factor', async () => {
    await t.services.db.sql`
      insert into totp (user_id, secret_sealed, confirmed_at, last_step) values (${ann.user.id}, 'v1.none', now(), 0)`
    const begin = async () => (await login(ann.user.email, testPassword)).json<{ secondFactor: { ticket: string } }>().secondFactor.ticket
    const finish = (ticket: string) =>
      t.app.inject({ method: 'POST', url: '/api/auth/second-factor', payload: { ticket, method: 'recovery', code: 'aaaa-bbbb-cccc' } })
    const kept = await begin()
    expect((await finish(kept)).json()).toMatchObject({ code: 'invalid_second_factor' })
    await ann.call.me.changePassword(passwords('another1'))
    expect((await finish(kept)).json()).toMatchObject({ code: 'challenge_expired' })
  })

  test.each([
    ['password', { password: '12345', passwordConfirmation: '12345' }],
    ['passwordConfirmation', { passwordConfirmation: 'else' }],
    ['currentPassword', { currentPassword: '' }],
  ])('a faulty %s is refused before anything is looked at', async (path, faulty) => {
    const payload = { ...passwords('another1'), ...faulty }
    const answer = await t.app.inject({ method: 'POST', url: '/api/auth/password', headers: ann.headers, payload })
    expect(answer.json()).toMatchObject({ code: 'validation_failed', issues: [{ path }] })
  })
})

describe('own sessions', () => {
  test('the list has device, address and last use, the current session first, and nothing that could sign in', async () => {
    const token = await signInAgain({ address: '203.0.113.7', userAgent: 'Phone' })
    const answer = await t.app.inject({ url: '/api/auth/sessions', headers: ann.headers })
    const { sessions } = answer.json<{ sessions: { id: string }[] }>()
    expect(sessions).toMatchObject([
      { current: true, address: '192.0.2.1', userAgent: 'test' },
      { current: false, address: '203.0.113.7', userAgent: 'Phone', lastUsedAt: expect.any(String) as unknown },
    ])
    expect(answer.body).not.toContain(token)
    for (const { id } of sessions) expect(await status(id)).toBe(401)
  })

  test('a session can be ended remotely; another person’s is not found', async () => {
    const token = await signInAgain()
    const [, other] = (await ann.call.me.sessions()).sessions
    const bob = await signIn(t.services)
    const end = (who: SignedIn) => t.app.inject({ method: 'DELETE', url: `/api/auth/sessions/${other?.id}`, headers: who.headers })
    expect([(await end(bob)).statusCode, await status(token)]).toEqual([404, 200])
    expect([(await end(ann)).statusCode, await status(token), await status(ann.token)]).toEqual([204, 401, 200])
    expect((await end(ann)).statusCode).toBe(404)
    expect((await log(ann.user.id)).map(({ action, details }) => [action, details['remote']])).toEqual([['logout', true]])
  })

  test('all other sessions are ended immediately', async () => {
    const tokens = [await signInAgain(), await signInAgain()]
    const answer = await t.app.inject({ method: 'DELETE', url: '/api/auth/sessions', headers: ann.headers })
    expect(answer.json()).toEqual({ ended: 2, feedEnded: false, tokensRevoked: 0 })
    expect([await status(tokens[0] ?? ''), await status(tokens[1] ?? ''), await status(ann.token)]).toEqual([401, 401, 200])
    expect((await ann.call.me.sessions()).sessions).toHaveLength(1)
  })

  test('an ended session is not listed', async () => {
    await signInAgain()
    await t.services.db.sql`update sessions set expires_at = now() - interval '1 s' where user_id = ${ann.user.id} and address is null`
    expect((await ann.call.me.sessions()).sessions).toHaveLength(1)
  })

  test('signing in creates a new token regardless of the token sent with it', async () => {
    const planted = await login(ann.user.email, testPassword, { authorization: `Bearer ${ann.token}`, cookie: `token=${ann.token}` })
    const { token } = planted.json<{ token: string }>()
    expect(token).not.toBe(ann.token)
    const unknown = 'x'.repeat(43)
    await login(ann.user.email, testPassword, { authorization: `Bearer ${unknown}` })
    expect(await status(unknown)).toBe(401)
  })
})
