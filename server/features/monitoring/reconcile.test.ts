import { expect, onTestFinished, test } from 'vitest'
import { insertZones } from '#server/testing/factories.ts'
import { createTestMonitoring } from '#server/testing/test-monitoring.ts'
import { reconcile } from './reconcile.ts'

test('R-MON-03 new domains are monitored immediately, however many others wait for their health to be written', async () => {
  const names = Array.from({ length: 40 }, (_, at) => `known${at}.example`)
  const panel = await createTestMonitoring({ names, regions: ['EUROPE'] })
  onTestFinished(panel.close)
  const { db } = panel.services
  const added = await insertZones(db, { ownerId: panel.owner.id, accountId: panel.accountId }, 5, (at) => ({ name: `new${at}.example` }))
  const watched = async () => {
    const rows = await db.sql`select from zone_monitors where zone_id = any(${added.map(({ id }) => id)}::uuid[])`
    return rows.length
  }
  // Holds these rows locked, so that their health cannot be written into the list.
  const [held, over] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  await db.sql`update zones set health = 'critical' where name like 'known%'`
  const holding = db.sql.begin(async (tx) => {
    await tx`select from zones where name like 'known%' for update`
    held.resolve()
    await over.promise
  })
  await held.promise
  await reconcile(panel.services, new AbortController().signal, 10)
  expect(await watched()).toBe(5)
  over.resolve()
  await holding
  for (let turn = 0; turn < 4; turn++) await reconcile(panel.services, new AbortController().signal, 10)
  expect(await db.sql`select from zones where health <> 'unknown'`).toHaveLength(0)
})
