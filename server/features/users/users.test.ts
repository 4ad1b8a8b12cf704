import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { callAs, createTestApp, signIn } from '#server/testing/app.ts'
import type { SignedIn, TestApp } from '#server/testing/app.ts'
import { insertAccount, insertGroup, insertUser, insertZones, testPassword } from '#server/testing/factories.ts'

let t: TestApp
let admin: SignedIn
beforeAll(async () => {
  t = await createTestApp()
})
afterAll(() => t.close())
beforeEach(async () => {
  await t.services.db.sql`delete from users`
  admin = await signIn(t.services, { role: 'admin', username: 'chief' })
})

const refusal = (code: string) => ({ cause: expect.objectContaining({ code }) as unknown })
const rest = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, payload?: object, who = admin) =>
  t.app.inject({ method, url: `/api/users${path}`, headers: who.headers, ...(payload && { payload }) })
const fields = (name: string, more: object = {}) => ({
  username: name,
  email: `${name}@example.com`,
  password: 'secret1',
  role: 'user' as const,
  ...more,
})
const onlyThese = 'Use only Latin letters, digits, dots, hyphens, and underscores'
const usernames = async () => (await admin.call.users.list({})).users.map(({ username }) => username)
const alive = async ({ token }: { readonly token: string }) => (await t.services.sessions.find(token)) !== null
const log = (id: string) =>
  t.services.db.sql<{ action: string; details: Record<string, unknown>; actorName: string }[]>`
    select action, details, actor_name from activity where entity_type = 'user' and entity_id = ${id} order by id`
/** The same person, whose last authentication was a quarter of an hour ago. */
const stale = () => callAs(t.services, { ...admin.actor, verifiedAt: new Date(Date.now() - 15 * 60_000) })

describe('R-USR-01 user details', () => {
  test('R-USR-01 the list has names, role, counts and dates, and no password', async () => {
    const ann = await signIn(t.services, { username: 'ann', name: 'Анна', email: 'ann@example.com' })
    const account = await insertAccount(t.services.db, { ownerId: ann.user.id })
    await insertZones(t.services.db, { ownerId: ann.user.id, accountId: account.id }, 3)
    await insertGroup(t.services.db, { ownerId: ann.user.id })
    const answer = await rest('GET', '')
    expect(answer.statusCode).toBe(200)
    const { users } = answer.json<{ users: { username: string }[] }>()
    expect(users.map(({ username }) => username)).toEqual(['ann', 'chief'])
    expect(users[0]).toEqual({
      id: ann.user.id,
      username: 'ann',
      name: 'Анна',
      email: 'ann@example.com',
      role: 'user',
      language: null,
      accountsCount: 1,
      registrarsCount: 0,
      domainsCount: 3,
      groupsCount: 1,
      secured: false,
      lastSeenAt: expect.any(String) as unknown,
      updatedAt: ann.user.updatedAt.toISOString(),
      createdAt: ann.user.createdAt.toISOString(),
      disabledAt: null,
      spendLimitUsd: null,
    })
    expect(answer.body).not.toMatch(/argon2|password/i)
  })

  test('R-USR-02 the search covers user name, name and email in any letter case', async () => {
    await insertUser(t.services.db, { username: 'olga', name: 'Ольга Ёлкина', email: 'o@north.example' })
    const found = async (search: string) => (await admin.call.users.list({ search })).users.map(({ username }) => username)
    expect([await found('ёЛК'), await found('OLG'), await found('north'), await found('nobody_%')]).toEqual([
      ['olga'],
      ['olga'],
      ['olga'],
      [],
    ])
    expect((await admin.call.users.list({ role: 'admin' })).users.map(({ username }) => username)).toEqual(['chief'])
  })
})

