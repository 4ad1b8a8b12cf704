import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { connect } from '#server/db/client.ts'
import type { Database } from '#server/db/client.ts'
import { copyRows } from '#server/db/copy.ts'
import { createTestDatabase } from '#server/testing/database.ts'

let db: Database
beforeEach(async () => {
  const { url, close } = await createTestDatabase()
  onTestFinished(close)
  db = connect(url, { max: 1 })
  onTestFinished(() => db.close())
  await db.sql`create table "odd ""name" (position int primary key, text text, plan jsonb)`
})
const name = 'odd "name'
const columns = ['position', 'text', 'plan']
const count = async () => (await db.sql<{ n: number }[]>`select count(*)::int as n from "odd ""name"`)[0]?.n

test('every text is stored as it is, and null as null', async () => {
  const texts = ['', '\\N', '\\.', 'a\tb\nc\r\nd\\n', '"quoted" \'single\'', 'Привет, 中文 🦊', '\u2028\u0001']
  await copyRows(
    db.orm,
    name,
    columns,
    [...texts, null].map((text, position) => [position, text, JSON.stringify({ text })]),
  )
  const rows = await db.sql<{ text: string | null; plan: { text: string | null } }[]>`select text, plan from "odd ""name" order by position`
  expect(rows.map(({ text }) => text)).toEqual([...texts, null])
  expect(rows.map(({ plan }) => plan.text)).toEqual([...texts, null])
})

test('rows are part of the transaction they are copied in', async () => {
  const many = Array.from({ length: 20_000 }, (_, position) => [position, 'x'.repeat(20), '{}'] as const)
  const rolledBack = db.orm.transaction(async (tx) => {
    await copyRows(tx, name, columns, many)
    throw new Error('rolled back')
  })
  await expect(rolledBack).rejects.toThrow('rolled back')
  expect(await count()).toBe(0)
  await db.orm.transaction((tx) => copyRows(tx, name, columns, many))
  expect(await count()).toBe(20_000)
})

test.each([1, 20_000])('a refused row after %i others is an error, and the connection stays usable', async (others) => {
  const rows = Array.from({ length: others + 1 }, (_, at) => [Math.min(at, others - 1), 'x'.repeat(20), '{}'] as const)
  await expect(db.orm.transaction((tx) => copyRows(tx, name, columns, rows))).rejects.toMatchObject({ code: '23505' })
  expect(await count()).toBe(0)
})

test('an error while the rows are made is passed on', async () => {
  function* broken() {
    yield [1, 'x', '{}'] as const
    throw new Error('no more rows')
  }
  await expect(db.orm.transaction((tx) => copyRows(tx, name, columns, broken()))).rejects.toThrow('no more rows')
  expect(await count()).toBe(0)
})
