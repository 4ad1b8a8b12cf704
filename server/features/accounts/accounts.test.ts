import { buildApp } from '#server/app.ts'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import type { SyncScheduler } from '#server/features/sync/index.ts'
import type { Log } from '#server/platform/log.ts'
import { createLog } from '#server/platform/log.ts'
import { callAs, signIn } from '#server/testing/app.ts'
import type { SignedIn } from '#server/testing/app.ts'
import { emptyTables } from '#server/testing/empty-tables.ts'
import { insertZones } from '#server/testing/factories.ts'
import { createTestPanel } from '#server/testing/panel.ts'
import type { TestPanel } from '#server/testing/panel.ts'
import { maximumLines } from '#shared/features/accounts/schema.ts'

/** Allows for a slow machine. */
const eventually = <T>(check: () => T | Promise<T>, options: { readonly interval?: number } = {}) =>
  vi.waitFor(check, { timeout: 30_000, interval: 20, ...options })

/** Everything that the panel logs. */
const logged: string[] = []
const log: Log = createLog('trace', { write: (line) => void logged.push(line) })

let panel: TestPanel
let anna: SignedIn
let boris: SignedIn
let admin: SignedIn
const canary = 'canary-0123456789-abcdefghij-secret-key'
const otherKey = (n: number) => `key-${String(n).padStart(6, '0')}-abcdefghijklmnopqrstuvwxyz`

beforeAll(async () => {
  panel = await createTestPanel({ world: { zones: 20, accounts: 4 }, log })
})
afterAll(() => panel.close())
let schedulers: SyncScheduler[] = []
async function startSync(): Promise<void> {
  schedulers.push(await panel.startSync())
}
afterEach(async () => {
  for (const scheduler of schedulers) await scheduler.stop()
  schedulers = []
})
beforeEach(async () => {
  panel.simulator.reset()
  await emptyTables(panel.services.db, 'users', 'activity')
  anna = await signIn(panel.services, { name: 'Anna', role: 'user' })
  boris = await signIn(panel.services, { name: 'Boris', role: 'user' })
  admin = await signIn(panel.services, { name: 'Root', role: 'admin' })
})

const world = (index: number) => {
  const { email, globalKey } = panel.credential(index)
  return { email, apiKey: globalKey }
}
const refusal = (code: string) => ({ cause: { code } })
const activity = (action: string) =>
  panel.services.db
    .sql`select entity_type as type, entity_name as name, actor_name as actor, details from activity where action = ${action} order by id`
const lines = (...rows: string[]) => rows.join('\n')

test('R-ACC-02 a line with the email of an existing account and another global key is an error that suggests editing the account', async () => {
  await anna.call.accounts.add(world(0))
  const text = lines(`${world(0).email}:${otherKey(1)}`, `new@example.com:${otherKey(2)}`)
  expect(await anna.call.accounts.addMany({ text, skipFaulty: true })).toMatchObject({
    added: 1,
    faults: [{ line: 1, message: 'account_has_other_key' }],
  })
  await expect(anna.call.accounts.add({ ...world(0), apiKey: otherKey(1) })).rejects.toMatchObject(refusal('account_has_other_key'))
  // An account of another user with that email does not count.
  expect(await boris.call.accounts.addMany({ text })).toMatchObject({ added: 2, faults: [] })
})

test('R-ACC-02 with `checkKeys` a key that Cloudflare refuses is an error of its line, and the others are added as working', async () => {
  const text = lines(`wrong@example.com:${otherKey(1)}`, `${world(0).email}:${world(0).apiKey}`)
  const faults = [{ line: 1, message: 'key_refused' }]
  expect(await anna.call.accounts.addMany({ text, checkKeys: true })).toMatchObject({ added: 0, faults })
  expect(await anna.call.accounts.addMany({ text, checkKeys: true, skipFaulty: true })).toMatchObject({ added: 1, faults })
  expect((await anna.call.accounts.list({})).accounts).toMatchObject([{ email: world(0).email, health: 'working', checking: false }])
  const heal = panel.simulator.faults.add({ effect: { kind: 'server-error' } })
  const away = { text: `${world(1).email}:${world(1).apiKey}`, checkKeys: true }
  expect(await anna.call.accounts.addMany(away)).toMatchObject({ added: 1, faults: [] })
  heal()
})