describe('R-USR-02 adding', () => {
  test('R-USR-02 a new user is returned under `user`, and can sign in', async () => {
    const answer = await rest('POST', '', fields('ben', { name: '  Ben ', email: ' Ben@Example.com ', role: 'admin' }))
    expect(answer.statusCode).toBe(201)
    const { user } = answer.json<{ user: { id: string } }>()
    expect(user).toMatchObject({ username: 'ben', name: 'Ben', email: 'ben@example.com', role: 'admin', accountsCount: 0 })
    const login = await t.app.inject({ method: 'POST', url: '/api/auth/login', payload: { email: 'ben@example.com', password: 'secret1' } })
    expect(login.statusCode).toBe(200)
    expect((await log(user.id))[0]).toMatchObject({ action: 'create', details: { username: 'ben', role: 'admin' } })
  })

  test.each([
    ['username', 'that is absent', undefined, 'This field is required'],
    ['username', 'of spaces', '  ', 'This field is required'],
    ['username', 'of 65 characters', 'x'.repeat(65), 'Use at most 64 characters'],
    ['username', 'with a space in it', 'two words', onlyThese],
    ['username', 'that turns the direction of writing', 'left\u202eright', onlyThese],
    ['username', "that is somebody else's email", 'chief@example.com', onlyThese],
    ['username', "with a letter that looks like one of somebody else's", 'chi\u0435f', onlyThese],
    ['username', 'with a letter of another width', 'ｃhief', onlyThese],
    ['email', 'that is absent', undefined, 'This field is required'],
    ['email', 'that is none', 'nothing', 'Invalid email format'],
    ['email', 'of 262 characters', `${'x'.repeat(250)}@example.com`, 'Use at most 254 characters'],
    ['password', 'that is absent', undefined, 'This field is required'],
    ['password', 'that is empty', '', 'This field is required'],
    ['password', 'of 5 characters', '12345', 'Use at least 6 characters'],
    ['password', 'that everybody tries first', 'Qwerty123', 'This password is too common. Choose another one.'],
    ['password', 'that is the email', 'NEW@example.com', 'The password must not be the user’s own name or email'],
    ['password', 'of 257 characters', 'x'.repeat(257), 'Use at most 256 characters'],
    ['role', 'that is absent', undefined, 'This field is required'],
    ['role', 'that nobody has', 'owner', 'Accepted values: admin, user'],
    ['name', 'of 101 characters', 'x'.repeat(101), 'Use at most 100 characters'],
    ['name', 'of 501 characters', 'x'.repeat(501), 'Use at most 100 characters'],
    ['name', 'that turns the direction of writing', 'left\u202eright', 'Remove the unsupported characters'],
    ['name', 'of two lines', 'line\nbreak', 'Remove the unsupported characters'],
    ['language', 'that the panel does not speak', 'tlh', 'Accepted values: ru, en'],
  ])('R-USR-02 a new user with a %s %s is refused', async (path, _what, value, message) => {
    const answer = await rest('POST', '', { ...fields('new'), [path]: value })
    expect(answer.statusCode).toBe(400)
    expect(answer.json()).toMatchObject({
      code: 'validation_failed',
      issues: expect.arrayContaining([{ path, message }]) as unknown,
    })
  })

  test.each([
    ['email_taken', 'email', { username: 'other', email: 'CHIEF2@example.com' }],
    ['username_taken', 'username', { username: 'Chief2', email: 'other@example.com' }],
  ])('R-USR-02 %s is reported in any letter case, at its field', async (code, path, given) => {
    await admin.call.users.create(fields('chief2'))
    const answer = await rest('POST', '', fields('x', given))
    expect(answer.statusCode).toBe(409)
    expect(answer.json()).toMatchObject({ code, issues: [{ path }] })
    const other = await admin.call.users.create(fields('third'))
    expect((await rest('PATCH', `/${other.user.id}`, { [path]: given[path as 'email'] })).json()).toMatchObject({ code })
  })

  test('an existing unsupported user name stays valid, but no new one is accepted', async () => {
    const { id } = await insertUser(t.services.db, { username: 'шеф@отдел', email: 'boss@example.com' })
    const change = (given: object) => rest('PATCH', `/${id}`, given)
    expect((await change({ username: 'шеф@отдел', name: 'Boss' })).json()).toMatchObject({ user: { username: 'шеф@отдел', name: 'Boss' } })
    const refused = await change({ username: 'шеф' })
    expect(refused.statusCode).toBe(400)
    expect(refused.json()).toMatchObject({ code: 'validation_failed', issues: [{ path: 'username' }] })
    expect((await change({ username: 'Boss_1.a-b' })).json()).toMatchObject({ user: { username: 'Boss_1.a-b' } })
  })

  test('of fifty concurrent additions of one user name exactly one succeeds', async () => {
    const answers = await Promise.allSettled(
      Array.from({ length: 50 }, (_, i) => admin.call.users.create(fields('same', { email: `same${i}@example.com` }))),
    )
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await usernames()).toEqual(['chief', 'same'])
  })
})

