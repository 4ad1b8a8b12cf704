import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { answerOnce, keysPerPerson } from '#server/platform/idempotency.ts'
import { insertGroup } from '#server/testing/factories.ts'
import { createTestApp, signIn } from '#server/testing/app.ts'
import type { SignedIn, TestApp } from '#server/testing/app.ts'
import { currentFence } from '#server/platform/write-fence.ts'
import { listRestRoutes } from '#server/transports/rest/rest-routes.ts'

let t: TestApp
let me: SignedIn
beforeAll(async () => {
  t = await createTestApp()
  me = await signIn(t.services)
})
afterAll(() => t.close())

type Method = 'POST' | 'PATCH' | 'DELETE'
const send = (key: string, payload: object, url = '/api/groups', method: Method = 'POST', by = me) =>
  t.app.inject({ method, url, headers: { ...by.headers, 'idempotency-key': key }, payload })
const codeOf = (answer: { json: () => unknown }) => (answer.json() as { code?: string }).code

async function countGroups(name: string): Promise<number> {
  const rows = await t.services.db.sql`select 1 from groups where name = ${name}`
  return rows.length
}
async function countKeys(key: string): Promise<number> {
  const rows = await t.services.db.sql`select 1 from idempotency_keys where key = ${key}`
  return rows.length
}

test('50 concurrent calls with one key make one change', async () => {
  const answers = await Promise.all(Array.from({ length: 50 }, () => send('parallel', { name: 'parallel' })))
  expect(await countGroups('parallel')).toBe(1)
  const made = answers.filter(({ statusCode }) => statusCode === 201)
  expect(made.filter(({ headers }) => headers['idempotency-replayed'] === undefined)).toHaveLength(1)
  expect(new Set(made.map(({ body }) => body)).size).toBe(1)
  for (const answer of answers.filter(({ statusCode }) => statusCode !== 201)) {
    expect([answer.statusCode, codeOf(answer), answer.headers['retry-after']]).toEqual([409, 'conflict', '1'])
    expect(answer.body).toContain('still in progress')
  }
})

test('the repeated call gets a byte-identical response', async () => {
  const first = await send('again ~!', { name: 'again', color: null, description: 'd' })
  const second = await send('again ~!', { description: 'd', color: null, name: 'again' })
  expect(first.headers['idempotency-replayed']).toBeUndefined()
  expect(second.headers['idempotency-replayed']).toBe('true')
  expect([second.statusCode, second.body, second.headers['content-type']]).toEqual([201, first.body, first.headers['content-type']])
  const plain = await t.app.inject({ method: 'POST', url: '/api/groups', headers: me.headers, payload: { name: 'again' } })
  expect([plain.statusCode, plain.headers['content-type']]).toEqual([201, first.headers['content-type']])
})

test('a response without a body is repeated without a body', async () => {
  const { id } = await insertGroup(t.services.db, { ownerId: me.user.id })
  const answers = [await send('gone', {}, `/api/groups/${id}`, 'DELETE'), await send('gone', {}, `/api/groups/${id}`, 'DELETE')]
  expect(answers.map(({ statusCode, body, headers }) => [statusCode, body, headers['idempotency-replayed']])).toEqual([
    [204, '', undefined],
    [204, '', 'true'],
  ])
})

test('the same key with another input, path or method is refused and does nothing', async () => {
  const { id } = await insertGroup(t.services.db, { ownerId: me.user.id, name: 'before' })
  const { id: other } = await insertGroup(t.services.db, { ownerId: me.user.id, name: 'before' })
  expect((await send('other', { name: 'after' }, `/api/groups/${id}`, 'PATCH')).statusCode).toBe(200)
  const answers = [
    await send('other', { name: 'mismatch' }, `/api/groups/${id}`, 'PATCH'),
    await send('other', { name: 'after' }, `/api/groups/${other}`, 'PATCH'),
    await send('other', {}, `/api/groups/${id}`, 'DELETE'),
    await send('other', { name: 'after' }),
  ]
  for (const answer of answers) expect([answer.statusCode, codeOf(answer)]).toEqual([409, 'idempotency_mismatch'])
  expect([await countGroups('mismatch'), await countGroups('after'), await countGroups('before')]).toEqual([0, 1, 1])
})

test('the same key of another person is independent', async () => {
  const they = await signIn(t.services)
  const mine = await send('shared', { name: 'shared' })
  const theirs = await send('shared', { name: 'shared' }, '/api/groups', 'POST', they)
  expect([theirs.statusCode, theirs.headers['idempotency-replayed']]).toEqual([201, undefined])
  expect(theirs.body).not.toBe(mine.body)
  expect(await countGroups('shared')).toBe(2)
})

