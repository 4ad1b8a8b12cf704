import { afterAll, beforeAll, expect, test } from 'vitest'
import { forgetSignIns } from '#server/platform/attempts.ts'
import { createTestApp } from '#server/testing/app.ts'
import type { TestApp } from '#server/testing/app.ts'
import { insertUser, testPassword } from '#server/testing/factories.ts'

let t: TestApp
beforeAll(async () => {
  t = await createTestApp({ trustProxy: ['127.0.0.1'] })
})
afterAll(() => t.close())

let host = 0
const nextAddress = () => `198.51.${100 + Math.floor(host / 250)}.${1 + (host++ % 250)}`
const xsrf = 'x'.repeat(22)

interface From {
  readonly address?: string
  /** A page of the panel in this browser; absent: an API client. */
  readonly browser?: Map<string, string>
}
const openBrowser = () => new Map([['XSRF-TOKEN', xsrf]])

async function post(url: string, payload: object, { address = nextAddress(), browser }: From) {
  const cookies = browser && { cookie: [...browser].map(([name, value]) => `${name}=${value}`).join('; '), 'x-xsrf-token': xsrf }
  const answer = await t.app.inject({ method: 'POST', url, payload, headers: { 'x-forwarded-for': address, ...cookies } })
  for (const { name, value } of answer.cookies) browser?.set(name, value)
  return answer
}
const login = async (email: string, from: From = {}, password = testPassword) =>
  (await post('/api/auth/login', { email, password }, from)).statusCode
const guess = async (email: string, times: number, from: From = {}) => {
  const statuses: number[] = []
  for (let i = 0; i < times; i += 1) statuses.push(await login(email, from, 'wrong!'))
  return statuses
}
const join = async (name: string) => (await insertUser(t.services.db, { email: `${name}@example.com` })).email
/** Advances the counters by this many seconds. */
const pass = (seconds: number) => t.services.db.sql`update attempts set resets_at = resets_at - ${seconds} * interval '1 second'`

test('R-AUT-06 guesses from one place block that place only', async () => {
  const email = await join('chosen')
  const address = nextAddress()
  expect(await guess(email, 11, { address })).toEqual([...Array.from({ length: 10 }, () => 401), 429])
  expect(await login(email, { address })).toBe(429)
  await pass(60)
  expect(await login(email)).toBe(200)
})

test('R-AUT-06 guesses from many places only slow a person down: one attempt a minute is permitted', async () => {
  const email = await join('slowed')
  expect((await guess(email, 12)).filter((status) => status === 401)).toHaveLength(10)
  const refused = await post('/api/auth/login', { email, password: testPassword }, {})
  expect(refused.statusCode).toBe(429)
  expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(60)
  // The refused attempt did not extend the wait.
  await pass(60)
  expect(await login(email)).toBe(200)
  // A success uses no attempt.
  expect([await login(email, {}, 'wrong!'), await login(email)]).toEqual([401, 429])
})

test('a refused attempt is not counted, so waiting users are not locked out by trying', async () => {
  const email = await join('patient')
  const address = nextAddress()
  await guess(email, 10)
  for (let i = 0; i < 60; i += 1) expect(await login(email, { address })).toBe(429)
  await pass(60)
  expect(await login(email, { address })).toBe(200)
})

test('a browser in which a person signed in before is never blocked by others’ attempts, from any address', async () => {
  const email = await join('at-home')
  const browser = openBrowser()
  expect(await login(email, { browser })).toBe(200)
  await t.services.db.sql`delete from sessions`
  const address = nextAddress()
  // Also at its own address, for everyone who shares it.
  for (let i = 0; i < 60; i += 1) await login(`stranger${i}@example.com`, { address }, 'wrong!')
  await guess(email, 30)
  expect(await login(email, { address })).toBe(429)
  expect(await login(email, { address, browser })).toBe(200)
  // Its own wrong attempts count for this browser only.
  expect((await guess(email, 11, { browser })).filter((status) => status === 401)).toHaveLength(10)
  expect(await login(email, { browser })).toBe(429)
})