test('R-ACC-04 the progress of a check counts only the failed accounts of that run', async () => {
  await anna.call.accounts.addMany({ text: lines(`old@example.com:${otherKey(1)}`, `older@example.com:${otherKey(2)}`) })
  await startSync()
  await eventually(async () => expect(await anna.call.accounts.checkProgress()).toMatchObject({ total: 2, problems: 2, running: false }))
  await anna.call.accounts.addMany({ text: `${world(0).email}:${world(0).apiKey}` })
  await eventually(async () => expect(await anna.call.accounts.checkProgress()).toEqual({ total: 1, done: 1, problems: 0, running: false }))
})

test('R-ACC-01 an account is returned with name, email, health and zone count, and without secrets', async () => {
  const { account } = await anna.call.accounts.add({ ...world(0), name: 'First', password: 'hunter2' })
  expect(account).toMatchObject({
    name: 'First',
    email: world(0).email,
    ownerName: `Anna · ${anna.user.username}`,
    kind: 'global_key',
    hasPassword: true,
    health: 'working',
    zonesCount: 0,
    checking: false,
    sync: { state: 'queued', done: 0, total: null, syncedAt: null },
  })
  await insertZones(panel.services.db, { ownerId: anna.user.id, accountId: account.id }, 7)
  expect((await anna.call.accounts.get({ id: account.id })).account.zonesCount).toBe(7)
  expect((await activity('create'))[0]).toMatchObject({ type: 'account', name: world(0).email, actor: anna.actor.name })
})

test.each([
  [{ email: '', apiKey: canary }, 'email', 'required'],
  [{ email: 'no-at-sign', apiKey: canary }, 'email', 'invalid_email'],
  [{ email: 'a@example.com', apiKey: '' }, 'apiKey', 'required'],
])('R-ACC-01 email and key are required, and the email must be valid: %o', async (input, path, message) => {
  await expect(anna.call.accounts.add(input)).rejects.toMatchObject({ code: 'BAD_REQUEST', cause: { issues: [{ path: [path], message }] } })
})

test('wrong credentials are refused with the provider’s message, and nothing is written', async () => {
  await expect(anna.call.accounts.add({ email: 'x@example.com', apiKey: canary })).rejects.toMatchObject({
    cause: { code: 'provider_auth', provider: { code: '9103', message: 'Unknown X-Auth-Key or X-Auth-Email' } },
  })
  await expect(anna.call.accounts.add({ email: 'x@example.com', apiKey: 'short' })).rejects.toMatchObject(refusal('provider_auth'))
  expect((await anna.call.accounts.list({})).accounts).toEqual([])
  expect(await activity('create')).toEqual([])
})

test('while the provider is unavailable an account is added and checked again in the background', async () => {
  const heal = panel.simulator.faults.add({ effect: { kind: 'server-error' } })
  const { account } = await anna.call.accounts.add(world(0))
  expect(account).toMatchObject({ health: 'api_error', sync: { state: 'queued' } })
  heal()
  await startSync()
  await eventually(async () => {
    const [row] = await panel.services.db.sql`select health, provider_user_id from accounts`
    expect(row).toEqual({ health: 'working', providerUserId: panel.credential(0).userId })
  })
})

test('R-ACC-06 a token can be added as an account, with its user if the token may read it', async () => {
  const { email, apiToken, accountToken, userId } = panel.credential(1)
  await anna.call.accounts.add({ email, apiKey: apiToken, kind: 'api_token' })
  await anna.call.accounts.add({ email, apiKey: accountToken, kind: 'api_token' })
  const rows = await panel.services.db.sql`select provider_user_id, health from accounts order by created_at`
  expect(rows).toEqual([
    { providerUserId: userId, health: 'working' },
    { providerUserId: null, health: 'working' },
  ])
})

