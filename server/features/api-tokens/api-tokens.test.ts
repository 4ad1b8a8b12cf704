import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { createTestApp, signIn } from '#server/testing/app.ts'
import type { SignedIn, TestApp } from '#server/testing/app.ts'
import { emptyTables } from '#server/testing/empty-tables.ts'
import type { NewToken } from '#shared/features/api-tokens/schema.ts'

let t: TestApp
let ann: SignedIn
let bob: SignedIn
let admin: SignedIn
beforeAll(async () => {
  t = await createTestApp()
})
afterAll(() => t.close())
beforeEach(async () => {
  await emptyTables(t.services.db, 'users', 'activity', 'idempotency_keys')
  ann = await signIn(t.services, { name: 'Ann' })
  bob = await signIn(t.services, { name: 'Bob' })
  admin = await signIn(t.services, { name: 'Root', role: 'admin' })
})

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'
const ask = async (secret: string, method: Method, url: string, payload?: object, more: Record<string, string> = {}) => {
  const headers = { authorization: `Bearer ${secret}`, ...more }
  const answer = await t.app.inject({ method, url, headers, ...(payload && { payload }) })
  const body = answer.body === '' ? {} : answer.json<{ code?: string }>()
  return { status: answer.statusCode, code: body.code, body, headers: answer.headers }
}
const me = (secret: string) => ask(secret, 'GET', '/api/auth/me')
const make = async (who: SignedIn = ann, given: Partial<NewToken> = {}) => {
  const { token, secret } = await who.call.apiTokens.create({ name: 'deploy', scope: 'write', ...given })
  return { ...token, secret }
}
const refusal = (code: string) => ({ cause: { code } })

test('R-AUT-07 a token is shown once; the panel stores its prefix and a hash', async () => {
  const expiresAt = '2099-01-01T00:00:00.000Z'
  const { token, secret } = await ann.call.apiTokens.create({ name: ' CI of the shop ', scope: 'read', expiresAt })
  expect(secret).toMatch(/^zd_[\w-]{43}$/)
  expect(token).toMatchObject({ name: 'CI of the shop', scope: 'read', expiresAt, lastUsedAt: null, prefix: secret.slice(0, 9) })
  expect(await ann.call.apiTokens.list({})).toEqual({ tokens: [token] })
  const [row] = await t.services.db.sql`select * from api_tokens`
  expect(row).toMatchObject({ name: 'CI of the shop', tokenHash: expect.stringMatching(/^[\w-]{43}$/) as unknown })
  expect(JSON.stringify(row)).not.toContain(secret.slice(9))
})

test('R-AUT-07 a token acts as its person over REST and tRPC, and reports when and from where it was last used', async () => {
  const { secret, id } = await make()
  expect(await me(secret)).toMatchObject({ status: 200, body: { user: { id: ann.user.id }, scope: 'write' } })
  const over = await t.app.inject({ url: '/trpc/groups.list?input={}', headers: { authorization: `Bearer ${secret}` } })
  expect(over.statusCode).toBe(200)
  const { tokens } = await ann.call.apiTokens.list({})
  expect(tokens).toMatchObject([{ id, lastUsedAt: expect.any(String) as unknown, lastAddress: '127.0.0.1' }])
})

test('R-AUT-07 the last use is stored once a minute, so frequent calls cost no writes', async () => {
  const { secret } = await make()
  await me(secret)
  const used = async () => (await ann.call.apiTokens.list({})).tokens[0]?.lastUsedAt
  const first = await used()
  await Promise.all(Array.from({ length: 20 }, () => me(secret)))
  expect(await used()).toBe(first)
  await t.services.db.sql`update api_tokens set last_used_at = now() - interval '2 minutes'`
  await me(secret)
  expect(Date.parse((await used()) ?? '')).toBeGreaterThanOrEqual(Date.parse(first ?? ''))
})

test('R-AUT-07 a read token reads without changing anything, a write token can change', async () => {
  const read = await make(ann, { scope: 'read' })
  const write = await make()
  const group = { name: 'Shops' }
  expect(await ask(read.secret, 'POST', '/api/groups', group)).toMatchObject({ status: 403, code: 'read_only_token' })
  expect(await ask(write.secret, 'POST', '/api/groups', group)).toMatchObject({ status: 201 })
  expect(await ask(read.secret, 'GET', '/api/groups')).toMatchObject({ status: 200, body: { groups: [{ name: 'Shops' }] } })
  const over = await t.app.inject({
    method: 'POST',
    url: '/trpc/groups.create,groups.list?batch=1',
    headers: { authorization: `Bearer ${read.secret}` },
    payload: { 0: group, 1: {} },
  })
  expect(over.json()).toMatchObject([{ error: { message: 'read_only_token' } }, { result: { data: { groups: [{}] } } }])
})