test('a response is not replayed to another session of the same person', async () => {
  const first = await send('sessions', { name: 'sessions' })
  const token = await t.services.sessions.create(t.services.db.orm, me.user.id, { address: '192.0.2.2', userAgent: 'another' })
  const other = { ...me, token, headers: { authorization: `Bearer ${token}` } }
  expect(codeOf(await send('sessions', { name: 'sessions' }, '/api/groups', 'POST', other))).toBe('idempotency_mismatch')
  expect((await send('sessions', { name: 'sessions' })).body).toBe(first.body)
})

test('a refused or failed call is not stored, so a retry may succeed', async () => {
  const { sql } = t.services.db
  const id = '019a0000-0000-7000-8000-000000000001'
  const rename = () => send('refused', { name: 'renamed' }, `/api/groups/${id}`, 'PATCH')
  expect([(await rename()).statusCode, await countKeys('refused')]).toEqual([404, 0])
  await insertGroup(t.services.db, { id, ownerId: me.user.id })
  expect([(await rename()).statusCode, await countGroups('renamed')]).toEqual([200, 1])

  await sql`alter table groups rename to groups_away`
  const failed = await send('failed', { name: 'failed' })
  await sql`alter table groups_away rename to groups`
  expect([failed.statusCode, await countKeys('failed')]).toEqual([500, 0])
  const retried = await send('failed', { name: 'failed' })
  expect([retried.statusCode, retried.headers['idempotency-replayed']]).toEqual([201, undefined])
})

test('a call that has not answered for a minute is taken over once; a younger one is waited for', async () => {
  const { sql } = t.services.db
  const died = { name: 'died' }
  await send('died', died)
  await sql`update idempotency_keys set status = null, answer = null, created_at = now() - interval '58 s' where key = 'died'`
  expect(codeOf(await send('died', died))).toBe('conflict')
  await sql`update idempotency_keys set created_at = now() - interval '61 s' where key = 'died'`
  expect(codeOf(await send('died', { name: 'not died' }))).toBe('idempotency_mismatch')
  const answers = await Promise.all(Array.from({ length: 10 }, () => send('died', died)))
  expect(answers.filter((answer) => answer.statusCode === 201 && answer.headers['idempotency-replayed'] === undefined)).toHaveLength(1)
  expect(await countGroups('died')).toBe(2)
})

test('R-API-02 a call that runs longer than a minute keeps its key, and no other call runs meanwhile', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const { services } = t
  const call = { userId: me.user.id, key: 'slow', request: { name: 'slow' } }
  const end = Promise.withResolvers<{ status: number; text: string }>()
  const begun = Promise.withResolvers<void>()
  let runs = 0
  const run = () => {
    runs += 1
    begun.resolve()
    return end.promise
  }
  const first = answerOnce(services, call, run)
  await begun.promise
  const claimedAt = async () => {
    const [row] = await services.db.sql<{ at: number }[]>`
      select extract(epoch from created_at)::float8 as at from idempotency_keys where key = 'slow' and user_id = ${me.user.id}`
    return row?.at ?? 0
  }
  for (let time = 0; time < 3; time += 1) {
    const before = await claimedAt()
    vi.advanceTimersByTime(20_000)
    await expect.poll(claimedAt).toBeGreaterThan(before)
    await expect(answerOnce(services, call, run)).rejects.toMatchObject({ code: 'conflict' })
  }
  end.resolve({ status: 200, text: '{}' })
  expect(await first).toMatchObject({ status: 200, replayed: false })
  expect(await answerOnce(services, call, run)).toMatchObject({ status: 200, replayed: true })
  expect(runs).toBe(1)
})

test('R-API-02 a call whose process was suspended for over a minute sends nothing more once another call has taken over', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const { services } = t
  const call = { userId: me.user.id, key: 'stopped', request: { name: 'stopped' } }
  const goOn = Promise.withResolvers<void>()
  const begun = Promise.withResolvers<void>()
  const sent: string[] = []
  const run = async (who: string, until: Promise<void>) => {
    const fence = currentFence()
    await fence?.confirm()
    begun.resolve()
    await until
    await fence?.confirm()
    fence?.check()
    sent.push(who)
    return { status: 200, text: '{}' }
  }
  const first = answerOnce(services, call, () => run('first', goOn.promise))
  await begun.promise
  await services.db.sql`update idempotency_keys set created_at = now() - interval '61 s' where key = 'stopped'`
  expect(await answerOnce(services, call, () => run('second', Promise.resolve()))).toMatchObject({ replayed: false })
  vi.advanceTimersByTime(61_000)
  goOn.resolve()
  await expect(first).rejects.toMatchObject({ code: 'conflict' })
  expect(sent).toEqual(['second'])
  expect(await answerOnce(services, call, () => run('third', Promise.resolve()))).toMatchObject({ replayed: true })
})

test('a key expires after a day', async () => {
  await send('old', { name: 'old' })
  await send('older', { name: 'old' })
  await t.services.db.sql`update idempotency_keys set created_at = now() - interval '24 h 1 s' where key in ('old', 'older')`
  const again = await send('old', { name: 'new' })
  expect([again.statusCode, again.headers['idempotency-replayed'], await countKeys('older')]).toEqual([201, undefined, 0])
})

