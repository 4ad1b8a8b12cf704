import { afterAll, beforeAll, expect, test } from 'vitest'
import { listDueWork } from '#server/features/sync/sync.repo.ts'
import { insertAccount, insertUser } from '#server/testing/factories.ts'
import { createTestServices } from '#server/testing/services.ts'
import type { TestServices } from '#server/testing/services.ts'

let t: TestServices
beforeAll(async () => {
  t = await createTestServices()
})
afterAll(() => t.close())

test('owners take turns: a person with one account is next, however many thousand of somebody else have waited longer', async () => {
  const { db } = t.services
  const [many, one] = [await insertUser(db), await insertUser(db)]
  const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000)
  await db.sql`
    insert into accounts (owner_id, email, kind, api_key_sealed, credential_hash, check_requested_at)
    select ${many.id}, 'a' || n || '@example.com', 'global_key', 'v1.none', n::text, now() - interval '1 hour' from generate_series(1, 3000) n`
  await db.sql`
    insert into accounts (owner_id, email, kind, api_key_sealed, credential_hash, next_sync_at, sync_asked, details_due_at)
    select ${many.id}, 'b' || n || '@example.com', 'global_key', 'v1.none', 'b' || n, now() - interval '1 hour', true, now() - interval '1 hour'
    from generate_series(1, 3000) n`
  const waiting = { ownerId: one.id, nextSyncAt: ago(1), detailsDueAt: ago(1) }
  const check = await insertAccount(db, { ...waiting, checkRequestedAt: ago(1) })
  const sync = await insertAccount(db, waiting)
  const due = await listDueWork(db)
  expect(due.checks.indexOf(check.id)).toBe(1)
  expect(due.lists.indexOf(sync.id)).toBe(1)
  expect(due.details.indexOf(sync.id)).toBe(1)
  expect(due.checks).toHaveLength(300)
})
