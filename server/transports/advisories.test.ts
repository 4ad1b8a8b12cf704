import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { resetPassword } from '#server/features/auth/reset-password.ts'
import { callAs, createTestApp, signIn, type SignedIn, type TestApp } from '#server/testing/app.ts'
import { testPassword } from '#server/testing/factories.ts'
import { contextOf } from '#server/testing/services.ts'
import { listRestRoutes } from '#server/transports/rest/rest-routes.ts'
import { listProcedures } from '#server/transports/trpc/list-procedures.ts'

// Vulnerabilities reported for similar products, and ASVS requirements without another test; docs/security.md lists the other tests.
let t: TestApp
let admin: SignedIn
beforeAll(async () => {
  t = await createTestApp()
  admin = await signIn(t.services, { role: 'admin' })
})
afterAll(() => t.close())

const another = 'another long one 9'

const passwords = { password: another, passwordConfirmation: another }
const operator = { kind: 'system', name: 'cli' } as const
const linked = async ({ user }: SignedIn, revokeTokens: boolean) => {
  const { path } = await admin.call.users.createResetLink({ id: user.id })
  await callAs(t.services, null).users.resetByLink({ ticket: path.split('#')[1] ?? '', ...passwords, revokeTokens })
}

/** Actions that end a person's sessions, and the other credentials that end with them. */
const endings: Record<string, { end: (who: SignedIn) => Promise<unknown>; feed: boolean; token: boolean }> = {
  'signing out': { end: ({ headers }) => t.app.inject({ method: 'POST', url: '/api/auth/logout', headers }), feed: false, token: false },
  'signing out from another device': {
    async end({ user }) {
      const token = await t.services.sessions.create(t.services.db.orm, user.id, { address: null, userAgent: null })
      await callAs(t.services, await t.services.sessions.find(token)).me.endOtherSessions({})
    },
    feed: true,
    token: false,
  },
  'another password of their own': {
    end: ({ call }) => call.me.changePassword({ currentPassword: testPassword, ...passwords }),
    feed: true,
    token: false,
  },
  'another password of their own, with tokens': {
    end: ({ call }) => call.me.changePassword({ currentPassword: testPassword, ...passwords, revokeTokens: true }),
    feed: true,
    token: true,
  },
  'another password by a link': { end: (who) => linked(who, false), feed: true, token: false },
  'another password by a link, with tokens': { end: (who) => linked(who, true), feed: true, token: true },
  'another password by an administrator': {
    end: ({ user }) => admin.call.users.update({ id: user.id, password: another }),
    feed: true,
    token: false,
  },
  'another password by an administrator, with tokens': {
    end: ({ user }) => admin.call.users.update({ id: user.id, password: another, revokeTokens: true }),
    feed: true,
    token: true,
  },
  'another password by the operator': {
    end: ({ user }) => resetPassword(contextOf(t.services, operator), { email: user.email, password: another }),
    feed: true,
    token: false,
  },
  'another password by the operator, with tokens': {
    end: ({ user }) => resetPassword(contextOf(t.services, operator), { email: user.email, password: another, revokeTokens: true }),
    feed: true,
    token: true,
  },
  'a role that is given': { end: ({ user }) => admin.call.users.update({ id: user.id, role: 'admin' }), feed: true, token: true },
  // The token keeps working with the rights of the new role.
  'a role that is taken': {
    async end({ user }) {
      await t.services.db.sql`update users set role = 'admin' where id = ${user.id}`
      await admin.call.users.update({ id: user.id, role: 'user' })
    },
    feed: true,
    token: false,
  },
  'a reset of the second factor': { end: ({ user }) => admin.call.twoFactor.reset({ userId: user.id }), feed: false, token: false },
  'being signed out by an administrator': { end: ({ user }) => admin.call.users.signOut({ id: user.id }), feed: true, token: false },
  'being signed out by an administrator, with tokens': {
    end: ({ user }) => admin.call.users.signOut({ id: user.id, tokens: true }),
    feed: true,
    token: true,
  },
  'being disabled': { end: ({ user }) => admin.call.users.disable({ id: user.id }), feed: true, token: true },
  'being deleted': { end: ({ user }) => admin.call.users.remove({ id: user.id }), feed: true, token: true },
}

test.each(Object.keys(endings))('GHSA-g9v2-wqcj-j99g ASVS 7.4.1 7.4.2 after %s no earlier session is valid', async (name) => {
  const who = await signIn(t.services)
  const { secret } = await who.call.apiTokens.create({ name: 'ci', scope: 'read' })
  const { path } = await who.call.registrars.createCalendarFeed()
  const look = () => t.app.inject({ url: '/api/auth/me', headers: who.headers })
  const change = () => t.app.inject({ method: 'POST', url: '/api/groups', headers: who.headers, payload: { name: `Late ${name}` } })
  expect((await look()).statusCode).toBe(200)
  await endings[name]?.end(who)
  expect([(await look()).statusCode, (await change()).statusCode]).toEqual([401, 401])
  const byToken = await t.app.inject({ url: '/api/auth/me', headers: { authorization: `Bearer ${secret}` } })
  const ended = { feed: (await t.app.inject({ url: path })).statusCode === 404, token: byToken.statusCode === 401 }
  expect(ended).toEqual({ feed: endings[name]?.feed, token: endings[name]?.token })
  expect(await t.services.db.sql`select from groups where name = ${`Late ${name}`}`).toHaveLength(0)
})

