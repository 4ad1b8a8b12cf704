import { expect, onTestFinished, test } from 'vitest'
import type { Transaction } from '#server/db/client.ts'
import { deleteAccounts } from '#server/features/accounts/accounts.repo.ts'
import { behindFence, ClaimLost } from '#server/platform/write-fence.ts'
import { createTestDatabase } from '#server/testing/database.ts'
import { insertAccount, insertUser, insertZones } from '#server/testing/factories.ts'
import { createStore } from './store-together.ts'

interface Result {
  readonly zone: { readonly id: string }
}
const first = { zone: { id: '00000000-0000-4000-8000-000000000001' } }
const last = { zone: { id: '00000000-0000-4000-8000-000000000009' } }

/** The last domain comes first in the table. */
async function setUp() {
  const { db, close } = await createTestDatabase()
  onTestFinished(close)
  const { id: ownerId } = await insertUser(db)
  const { id: accountId } = await insertAccount(db, { ownerId })
  await insertZones(db, { ownerId, accountId }, 2, (at) => ({ id: (at === 0 ? last : first).zone.id, providerZoneId: `zone-${at}` }))
  const waiting = () =>
    expect
      .poll(async () => (await db.sql`select from pg_locks where not granted`).length, { timeout: 10_000, interval: 10 })
      .toBeGreaterThan(0)
  return { db, accountId, waiting }
}
const fence = (confirmStore: () => Promise<void>) => ({
  lost: new AbortController().signal,
  confirm: () => Promise.resolve(),
  check: () => undefined,
  confirmStore,
})

test.each([
  ['storing the results of several domains', 'store'],
  ['deleting an account', 'delete'],
])('%s locks the domains in the order of their ids, before anything of theirs', async (_, what) => {
  const { db, accountId, waiting } = await setUp()
  let attempts = 0
  const store = createStore<Result>({ atMost: 9 }, async (tx: Transaction, all) => {
    attempts += 1
    for (const { zone } of all)
      await tx.execute(`insert into zone_rulesets (zone_id, rulesets, page_rules, read_at) values ('${zone.id}', '[]', '{}', now())`)
  })
  let acting: Promise<unknown> = Promise.resolve()
  await db.sql.begin(async (tx) => {
    await tx`select id from zones where id = ${first.zone.id} for update`
    acting =
      what === 'store' ? Promise.all([store(db, last), store(db, first)]) : db.orm.transaction((own) => deleteAccounts(own, [accountId]))
    await waiting()
    await tx`select id from zones where id = ${last.zone.id} for update`
  })
  await acting
  expect(attempts).toBe(what === 'store' ? 1 : 0)
})

test.each(['40P01', '40001'])(
  'results whose transaction PostgreSQL ended because of a concurrent one (%s) are stored by another one',
  async (code) => {
    const { db } = await setUp()
    let attempts = 0
    const store = createStore<Result>({ atMost: 9 }, async (tx) => {
      attempts += 1
      if (attempts < 3) await tx.execute(`do $$ begin raise 'ended' using errcode = '${code}'; end $$`)
    })
    await store(db, first)
    expect(attempts).toBe(3)
  },
)

test('results wait for no claim of others that is slow to confirm', async () => {
  const { db } = await setUp()
  const slow = Promise.withResolvers<void>()
  const stored: string[] = []
  const store = createStore<Result>({ atMost: 9 }, (_tx, all) => {
    stored.push(...all.map(({ zone }) => zone.id))
    return Promise.resolve()
  })
  const waits = behindFence(
    fence(() => slow.promise),
    () => store(db, first),
  )
  await behindFence(
    fence(() => Promise.resolve()),
    () => store(db, last),
  )
  expect(stored).toEqual([last.zone.id])
  slow.resolve()
  await waits
  expect(stored).toEqual([last.zone.id, first.zone.id])
})

test('a claim that is lost after its result was queued keeps only this result from being stored', async () => {
  const { db } = await setUp()
  const stored: string[] = []
  const store = createStore<Result>({ atMost: 9 }, (_tx, all) => {
    stored.push(...all.map(({ zone }) => zone.id))
    return Promise.resolve()
  })
  let confirmations = 0
  const lost = fence(() => {
    confirmations += 1
    return confirmations === 1 ? Promise.resolve() : Promise.reject(new ClaimLost())
  })
  const ends = await Promise.allSettled([behindFence(lost, () => store(db, first)), store(db, last)])
  expect(ends.map(({ status }) => status)).toEqual(['rejected', 'fulfilled'])
  expect(stored).toEqual([last.zone.id])
})
