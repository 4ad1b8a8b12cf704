import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { accounts as accountsTable } from '#server/db/schema/index.ts'
import { callAs, createTestApp, signIn } from '#server/testing/app.ts'
import type { SignedIn, TestApp } from '#server/testing/app.ts'
import { insertAccount, insertZones } from '#server/testing/factories.ts'
import { createFakeClock } from '#server/testing/fake-clock.ts'
import { createTestPanel } from '#server/testing/panel.ts'
import { getPanelSettings } from './index.ts'

const day = 24 * 3600_000
const refusal = (code: string) => ({ cause: expect.objectContaining({ code }) as unknown })

async function stage(options: Parameters<typeof createTestApp>[0] = {}): Promise<TestApp & { readonly admin: SignedIn }> {
  const server = await createTestApp(options)
  onTestFinished(() => server.close())
  return { ...server, admin: await signIn(server.services, { role: 'admin' }) }
}

const unset = {
  purchaseProofUsd: 50,
  registration: 'open',
  defaultLanguage: 'browser',
  timeZone: 'UTC',
  twoFactor: 'optional',
  sessionDays: 30,
  activityRetentionDays: 365,
}

describe('panel settings', () => {
  let t: TestApp
  let admin: SignedIn
  beforeAll(async () => {
    t = await createTestApp()
    admin = await signIn(t.services, { role: 'admin' })
  })
  afterAll(() => t.close())

  const rest = (method: 'GET' | 'PATCH', payload?: object, { headers }: Pick<SignedIn, 'headers'> = admin) =>
    t.app.inject({ method, url: '/api/settings', headers, ...(payload && { payload }) })

  test('R-API-01 are read and changed over REST individually, and only actual changes are logged', async () => {
    const registrationUndecided = true
    expect((await rest('GET')).json()).toEqual({ settings: unset, registrationUndecided })
    const changes = { timeZone: 'Europe/Moscow', activityRetentionDays: 90 }
    expect((await rest('PATCH', changes)).json()).toEqual({ settings: { ...unset, ...changes }, registrationUndecided })
    expect((await rest('PATCH', { timeZone: 'Europe/Moscow', defaultLanguage: 'en' })).json()).toEqual({
      settings: { ...unset, ...changes, defaultLanguage: 'en' },
      registrationUndecided,
    })
    expect((await rest('PATCH', changes)).statusCode).toBe(200)
    const entries = await t.services.db.sql`
      select actor_name, action, entity_type, details from activity where entity_type = 'settings' order by id`
    const entry = { actorName: admin.actor.name, action: 'update', entityType: 'settings' }
    expect([...entries]).toEqual([
      { ...entry, details: { before: { timeZone: 'UTC', activityRetentionDays: 365 }, after: changes } },
      { ...entry, details: { before: { defaultLanguage: 'browser' }, after: { defaultLanguage: 'en' } } },
    ])
  })

  test('are visible to and changed by administrators only', async () => {
    const user = await signIn(t.services)
    for (const answer of [await rest('GET', undefined, user), await rest('PATCH', { registration: 'closed' }, user)]) {
      expect([answer.statusCode, answer.json<{ code: string }>().code]).toEqual([403, 'forbidden'])
    }
  })

  test.each([
    [{ timeZone: '+03:00' }, 'timeZone', 'Enter a time zone such as Europe/Moscow'],
    [{ timeZone: 'Mars/Olympus' }, 'timeZone', 'Enter a time zone such as Europe/Moscow'],
    [{ sessionDays: 0 }, 'sessionDays', 'Must be at least 1'],
    [{ sessionDays: 366 }, 'sessionDays', 'Must be at most 365'],
    [{ sessionDays: 1.5 }, 'sessionDays', 'Enter a whole number of days'],
    [{ activityRetentionDays: 4000 }, 'activityRetentionDays', 'Must be at most 3650'],
    [{ twoFactor: 'nobody' }, 'twoFactor', 'Accepted values: optional, admins, everyone'],
    [{}, '', 'Select at least one setting to change'],
  ])('%j is refused with a message', async (payload, path, message) => {
    const answer = await rest('PATCH', payload)
    expect(answer.statusCode).toBe(400)
    expect(answer.json()).toMatchObject({ code: 'validation_failed', issues: [{ path, message }] })
  })

  test('no concurrent change is lost, and each log entry has the true previous value', async () => {
    const all = [7, 14, 21, 28, 35].map((activityRetentionDays) => ({ activityRetentionDays }))
    const zones = ['Asia/Tokyo', 'Europe/Berlin', 'America/New_York'].map((timeZone) => ({ timeZone }))
    const [last] = await t.services.db.sql<{ id: string }[]>`select id from activity order by id desc limit 1`
    await Promise.all([...all, ...zones, { registration: 'closed' as const }].map((changes) => admin.call.settings.update(changes)))
    const { settings } = await admin.call.settings.get()
    expect(settings.registration).toBe('closed')
    const entries = await t.services.db.sql<{ details: { before: object; after: object } }[]>`
      select details from activity where entity_type = 'settings' and id > ${last?.id ?? ''} order by id`
    for (const key of ['activityRetentionDays', 'timeZone']) {
      const chain = entries.flatMap(({ details }) => (key in details.after ? [details] : [])) as Record<
        'before' | 'after',
        Record<string, unknown>
      >[]
      const found = new Set(chain.map(({ before }) => before[key]))
      // Every value except the last was found by exactly one other change.
      expect(found.size).toBe(chain.length)
      expect(chain.map(({ after }) => after[key]).filter((value) => !found.has(value))).toEqual([settings[key as keyof typeof settings]])
    }
    await admin.call.settings.update({ registration: 'open' })
  })

  test('authentication settings require recent authentication and are refused to tokens', async () => {
    const old = callAs(t.services, { ...admin.actor, verifiedAt: new Date(Date.now() - 11 * 60_000) })
    const token = callAs(t.services, { ...admin.actor, sessionId: '', verifiedAt: null })
    for (const changes of [{ twoFactor: 'everyone' }, { sessionDays: 365 }] as const) {
      await expect(old.settings.update(changes)).rejects.toMatchObject(refusal('confirmation_needed'))
      await expect(token.settings.update(changes)).rejects.toMatchObject(refusal('session_only'))
    }
    expect((await old.settings.update({ defaultLanguage: 'ru', sessionDays: 30 })).settings.defaultLanguage).toBe('ru')
    expect((await admin.call.settings.get()).settings).toMatchObject({ twoFactor: 'optional', sessionDays: 30 })
  })
})