test('a credential can be added once per owner in any notation; another owner may have it too', async () => {
  await anna.call.accounts.add(world(0))
  const calls = panel.simulator.journal.count()
  const again = { ...world(0), email: world(0).email.toUpperCase(), apiKey: ` ${world(0).apiKey} ` }
  await expect(anna.call.accounts.add(again)).rejects.toMatchObject(refusal('account_exists'))
  expect(panel.simulator.journal.count()).toBe(calls)
  await expect(boris.call.accounts.add(world(0))).resolves.toMatchObject({ account: { email: world(0).email } })

  const both = await Promise.allSettled([anna.call.accounts.add(world(1)), anna.call.accounts.add(world(1))])
  expect(both.map((one) => one.status).toSorted()).toEqual(['fulfilled', 'rejected'])
})

test('R-ACC-02 accounts are found by parts of email and name, ignoring case in any script', async () => {
  const names = ['Магазин ЯБЛОКО', 'emoji 🚀 100%', 'שלום_עולם', '<img src=x onerror=alert(1)>']
  for (const [index, name] of names.entries()) await anna.call.accounts.add({ ...world(index), name })
  const found = async (search: string) => (await anna.call.accounts.list({ search })).accounts.map((account) => account.name)
  expect(await found('яблоко')).toEqual([names[0]])
  expect(await found('🚀')).toEqual([names[1]])
  expect(await found('%')).toEqual([names[1]])
  expect(await found('_')).toEqual([names[2]])
  expect(await found('<IMG')).toEqual([names[3]])
  expect(await found(world(2).email.slice(0, -3))).toEqual([names[2]])
  expect(await found('nothing like this')).toEqual([])
  expect(await found('')).toHaveLength(4)
})

test('R-ACC-02 invalid lines are reported by number and nothing is added, unless the caller asks to add the others', async () => {
  await anna.call.accounts.add(world(0))
  const text = lines(
    `${world(0).email};secret;${world(0).apiKey}`,
    '',
    `new@example.com;pass;${otherKey(1)}`,
    'nonsense',
    `new@example.com:${otherKey(1)}`,
    `bad-email:${otherKey(2)}`,
    `other@example.com:${otherKey(3)}`,
  )
  const faults = [
    { line: 1, message: 'account_exists' },
    { line: 4, message: 'invalid_line_format' },
    { line: 5, message: 'duplicate_line' },
    { line: 6, message: 'invalid_email' },
  ]
  expect(await anna.call.accounts.addMany({ text })).toEqual({ added: 0, faults, accountIds: [] })
  expect((await anna.call.accounts.list({})).accounts).toHaveLength(1)

  const added = await anna.call.accounts.addMany({ text, skipFaulty: true })
  expect(added).toMatchObject({ added: 2, faults })
  const { accounts } = await anna.call.accounts.list({})
  expect(Object.fromEntries(accounts.map((account) => [account.email, [account.hasPassword, account.checking]]))).toEqual({
    [world(0).email]: [false, false],
    'new@example.com': [true, true],
    'other@example.com': [false, true],
  })
  expect(await activity('create')).toHaveLength(3)
})

test('R-ACC-02 text without lines or with too many is refused as a whole', async () => {
  const issue = (message: string) => ({ cause: { code: 'validation_failed', issues: [{ path: 'text', message }] } })
  await expect(anna.call.accounts.addMany({ text: ' \n\n' })).rejects.toMatchObject(issue('no_valid_items'))
  const text = Array.from({ length: maximumLines + 1 }, (_, n) => `a${n}@example.com:${otherKey(n)}`).join('\n')
  await expect(anna.call.accounts.addMany({ text, skipFaulty: true })).rejects.toMatchObject(issue('too_many_lines'))
})

