import { afterAll, beforeAll, expect, test } from 'vitest'
import { callAs, signIn } from '#server/testing/app.ts'
import type { SignedIn } from '#server/testing/app.ts'
import { insertAccount, insertZones } from '#server/testing/factories.ts'
import { createTestServices } from '#server/testing/services.ts'
import type { TestServices } from '#server/testing/services.ts'

let t: TestServices
let ann: SignedIn
let ids: string[]
beforeAll(async () => {
  t = await createTestServices()
  ann = await signIn(t.services)
  const owner = { ownerId: ann.user.id }
  const account = await insertAccount(t.services.db, owner)
  ids = (await insertZones(t.services.db, { ...owner, accountId: account.id }, 26)).map(({ id }) => id)
})
afterAll(() => t.close())

const verified = (minutesAgo: number) =>
  callAs(t.services, { ...ann.actor, verifiedAt: new Date(t.services.clock.now() - minutesAgo * 60_000) })
const token = () =>
  callAs(t.services, { ...ann.actor, sessionId: '', verifiedAt: null, via: { kind: 'token', id: ann.user.id, name: 'ci', scope: 'write' } })
const deletion = async (count: number) => {
  const request = { kind: 'delete', input: {} } as const
  return (await ann.call.operations.preview({ request, target: { ids: ids.slice(0, count) } })).operation
}
const stateOf = async (id: string) => (await ann.call.operations.items({ id })).operation.state

test('R-DOM-09 ASVS 7.5.1 deleting more than 25 domains requires step-up authentication, and nothing starts before it', async () => {
  const { id } = await deletion(26)
  await expect(verified(11).operations.start({ id })).rejects.toThrow('confirmation_needed')
  await expect(verified(11).operations.bulkDelete({ ids })).rejects.toThrow('confirmation_needed')
  expect(await stateOf(id)).toBe('draft')
  expect((await verified(9).operations.start({ id })).operation.state).toBe('queued')
})

test('R-DOM-09 25 domains can be deleted without step-up authentication, also by a token; a token cannot delete 26', async () => {
  expect((await verified(11).operations.start({ id: (await deletion(25)).id })).operation.state).toBe('queued')
  expect((await token().operations.start({ id: (await deletion(25)).id })).operation.state).toBe('queued')
  await expect(token().operations.start({ id: (await deletion(26)).id })).rejects.toThrow('session_only')
})

test('other operations of any size do not require step-up authentication', async () => {
  const request = { kind: 'settings', input: { settings: { ssl: 'full' } } } as const
  const { operation } = await ann.call.operations.preview({ request, target: { ids } })
  expect((await verified(60).operations.start({ id: operation.id })).operation.state).toBe('queued')
})

test('undoing the addition of many domains deletes them and therefore requires step-up authentication', async () => {
  const { sql } = t.services.db
  const added = await deletion(26)
  const undo = await deletion(26)
  await sql`update operations set kind = 'create', state = 'done' where id = ${added.id}`
  await sql`update operations set kind = 'undo', undo_of = ${added.id} where id = ${undo.id}`
  await expect(verified(11).operations.start({ id: undo.id })).rejects.toThrow('confirmation_needed')
  expect((await verified(1).operations.start({ id: undo.id })).operation.state).toBe('queued')
})