test('a change is effective in other processes within a second', async () => {
  const clock = createFakeClock()
  const { services } = await stage({ clock })
  expect((await getPanelSettings(services)).defaultLanguage).toBe('browser')
  await services.db.sql`insert into panel_settings (key, value) values ('defaultLanguage', '"en"')`
  await clock.advance(1_000)
  expect((await getPanelSettings(services)).defaultLanguage).toBe('en')
})

describe('R-AUT-03 registration', () => {
  const newcomer = { email: 'new@example.com', password: 'secret1', passwordConfirmation: 'secret1' }

  test('the setting disables and enables registration immediately', async () => {
    const { services, admin } = await stage()
    const visitor = callAs(services, null)
    await admin.call.settings.update({ registration: 'closed' })
    expect(await visitor.auth.config()).toMatchObject({ registration: 'closed' })
    await expect(visitor.auth.register(newcomer)).rejects.toMatchObject(refusal('registration_closed'))
    await admin.call.settings.update({ registration: 'open' })
    expect((await visitor.auth.register(newcomer)).user.role).toBe('user')
  })

  test('registration is open until decided; an administrator is asked once, and keeping it open is a decision too', async () => {
    for (const registration of ['open', 'closed'] as const) {
      const { services, admin } = await stage()
      expect(await callAs(services, null).auth.config()).toEqual({ registration: 'open', firstUser: false })
      expect((await admin.call.settings.get()).registrationUndecided).toBe(true)
      const answer = await admin.call.settings.update({ registration })
      expect(answer).toMatchObject({ settings: { registration }, registrationUndecided: false })
      expect(await admin.call.settings.get()).toMatchObject({ settings: { registration }, registrationUndecided: false })
      const log = await services.db.sql`select details -> 'after' as decided from activity where entity_type = 'settings'`
      expect(log.map((row) => ({ ...row }))).toEqual([{ decided: { registration } }])
    }
  })

  test('no one is asked if the operator has configured registration', async () => {
    for (const registration of ['open', 'closed'] as const) {
      const { admin } = await stage({ registration })
      expect(await admin.call.settings.get()).toMatchObject({ settings: { registration }, registrationUndecided: false })
    }
  })

  test('REGISTRATION sets the initial state, and the setting overrides it', async () => {
    const { services, admin } = await stage({ registration: 'closed' })
    const visitor = callAs(services, null)
    expect((await admin.call.settings.get()).settings.registration).toBe('closed')
    await expect(visitor.auth.register(newcomer)).rejects.toMatchObject(refusal('registration_closed'))
    await admin.call.settings.update({ registration: 'open' })
    expect(await visitor.auth.config()).toMatchObject({ registration: 'open' })
    await visitor.auth.register(newcomer)
  })
})

