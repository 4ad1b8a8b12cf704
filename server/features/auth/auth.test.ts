import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { findUserByEmail } from '#server/features/auth/auth.repo.ts'
import { createUser } from '#server/features/auth/create-user.ts'
import { mostSessions } from '#server/platform/sessions.repo.ts'
import { callAs, createTestApp, signIn } from '#server/testing/app.ts'
import type { TestApp } from '#server/testing/app.ts'
import { insertUser, testPassword } from '#server/testing/factories.ts'
import { createTestServices } from '#server/testing/services.ts'

let t: TestApp
beforeAll(async () => {
  t = await createTestApp({ trustProxy: ['127.0.0.1'] })
})
afterAll(() => t.close())

let host = 0
/** A call from an address used by nothing else in this file. */
const post = (url: string, payload: object, headers: Record<string, string> = {}) => {
  host += 1
  return t.app.inject({ method: 'POST', url, payload, headers: { 'x-forwarded-for': `198.51.100.${host}`, ...headers } })
}
const newcomer = (email: string, rest: object = {}) => ({ email, password: 'secret1', passwordConfirmation: 'secret1', ...rest })

async function empty(registration: 'open' | 'closed' = 'open') {
  const own = await createTestServices({ registration })
  onTestFinished(() => own.close())
  return own.services
}

test('R-AUT-01 sign-in with email and password works, in any letter case of the email, and the token is valid', async () => {
  const user = await insertUser(t.services.db, { email: 'ann@example.com', name: 'Ann' })
  const answer = await post('/api/auth/login', { email: ' Ann@Example.com ', password: testPassword })
  expect(answer.statusCode).toBe(200)
  const { token } = answer.json<{ token: string }>()
  expect(answer.json()).toEqual({
    token,
    user: {
      id: user.id,
      username: user.username,
      name: 'Ann',
      email: 'ann@example.com',
      role: 'user',
      createdAt: user.createdAt.toISOString(),
    },
  })
  const me = await t.app.inject({ url: '/api/auth/me', headers: { authorization: `Bearer ${token}` } })
  expect(me.json()).toMatchObject({ user: { email: 'ann@example.com' } })
})

test('R-AUT-01 a wrong password and an unknown email get the same response', async () => {
  await insertUser(t.services.db, { email: 'bob@example.com' })
  const [wrong, unknown] = await Promise.all([
    post('/api/auth/login', { email: 'bob@example.com', password: 'not that' }),
    post('/api/auth/login', { email: 'nobody@example.com', password: 'not that' }),
  ])
  const { requestId: _1, ...wrongBody } = wrong.json<Record<string, unknown>>()
  const { requestId: _2, ...unknownBody } = unknown.json<Record<string, unknown>>()
  expect(wrong.statusCode).toBe(401)
  expect(wrongBody).toEqual({ code: 'invalid_credentials', message: 'Invalid email or password' })
  expect([unknown.statusCode, unknownBody]).toEqual([401, wrongBody])
})

test('R-AUT-01 an unknown email takes as long as a wrong password: both compute one hash', async () => {
  const registered = (await post('/api/auth/register', newcomer('timing@example.com'))).statusCode
  expect(registered).toBe(200)
  const time = async (email: string) => {
    const began = process.hrtime.bigint()
    await post('/api/auth/login', { email, password: 'wrong password' })
    return Number(process.hrtime.bigint() - began)
  }
  const known: number[] = []
  const unknown: number[] = []
  for (let i = 0; i < 7; i += 1) {
    known.push(await time('timing@example.com'))
    unknown.push(await time(`timing${i}@example.com`))
  }
  // The fastest of each has the least noise. Without the hash the unknown email would take a fifth of the time.
  const ratio = Math.min(...unknown) / Math.min(...known)
  expect(ratio).toBeGreaterThan(1 / 3)
  expect(ratio).toBeLessThan(3)
})