const taking = listRestRoutes().filter(({ method }) => method !== 'GET')

test('CVE-2026-21858 no route accepts a body that is not declared as JSON', async () => {
  expect(taking.length).toBeGreaterThan(40)
  const types = [
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/octet-stream',
    'text/html',
  ]
  const before = await t.services.db.sql`select count(*)::int as n from activity`
  const taken: string[] = []
  for (const { method, url } of taking) {
    for (const type of types) {
      const answer = await t.app.inject({
        method: method as 'POST',
        url: url.replaceAll(/:\w+/g, '00000000-0000-7000-8000-000000000000'),
        headers: { ...admin.headers, 'content-type': type },
        payload: '{"files":{"x":{"filepath":"/etc/passwd"}}}',
      })
      if (answer.statusCode !== 415) taken.push(`${method} ${url} ${type}: ${answer.statusCode}`)
    }
  }
  expect(taken).toEqual([])
  expect(await t.services.db.sql`select count(*)::int as n from activity`).toEqual(before)
})

test('ASVS 15.3.3 owner, id and role of a new resource are never taken from the request body', async () => {
  const who = await signIn(t.services)
  const post = (url: string, payload: object, headers = {}) => t.app.inject({ method: 'POST', url, headers, payload })
  const person = { email: 'mass@example.com', password: another, passwordConfirmation: another }
  const answers = [
    await post('/api/auth/register', { ...person, role: 'admin' }),
    await post('/api/groups', { name: 'Theirs', ownerId: admin.user.id }, who.headers),
    await post('/api/groups', { name: 'Theirs', id: admin.user.id }, who.headers),
  ]
  for (const answer of answers) expect(answer.statusCode).toBe(400)
  // tRPC drops unknown fields.
  const { group } = await who.call.groups.create({ name: 'Theirs', ownerId: admin.user.id } as { name: string })
  expect(await t.services.db.sql`select owner_id from groups where id = ${group.id}`).toEqual([{ ownerId: who.user.id }])
  expect(await t.services.db.sql`select from users where email = ${person.email}`).toHaveLength(0)
})

test('ASVS 16.4.2 the procedures of the activity log are read-only', () => {
  const log = listProcedures().filter(({ path }) => path.startsWith('activity.'))
  expect(log.length).toBeGreaterThan(2)
  expect(log.filter(({ type }) => type !== 'query')).toEqual([])
})

test('ASVS 1.2.4 search input is treated as a value, never as SQL', async () => {
  const { call } = admin
  for (const text of ["'; drop table users; --", '" or 1=1 --', '%', '_', '\\', '$1', '${1}']) {
    expect((await call.users.list({ search: text })).users).toEqual([])
    expect(await call.domains.search({ text })).toEqual({ domains: [] })
    expect((await call.accounts.list({ search: text })).accounts).toEqual([])
  }
  expect(await t.services.db.sql`select from users where id = ${admin.user.id}`).toHaveLength(1)
})

const root = fileURLToPath(new URL('../..', import.meta.url))
const sources = globSync('{server,shared,client/src}/**/*.{ts,tsx}', { cwd: root }).filter((path) => !/\.test\.tsx?$/.test(path))

/** A probe inspects faulty certificates and responses: it reports them and trusts nothing it reads. */
const looksAtFaults = /^server\/integrations\/probe\//

test.each([
  ['ASVS 12.3.2 a certificate is unchecked', /rejectUnauthorized|NODE_TLS_REJECT_UNAUTHORIZED|insecureHTTPParser/, looksAtFaults],
  [
    'CVE-2025-68613 CVE-2026-1470 ASVS 1.3.7 text is run as a program',
    /\beval\(|new Function\(|\brunIn\w*Context\((?!')|new (vm\.)?Script\(/,
  ],
  ['CVE-2026-45628 ASVS 1.2.5 a shell reads a text', /\bexecSync\(|import \{[^}]*\bexec\b[^}]*\} from 'node:child_process'|shell: true/],
  ['ASVS 3.2.2 a text becomes markup', /dangerouslySetInnerHTML|\.innerHTML\b|document\.write\(/],
])('nowhere: %s', (_what, pattern, but = /^$/) => {
  expect(sources.length).toBeGreaterThan(500)
  expect(sources.filter((path) => !but.test(path) && pattern.test(readFileSync(`${root}/${path}`, 'utf8')))).toEqual([])
})