describe('session length', () => {
  test('applies to existing sessions when shortened, and to new ones', async () => {
    const { services, admin } = await stage()
    const aged = async (ageMs: number) => {
      const person = await signIn(services)
      const since = new Date(Date.now() - ageMs).toISOString()
      await services.db.sql`
        update sessions set created_at = ${since}, expires_at = now() + interval '5 days' where id = ${person.actor.sessionId}`
      return async () => (await services.sessions.find(person.token)) !== null
    }
    const young = await aged(1 * day)
    const old = await aged(3 * day)
    expect([await young(), await old()]).toEqual([true, true])
    await admin.call.settings.update({ sessionDays: 2 })
    expect([await young(), await old()]).toEqual([true, false])

    const { actor } = await signIn(services)
    const lasts = async () => {
      const [row] = await services.db.sql<{ days: number }[]>`
        select extract(epoch from expires_at - created_at)::float8 / 86400 as days from sessions where id = ${actor.sessionId}`
      return row?.days
    }
    expect(await lasts()).toBeCloseTo(2, 4)
    await services.sessions.sweep()
    const left = await services.db.sql`select from sessions where created_at < now() - interval '2 days'`
    expect(left).toHaveLength(0)
  })

  test('a session at its maximum length is not written at every request', async () => {
    const { services, admin } = await stage()
    await admin.call.settings.update({ sessionDays: 1 })
    const { token, actor } = await signIn(services)
    const version = () => services.db.sql`select xmin from sessions where id = ${actor.sessionId}`
    const before = await version()
    await services.sessions.find(token)
    expect(await version()).toEqual(before)
  })

  test('if longer, extends sessions while they are used, a week at a time', async () => {
    const { services, admin } = await stage()
    await admin.call.settings.update({ sessionDays: 100 })
    const { token, actor } = await signIn(services)
    await services.db.sql`
      update sessions set created_at = now() - interval '40 days', expires_at = now() + interval '1 day' where id = ${actor.sessionId}`
    expect(await services.sessions.find(token)).not.toBeNull()
    const [row] = await services.db.sql<{ days: number }[]>`
      select extract(epoch from expires_at - now())::float8 / 86400 as days from sessions where id = ${actor.sessionId}`
    expect(row?.days).toBeCloseTo(7, 2)
  })
})