test('R-ACC-02 of 5,000 lines every invalid one is reported, and every valid one is added in few statements and verified in the background', async () => {
  const rows = Array.from({ length: maximumLines }, (_, n) => {
    if (n % 10 === 3) return 'broken line'
    if (n % 10 === 7) return `not-an-email:${otherKey(n)}`
    return n % 2 === 0 ? `a${n}@example.com;p;${otherKey(n)}` : `a${n}@example.com:${otherKey(n)}`
  })
  const { sql } = panel.services.db
  const statements = async () =>
    (await sql<{ n: number }[]>`select xact_commit::int as n from pg_stat_database where datname = current_database()`)[0]
  await statements()
  const result = await anna.call.accounts.addMany({ text: rows.join('\r\n'), skipFaulty: true })
  expect(result.added).toBe(4_000)
  expect(result.faults).toHaveLength(1_000)
  expect(result.faults.slice(0, 2)).toEqual([
    { line: 4, message: 'invalid_line_format' },
    { line: 8, message: 'invalid_email' },
  ])
  const versions = await sql`select count(distinct xmin::text)::int as n, count(*)::int as rows from accounts`
  expect(versions).toEqual([{ n: 1, rows: 4_000 }])

  expect(panel.simulator.journal.count()).toBe(0)

  await startSync()
  await eventually(
    async () => {
      const [row] = await sql<{ n: number }[]>`select count(*)::int as n from accounts where health = 'auth_error' and health_code = '9103'`
      expect(row?.n).toBeGreaterThan(100)
    },
    { interval: 50 },
  )
})

test('R-ACC-03 login details are returned only by their own call, which is logged', async () => {
  const { account } = await anna.call.accounts.add({ ...world(0), password: canary })
  const id = account.id
  expect(await anna.call.accounts.reveal({ id })).toEqual({ ...world(0), password: canary, kind: 'global_key' })
  expect(await activity('reveal')).toMatchObject([{ type: 'account', name: world(0).email, actor: anna.actor.name }])

  await anna.call.accounts.update({ id, name: 'Changed', password: `${canary}-2` })
  await expect(anna.call.accounts.add(world(0))).rejects.toMatchObject(refusal('account_exists'))
  const everything = JSON.stringify([
    account,
    await anna.call.accounts.list({}),
    await anna.call.accounts.get({ id }),
    await anna.call.accounts.check({}),
    await panel.services.db.sql`select * from activity`,
    await panel.services.db.sql`select * from accounts`,
    logged,
  ])
  expect(everything).not.toContain('canary')
  expect(everything).not.toContain(world(0).apiKey)
})

test('R-PRM-04 secrets are encrypted for their own row: a secret moved to another account cannot be decrypted', async () => {
  const first = await anna.call.accounts.add(world(0))
  const second = await anna.call.accounts.add(world(1))
  await panel.services.db.sql`
    update accounts set api_key_sealed = (select api_key_sealed from accounts where id = ${first.account.id}) where id = ${second.account.id}`
  await expect(anna.call.accounts.reveal({ id: second.account.id })).rejects.toMatchObject({ cause: { code: 'secret_unreadable' } })
  await expect(anna.call.accounts.reveal({ id: first.account.id })).resolves.toMatchObject({ apiKey: world(0).apiKey })
})

test('an edit keeps empty and absent fields, and null removes the value', async () => {
  const { account } = await anna.call.accounts.add({ ...world(0), name: 'Name', password: 'pass' })
  const id = account.id
  await anna.call.accounts.update({ id, name: '', apiKey: '', password: '' })
  expect(await anna.call.accounts.reveal({ id })).toMatchObject({ ...world(0), password: 'pass' })
  expect(await activity('update')).toEqual([])
  const { account: changed } = await anna.call.accounts.update({ id, name: null, password: null })
  expect(changed).toMatchObject({ name: null, hasPassword: false, health: 'working' })
  expect((await activity('update'))[0]?.['details']).toEqual({ name: { from: 'Name', to: null }, password: 'removed' })
})

test('a new key resets the health and queues a check and a sync; a key that the owner already has is refused', async () => {
  const { account } = await anna.call.accounts.add(world(0))
  await anna.call.accounts.add(world(1))
  const id = account.id
  const { account: changed } = await anna.call.accounts.update({ id, ...world(2) })
  expect(changed).toMatchObject({ email: world(2).email, health: 'unknown', checking: true, sync: { state: 'queued' } })
  expect(await anna.call.accounts.reveal({ id })).toMatchObject(world(2))
  const [row] = await panel.services.db.sql`select provider_user_id from accounts where id = ${id}`
  expect(row).toEqual({ providerUserId: null })
  expect(JSON.stringify(await activity('update'))).not.toContain(world(2).apiKey)
  await expect(anna.call.accounts.update({ id, ...world(1) })).rejects.toMatchObject(refusal('account_exists'))
})

