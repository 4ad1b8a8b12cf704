import { afterAll, beforeAll, expect, test } from 'vitest'
import { listDue as listDueRegistrars } from '#server/features/registrars/names/registrar-names.repo.ts'
import { listDueWork } from '#server/features/sync/sync.repo.ts'
import { listDue as listDueTrackers } from '#server/features/trackers/tracker-domains.repo.ts'
import { insertAccount, insertUser } from '#server/testing/factories.ts'
import { createTestServices } from '#server/testing/services.ts'
import type { TestServices } from '#server/testing/services.ts'

let t: TestServices
beforeAll(async () => {
  t = await createTestServices()
})
afterAll(() => t.close())

test('owners take turns: a user with one account is next, even if thousands of another user’s have waited longer', async () => {
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

test('the same applies to trackers and registrars, whose servers may answer slowly', async () => {
  const { db } = t.services
  const [many, one] = [await insertUser(db), await insertUser(db)]
  await db.sql`
    with everybody as (select ${many.id}::uuid as owner, n, 60 as minutes from generate_series(1, 40) n union all select ${one.id}, 0, 1),
    tracked as (
      insert into trackers (owner_id, kind, name, url, api_key_sealed, next_sync_at)
      select owner, 'KEITARO', 'Tracker ' || n, 'https://t' || n || '.example', 'v1.none', now() - minutes * interval '1 minute' from everybody
    )
    insert into registrars (owner_id, name, type, credential_sealed, credential_fields, credential_hash, next_sync_at)
    select owner, 'Registrar ' || n, 'API_ENABLED', 'v1.none', '{}', n::text, now() - minutes * interval '1 minute' from everybody`
  for (const listDue of [listDueTrackers, listDueRegistrars]) {
    const due = await listDue(db.orm, new Date(), 4)
    expect(due.map(({ ownerId }) => ownerId)).toEqual([many.id, one.id, many.id, many.id])
  }
})