test('R-LOG-01 an action by a token is logged as the token’s', async () => {
  const { secret, id } = await make()
  await ask(secret, 'POST', '/api/groups', { name: 'Shops' })
  const rows = await t.services.db.sql`
    select action, entity_type, entity_name, actor_id, actor_name, actor_kind, actor_via, details from activity order by id`
  expect(rows).toMatchObject([
    { action: 'create', entityType: 'token', entityName: 'deploy', actorKind: 'user', details: { scope: 'write', expiresAt: null } },
    { action: 'create', entityType: 'group', actorId: ann.user.id, actorName: ann.actor.name, actorKind: 'token', actorVia: id },
  ])
})

test('no token creates, lists or revokes tokens, or signs anyone out', async () => {
  const { secret, id } = await make()
  const tries: [Method, string, object?][] = [
    ['GET', '/api/tokens'],
    ['POST', '/api/tokens', { name: 'more', scope: 'write' }],
    ['DELETE', `/api/tokens/${id}`],
    ['POST', '/api/auth/logout'],
  ]
  for (const [method, url, payload] of tries) {
    expect([url, await ask(secret, method, url, payload)]).toMatchObject([url, { status: 403, code: 'session_only' }])
  }
})

test('creating a token requires a recent authentication', async () => {
  await t.services.db.sql`update sessions set verified_at = now() - interval '11 minutes'`
  const answer = await ask(ann.token, 'POST', '/api/tokens', { name: 'x', scope: 'read' })
  expect(answer).toMatchObject({ status: 403, code: 'confirmation_needed' })
})

describe('a token is invalid', () => {
  const gone = { status: 401, code: 'unauthorized' }

  test('once revoked', async () => {
    const { secret, id } = await make()
    expect(await me(secret)).toMatchObject({ status: 200 })
    await ann.call.apiTokens.revoke({ id })
    expect(await me(secret)).toMatchObject(gone)
    await expect(ann.call.apiTokens.revoke({ id })).rejects.toMatchObject(refusal('not_found'))
  })

  test('once expired, and remains in the list', async () => {
    const { secret } = await make(ann, { expiresAt: '2099-01-01T00:00:00+02:00' })
    await t.services.db.sql`update api_tokens set expires_at = now()`
    expect(await me(secret)).toMatchObject(gone)
    expect((await ann.call.apiTokens.list({})).tokens).toHaveLength(1)
  })

  test('once its owner is deleted', async () => {
    const { secret } = await make()
    await t.services.db.sql`delete from users where id = ${ann.user.id}`
    expect(await me(secret)).toMatchObject(gone)
  })

  test.each(['zd_', `zd_${'A'.repeat(43)}`, `zd_${'A'.repeat(42)}`, `zd_${'A'.repeat(44)}`])('if invented: %s', async (secret) => {
    expect(await me(secret)).toMatchObject(gone)
  })

  test('if it is only a known prefix or hash', async () => {
    const { prefix } = await make()
    const [row] = await t.services.db.sql<{ tokenHash: string }[]>`select token_hash from api_tokens`
    expect(await me(prefix)).toMatchObject(gone)
    expect(await me(row?.tokenHash ?? '')).toMatchObject(gone)
    expect(await me(`zd_${row?.tokenHash}`)).toMatchObject(gone)
  })
})

test('a role that is removed is removed from the tokens too', async () => {
  await bob.call.groups.create({ name: 'Bob’s' })
  const { secret } = await make(admin, { scope: 'read' })
  expect(await ask(secret, 'GET', '/api/groups')).toMatchObject({ body: { groups: [{ name: 'Bob’s' }] } })
  await t.services.db.sql`update users set role = 'user' where id = ${admin.user.id}`
  expect(await ask(secret, 'GET', '/api/groups')).toMatchObject({ status: 200, body: { groups: [] } })
})

test('R-AUT-07 no token has more rights than the role at its creation: promotion to administrator revokes tokens, which is logged', async () => {
  const { secret, id } = await make()
  const bobs = await make(bob)
  await admin.call.users.update({ id: ann.user.id, role: 'admin' })
  expect([(await me(secret)).status, (await me(bobs.secret)).status]).toEqual([401, 200])
  const gone = await t.services.db.sql`select entity_id, owner_id, actor_id from activity where entity_type = 'token' and action = 'delete'`
  expect(gone).toMatchObject([{ entityId: id, ownerId: ann.user.id, actorId: admin.user.id }])
  // A request that started while Ann was still a user, and ends now.
  await expect(ann.call.apiTokens.create({ name: 'late', scope: 'write' })).rejects.toMatchObject(refusal('unauthorized'))
  const { user } = await admin.call.users.update({ id: ann.user.id, name: 'Anna' })
  expect((await admin.call.apiTokens.list({ userId: user.id })).tokens).toEqual([])
})