test('R-ACC-04 a health check of all or some accounts runs in the background, with progress in rows and live events', async () => {
  for (const index of [0, 1, 2, 3]) await anna.call.accounts.add(world(index))
  const { accounts } = await anna.call.accounts.list({})
  panel.simulator.state.revokeKey(panel.credential(3).userId)
  panel.simulator.faults.add({ userId: panel.credential(2).userId, effect: { kind: 'server-error' } })
  await panel.services.db.sql`update accounts set next_sync_at = now() + interval '1 hour'`
  expect(await anna.call.accounts.check({})).toMatchObject({ total: 4, done: 0, running: true })
  let received = 0
  const end = panel.services.events.subscribe((ownerId, event) => {
    if (ownerId === anna.user.id && event.kind === 'accounts') received += 1
  })
  await startSync()
  await eventually(async () =>
    expect(await anna.call.accounts.checkProgress()).toEqual({
      total: 4,
      done: 4,
      problems: expect.any(Number) as unknown,
      running: false,
    }),
  )
  await eventually(() => expect(received).toBeGreaterThan(0))
  const health = Object.fromEntries((await anna.call.accounts.list({})).accounts.map((account) => [account.email, account.health]))
  expect(health).toEqual({
    [world(0).email]: 'working',
    [world(1).email]: 'working',
    [world(2).email]: 'api_error',
    [world(3).email]: 'auth_error',
  })
  const [one] = accounts
  if (one === undefined) throw new Error('no account')
  expect(await anna.call.accounts.check({ ids: [one.id] })).toMatchObject({ total: 1, running: true })
  await eventually(async () =>
    expect(await anna.call.accounts.checkProgress()).toEqual({
      total: 1,
      done: 1,
      problems: expect.any(Number) as unknown,
      running: false,
    }),
  )
  end()
})

test('R-ACC-05 deleting removes accounts and their domains from the panel, returns how many, and changes nothing at the provider', async () => {
  const ids: string[] = []
  for (const index of [0, 1, 2]) ids.push((await anna.call.accounts.add(world(index))).account.id)
  for (const [index, accountId] of ids.entries()) await insertZones(panel.services.db, { ownerId: anna.user.id, accountId }, index + 1)
  panel.simulator.journal.reset()
  const [first, second, third] = ids
  if (first === undefined || second === undefined || third === undefined) throw new Error('no ids')
  expect(await anna.call.accounts.deletionPreview({ ids })).toEqual({ accounts: 3, domains: 6 })
  expect(await anna.call.accounts.remove({ id: first })).toEqual({ accounts: 1, domains: 1 })
  expect(await anna.call.accounts.removeMany({ ids: [second, third] })).toEqual({ accounts: 2, domains: 5 })
  expect(await panel.services.db.sql`select id from zones`).toEqual([])
  const deleted = (await activity('delete')).map((entry) => JSON.stringify(entry['details']))
  expect(new Set(deleted)).toEqual(new Set(['{"domains":1}', '{"domains":2}', '{"domains":3}']))
  expect(panel.simulator.journal.count()).toBe(0)
})

test('R-PRM-02 an account of another user returns not_found for every call and is not changed', async () => {
  const { account } = await anna.call.accounts.add(world(0))
  const own = await boris.call.accounts.add(world(1))
  const id = account.id
  const ids = [own.account.id, id]
  const before = await panel.services.db.sql`select * from accounts order by id`
  const { accounts } = boris.call
  for (const call of [
    () => accounts.get({ id }),
    () => accounts.update({ id, name: 'Mine now' }),
    () => accounts.reveal({ id }),
    () => accounts.check({ ids }),
    () => accounts.requestSync({ ids }),
    () => accounts.sync({ id }),
    () => accounts.deletionPreview({ ids }),
    () => accounts.remove({ id }),
    () => accounts.removeMany({ ids }),
  ]) {
    await expect(call()).rejects.toMatchObject({ code: 'NOT_FOUND', cause: { code: 'not_found' } })
  }
  expect(await panel.services.db.sql`select * from accounts order by id`).toEqual(before)
  expect((await accounts.list({})).accounts.map((one) => one.id)).toEqual([own.account.id])
  expect((await accounts.list({ ownerId: anna.user.id })).accounts).toEqual([])
  expect(await accounts.check({})).toMatchObject({ total: 1 })
})

