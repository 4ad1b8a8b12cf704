import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { createEvents } from '#server/platform/events.ts'
import { createLog } from '#server/platform/log.ts'
import type { Services } from '#server/platform/context.ts'
import type { OperationKind } from '#server/features/operations/operation-kind.ts'
import { insertOperation, wakeOperations } from '#server/features/operations/operations.repo.ts'
import { startOperations } from '#server/features/operations/run-operations.ts'
import type { Bench } from './bench.ts'
import { insertOwner, startDatabase } from './panel.ts'

const items = 30_000
const lanes = 20

/** A provider that answers at once: what is left is the engine. */
const instant: OperationKind = {
  name: 'refresh',
  input: z.unknown(),
  plan: () => Promise.resolve([]),
  run: () => Promise.resolve({ state: 'done' }),
}

export const operations: Bench = {
  about: 'what the engine of operations costs by itself: items a second over a provider that answers at once',
  async run(report) {
    const database = await startDatabase()
    const { db } = database
    const log = createLog('silent')
    const events = await createEvents(db.sql, log)
    try {
      const owner = await insertOwner(db)
      const plan = { before: null, after: null, dangers: [], calls: 1 }
      const { id } = await insertOperation(
        db.orm,
        { ownerId: owner.id, actorId: owner.id, actorName: 'bench', kind: 'refresh', input: {}, state: 'queued', total: items },
        Array.from({ length: items }, (_, index) => ({
          accountId: randomUUID(),
          accountEmail: 'bench@example.com',
          lane: `lane ${index % lanes}`,
          name: `n${index}.example`,
          plan,
        })),
      )
      const began = performance.now()
      const runner = await startOperations({ db, log, events } as unknown as Services, { refresh: instant })
      await wakeOperations(db.orm)
      for (;;) {
        const [row] = await db.sql<{ state: string }[]>`select state from operations where id = ${id}`
        if (row?.state === 'done') break
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
      const seconds = (performance.now() - began) / 1000
      await runner.stop()
      report({
        name: `engine over an instant provider, ${items} items`,
        value: items / seconds,
        unit: '/s',
        against: { kind: 'at least', value: 1_500, what: 'items a second' },
      })
    } finally {
      await events.close()
      await database.close()
    }
  },
}