test('signing a person out everywhere keeps their tokens unless revoking them is requested', async () => {
  const { secret } = await make()
  await admin.call.users.signOut({ id: ann.user.id })
  expect((await me(secret)).status).toBe(200)
  const answer = await ask(admin.token, 'POST', `/api/users/${ann.user.id}/sign-out`, { tokens: true })
  expect([answer.status, (await me(secret)).status]).toEqual([200, 401])
  const gone = await t.services.db.sql`select actor_id from activity where entity_type = 'token' and action = 'delete'`
  expect(gone).toMatchObject([{ actorId: admin.user.id }])
})

test('R-AUT-07 a token of a person who must set up a second factor is refused until they have, like a session', async () => {
  const [anns, admins] = [await make(), await make(admin)]
  const answers = async ({ secret }: { readonly secret: string }) => {
    const { status, code } = await ask(secret, 'GET', '/api/groups')
    return code === undefined ? status : [status, code]
  }
  const due = [403, 'second_factor_required']
  const { sql } = t.services.db
  onTestFinished(async () => {
    await sql`delete from panel_settings where key = 'twoFactor'`
  })
  await sql`insert into panel_settings (key, value) values ('twoFactor', '"admins"')`
  expect([await answers(anns), await answers(admins)]).toEqual([200, due])
  expect((await ask(admins.secret, 'GET', '/api/users')).code).toBe('second_factor_required')
  expect((await me(admins.secret)).status).toBe(200)
  await sql`update panel_settings set value = '"everyone"' where key = 'twoFactor'`
  expect(await answers(anns)).toEqual(due)
  await sql`insert into totp (user_id, secret_sealed, confirmed_at) values (${ann.user.id}, 'sealed', null)`
  expect(await answers(anns)).toEqual(due)
  await sql`update totp set confirmed_at = now()`
  expect(await answers(anns)).toBe(200)
})

test('R-PRM-02 another person’s token is not found; an administrator may list and revoke it', async () => {
  const { id, secret } = await make()
  expect(await bob.call.apiTokens.list({ userId: ann.user.id })).toEqual({ tokens: [] })
  await expect(bob.call.apiTokens.revoke({ id })).rejects.toMatchObject(refusal('not_found'))
  expect(await me(secret)).toMatchObject({ status: 200 })
  expect((await admin.call.apiTokens.list({})).tokens).toEqual([])
  expect((await admin.call.apiTokens.list({ userId: ann.user.id })).tokens).toMatchObject([{ id }])
  await admin.call.apiTokens.revoke({ id })
  expect(await me(secret)).toMatchObject({ status: 401 })
  const [entry] = await t.services.db.sql`select actor_name, owner_id, entity_name from activity where action = 'delete'`
  expect(entry).toMatchObject({ actorName: admin.actor.name, ownerId: ann.user.id, entityName: 'deploy' })
})

test('creating a token rejects an Idempotency-Key, which would replay the secret, and no token receives a replayed response of others', async () => {
  const key = { 'idempotency-key': 'k1' }
  const refused = await ask(ann.token, 'POST', '/api/tokens', { name: 'one', scope: 'read' }, key)
  expect(refused).toMatchObject({ status: 400, code: 'validation_failed' })
  expect((await ann.call.apiTokens.list({})).tokens).toEqual([])

  const group = { name: 'Shops' }
  const shops = { 'idempotency-key': 'shops' }
  const made = await ask(ann.token, 'POST', '/api/groups', group, shops)
  const again = await ask(ann.token, 'POST', '/api/groups', group, shops)
  expect([again.headers['idempotency-replayed'], again.body]).toEqual(['true', made.body])
  const { secret } = await make(ann, { scope: 'read' })
  expect(await ask(secret, 'POST', '/api/groups', group, shops)).toMatchObject({ status: 409, code: 'idempotency_mismatch' })
  expect(await ask(secret, 'POST', '/api/groups', group, { 'idempotency-key': 'k2' })).toMatchObject({ code: 'read_only_token' })
})

test.each<[string, object, string]>([
  ['no name', { name: '  ', scope: 'read' }, 'name'],
  ['a name of 101 characters', { name: 'x'.repeat(101), scope: 'read' }, 'name'],
  ['a name of 501 characters', { name: 'x'.repeat(501), scope: 'read' }, 'name'],
  ['a name with a line break', { name: 'a\nb', scope: 'read' }, 'name'],
  ['another scope', { name: 'a', scope: 'admin' }, 'scope'],
  ['an end that has passed', { name: 'a', scope: 'read', expiresAt: '2020-01-01T00:00:00Z' }, 'expiresAt'],
  ['an end that is no moment', { name: 'a', scope: 'read', expiresAt: 'tomorrow' }, 'expiresAt'],
])('%s is refused with the name of the field', async (_, given, path) => {
  const answer = await ask(ann.token, 'POST', '/api/tokens', given)
  expect(answer).toMatchObject({ status: 400, code: 'validation_failed', body: { issues: [{ path }] } })
})