test('a stored response is encrypted', async () => {
  await send('sealed', { name: 'sealed' })
  const [row] = await t.services.db.sql<{ answer: string }[]>`select answer from idempotency_keys where key = 'sealed'`
  expect(row?.answer).toMatch(/^v1\./)
})

test('where a response may not be stored, a key is refused instead of ignored, and nothing is done', async () => {
  const mutations = listRestRoutes().filter(({ type, keyed }) => type === 'mutation' && !keyed)
  expect(mutations.map(({ path }) => path).toSorted()).toEqual([
    'accounts.reveal',
    'alerts.createChannel',
    'alerts.updateChannel',
    'apiTokens.create',
    'auth.askConfirmation',
    'auth.confirm',
    'auth.login',
    'auth.logout',
    'auth.register',
    'auth.secondFactor',
    'me.changePassword',
    'originCertificates.issue',
    'originCertificates.reveal',
    'registrars.reveal',
    'trackers.reveal',
    'users.createResetLink',
  ])
  const { headers } = await signIn(t.services)
  for (const { method, url } of mutations) {
    const target = url.replaceAll(/:\w+/g, () => crypto.randomUUID())
    const answer = await t.app.inject({ method, url: target, headers: { ...headers, 'idempotency-key': 'refused key' } })
    expect([target, answer.statusCode, answer.json()]).toMatchObject([
      target,
      400,
      { code: 'validation_failed', issues: [{ path: 'Idempotency-Key', message: expect.stringContaining('does not support') as unknown }] },
    ])
  }
  expect(await countKeys('refused key')).toBe(0)
  // It only reads, and may be repeated freely.
  expect((await t.app.inject({ url: '/api/auth/me', headers: { ...headers, 'idempotency-key': 'read' } })).statusCode).toBe(200)
})

test.each(['', 'x'.repeat(256), 'ключ', 'a\tb'])('the key %j is refused', async (key) => {
  const answer = await send(key, { name: 'bad key' })
  expect(answer.statusCode).toBe(400)
  expect(answer.json()).toMatchObject({ code: 'validation_failed', issues: [{ path: 'Idempotency-Key' }] })
})

test('the OpenAPI document lists the header exactly for the routes that support it', async () => {
  interface Operation {
    readonly parameters?: readonly { readonly name: string; readonly in: string }[]
  }
  const { paths } = (await t.app.inject('/api/openapi.json')).json<{ paths: Record<string, Record<string, Operation>> }>()
  const names = (path: string, method: string) => paths[path]?.[method]?.parameters?.map((parameter) => `${parameter.in} ${parameter.name}`)
  expect(names('/groups', 'post')).toEqual(['header Idempotency-Key'])
  expect(names('/groups/{id}', 'delete')).toEqual(['path id', 'header Idempotency-Key'])
  for (const [path, method] of [
    ['/groups', 'get'],
    ['/auth/login', 'post'],
    ['/accounts/{id}/login-details', 'post'],
  ] as const) {
    expect(names(path, method) ?? []).not.toContain('header Idempotency-Key')
  }
})

test('a person may use 20,000 new keys a day: further keys are refused and do nothing, and stored responses are still replayed', async () => {
  const many = await signIn(t.services)
  const first = await send('kept', { name: 'within' }, undefined, 'POST', many)
  await t.services.db.sql`update attempts set count = ${keysPerPerson.limit} where key = ${`idempotency-keys:${many.user.id}`}`
  const refused = await send('one more', { name: 'beyond' }, undefined, 'POST', many)
  expect([refused.statusCode, codeOf(refused)]).toEqual([429, 'too_many_idempotency_keys'])
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(3_600)
  expect([await countGroups('beyond'), await countKeys('one more')]).toEqual([0, 0])
  expect((await send('kept', { name: 'within' }, undefined, 'POST', many)).body).toBe(first.body)
})

test('a long response counts as several keys, since it is stored for a day', async () => {
  const person = await signIn(t.services)
  const keyed = (key: string, text: string) =>
    answerOnce(t.services, { userId: person.user.id, key, request: {} }, () => Promise.resolve({ status: 200, text }))
  await keyed('short', 'x'.repeat(60_000))
  await keyed('long', 'x'.repeat(2 * 1024 * 1024))
  const [row] = await t.services.db.sql<{ count: number }[]>`select count from attempts where key = ${`idempotency-keys:${person.user.id}`}`
  expect(row?.count).toBe(1 + 1 + 32)
  await t.services.db.sql`update attempts set count = ${keysPerPerson.limit - 2} where key = ${`idempotency-keys:${person.user.id}`}`
  expect((await keyed('another long one', 'x'.repeat(200_000))).status).toBe(200)
  await expect(keyed('one more', '')).rejects.toMatchObject({ code: 'too_many_idempotency_keys' })
})
