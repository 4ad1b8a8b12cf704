import { expect, test } from 'vitest'
import { createTestDatabase } from '#server/testing/database.ts'
import { insertAccount, insertUser, insertZones } from '#server/testing/factories.ts'
import { postponePart, updateGone } from '#server/features/domains/mirror/index.ts'
import { queueSync, wantDetails } from './queue-sync.ts'

const first = '00000000-0000-4000-8000-000000000001'
const last = '00000000-0000-4000-8000-000000000009'

test.each(['postponePart', 'queueSync', 'wantDetails', 'updateGone'])(
  '%s locks zones in the order of their ids: it waits for the holder of the first one without holding any other',
  async (name) => {
    const { db, close } = await createTestDatabase()
    try {
      const { id: ownerId } = await insertUser(db)
      const { id: accountId } = await insertAccount(db, { ownerId })
      // Due times in the opposite order of the table.
      const due = new Date(name === 'queueSync' ? Date.now() + 3_600_000 : Date.now() - 3_600_000)
      await insertZones(db, { ownerId, accountId }, 2, (at) => ({
        id: at === 0 ? last : first,
        providerZoneId: `zone-${at}`,
        recordsDueAt: due,
        settingsDueAt: due,
      }))
      const act = {
        postponePart: () => postponePart(db.orm, accountId, 'records', 60),
        queueSync: () => queueSync(db.orm, [accountId]),
        wantDetails: () => wantDetails(db.orm, [last, first]),
        updateGone: () => updateGone(db.orm, accountId, ['zone-0', 'zone-1']),
      }[name]
      if (act === undefined) throw new Error('no such act')
      let acting: Promise<unknown> = Promise.resolve()
      await db.sql.begin(async (tx) => {
        await tx`select id from zones where id = ${first} for no key update`
        acting = act()
        await expect
          .poll(async () => (await db.sql`select from pg_locks where not granted`).length, { timeout: 10_000, interval: 10 })
          .toBeGreaterThan(0)
        await tx`select id from zones where id = ${last} for no key update`
      })
      await acting
    } finally {
      await close()
    }
  },
)