test('a browser is trusted only for the people who signed in there, and no one else can make it trusted', async () => {
  const [ann, bob] = [await join('ann'), await join('bob')]
  const browser = openBrowser()
  await login(ann, { browser })
  await login(bob, { browser })
  for (const email of [ann, bob]) await guess(email, 12)
  expect([await login(ann, { browser }), await login(bob, { browser })]).toEqual([200, 200])

  const carl = await join('carl')
  await guess(carl, 12)
  expect(await login(carl, { browser })).toBe(429)
  const [id = '', ...proofs] = browser.get('zonedeck-device')?.split('.') ?? []
  expect(proofs).toHaveLength(2)
  for (const forged of [`${'A'.repeat(22)}.${proofs[0]}`, `${id}.${'B'.repeat(43)}`, 'nonsense', `${id}.`]) {
    expect(await login(ann, { browser: new Map([...openBrowser(), ['zonedeck-device', forged]]) })).toBe(429)
  }
})

test('no script can read the browser cookie, and API clients get none', async () => {
  const email = await join('cookie')
  const answer = await post('/api/auth/login', { email, password: testPassword }, { browser: openBrowser() })
  expect(answer.cookies).toEqual([
    expect.objectContaining({ name: 'zonedeck-device', httpOnly: true, sameSite: 'Strict', path: '/', maxAge: 34_560_000 }),
  ])
  expect((await post('/api/auth/login', { email, password: testPassword }, {})).cookies).toEqual([])
  const behindHttps = await createTestApp({ publicUrl: 'https://panel.test' })
  try {
    const user = await insertUser(behindHttps.services.db)
    const secure = await behindHttps.app.inject({
      method: 'POST',
      url: '/api/auth/login',
      payload: { email: user.email, password: testPassword },
      headers: { cookie: `XSRF-TOKEN=${xsrf}`, 'x-xsrf-token': xsrf },
    })
    expect(secure.cookies).toMatchObject([{ name: '__Host-zonedeck-device', secure: true, path: '/' }])
    expect(secure.headers['set-cookie']).not.toContain('Domain')
  } finally {
    await behindHttps.close()
  }
})

test('after a password change, earlier guesses no longer count from any place', async () => {
  const user = await insertUser(t.services.db, { email: 'renewed@example.com' })
  const address = nextAddress()
  await guess(user.email, 12, { address })
  await guess(user.email, 12)
  await forgetSignIns(t.services, user.email)
  expect(await login(user.email, { address })).toBe(200)
})

test('a browser shared by six people remembers the last five', async () => {
  const browser = openBrowser()
  const emails: string[] = []
  for (let i = 0; i < 6; i += 1) {
    const email = await join(`shared${i}`)
    emails.push(email)
    await login(email, { browser })
  }
  expect(browser.get('zonedeck-device')?.split('.')).toHaveLength(6)
  for (const email of emails) await guess(email, 12)
  await t.services.db.sql`delete from sessions`
  const known = []
  for (const email of emails) known.push(await login(email, { browser: new Map(browser) }))
  expect(known).toEqual([429, 200, 200, 200, 200, 200])
})

test('addresses of one IPv6 customer share a count, which blocks no trusted browser and no other network', async () => {
  const email = await join('of-a-network')
  const browser = openBrowser()
  expect(await login(email, { browser, address: '2001:db8:7:1::1' })).toBe(200)
  await t.services.db.sql`delete from sessions`
  const from = (subnet: number) => ({ address: `2001:db8:7:${subnet.toString(16)}::1` })
  expect(await login('nobody@example.com', from(2), 'wrong!')).toBe(401)
  await t.services.db.sql`update attempts set count = 500 where key = 'login:address:2001:db8:7::/48'`
  expect(await login('nobody@example.com', from(3), 'wrong!')).toBe(429)
  expect(await login('nobody@example.com', { address: '2001:db8:8:3::1' }, 'wrong!')).toBe(401)
  expect(await login(email, { browser, ...from(4) })).toBe(200)
  // New passkey challenges and registrations are counted the same way.
  await t.services.db.sql`
    insert into attempts (key, count, resets_at) select what || ':2001:db8:7::/48', 1000, now() + interval '1 hour' from unnest(array['passkey', 'register']) what`
  const registration = { email: 'new@example.com', password: testPassword, passwordConfirmation: testPassword }
  expect((await post('/api/auth/register', registration, from(5))).statusCode).toBe(429)
  expect((await post('/trpc/auth.askForPasskey', {}, from(6))).statusCode).toBe(429)
})
