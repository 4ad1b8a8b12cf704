import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import type { users } from '#server/db/schema/index.ts'
import { insertAccount, insertUser } from '#server/testing/factories.ts'
import { createTestServices } from '#server/testing/services.ts'
import type { TestServices } from '#server/testing/services.ts'
import type { OperationKind } from './operation-kind.ts'
import { insertOperation, wakeOperations } from './operations.repo.ts'
import { listDueKeys } from './claim-items.repo.ts'
import { startOperations } from './run-operations.ts'

let t: TestServices
beforeAll(async () => {
  t = await createTestServices()
})
afterAll(() => t.close())
beforeEach(() => t.services.db.sql`delete from users`)

/** A due operation of this user over one domain in each of the given number of concurrency keys. */
async function begin(owner: typeof users.$inferSelect, keys: number) {
  const { db } = t.services
  const { id: accountId } = await insertAccount(db, { ownerId: owner.id })
  await insertOperation(
    db.orm,
    { ownerId: owner.id, actorId: owner.id, actorName: owner.username, kind: 'noting', state: 'queued', input: {}, total: keys },
    Array.from({ length: keys }, (_, n) => ({
      domainId: null,
      accountId,
      accountEmail: '',
      lane: `${owner.username} ${n}`,
      name: owner.username,
      plan: { before: null, after: null, dangers: [], calls: 0 },
    })),
  )
  await wakeOperations(db.orm)
}

test('users take turns: a user who changes one domain is next, even if another works on thousands of accounts', async () => {
  const [many, one] = [await insertUser(t.services.db), await insertUser(t.services.db)]
  await begin(many, 800)
  await begin(one, 1)
  const due = await listDueKeys(t.services.db)
  expect(due.findIndex(({ actorId }) => actorId === one.id)).toBe(1)
  expect(due).toHaveLength(500)
})

test('a user with nothing running does not wait for another user’s items to end', async () => {
  const [many, one] = [await insertUser(t.services.db), await insertUser(t.services.db)]
  const tried: string[] = []
  const held = Promise.withResolvers<void>()
  const kind: OperationKind = {
    input: z.unknown(),
    async run(ctx) {
      tried.push(ctx.actor.userId)
      await held.promise
      return { state: 'done' }
    },
  }
  await begin(many, 5)
  const runner = await startOperations(t.services, { noting: kind }, { pollMs: 20, concurrentKeys: 2 })
  try {
    await expect.poll(() => tried, { timeout: 30_000 }).toEqual([many.id, many.id])
    await begin(one, 3)
    await expect.poll(() => tried.length, { timeout: 30_000 }).toBe(3)
    expect(tried[2]).toBe(one.id)
    held.resolve()
    await expect.poll(() => tried.length, { timeout: 30_000 }).toBe(8)
  } finally {
    held.resolve()
    await runner.stop()
  }
})