test('R-PRM-02 an administrator sees every account with its owner, may change it, and can filter by owner', async () => {
  const { account } = await anna.call.accounts.add(world(0))
  await boris.call.accounts.add(world(1))
  const all = (await admin.call.accounts.list({})).accounts
  expect(all.map((one) => one.ownerName).toSorted()).toEqual([`Anna · ${anna.user.username}`, `Boris · ${boris.user.username}`])
  expect((await admin.call.accounts.list({ ownerId: anna.user.id })).accounts.map((one) => one.id)).toEqual([account.id])
  await expect(admin.call.accounts.update({ id: account.id, name: 'By the admin' })).resolves.toMatchObject({
    account: { ownerId: anna.user.id, name: 'By the admin' },
  })
})

test('no call works without a session', async () => {
  await expect(callAs(panel.services, null).accounts.list({})).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
})

test('R-ACC-01 R-ACC-02 accounts over REST: list, add, read, change, delete', async () => {
  const app = await buildApp(panel.services, { publicUrl: 'http://panel.test', trustProxy: [], clientDir: null })
  try {
    const call = async (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', url: string, payload?: object) => {
      const answer = await app.inject({ method, url, headers: anna.headers, ...(payload === undefined ? {} : { payload }) })
      return { status: answer.statusCode, body: answer.json<Record<string, unknown>>() }
    }
    const added = await call('POST', '/api/accounts', { ...world(0), password: canary })
    expect(added).toMatchObject({ status: 201, body: { account: { email: world(0).email } } })
    const { id } = (await anna.call.accounts.list({})).accounts[0] ?? { id: '' }
    expect(await call('GET', '/api/accounts')).toMatchObject({ status: 200, body: { accounts: [{ id }] } })
    expect(await call('PATCH', `/api/accounts/${id}`, { name: 'Renamed' })).toMatchObject({ body: { account: { name: 'Renamed' } } })
    expect(await call('GET', `/api/accounts/${id}`)).toMatchObject({ status: 200, body: { account: { name: 'Renamed' } } })
    expect(await call('POST', '/api/accounts', world(0))).toMatchObject({ status: 409, body: { code: 'account_exists' } })
    const wrong = await call('POST', '/api/accounts', { email: 'x@example.com', apiKey: canary })
    expect(wrong).toMatchObject({ status: 422, body: { code: 'provider_auth', provider: { message: expect.any(String) as unknown } } })
    expect(JSON.stringify([added, wrong])).not.toContain(canary)
    expect(await call('DELETE', `/api/accounts/${id}`)).toMatchObject({ status: 200, body: { accounts: 1, domains: 0 } })
    expect(await call('GET', `/api/accounts/${id}`)).toMatchObject({ status: 404, body: { code: 'not_found' } })
  } finally {
    await app.close()
  }
})

test('R-PRM-02 a user without access to the login details is refused before step-up authentication', async () => {
  const { account } = await anna.call.accounts.add(world(0))
  const stale = (who: SignedIn) => callAs(panel.services, { ...who.actor, verifiedAt: new Date(Date.now() - 15 * 60_000) })
  await expect(stale(boris).accounts.reveal({ id: account.id })).rejects.toMatchObject({ cause: { code: 'not_found' } })
  await anna.call.sharing.create({ accountId: account.id, user: boris.user.username, level: 'manage' })
  await expect(stale(boris).accounts.reveal({ id: account.id })).rejects.toMatchObject({ cause: { code: 'level_too_low' } })
  await expect(stale(anna).accounts.reveal({ id: account.id })).rejects.toMatchObject({ cause: { code: 'confirmation_needed' } })
})
