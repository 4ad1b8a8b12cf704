import { afterAll, beforeAll, expect, test } from 'vitest'
import { ownerLimits } from '#server/platform/owner-limits.repo.ts'
import type { OwnerLimitKind } from '#server/platform/owner-limits.repo.ts'
import { createTestApp, signIn } from '#server/testing/app.ts'
import type { SignedIn, TestApp } from '#server/testing/app.ts'
import { insertGroup } from '#server/testing/factories.ts'

let t: TestApp
beforeAll(async () => {
  t = await createTestApp()
})
afterAll(() => t.close())

const byHand = { username: 'anna', password: 'long-secret-word' } as const
const settings = { securityLevel: 'high' } as const
const days = { startsAt: '2030-01-01T00:00:00.000Z', endsAt: '2030-01-02T00:00:00.000Z' } as const
const person = {
  firstName: 'Anna',
  lastName: 'Petrova',
  email: 'anna@people.example',
  phone: '+7 916 123-45-67',
  address: 'Tverskaya 1',
  city: 'Moscow',
  region: 'Moscow',
  postalCode: '125009',
  country: 'ru',
} as const

/** For each kind: how it is added, its table, and the column that differs per row. */
const kinds: readonly (readonly [
  kind: OwnerLimitKind,
  table: string,
  differing: string,
  add: (call: SignedIn['call'], name: string) => Promise<unknown>,
])[] = [
  [
    'alertChannels',
    'alert_channels',
    `'name', n::text`,
    (call, name) => call.alerts.createChannel({ kind: 'telegram', chatId: '-1', name }),
  ],
  ['allowedChanges', 'allowed_changes', `'actor', n::text`, (call, actor) => call.providerChanges.allow({ actor })],
  ['apiTokens', 'api_tokens', `'token_hash', n::text`, (call, name) => call.apiTokens.create({ name, scope: 'read' })],
  ['contacts', 'contacts', `'name', n::text, 'is_default', false`, (call, name) => call.buying.contacts.create({ name, ...person })],
  ['groups', 'groups', `'name', n::text`, (call, name) => call.groups.create({ name })],
  ['maintenanceWindows', 'maintenance_windows', `'name', n::text`, (call, name) => call.alerts.createWindow({ name, ...days })],
  ['profiles', 'profiles', `'name', n::text, 'is_default', false`, (call, name) => call.profiles.create({ name, settings, records: [] })],
  ['registrars', 'registrars', `'name', n::text`, (call, name) => call.registrars.create({ name, ...byHand })],
]

test.each(kinds)(
  'a person may own at most the limit of %s, also with concurrent additions, and other people are unaffected',
  async (kind, table, differing, add) => {
    const [ann, bob] = [await signIn(t.services), await signIn(t.services)]
    const { max } = ownerLimits[kind]
    const owner = kind === 'apiTokens' ? 'user_id' : 'owner_id'
    await add(ann.call, 'first')
    const { sql } = t.services.db
    await sql.unsafe(
      `insert into ${table} select (jsonb_populate_record(t, jsonb_build_object('id', gen_random_uuid(), ${differing}))).*
       from ${table} t, generate_series(1, ${max - 3}) n where t.${owner} = $1`,
      [ann.user.id],
    )
    const answers = await Promise.allSettled(['a', 'b', 'c', 'd', 'e'].map((name) => add(ann.call, name)))
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
    const code = kind === 'alertChannels' ? 'too_many_channels' : 'limit_reached'
    for (const answer of answers)
      if (answer.status === 'rejected') expect(answer.reason).toMatchObject({ cause: { code, params: { max } } })
    const [row] = await sql.unsafe<{ count: number }[]>(`select count(*)::int as count from ${table} where ${owner} = $1`, [ann.user.id])
    expect(row?.count).toBe(max)
    await expect(add(bob.call, 'first')).resolves.toBeDefined()
  },
)

test('a person may give at most the limit of shares, and levels can still be changed at the limit', async () => {
  const [ann, bob] = [await signIn(t.services), await signIn(t.services)]
  const shared = await insertGroup(t.services.db, { ownerId: ann.user.id })
  const another = await insertGroup(t.services.db, { ownerId: ann.user.id })
  const give = (groupId: string, level: 'view' | 'operate') => ann.call.sharing.create({ groupId, user: bob.user.username, level })
  await give(shared.id, 'view')
  await t.services.db.sql`
    with made as (insert into groups (owner_id, name) select ${ann.user.id}, 'many ' || n from generate_series(1, ${ownerLimits.shares.max - 1}) n returning id)
    insert into shares (owner_id, group_id, grantee_id, level) select ${ann.user.id}, id, ${bob.user.id}, 'view' from made`
  await expect(give(another.id, 'view')).rejects.toMatchObject({ cause: { code: 'limit_reached' } })
  await expect(give(shared.id, 'operate')).resolves.toBeDefined()
})

test('a pasted list of accounts that exceeds the limit is refused as a whole', async () => {
  const ann = await signIn(t.services)
  await t.services.db.sql`
    insert into accounts (owner_id, email, kind, api_key_sealed, credential_hash)
    select ${ann.user.id}, 'a' || n || '@example.com', 'global_key', 'v1.none', n::text from generate_series(1, ${ownerLimits.accounts.max - 1}) n`
  const line = (n: number) => `new${n}@example.com:${String(n).repeat(37)}`
  await expect(ann.call.accounts.addMany({ text: [line(1), line(2)].join('\n') })).rejects.toMatchObject({
    cause: { code: 'limit_reached', params: { max: ownerLimits.accounts.max } },
  })
  await expect(ann.call.accounts.addMany({ text: line(1) })).resolves.toBeDefined()
})
