import { Writable } from 'node:stream'
import { expect, onTestFinished, test } from 'vitest'
import { createLog } from '#server/platform/log.ts'
import { createTestApp, signIn } from '#server/testing/app.ts'
import { testPassword } from '#server/testing/factories.ts'

function capture() {
  let text = ''
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      text += chunk.toString()
      done()
    },
  })
  return { log: createLog('trace', stream), text: () => text, lines: () => text.trim().split('\n') }
}

test('R-PRM-04 secrets are redacted anywhere in a logged object', () => {
  const { log, text } = capture()
  const secrets = { password: 'canary', apiKey: 'canary', token: 'canary', authorization: 'canary', 'x-auth-key': 'canary' }
  log.info(secrets, 'top')
  log.info({ req: { headers: secrets }, account: secrets }, 'deeper')
  log.child({ token: 'canary' }).info('child')
  expect(text()).not.toContain('canary')
  expect(text()).toContain('[hidden]')
})

test('R-PRM-04 fields and statement parameters of an error are not logged', () => {
  const { log, text } = capture()
  const cause = Object.assign(new Error('duplicate key'), { detail: 'Key (email)=(canary)', parameters: ['canary'], code: '23505' })
  const error = Object.assign(new Error('Failed query: insert into x values ($1)\nparams: canary,\ncanary', { cause }), {
    params: ['canary'],
  })
  log.error({ err: error }, 'failed')
  expect(text()).not.toContain('canary')
  expect(JSON.parse(text())).toMatchObject({
    err: { message: 'Failed query: insert into x values ($1)', cause: { message: 'duplicate key', code: '23505' } },
  })
})

test('a line break in caller input does not start a new log line', async () => {
  const { log, lines } = capture()
  const t = await createTestApp({ log })
  onTestFinished(() => t.close())
  const before = lines().length
  await t.app.inject({ url: '/api/x%0a{"level":50}', headers: { 'x-request-id': 'evil\n{"level":60}', 'user-agent': 'a\tb' } })
  const written = lines().slice(before)
  for (const line of written) expect(() => JSON.parse(line) as unknown).not.toThrow()
  expect(written.join('')).not.toContain('evil')
})

test('R-PRM-04 no password, token or query string of any request is logged, even at the lowest level', async () => {
  const { log, text } = capture()
  const t = await createTestApp({ log })
  onTestFinished(() => t.close())
  const { token, headers, user } = await signIn(t.services)
  const canaries = ['canary-password', 'canary-bearer', 'canary-query', 'canary-cookie', token, testPassword]
  const login = (password: string) => t.app.inject({ method: 'POST', url: '/api/auth/login', payload: { email: user.email, password } })
  await login(testPassword)
  await login('canary-password')
  await t.app.inject({ method: 'POST', url: '/api/auth/register', payload: { email: 'x', password: 'canary-password' } })
  await t.app.inject({
    url: '/api/auth/me?token=canary-query',
    headers: { authorization: 'Bearer canary-bearer', cookie: 'x=canary-cookie' },
  })
  await t.app.inject({ url: '/api/auth/me', headers })
  await t.app.inject({
    method: 'POST',
    url: '/trpc/auth.login',
    headers: { 'content-type': 'application/json' },
    payload: '{"password":"canary-password"',
  })
  // A database failure in the middle of a request: the error has the statement and its parameters, and the log must not.
  await t.services.db.sql`alter table sessions rename to sessions_away`
  await login(testPassword)
  await t.app.inject({ url: '/api/auth/me', headers })
  expect(text()).toContain('the request failed')
  for (const canary of canaries) expect(text()).not.toContain(canary)
})

test('a request log line has the request id and, if the caller is known, the user id', async () => {
  const { log, lines } = capture()
  const t = await createTestApp({ log })
  onTestFinished(() => t.close())
  const { headers, user } = await signIn(t.services)
  const answer = await t.app.inject({ url: '/api/auth/me', headers })
  await t.app.inject('/api/auth/me')
  await t.app.inject({ url: `/api/groups/${user.id}?canary=1`, headers })
  const requests = lines()
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter(({ msg }) => msg === 'request')
  expect(requests).toMatchObject([
    {
      requestId: answer.headers['x-request-id'],
      method: 'GET',
      path: '/api/auth/me',
      route: '/api/auth/me',
      status: 200,
      actorId: user.id,
    },
    { status: 401 },
    { path: `/api/groups/${user.id}`, route: '/api/groups/:id', ms: expect.any(Number) as unknown },
  ])
  expect(requests[1]).not.toHaveProperty('actorId')
})

test('log lines of a use case carry the id of their request', async () => {
  const { log, lines } = capture()
  const t = await createTestApp({ log })
  onTestFinished(() => t.close())
  const { user } = await signIn(t.services)
  const login = () => t.app.inject({ method: 'POST', url: '/api/auth/login', payload: { email: user.email, password: 'not that one' } })
  let answer = await login()
  for (let turn = 0; turn < 20 && answer.statusCode !== 429; turn += 1) answer = await login()
  const [line] = lines().filter((each) => each.includes('too many failed sign-ins'))
  expect(JSON.parse(line ?? '{}')).toMatchObject({ requestId: answer.headers['x-request-id'], address: '127.0.0.1' })
})