describe('R-USR-02 changing', () => {
  test('R-USR-02 an absent or empty password means no change; before and after are logged, the password is not', async () => {
    const ann = await signIn(t.services, { username: 'ann', email: 'ann@example.com', name: 'Ann' })
    const answer = await rest('PATCH', `/${ann.user.id}`, { name: 'Anna', password: '' })
    expect(answer.json()).toMatchObject({ user: { name: 'Anna', username: 'ann', email: 'ann@example.com' } })
    expect(await alive(ann)).toBe(true)
    await rest('PATCH', `/${ann.user.id}`, { password: 'canary-password', name: '' })
    const entries = await log(ann.user.id)
    expect(entries.map(({ details }) => details)).toEqual([
      { name: { from: 'Ann', to: 'Anna' } },
      { name: { from: 'Anna', to: null }, password: 'changed' },
    ])
    expect(JSON.stringify(entries)).not.toContain('canary')
    const login = (password: string) =>
      t.app.inject({ method: 'POST', url: '/api/auth/login', payload: { email: 'ann@example.com', password } })
    expect([(await login(testPassword)).statusCode, (await login('canary-password')).statusCode]).toEqual([401, 200])
  })

  test('an edit without a change writes nothing', async () => {
    const { user } = await admin.call.users.create(fields('same'))
    const again = await admin.call.users.update({ ...user, password: '', language: null })
    expect(again.user.updatedAt).toBe(user.updatedAt)
    expect(await log(user.id)).toHaveLength(1)
  })

  test('of two edits based on the same state one is refused, also concurrently', async () => {
    const { user } = await admin.call.users.create(fields('contested'))
    const answers = await Promise.allSettled(
      Array.from({ length: 20 }, (_, i) => admin.call.users.update({ id: user.id, updatedAt: user.updatedAt, name: `n${i}` })),
    )
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    for (const answer of answers) {
      if (answer.status === 'rejected') expect(answer.reason).toMatchObject(refusal('conflict'))
    }
    const later = await admin.call.users.get({ id: user.id })
    await expect(admin.call.users.update({ id: user.id, updatedAt: later.user.updatedAt, name: 'now' })).resolves.toMatchObject({
      user: { name: 'now' },
    })
    // An API client without that field is not refused.
    expect((await rest('PATCH', `/${user.id}`, { name: 'script' })).statusCode).toBe(200)
  })

  test.each([
    ['a role change', { role: 'admin' as const }],
    ['a password change', { password: 'another1' }],
  ])('R-PRM-01 sessions created before %s are refused', async (_what, change) => {
    const ann = await signIn(t.services)
    const bob = await signIn(t.services)
    await admin.call.users.update({ id: ann.user.id, ...change })
    const { statusCode } = await t.app.inject({ url: '/api/auth/me', headers: ann.headers })
    expect([statusCode, await alive(bob), await alive(admin)]).toEqual([401, true, true])
  })

  test('an administrator who changes their own password keeps the current session and ends all others', async () => {
    const elsewhere = await t.services.sessions.create(t.services.db.orm, admin.user.id, { address: null, userAgent: null })
    await admin.call.users.update({ id: admin.user.id, password: 'another1' })
    expect([await alive(admin), await alive({ token: elsewhere })]).toEqual([true, false])
  })

  test('signing a person out ends their sessions and is logged', async () => {
    const ann = await signIn(t.services)
    expect((await rest('POST', `/${ann.user.id}/sign-out`)).json()).toEqual({ success: true })
    expect(await alive(ann)).toBe(false)
    expect((await log(ann.user.id)).map(({ action, actorName }) => [action, actorName])).toEqual([['logout', 'chief']])
  })
})

