import { expect, test, onTestFinished } from 'vitest'
import { openAdvisoryLocks } from '#server/db/advisory-locks.ts'
import { connect } from '#server/db/client.ts'
import { operationKinds, startOperations } from '#server/features/operations/index.ts'
import { endWorker, insertHeartbeat } from '#server/platform/worker-identity.repo.ts'
import { createTestDatabase } from '#server/testing/database.ts'
import { createTestServices } from '#server/testing/services.ts'

test('locks of a hung process are released when its work is taken over, even within an endless statement', async () => {
  const { db, url, close } = await createTestDatabase()
  onTestFinished(close)
  const hung = connect(url, { max: 2, name: 'hung' })
  onTestFinished(() => hung.close())
  await insertHeartbeat(hung.sql, 1, 'operations')
  await insertHeartbeat(db.sql, 2, 'operations')
  const holding = Promise.withResolvers<void>()
  const ended = hung.sql.begin(async (tx) => {
    await tx`update workers set kind = 'alerts' where worker = 2`
    const busy = tx`select pg_sleep(600)`.execute()
    holding.resolve()
    await busy
  })
  ended.catch(() => undefined)
  await holding.promise

  expect(await db.sql.begin((tx) => endWorker(tx, 1, 'hung', 60_000))).toBe(false)
  expect(await db.sql.begin((tx) => endWorker(tx, 1, 'hung', 0))).toBe(true)
  await expect.poll(() => db.sql`update workers set kind = 'probes' where worker = 2 returning kind`).toEqual([{ kind: 'probes' }])
})

test('locks of a hung process other than items (syncs, monitoring, bots) are released within half a minute', async () => {
  const { services, databaseUrl, close } = await createTestServices()
  onTestFinished(close)
  const hung = connect(databaseUrl, { max: 2, name: 'hung' })
  onTestFinished(() => hung.close())
  await insertHeartbeat(hung.sql, 1, 'operations')
  const held = openAdvisoryLocks(hung)
  await held.tryLock(['monitoring'], 1)
  const runner = await startOperations(services, operationKinds, { pollMs: 20 })
  onTestFinished(() => runner.stop())
  const others = openAdvisoryLocks(services.db)
  onTestFinished(() => others.close())
  expect(await others.tryLock(['monitoring'], 1)).toEqual([])
  await services.db.sql`update workers set seen_at = now() - interval '21 s' where worker = 1`
  await expect.poll(() => others.tryLock(['monitoring'], 1)).toEqual(['monitoring'])
  await expect.poll(() => held.lost.aborted).toBe(true)
})
