import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { operationKinds, startOperations } from '#server/features/operations/index.ts'
import { callAs, createTestApp, signIn } from '#server/testing/app.ts'
import type { SignedIn, TestApp } from '#server/testing/app.ts'
import { insertAccount, insertZones, testPassword } from '#server/testing/factories.ts'
import { createTestPanel } from '#server/testing/panel.ts'
import { setDisabled } from './disable-user.ts'

let t: TestApp
let admin: SignedIn
let ann: SignedIn
beforeAll(async () => {
  t = await createTestApp()
})
afterAll(() => t.close())
beforeEach(async () => {
  await t.services.db.sql`delete from users`
  admin = await signIn(t.services, { role: 'admin', username: 'chief' })
  ann = await signIn(t.services, { username: 'ann' })
})

const refusal = (code: string) => ({ cause: expect.objectContaining({ code }) as unknown })
const rest = (path: string, who = admin) => t.app.inject({ method: 'POST', url: `/api/users${path}`, headers: who.headers })
const login = (email = ann.user.email, password = testPassword) => callAs(t.services, null).auth.login({ email, password })
const log = (id: string) =>
  t.services.db.sql<{ action: string; entityType: string; details: Record<string, unknown> }[]>`
    select action, entity_type, details from activity where owner_id = ${id} order by id`

describe('a disabled user', () => {
  test('ASVS 7.4.2 is signed out everywhere, cannot sign in, and can again once enabled', async () => {
    const { secret } = await ann.call.apiTokens.create({ name: 'ci', scope: 'read' })
    const { path } = await ann.call.registrars.createCalendarFeed()
    expect(await admin.call.users.disablingPreview({ id: ann.user.id })).toEqual({
      sessions: 1,
      tokens: 1,
      operations: 0,
      calendarFeed: true,
    })
    const answer = await rest(`/${ann.user.id}/disable`)
    expect(answer.json()).toMatchObject({ user: { id: ann.user.id, disabledAt: expect.any(String) as unknown } })

    const statusOf = async (url: string, headers: Record<string, string> = {}) => (await t.app.inject({ url, headers })).statusCode
    expect(await statusOf('/api/auth/me', ann.headers)).toBe(401)
    expect(await statusOf('/api/auth/me', { authorization: `Bearer ${secret}` })).toBe(401)
    expect(await statusOf(path)).toBe(404)
    await expect(login()).rejects.toMatchObject(refusal('user_disabled'))
    await expect(login(ann.user.email, 'not that')).rejects.toMatchObject(refusal('invalid_credentials'))

    expect((await rest(`/${ann.user.id}/enable`)).json()).toMatchObject({ user: { disabledAt: null } })
    expect(await login()).toHaveProperty('token')
    // Ended sessions are not restored.
    expect(await statusOf('/api/auth/me', { authorization: `Bearer ${secret}` })).toBe(401)
    expect(await statusOf(path)).toBe(404)
  })

  test('is found by the state filter of the list, and every step is logged once', async () => {
    await admin.call.users.disable({ id: ann.user.id })
    await admin.call.users.disable({ id: ann.user.id })
    const names = async (state: 'active' | 'disabled') => (await admin.call.users.list({ state })).users.map(({ username }) => username)
    expect([await names('active'), await names('disabled')]).toEqual([['chief'], ['ann']])
    await admin.call.users.enable({ id: ann.user.id })
    expect((await log(ann.user.id)).map(({ details }) => details)).toEqual([
      { disabled: { from: false, to: true } },
      { disabled: { from: true, to: false } },
    ])
  })

  test('cannot use a password link, old or new', async () => {
    const { path } = await admin.call.users.createResetLink({ id: ann.user.id })
    await admin.call.users.disable({ id: ann.user.id })
    const [, ticket = ''] = path.split('#')
    const input = { ticket, password: 'another1', passwordConfirmation: 'another1' }
    await expect(callAs(t.services, null).users.resetByLink(input)).rejects.toMatchObject(refusal('challenge_expired'))
    await expect(admin.call.users.createResetLink({ id: ann.user.id })).rejects.toMatchObject(refusal('user_disabled'))
  })

  test('gets no session or token whose creation was in progress', async () => {
    await t.services.db.sql`update users set disabled_at = now() where id = ${ann.user.id}`
    expect(await t.services.sessions.find(ann.token)).toBeNull()
    // As seen by a request that was already running.
    await expect(ann.call.apiTokens.create({ name: 'late', scope: 'write' })).rejects.toMatchObject(refusal('unauthorized'))
    expect(await t.services.db.sql`select from api_tokens`).toHaveLength(0)
  })

  test('gets no calendar URL whose creation was in progress, and existing URLs do not work while disabled', async () => {
    const { path } = await ann.call.registrars.createCalendarFeed()
    const status = async () => (await t.app.inject({ url: path })).statusCode
    await t.services.db.sql`update users set disabled_at = now() where id = ${ann.user.id}`
    expect(await status()).toBe(404)
    await t.services.db.sql`update users set disabled_at = null where id = ${ann.user.id}`
    expect(await status()).toBe(200)
    await admin.call.users.disable({ id: ann.user.id })
    // As seen by a request that was already running.
    await expect(ann.call.registrars.createCalendarFeed()).rejects.toMatchObject(refusal('unauthorized'))
    expect(await t.services.db.sql`select from calendar_feeds`).toHaveLength(0)
  })

  test('has event streams closed immediately', async () => {
    const address = await t.app.listen({ port: 0, host: '127.0.0.1' })
    const stream = await fetch(`${address}/trpc/live.events?input=${encodeURIComponent('{}')}`, {
      headers: { ...ann.headers, accept: 'text/event-stream' },
    })
    expect(stream.status).toBe(200)
    await admin.call.users.disable({ id: ann.user.id })
    // The stream ends with the refusal; otherwise reading it would never return.
    expect(await stream.text()).toContain('unauthorized')
  })
})