test.each([
  ['R-AUT-01', 'email', '/api/auth/login', { password: 'secret1' }, 'This field is required'],
  ['R-AUT-01', 'password', '/api/auth/login', { email: 'a@example.com', password: '' }, 'This field is required'],
  ['R-AUT-01', 'password', '/api/auth/login', { email: 'a@example.com', password: '12345' }, 'Use at least 6 characters'],
  ['R-AUT-02', 'email', '/api/auth/register', newcomer('not an email'), 'Invalid email format'],
  ['R-AUT-02', 'password', '/api/auth/register', newcomer('a@example.com', { password: '12345' }), 'Use at least 6 characters'],
  [
    'R-AUT-02',
    'passwordConfirmation',
    '/api/auth/register',
    newcomer('a@example.com', { passwordConfirmation: 'secret2' }),
    'Passwords do not match',
  ],
])('%s an invalid %s is refused by %s', async (_id, path, url, payload, message) => {
  const answer = await post(url, payload)
  expect(answer.statusCode).toBe(400)
  expect(answer.json()).toMatchObject({ code: 'validation_failed', issues: expect.arrayContaining([{ path, message }]) as unknown })
})

test('R-AUT-02 registration needs no name and derives a unique username from the email', async () => {
  const names = []
  for (const domain of ['one.example', 'two.example', 'three.example']) {
    const answer = await post('/api/auth/register', newcomer(`Sam.Smith+x@${domain}`))
    names.push(answer.json<{ user: { username: string; name: null } }>().user)
  }
  expect(names.map((user) => user.username)).toEqual(['sam.smith-x', 'sam.smith-x2', 'sam.smith-x3'])
  expect(names.map((user) => user.name)).toEqual([null, null, null])
})

test('R-AUT-02 an email can be registered only once, in any letter case', async () => {
  await post('/api/auth/register', newcomer('once@example.com'))
  const again = await post('/api/auth/register', newcomer('ONCE@example.com'))
  expect([again.statusCode, again.json<{ code: string }>().code]).toEqual([409, 'email_taken'])
})

test('R-AUT-03 of fifty concurrent registrations exactly one becomes administrator', async () => {
  const services = await empty()
  const call = callAs(services, null)
  const answers = await Promise.all(Array.from({ length: 50 }, (_, i) => call.auth.register(newcomer(`p${i}@example.com`))))
  expect(answers.filter((answer) => answer.user.role === 'admin')).toHaveLength(1)
  expect(new Set(answers.map((answer) => answer.user.username)).size).toBe(50)
})

test('R-AUT-03 with registration closed only the first person may register', async () => {
  const services = await empty('closed')
  const call = callAs(services, null)
  expect(await call.auth.config()).toEqual({ registration: 'open', firstUser: true })
  const first = await call.auth.register(newcomer('first@example.com'))
  expect(first.user.role).toBe('admin')
  expect(await call.auth.config()).toEqual({ registration: 'closed', firstUser: false })
  await expect(call.auth.register(newcomer('second@example.com'))).rejects.toThrow('registration_closed')
})

