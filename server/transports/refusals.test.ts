import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createTestApp, signIn } from '#server/testing/app.ts'
import type { SignedIn, TestApp } from '#server/testing/app.ts'
import { emptyTables } from '#server/testing/empty-tables.ts'
import { insertGroup } from '#server/testing/factories.ts'

let t: TestApp
let ann: SignedIn
let bob: SignedIn
let admin: SignedIn
beforeAll(async () => {
  t = await createTestApp()
})
afterAll(() => t.close())
beforeEach(async () => {
  await emptyTables(t.services.db, 'users', 'activity', 'attempts')
  ann = await signIn(t.services, { name: 'Ann' })
  bob = await signIn(t.services, { name: 'Bob', username: 'bob' })
  admin = await signIn(t.services, { role: 'admin' })
})

const refused = () => t.services.db.sql`
  select action, entity_type, entity_id, entity_name, owner_id, actor_id, actor_kind, details, address from activity where action = 'denied' order by id`
const code = (name: string) => ({ cause: { code: name } })

test('ASVS 16.3.2 a forbidden attempt of a person is logged with actor, action and reason, and shown to the owner of a shared resource', async () => {
  const group = await insertGroup(t.services.db, { ownerId: ann.user.id, name: 'Shops' })
  await ann.call.sharing.create({ groupId: group.id, user: 'bob', level: 'view' })
  await expect(bob.call.groups.update({ id: group.id, name: 'Mine' })).rejects.toMatchObject(code('level_too_low'))
  await expect(bob.call.users.list({})).rejects.toMatchObject(code('forbidden'))
  expect(await refused()).toMatchObject([
    {
      entityType: 'group',
      entityId: group.id,
      entityName: 'Shops',
      ownerId: ann.user.id,
      actorId: bob.user.id,
      details: { why: 'level_too_low', procedure: 'groups.update' },
    },
    { entityType: 'user', ownerId: null, actorId: bob.user.id, details: { why: 'forbidden', procedure: 'users.list' } },
  ])
  expect((await ann.call.activity.list({ action: 'denied' })).activityLogs).toHaveLength(1)
  expect((await admin.call.activity.list({ action: 'denied' })).activityLogs).toHaveLength(2)
})

test('ASVS 16.3.2 a forbidden attempt of a token is logged as the token’s, over REST and in a batch', async () => {
  const { secret } = await ann.call.apiTokens.create({ name: 'deploy', scope: 'read' })
  const headers = { authorization: `Bearer ${secret}` }
  await t.app.inject({ method: 'POST', url: '/api/groups', headers, payload: { name: 'x' } })
  await t.app.inject({ url: '/trpc/apiTokens.list,groups.list?batch=1&input={"0":{},"1":{}}', headers })
  expect(await refused()).toMatchObject([
    { actorKind: 'token', actorId: ann.user.id, details: { why: 'read_only_token', procedure: 'groups.create' }, address: '127.0.0.1' },
    { actorKind: 'token', actorId: ann.user.id, details: { why: 'session_only', procedure: 'apiTokens.list' } },
  ])
})

test('repeated refusals write one entry a minute; a resource that is not found writes none and reveals no name', async () => {
  await Promise.allSettled(Array.from({ length: 30 }, () => bob.call.users.list({})))
  expect(await refused()).toHaveLength(1)
  await t.services.db.sql`update attempts set resets_at = now()`
  await expect(bob.call.users.list({})).rejects.toMatchObject(code('forbidden'))
  expect(await refused()).toHaveLength(2)
  const group = await insertGroup(t.services.db, { ownerId: ann.user.id, name: 'Secret' })
  await expect(bob.call.groups.update({ id: group.id, name: 'Mine' })).rejects.toMatchObject(code('not_found'))
  expect(await refused()).toHaveLength(2)
})

test('R-LOG-02 a forbidden attempt of a token on a tracker or a registrar is logged with that object, not with the person', async () => {
  const { secret } = await ann.call.apiTokens.create({ name: 'deploy', scope: 'read' })
  const headers = { authorization: `Bearer ${secret}` }
  for (const url of ['trackers.remove', 'registrars.removeMany']) {
    await t.app.inject({ method: 'POST', url: `/trpc/${url}`, headers, payload: { id: crypto.randomUUID() } })
  }
  expect(await refused()).toMatchObject([{ entityType: 'tracker' }, { entityType: 'registrar' }])
})
