import { afterAll, beforeAll, expect, test } from 'vitest'
import { createFakeClock } from '#server/testing/fake-clock.ts'
import type { FakeClock } from '#server/testing/fake-clock.ts'
import { signIn } from '#server/testing/app.ts'
import { insertAccount, insertZone } from '#server/testing/factories.ts'
import { createTestServices } from '#server/testing/services.ts'
import type { TestServices } from '#server/testing/services.ts'

let t: TestServices
let clock: FakeClock
beforeAll(async () => {
  clock = createFakeClock()
  t = await createTestServices({ clock })
})
afterAll(() => t.close())

/** A user with zones who searches. */
async function stage() {
  const { db, events } = t.services
  const { user, call } = await signIn(t.services)
  const account = await insertAccount(db, { ownerId: user.id })
  const add = (name: string) => insertZone(db, { ownerId: user.id, accountId: account.id, name })
  const matching = async (search: string) => (await call.domains.summary({ filter: { search } })).matching
  const publishChange = async () => {
    const heard = Promise.withResolvers<void>()
    const end = events.subscribe((ownerId) => ownerId === user.id && heard.resolve())
    await events.publish(db.orm, user.id, 'domains', [account.id])
    await heard.promise
    end()
  }
  return { add, matching, publishChange }
}

test('R-DOM-02 counts of a filter are read once a second, and immediately after change events', async () => {
  const { add, matching, publishChange } = await stage()
  await add('one.example')
  expect(await matching('example')).toBe(1)
  await add('two.example')
  expect(await matching('example')).toBe(1)
  await clock.advance(1_000)
  expect(await matching('example')).toBe(2)
  await add('three.example')
  await publishChange()
  expect(await matching('example')).toBe(3)
})

test('R-PRM-02 the same search of two users is read separately', async () => {
  const [ann, bob] = [await stage(), await stage()]
  await ann.add('only.example')
  expect(await ann.matching('only')).toBe(1)
  expect(await bob.matching('only')).toBe(0)
})