describe('R-PRM-03 the last administrator', () => {
  test('can neither be disabled by an operator nor disable their own account', async () => {
    await expect(admin.call.users.disable({ id: admin.user.id })).rejects.toMatchObject(refusal('own_user'))
    const operator = {
      ...t.services,
      actor: { kind: 'system', name: 'cli' },
      requestId: 'cli',
      address: null,
      userAgent: null,
      origin: null,
    } as const
    await expect(setDisabled(operator, admin.user.id, true)).rejects.toMatchObject({ code: 'last_admin' })
  })

  test('is the last enabled one: disabled administrators do not count', async () => {
    const other = await signIn(t.services, { role: 'admin' })
    await admin.call.users.disable({ id: other.user.id })
    // As seen by a request of theirs that was already running.
    await expect(other.call.users.update({ id: admin.user.id, role: 'user' })).rejects.toMatchObject(refusal('last_admin'))
    await expect(other.call.users.remove({ id: admin.user.id })).rejects.toMatchObject(refusal('last_admin'))
    await expect(other.call.users.disable({ id: admin.user.id })).rejects.toMatchObject(refusal('last_admin'))
  })

  test('of two who disable each other concurrently one stays', async () => {
    const other = await signIn(t.services, { role: 'admin' })
    const ends = await Promise.allSettled([
      admin.call.users.disable({ id: other.user.id }),
      other.call.users.disable({ id: admin.user.id }),
    ])
    expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await t.services.db.sql`select from users where role = 'admin' and disabled_at is null`).toHaveLength(1)
  })
})

test('disabling requires recent authentication and the administrator role', async () => {
  const stale = callAs(t.services, { ...admin.actor, verifiedAt: new Date(Date.now() - 15 * 60_000) })
  await expect(stale.users.disable({ id: ann.user.id })).rejects.toMatchObject(refusal('confirmation_needed'))
  await expect(stale.users.enable({ id: ann.user.id })).rejects.toMatchObject(refusal('confirmation_needed'))
  expect((await rest(`/${admin.user.id}/disable`, ann)).statusCode).toBe(403)
  expect((await rest('/00000000-0000-7000-8000-000000000000/disable')).statusCode).toBe(404)
})

test('operations of a disabled user pause, and the person who resumes one becomes its actor', async () => {
  const panel = await createTestPanel({ world: { zones: 4, accounts: 1, recordsPerZone: 2 } })
  onTestFinished(() => panel.close())
  const { services, simulator } = panel
  const [chief, owner] = [await signIn(services, { role: 'admin', name: 'Chief' }), await signIn(services)]
  const { email, globalKey, userId } = panel.credential(0)
  const credential = { secrets: services.secrets, apiKey: globalKey }
  const account = await insertAccount(services.db, { ownerId: owner.user.id, email, providerUserId: userId }, credential)
  const theirs = [...simulator.state.zonesById.values()]
  await insertZones(services.db, { ownerId: owner.user.id, accountId: account.id }, theirs.length, (at) => ({
    providerZoneId: theirs[at]?.id ?? '',
    name: theirs[at]?.name ?? '',
    settingsReadAt: new Date(),
  }))
  const request = { kind: 'settings', input: { settings: { minTlsVersion: '1.3' } } } as const
  const { operation } = await owner.call.operations.preview({ request, target: { filter: {} } })
  await owner.call.operations.start({ id: operation.id })
  await chief.call.users.disable({ id: owner.user.id })
  const stateNow = async () => (await chief.call.operations.items({ id: operation.id, limit: 1 })).operation.state
  expect(await stateNow()).toBe('paused')

  // Even if resumed directly in the database, nothing is done on behalf of the disabled person.
  await services.db.sql`update operations set state = 'queued'`
  const runner = await startOperations(services, operationKinds, { pollMs: 20 })
  onTestFinished(() => runner.stop())
  await expect.poll(async () => (await services.db.sql`select from operation_items where started_at is not null`).length).toBeGreaterThan(0)
  expect(simulator.journal.count({ method: 'PATCH' })).toBe(0)
  await services.db.sql`update operations set state = 'paused'`

  await chief.call.operations.resume({ id: operation.id })
  await expect.poll(stateNow, { timeout: 20_000 }).toBe('done')
  const { done } = (await chief.call.operations.items({ id: operation.id, limit: 1 })).operation
  expect(done).toBeGreaterThan(0)
  expect(simulator.journal.count({ method: 'PATCH' })).toBe(done)
  const log = await services.db.sql`select distinct actor_id from activity where entity_type = 'zone'`
  expect(log.map((row) => ({ ...row }))).toEqual([{ actorId: chief.user.id }])
})
