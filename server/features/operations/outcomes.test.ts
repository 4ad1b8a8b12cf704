import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { insertAccount, insertUser } from '#server/testing/factories.ts'
import { createTestServices } from '#server/testing/services.ts'
import type { TestServices } from '#server/testing/services.ts'
import type { OperationKind } from './operation-kind.ts'
import { insertOperation, retryFailedItems, updateOperationState } from './operations.repo.ts'
import { claimItems } from './claim-items.repo.ts'
import { noteProgress, writeOutcomes } from './run-items.repo.ts'
import { updateProgress } from './update-progress.repo.ts'
import { startOperations } from './run-operations.ts'

let test_: TestServices
beforeAll(async () => {
  test_ = await createTestServices()
})
afterAll(() => test_.close())

const items = 4
const outcome = { result: null, code: null, provider_code: null, message: null, wait_seconds: null }
let id: string
beforeEach(async () => {
  const { db } = test_.services
  await db.sql`delete from operations`
  const owner = await insertUser(db)
  const account = await insertAccount(db, { ownerId: owner.id })
  const inserted = await insertOperation(
    db.orm,
    { ownerId: owner.id, actorId: owner.id, actorName: 'Ann', kind: 'purge', state: 'queued', input: {}, total: items },
    Array.from({ length: items }, (_, at) => ({
      domainId: null,
      accountId: account.id,
      accountEmail: '',
      lane: 'one',
      name: `${at}.com`,
      plan: { before: null, after: null, dangers: [], calls: 1 },
    })),
  )
  id = inserted.id
})
const rows = () =>
  test_.services.db.sql<{ state: string; worker: number | null; result: unknown; code: string | null }[]>`
    select state, worker, result, code from operation_items where operation_id = ${id} order by position`
const claim = (worker: number, limit = items) => claimItems(test_.services.db, [{ lane: 'one', worker, limit }])
const done = (position: number, result: unknown = null) => ({ ...outcome, operation_id: id, position, state: 'done' as const, result })

test('an outcome counts only from the worker that holds the item, not from another one or one that lost it', async () => {
  const { db } = test_.services
  await claim(1)
  await writeOutcomes(db, 2, [done(0)])
  expect((await rows())[0]).toMatchObject({ state: 'running', worker: 1 })
  // Its items are claimed by another worker, so later outcomes of the first are ignored.
  await db.sql`update operation_items set state = 'pending', worker = null`
  await claim(2, 1)
  await writeOutcomes(db, 1, [done(0), done(1)])
  await noteProgress(db.orm, { operationId: id, position: 0, worker: 1 }, { steps: [] })
  expect((await rows()).map(({ state, worker, result }) => ({ state, worker, result }))).toEqual([
    { state: 'running', worker: 2, result: null },
    ...Array.from({ length: items - 1 }, () => ({ state: 'pending', worker: null, result: null })),
  ])
  await noteProgress(db.orm, { operationId: id, position: 0, worker: 2 }, { steps: [] })
  await writeOutcomes(db, 2, [done(0)])
  expect((await rows())[0]).toMatchObject({ state: 'done', worker: null, result: { steps: [] } })
})

test('progress is computed once the operation’s row is free, so a concurrent retry is not overwritten', async () => {
  const { db } = test_.services
  await claim(1)
  await writeOutcomes(
    db,
    1,
    Array.from({ length: items }, (_, position) => ({ ...done(position), state: 'failed' as const, code: 'provider_rejected' })),
  )
  await updateProgress(db, [id])
  const begun = Promise.withResolvers<void>()
  const confirm = Promise.withResolvers<void>()
  const retry = db.orm.transaction(async (tx) => {
    await updateOperationState(tx, id, ['done'], { state: 'queued', finishedAt: null })
    await retryFailedItems(tx, id)
    begun.resolve()
    await confirm.promise
  })
  await begun.promise
  const settled = updateProgress(db, [id])
  // It waits for the lock on the operation's row.
  await expect
    .poll(() => db.sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`)
    .toHaveLength(1)
  confirm.resolve()
  await Promise.all([retry, settled])
  const [operation] = await db.sql`select state, counts, finished_at from operations where id = ${id}`
  expect(operation).toEqual({ state: 'running', counts: { pending: items }, finishedAt: null })
})

test.each([
  ['that no JSON says', 1n],
  ['that passes a limit of PostgreSQL', 'much'],
])('an outcome %s fails its item, and the others are written', async (_what, result) => {
  const { services } = test_
  await services.db.sql.unsafe(`
    create or replace function too_much() returns trigger language plpgsql as $$ begin raise exception 'too much' using errcode = '54000'; end $$;
    create or replace trigger too_much before update on operation_items for each row when (new.result ->> 'count' = 'much')
      execute function too_much()`)
  const kind: OperationKind = {
    input: z.unknown(),
    run: (_ctx, { position }) => Promise.resolve({ state: 'done', result: { count: position === 2 ? result : 1 } }),
  }
  const runner = await startOperations(services, { purge: kind }, { pollMs: 20 })
  onTestFinished(() => runner.stop())
  const state = async () => (await services.db.sql<{ state: string }[]>`select state from operations where id = ${id}`)[0]?.state
  await expect.poll(state, { timeout: 10_000 }).toBe('done')
  expect((await rows()).map(({ state: became, code }) => ({ state: became, code }))).toEqual(
    [0, 1, 2, 3].map((position) => (position === 2 ? { state: 'failed', code: 'internal' } : { state: 'done', code: null })),
  )
})