describe('system status', () => {
  test('R-PRM-02 a person sees the version and their own accounts; database and queue are visible to administrators only, and not to their tokens', async () => {
    const { services, app, admin } = await stage()
    const [anna, boris] = await Promise.all([signIn(services), signIn(services)])
    const mine = await insertAccount(services.db, { ownerId: anna.user.id, syncedAt: new Date() })
    await insertZones(services.db, { ownerId: anna.user.id, accountId: mine.id }, 3)
    await insertAccount(services.db, { ownerId: boris.user.id, syncedAt: null })
    const ask = async (who: SignedIn) =>
      (await app.inject({ url: '/api/settings/system', headers: who.headers })).json<
        Awaited<ReturnType<typeof anna.call.settings.system>>
      >()

    const hers = await ask(anna)
    expect(hers).toMatchObject({ version: 'test', panel: null, budgets: [{ used: 0 }] })
    expect(hers.accounts).toEqual([expect.objectContaining({ id: mine.id, email: mine.email, zonesCount: 3, budget: 0 })])
    const all = await ask(admin)
    expect(all.accounts).toHaveLength(2)
    expect(all.panel?.database.version).toMatch(/^\d+\.\d+/)
    expect(all.panel?.database.sizeBytes).toBeGreaterThan(1_000_000)
    expect(all.panel?.queue).toEqual({ running: 0, waiting: 0, paused: 0, items: 0, since: null })
    expect(all.panel?.backups).toBeNull()
    await services.db
      .sql`insert into panel_settings (key, value) values ('backups', '{"writtenAt":null,"failure":{"at":"2026-11-20T10:30:00.000Z","reason":"disk_full"}}')`
    expect((await ask(admin)).panel?.backups).toEqual({
      writtenAt: null,
      failure: { at: '2026-11-20T10:30:00.000Z', reason: 'disk_full' },
      proof: null,
    })
    expect((await ask(anna)).panel).toBeNull()
    const { secret } = await admin.call.apiTokens.create({ name: 'script', scope: 'write' })
    const byToken = await app.inject({ url: '/api/settings/system', headers: { authorization: `Bearer ${secret}` } })
    expect(byToken.json<object>()).toMatchObject({ panel: null, accounts: [{}, {}] })
    expect(JSON.stringify(all)).not.toMatch(/encrypted|credential|userId/i)
  })

  test('the queue counts unfinished operations and their remaining domains', async () => {
    const { services, admin } = await stage()
    const insert = (state: string, total: number, counts: object, age: string) => services.db.sql`
      insert into operations (owner_id, actor_name, kind, input, state, total, counts, created_at)
      values (${admin.user.id}, 'a', 'settings', '{}', ${state}, ${total}, ${JSON.stringify(counts)}::text::jsonb, now() - ${age}::interval)`
    await insert('running', 10, { done: 4, pending: 3, running: 1, waiting: 2 }, '2 hours')
    await insert('queued', 5, {}, '1 hour')
    await insert('paused', 8, { done: 6, pending: 2 }, '3 days')
    await insert('done', 9, { done: 9 }, '1 day')
    await insert('draft', 9, {}, '1 day')
    const { panel } = await admin.call.settings.system()
    expect(panel?.queue).toMatchObject({ running: 1, waiting: 1, paused: 1, items: 13 })
    expect(Math.round((Date.now() - Date.parse(panel?.queue.since ?? '')) / 60_000)).toBe(120)
  })

  test('an account with an undecryptable key is listed with the others', async () => {
    const panel = await createTestPanel({ world: { zones: 3, accounts: 1 } })
    onTestFinished(() => panel.close())
    const { services } = panel
    const owner = await signIn(services)
    const add = (apiKey: string) =>
      insertAccount(services.db, { ownerId: owner.user.id, providerUserId: null }, { secrets: services.secrets, apiKey })
    const [readable, unreadable] = [await add('a key'), await add('another')]
    await services.db.sql`update accounts set api_key_sealed = 'v1.none' where id = ${unreadable.id}`
    const { accounts, budgets } = await owner.call.settings.system()
    expect(accounts.map(({ id }) => id).toSorted()).toEqual([readable.id, unreadable.id].toSorted())
    expect(budgets).toHaveLength(2)
  })

  test('of many accounts those with problems come first, limited to one page', async () => {
    const { services, admin } = await stage()
    const accounts = Array.from({ length: 700 }, (_, index) => ({
      ownerId: admin.user.id,
      email: `many-${String(index).padStart(4, '0')}@example.com`,
      credentialHash: `hash-${index}`,
      kind: 'global_key' as const,
      apiKeySealed: 'v1.none',
      providerUserId: `user-${index}`,
      syncedAt: new Date(Date.UTC(2026, 0, 1) + index * 60_000),
      nextSyncAt: new Date(Date.now() + 3_600_000),
      ...(index === 650 && { syncErrorCode: 'provider_unavailable' }),
    }))
    await services.db.orm.insert(accountsTable).values(accounts)
    const system = await admin.call.settings.system()
    expect([system.accountsTotal, system.accounts.length]).toEqual([700, 500])
    expect(system.accounts.slice(0, 3).map(({ email }) => email)).toEqual([
      'many-0650@example.com',
      'many-0000@example.com',
      'many-0001@example.com',
    ])
    expect(JSON.stringify(system).length).toBeLessThan(300_000)
  })

  test('a budget reports the calls of all its accounts; accounts of one provider user share one', async () => {
    const panel = await createTestPanel({ world: { zones: 3, accounts: 2 } })
    onTestFinished(() => panel.close())
    const { services } = panel
    const owner = await signIn(services)
    const add = (index: number, providerUserId: string | null) => {
      const { email, globalKey } = panel.credential(index)
      const credential = { secrets: services.secrets, apiKey: globalKey }
      return insertAccount(services.db, { ownerId: owner.user.id, email, providerUserId, credentialHash: crypto.randomUUID() }, credential)
    }
    const [known, same, unknown] = [await add(0, 'u1'), await add(0, 'u1'), await add(1, null)]
    const call = async (index: number, userId: string | null) => {
      const { email, globalKey } = panel.credential(index)
      await services.dnsHost.connect({ kind: 'global_key', email, apiKey: globalKey }, userId).listZones(1, { priority: 'person' })
    }
    await Promise.all([call(0, 'u1'), call(0, 'u1'), call(0, 'u1'), call(1, null)])

    const read = async () => {
      const { accounts, budgets } = await owner.call.settings.system()
      const of = ({ id }: { id: string }) => accounts.find((account) => account.id === id)?.budget
      return {
        numbers: [known, same, unknown].map(of),
        used: [known, same, unknown].map((account) => budgets[of(account) ?? -1]?.used),
        budgets,
      }
    }
    // Calls leased beyond need are returned after a moment.
    const settled = await vi.waitFor(
      async () => {
        const now = await read()
        expect(now.used).toEqual([3, 3, 1])
        return now
      },
      { timeout: 30_000, interval: 100 },
    )
    expect(settled.numbers[0]).toBe(settled.numbers[1])
    expect(settled.budgets).toHaveLength(2)
    expect(settled.budgets[0]).toEqual({ used: expect.any(Number) as unknown, limit: 1_000_000, windowSeconds: 300, blockedUntil: null })

    await services.db.sql`update call_budgets set blocked_until = now() + interval '1 minute' where key = 'cloudflare:user:u1'`
    const blocked = (await read()).budgets[settled.numbers[0] ?? -1]
    expect(Date.parse(blocked?.blockedUntil ?? '')).toBeGreaterThan(Date.now())
  })
})