describe('R-AUT-06', () => {
  test('passwords are stored as argon2id with at least 19 MiB, two passes', async () => {
    await post('/api/auth/register', newcomer('stored@example.com'))
    const [row] = await t.services.db.sql<{ passwordHash: string }[]>`select password_hash from users where email = 'stored@example.com'`
    expect(row?.passwordHash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  })

  test('attempts against one email are limited over all addresses, also concurrently', async () => {
    await insertUser(t.services.db, { email: 'target@example.com' })
    const answers = await Promise.all(
      Array.from({ length: 30 }, () => post('/api/auth/login', { email: 'target@example.com', password: 'wrong!' })),
    )
    const statuses = answers.map((answer) => answer.statusCode)
    expect(statuses.filter((status) => status === 401)).toHaveLength(10)
    const refused = answers.find((answer) => answer.statusCode === 429)
    expect(refused?.json()).toMatchObject({ code: 'too_many_attempts' })
    expect(Number(refused?.headers['retry-after'])).toBeGreaterThan(0)
    const right = await post('/api/auth/login', { email: 'target@example.com', password: testPassword })
    expect(right.statusCode).toBe(429)
  })

  test('guesses by others do not lock a person out of an address where they are signed in', async () => {
    await insertUser(t.services.db, { email: 'guessed@example.com' })
    const right = { email: 'guessed@example.com', password: testPassword }
    const home = { 'x-forwarded-for': '203.0.113.20' }
    expect((await post('/api/auth/login', right, home)).statusCode).toBe(200)
    const strangers = { 'x-forwarded-for': '203.0.113.21' }
    for (let i = 0; i < 11; i += 1) await post('/api/auth/login', { ...right, password: 'wrong!' }, strangers)
    expect((await post('/api/auth/login', right, strangers)).statusCode).toBe(429)
    expect((await post('/api/auth/login', right, home)).statusCode).toBe(200)
    for (let i = 0; i < 10; i += 1) await post('/api/auth/login', { ...right, password: 'wrong!' }, home)
    expect((await post('/api/auth/login', right, home)).statusCode).toBe(429)
  })

  test('attempts from one address are limited over all emails, and a success does not reset the count', async () => {
    await insertUser(t.services.db, { email: 'insider@example.com' })
    const from = { 'x-forwarded-for': '203.0.113.9' }
    const statuses: number[] = []
    for (let i = 0; i < 60; i += 1) {
      if (i === 40)
        expect((await post('/api/auth/login', { email: 'insider@example.com', password: testPassword }, from)).statusCode).toBe(200)
      statuses.push((await post('/api/auth/login', { email: `guess${i}@example.com`, password: 'wrong!' }, from)).statusCode)
    }
    expect(statuses.filter((status) => status === 401)).toHaveLength(50)
    expect(statuses.slice(50)).toEqual(Array.from({ length: 10 }, () => 429))
  })

  test('successful sign-ins are not limited', async () => {
    await insertUser(t.services.db, { email: 'often@example.com' })
    for (let i = 0; i < 15; i += 1) {
      const answer = await post(
        '/api/auth/login',
        { email: 'often@example.com', password: testPassword },
        { 'x-forwarded-for': '203.0.113.10' },
      )
      expect(answer.statusCode).toBe(200)
    }
  })

  test('a subscriber’s IPv6 /64 network counts as one address', async () => {
    const statuses = await Promise.all(
      Array.from({ length: 60 }, async (_, i) => {
        const answer = await post(
          '/api/auth/login',
          { email: `six${i}@example.com`, password: 'wrong!' },
          { 'x-forwarded-for': `2001:db8:1:2::${(i + 1).toString(16)}` },
        )
        return answer.statusCode
      }),
    )
    expect(statuses.filter((status) => status === 429)).toHaveLength(10)
  })

  test('each call of a batch counts, and a batch of 100 is refused as a whole', async () => {
    const batch = (count: number, from: string) =>
      t.app.inject({
        method: 'POST',
        url: `/trpc/${Array.from({ length: count }, () => 'auth.login').join(',')}?batch=1`,
        headers: { 'x-forwarded-for': from, 'content-type': 'application/json' },
        payload: Object.fromEntries(Array.from({ length: count }, (_, i) => [i, { email: 'batched@example.com', password: `guess${i}` }])),
      })
    const answer = await batch(20, '203.0.113.11')
    const codes = answer.json<{ error: { data: { code: string } } }[]>().map((item) => item.error.data.code)
    expect(codes.filter((code) => code === 'invalid_credentials')).toHaveLength(10)
    expect(codes.filter((code) => code === 'too_many_attempts')).toHaveLength(10)

    const before = await t.services.db.sql`select count(*)::int as n from activity where action = 'denied'`
    const hundred = await batch(100, '203.0.113.12')
    expect(hundred.statusCode).toBeGreaterThanOrEqual(400)
    expect(await t.services.db.sql`select count(*)::int as n from activity where action = 'denied'`).toEqual(before)
  })
})

describe('sessions', () => {
  test('each sign-in has its own token, and the database contains none', async () => {
    await insertUser(t.services.db, { email: 'tokens@example.com' })
    const tokens = []
    for (let i = 0; i < 2; i += 1) {
      const answer = await post('/api/auth/login', { email: 'tokens@example.com', password: testPassword })
      tokens.push(answer.json<{ token: string }>().token)
    }
    expect(new Set(tokens).size).toBe(2)
    const rows = JSON.stringify(await t.services.db.sql`select * from sessions`)
    for (const token of tokens) expect(rows).not.toContain(token)
  })

  test('a token is refused after sign-out', async () => {
    const { headers } = await signIn(t.services)
    expect((await t.app.inject({ method: 'POST', url: '/api/auth/logout', headers })).json()).toEqual({ success: true })
    const again = await t.app.inject({ url: '/api/auth/me', headers })
    expect([again.statusCode, again.json<{ code: string }>().code]).toEqual([401, 'unauthorized'])
  })

  test('a session ends when idle for too long, and always a month after sign-in', async () => {
    const idle = await signIn(t.services)
    await t.services.db.sql`update sessions set expires_at = now() - interval '1 second' where id = ${idle.actor.sessionId}`
    expect(await t.services.sessions.find(idle.token)).toBeNull()

    const old = await signIn(t.services)
    await t.services.db.sql`
      update sessions set created_at = now() - interval '29 days', expires_at = now() + interval '1 day' where id = ${old.actor.sessionId}`
    expect(await t.services.sessions.find(old.token)).not.toBeNull()
    const [row] = await t.services.db.sql<{ lifetime: number }[]>`
      select extract(epoch from expires_at - created_at)::int as lifetime from sessions where id = ${old.actor.sessionId}`
    expect(row?.lifetime).toBe(30 * 24 * 3600)
  })

  test('a person has at most two hundred sessions: the next one ends the least recently used, and no one else’s', async () => {
    const { user, token, actor } = await signIn(t.services)
    const other = await signIn(t.services)
    await t.services.db.sql`
      insert into sessions (id, user_id, expires_at, last_used_at)
      select 'session ' || ${user.id} || n, ${user.id}, now() + interval '1 day', now() - n * interval '1 minute' from generate_series(1, ${mostSessions}) n`
    await t.services.db.sql`update sessions set last_used_at = now() - interval '1 day' where id = ${other.actor.sessionId}`
    await t.services.sessions.create(t.services.db.orm, user.id, { address: null, userAgent: null })
    const left = await t.services.db.sql<{ id: string }[]>`select id from sessions where user_id = ${user.id} order by last_used_at desc`
    expect(left).toHaveLength(mostSessions)
    expect(left.at(-1)?.id).toBe(`session ${user.id}${mostSessions - 2}`)
    expect((await t.services.sessions.find(token))?.sessionId).toBe(actor.sessionId)
    expect(await t.services.sessions.find(other.token)).not.toBeNull()
  })

  test('the stored hash is not a valid session token', async () => {
    const { actor } = await signIn(t.services)
    expect(await t.services.sessions.find(actor.sessionId)).toBeNull()
  })

  test('concurrent session look-ups share one query, and none uses a result older than its request', async () => {
    const { token, actor } = await signIn(t.services)
    const first = t.services.sessions.find(token)
    await t.services.sessions.end(t.services.db.orm, actor.sessionId)
    await first
    expect(await t.services.sessions.find(token)).toBeNull()
  })
})

test('sign-ins, refusals, registrations and sign-outs are in the activity log, without passwords', async () => {
  const services = await empty()
  const call = callAs(services, null)
  const { token } = await call.auth.register(
    newcomer('logged@example.com', { password: 'canary-pass', passwordConfirmation: 'canary-pass' }),
  )
  await call.auth.login({ email: 'logged@example.com', password: 'canary-wrong' }).catch(() => undefined)
  await callAs(services, await services.sessions.find(token)).auth.logout()
  const entries = await services.db.sql<{ action: string; actorName: string; entityName: string }[]>`
    select action, actor_name, entity_name from activity order by id`
  expect(entries.map(({ action, actorName }) => [action, actorName])).toEqual([
    ['create', 'logged'],
    ['login', 'logged'],
    ['denied', 'anonymous'],
    ['logout', 'logged'],
  ])
  expect(JSON.stringify(await services.db.sql`select * from activity`)).not.toContain('canary')
})

test('a user is found by email in any letter case, and no second account is created with it', async () => {
  const { orm } = t.services.db
  const { id } = await insertUser(t.services.db, { email: 'Case@example.com' })
  expect((await findUserByEmail(orm, 'cASE@Example.com'))?.id).toBe(id)
  const again = { email: 'CASE@example.com', name: null, passwordHash: 'x', as: 'user' as const }
  await expect(orm.transaction((tx) => createUser(tx, again))).rejects.toMatchObject({ code: 'email_taken' })
})
