import { expect, onTestFinished, test } from 'vitest'
import { connect } from '#server/db/client.ts'
import { createTestDatabase } from '#server/testing/database.ts'

/** The driver's default: so many statements are sent on one connection before their answers. */
const pipeline = 100

test('a transaction whose beginning fills the pipeline of a connection is kept apart from other statements', async () => {
  const { url, close } = await createTestDatabase()
  onTestFinished(close)
  const db = connect(url, { max: 1 })
  onTestFinished(() => db.close())
  await db.sql`create temporary table written (at int)`
  const failures: unknown[] = []
  for (let before = pipeline - 3; before <= pipeline + 3; before++) {
    const others = Array.from({ length: before }, () => db.sql`select 1 as one`.execute())
    const transaction = db.sql.begin(async (tx) => {
      await tx`insert into written values (${before})`
      throw new Error('rolled back')
    })
    const after = db.sql`insert into written values (${-before})`.execute()
    const results = await Promise.allSettled([...others, transaction, after])
    failures.push(...results.flatMap((each) => (each.status === 'rejected' ? [String(each.reason)] : [])))
  }
  expect(new Set(failures)).toEqual(new Set(['Error: rolled back']))
  const [row] = await db.sql`select count(*)::int as kept, count(*) filter (where at > 0)::int as rolled from written`
  expect(row).toEqual({ kept: 7, rolled: 0 })
})