test('R-USR-01 administrators are notified of every change to the listed user data', async () => {
  const heard = new Set<string>()
  const end = t.services.events.subscribe((userId, { kind }) => {
    if (kind === 'users') heard.add(userId ?? '')
  })
  onTestFinished(end)
  const hears = async (id: string) => {
    await expect.poll(() => [...heard]).toEqual([id])
    heard.clear()
  }
  const { user } = await admin.call.users.create(fields('seen'))
  await hears(user.id)
  await admin.call.users.update({ id: user.id, name: 'Seen' })
  await hears(user.id)
  await admin.call.users.signOut({ id: user.id })
  await hears(user.id)
  await admin.call.twoFactor.reset({ userId: user.id })
  await hears(user.id)
  await admin.call.users.remove({ id: user.id })
  await hears(user.id)
  const payload = { email: 'new@example.com', password: 'secret1', passwordConfirmation: 'secret1' }
  const registered = await t.app.inject({ method: 'POST', url: '/api/auth/register', payload })
  await hears(registered.json<{ user: { id: string } }>().user.id)
  await admin.call.me.update({ language: 'en' })
  await hears(admin.user.id)
  await admin.call.me.update({ language: 'en' })
  await admin.call.me.update({ language: 'ru' })
  await hears(admin.user.id)
})

describe('a password link', () => {
  const made = async (id: string) => (await admin.call.users.createResetLink({ id })).path.replace('/reset-password#', '')
  const use = (ticket: string, password = 'another1') =>
    t.app.inject({ method: 'POST', url: '/api/auth/reset-password', payload: { ticket, password, passwordConfirmation: password } })
  const codeOf = (answer: { json: () => unknown }) => (answer.json() as { code?: string }).code

  test('works once of fifty concurrent uses, and ends every earlier session', async () => {
    const ann = await signIn(t.services)
    const ticket = await made(ann.user.id)
    expect(await alive(ann)).toBe(true)
    const answers = await Promise.all(Array.from({ length: 50 }, (_, i) => use(ticket, `another${i}`)))
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1)
    expect(new Set(answers.filter(({ statusCode }) => statusCode !== 200).map(codeOf))).toEqual(new Set(['challenge_expired']))
    expect(await alive(ann)).toBe(false)
    const won = answers.findIndex(({ statusCode }) => statusCode === 200)
    const payload = { email: ann.user.email, password: `another${won}` }
    expect((await t.app.inject({ method: 'POST', url: '/api/auth/login', payload })).statusCode).toBe(200)
    expect((await log(ann.user.id)).map(({ details }) => details)).toMatchObject([{ resetLink: 'made' }, { resetLink: 'used' }, {}])
  })

  test('is invalidated by a newer one, by a password change and after a day, and is stored and logged nowhere', async () => {
    const ann = await signIn(t.services)
    const first = await made(ann.user.id)
    const second = await made(ann.user.id)
    expect(codeOf(await use(first))).toBe('challenge_expired')
    await admin.call.users.update({ id: ann.user.id, password: 'by the chief' })
    expect(codeOf(await use(second))).toBe('challenge_expired')
    const third = await made(ann.user.id)
    await t.services.db.sql`update challenges set expires_at = now() where user_id = ${ann.user.id}`
    expect(codeOf(await use(third))).toBe('challenge_expired')
    expect(codeOf(await use('x'.repeat(43)))).toBe('challenge_expired')
    const kept = JSON.stringify([await t.services.db.sql`select * from activity`, await t.services.db.sql`select * from challenges`])
    for (const ticket of [first, second, third]) expect(kept).not.toContain(ticket)
  })

  test('can be checked without using it', async () => {
    const ann = await signIn(t.services)
    const ticket = await made(ann.user.id)
    const works = async (given: string) => {
      const answer = await t.app.inject({ method: 'POST', url: '/trpc/users.checkResetLink', payload: { ticket: given } })
      return answer.json<{ result: { data: { works: boolean } } }>().result.data.works
    }
    expect([await works(ticket), await works(ticket), await works('bogus')]).toEqual([true, true, false])
    expect((await use(ticket)).statusCode).toBe(200)
    expect(await works(ticket)).toBe(false)
  })

  test('is invalid for a deleted user, and is not used up by a weak password', async () => {
    const ann = await signIn(t.services)
    const ticket = await made(ann.user.id)
    expect(codeOf(await use(ticket, '12345'))).toBe('validation_failed')
    await admin.call.users.remove({ id: ann.user.id })
    expect(codeOf(await use(ticket))).toBe('challenge_expired')
  })
})

