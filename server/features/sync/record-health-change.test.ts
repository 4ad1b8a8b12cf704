import { afterAll, beforeAll, expect, test } from 'vitest'
import { signIn } from '#server/testing/app.ts'
import { insertAccount } from '#server/testing/factories.ts'
import { createTestServices } from '#server/testing/services.ts'
import type { TestServices } from '#server/testing/services.ts'
import type { SyncRun } from './sync-run.ts'
import { recordHealthChange } from './record-health-change.ts'

let t: TestServices
beforeAll(async () => {
  t = await createTestServices()
})
afterAll(() => t.close())

test('R-LOG-01 the panel logs when a credential starts or stops working, and nothing if it stays the same', async () => {
  const { services } = t
  const { user, call } = await signIn(services)
  const record = async (health: SyncRun['account']['health'], to: SyncRun['account']['health']) =>
    recordHealthChange(
      services.db.orm,
      (await insertAccount(services.db, { ownerId: user.id, health })) as unknown as SyncRun['account'],
      to,
    )
  await record('working', 'working')
  await record('unknown', 'auth_error')
  await record('working', 'auth_error')
  const { activityLogs } = await call.activity.list({})
  expect(activityLogs).toEqual([
    expect.objectContaining({
      action: 'update',
      entityType: 'account',
      actor: { id: null, name: 'sync', kind: 'system', token: null },
      details: { health: { from: 'working', to: 'auth_error' } },
    }),
  ])
})