describe('the language of visitors without a choice', () => {
  test('is sent to pages only, and unset when the browser’s language applies again', async () => {
    const { app, admin } = await stage()
    const cookies = async (url: string, headers: Record<string, string> = {}) =>
      (await app.inject({ url, headers: { accept: 'text/html', ...headers } })).cookies.filter(({ name }) => name === 'DEFAULT-LANGUAGE')
    expect(await cookies('/login')).toEqual([])
    await admin.call.settings.update({ defaultLanguage: 'en' })
    expect(await cookies('/login')).toMatchObject([{ value: 'en', path: '/' }])
    expect(await cookies('/login', { cookie: 'DEFAULT-LANGUAGE=en' })).toEqual([])
    expect(await cookies('/api/auth/config')).toEqual([])
    await admin.call.settings.update({ defaultLanguage: 'browser' })
    expect(await cookies('/login', { cookie: 'DEFAULT-LANGUAGE=en' })).toMatchObject([{ value: '' }])
  })

  test('stays within HTTPS if the panel’s address uses it', async () => {
    const cookieOf = async (publicUrl: string) => {
      const { app, admin } = await stage({ publicUrl })
      await admin.call.settings.update({ defaultLanguage: 'ru' })
      return (await app.inject({ url: '/login', headers: { accept: 'text/html' } })).cookies.find(({ name }) => name === 'DEFAULT-LANGUAGE')
    }
    expect((await cookieOf('https://panel.test'))?.secure).toBe(true)
    expect((await cookieOf('http://panel.test'))?.secure).toBeUndefined()
  })
})