describe('R-PRM-03 deleting', () => {
  test('R-PRM-03 the affected data is reported before; all of the user’s data is deleted, and other people’s stays', async () => {
    const ann = await signIn(t.services, { username: 'ann' })
    const bob = await signIn(t.services, { username: 'bob' })
    for (const { user } of [ann, bob]) {
      const account = await insertAccount(t.services.db, { ownerId: user.id })
      const group = await insertGroup(t.services.db, { ownerId: user.id })
      await insertZones(t.services.db, { ownerId: user.id, accountId: account.id }, 4, () => ({ groupId: group.id }))
    }
    const preview = await admin.call.users.deletionPreview({ ids: [ann.user.id, ann.user.id] })
    const belongings = { accounts: 1, domains: 4, groups: 1, profiles: 0, operations: 0, tokens: 0, shares: 0 }
    expect(preview).toEqual({ users: [{ id: ann.user.id, username: 'ann', email: ann.user.email, ...belongings }] })
    expect((await rest('DELETE', `/${ann.user.id}`)).statusCode).toBe(204)
    const [left] = await t.services.db.sql`
      select (select count(*)::int from accounts) as accounts, (select count(*)::int from zones) as zones, (select count(*)::int from groups) as groups,
        (select count(*)::int from zones where owner_id = ${ann.user.id}) as hers`
    expect(left).toEqual({ accounts: 1, zones: 4, groups: 1, hers: 0 })
    expect((await t.app.inject({ url: '/api/auth/me', headers: ann.headers })).statusCode).toBe(401)
    expect((await log(ann.user.id)).at(-1)).toMatchObject({
      action: 'delete',
      details: { accounts: 1, domains: 4, groups: 1 },
      actorName: 'chief',
    })
    expect((await admin.call.users.list({})).users.map(({ username, domainsCount }) => [username, domainsCount])).toEqual([
      ['bob', 4],
      ['chief', 0],
    ])
  })

  test('R-USR-02 many users are deleted together, all or none', async () => {
    const people = await Promise.all(['a', 'b', 'c'].map((name) => admin.call.users.create(fields(name))))
    const ids = people.map(({ user }) => user.id)
    const nobody = '01a1fcdd-50f5-7bb3-90c9-934147e5e7fb'
    expect((await rest('POST', '/bulk-delete', { ids: [...ids, nobody] })).statusCode).toBe(404)
    expect(await usernames()).toEqual(['a', 'b', 'c', 'chief'])
    const answer = await rest('POST', '/bulk-delete', { ids })
    expect(answer.json<{ users: unknown[] }>().users).toHaveLength(3)
    expect(await usernames()).toEqual(['chief'])
  })

  test('R-PRM-03 the own user cannot be deleted, separately or with others', async () => {
    const { user } = await admin.call.users.create(fields('other', { role: 'admin' }))
    expect((await rest('DELETE', `/${admin.user.id.toUpperCase()}`)).json()).toMatchObject({ code: 'own_user' })
    expect((await rest('POST', '/bulk-delete', { ids: [user.id, admin.user.id] })).json()).toMatchObject({ code: 'own_user' })
    expect(await usernames()).toEqual(['chief', 'other'])
  })

  test('R-PRM-03 the last administrator keeps the role', async () => {
    await admin.call.users.create(fields('plain'))
    const answer = await rest('PATCH', `/${admin.user.id}`, { role: 'user' })
    expect([answer.statusCode, answer.json<{ code: string }>().code]).toEqual([409, 'last_admin'])
    const { user } = await admin.call.users.create(fields('second', { role: 'admin' }))
    expect((await rest('PATCH', `/${admin.user.id}`, { role: 'user' })).statusCode).toBe(200)
    expect(await alive(admin)).toBe(false)
    await expect(callAs(t.services, { ...admin.actor, userId: user.id }).users.update({ id: user.id, role: 'user' })).rejects.toMatchObject(
      refusal('last_admin'),
    )
  })

  test.each(['remove', 'demote'] as const)('R-PRM-03 administrators who %s each other at the same moment leave one', async (what) => {
    for (let round = 0; round < 5; round += 1) {
      await t.services.db.sql`delete from users`
      const [one, two] = await Promise.all([signIn(t.services, { role: 'admin' }), signIn(t.services, { role: 'admin' })])
      const act = (who: SignedIn, id: string) =>
        what === 'remove' ? who.call.users.remove({ id }) : who.call.users.update({ id, role: 'user' })
      const answers = await Promise.allSettled([act(one, two.user.id), act(two, one.user.id)])
      expect(answers.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
      const [row] = await t.services.db.sql<{ n: number }[]>`select count(*)::int as n from users where role = 'admin'`
      expect(row?.n).toBe(1)
    }
  })
})

describe('R-PRM-01 permissions', () => {
  test('R-PRM-01 a user may call none of it, even for their own account', async () => {
    const ann = await signIn(t.services)
    for (const [method, path, payload] of [
      ['GET', ''],
      ['GET', `/${ann.user.id}`],
      ['PATCH', `/${ann.user.id}`, fields('x')],
      ['DELETE', `/${ann.user.id}`],
      ['POST', '', fields('x')],
      ['POST', '/bulk-delete', { ids: [ann.user.id] }],
      ['POST', `/${ann.user.id}/sign-out`, {}],
    ] as const) {
      const answer = await rest(method, path, payload, ann)
      expect([method, path, answer.statusCode]).toEqual([method, path, 403])
    }
  })

  test('changes to access require recent authentication; a name does not', async () => {
    const { user } = await admin.call.users.create(fields('ann'))
    const call = stale()
    for (const attempt of [
      () => call.users.create(fields('new')),
      () => call.users.update({ id: user.id, role: 'admin' }),
      () => call.users.update({ id: user.id, email: 'thief@example.com' }),
      () => call.users.update({ id: user.id, password: 'another1' }),
      () => call.users.createResetLink({ id: user.id }),
      () => call.users.remove({ id: user.id }),
      () => call.users.removeMany({ ids: [user.id] }),
    ]) {
      await expect(attempt()).rejects.toMatchObject(refusal('confirmation_needed'))
    }
    await expect(call.users.update({ id: user.id, name: 'Ann', role: 'user', email: user.email })).resolves.toMatchObject({
      user: { name: 'Ann' },
    })
  })
})
