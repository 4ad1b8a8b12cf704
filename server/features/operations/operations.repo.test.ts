import { afterAll, beforeAll, expect, test } from 'vitest'
import { insertAccount, insertUser } from '#server/testing/factories.ts'
import { createTestServices } from '#server/testing/services.ts'
import type { TestServices } from '#server/testing/services.ts'
import { AppError } from '#shared/errors/app-error.ts'
import { decideRetry } from './failure.policy.ts'
import { insertOperation, mostDrafts, retryFailedItems } from './operations.repo.ts'
import { claimItems } from './claim-items.repo.ts'
import { releaseDead, writeOutcomes } from './run-items.repo.ts'

let test_: TestServices
beforeAll(async () => {
  test_ = await createTestServices()
})
afterAll(() => test_.close())

const outcome = { result: null, code: null, provider_code: null, message: null, wait_seconds: null }

test('crashes, stops and rate limits use up no attempts, and the next attempt checks first whether the item took effect', async () => {
  const { db } = test_.services
  const owner = await insertUser(db)
  const account = await insertAccount(db, { ownerId: owner.id })
  const { id } = await insertOperation(
    db.orm,
    { ownerId: owner.id, actorId: owner.id, actorName: 'Ann', kind: 'purge', state: 'queued', input: {}, total: 1 },
    [{ domainId: null, accountId: account.id, accountEmail: '', lane: 'one', name: 'a.com', plan: { before: null, after: null } }],
  )
  const claim = async (worker: number) => (await claimItems(db, [{ lane: 'one', worker, limit: 1 }]))[0]?.[0]?.attempts
  // The item is due again; the column rounds to milliseconds.
  const write = (worker: number, state: 'pending' | 'waiting' | 'failed', code: string | null = null) =>
    writeOutcomes(db, worker, [
      { ...outcome, operation_id: id, position: 0, state, code, ...(state === 'waiting' && { wait_seconds: -1 }) },
    ])

  expect(await claim(1)).toBe(1)
  // None of these workers holds a lock: two are dead, and the others are earlier ids of this process from before it lost its connection.
  for (let worker = 2; worker < 20; worker += 1) {
    const { released } = await releaseDead(db, [], worker < 4 ? [] : [worker - 1])
    expect(released[0]?.deaths).toBe(Math.min(worker - 1, 2))
    expect(await claim(worker)).toBe(2)
  }
  await write(19, 'pending')
  for (let worker = 20; worker < 40; worker += 1) {
    expect(await claim(worker)).toBe(2)
    await write(worker, 'waiting', 'provider_rate_limited')
  }
  expect(await claim(40)).toBe(2)
  expect(decideRetry(new AppError('provider_unavailable'), 2).next).toBe('wait')
  await write(40, 'waiting', 'provider_unavailable')
  expect(await claim(41)).toBe(3)
  await write(41, 'failed', 'provider_unavailable')
  expect(await retryFailedItems(db.orm, id)).toBe(1)
  expect(await claim(42)).toBe(2)
})

test('a user keeps a limited number of drafts and draft items; the oldest are deleted, never started operations or those of other users', async () => {
  const { db } = test_.services
  const [ann, bob] = [await insertUser(db), await insertUser(db)]
  const draft = (owner: typeof ann, total: number, state: 'draft' | 'queued' = 'draft') =>
    insertOperation(db.orm, { ownerId: owner.id, actorId: owner.id, actorName: 'Ann', kind: 'purge', state, input: {}, total }, [])
  const started = await draft(ann, 100_000, 'queued')
  const theirs = await draft(bob, 100_000)
  const drafts: string[] = []
  for (let n = 0; n < mostDrafts.operations + 2; n += 1) drafts.push((await draft(ann, 1)).id)
  const left = async () =>
    new Set((await db.sql<{ id: string }[]>`select id from operations where owner_id in ${db.sql([ann.id, bob.id])}`).map(({ id }) => id))
  expect(await left()).toEqual(new Set([started.id, theirs.id, ...drafts.slice(2)]))
  const large: string[] = []
  for (let n = 0; n < 11; n += 1) large.push((await draft(ann, mostDrafts.items / 10)).id)
  expect(await left()).toEqual(new Set([started.id, theirs.id, ...large.slice(1)]))
})
