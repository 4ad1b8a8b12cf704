import { randomUUID } from 'node:crypto'
import postgres from 'postgres'
import { expect, inject, onTestFinished, test } from 'vitest'
import { migrate } from '#server/db/migrate.ts'

async function emptyDatabase(): Promise<string> {
  const name = `empty_${randomUUID().replaceAll('-', '')}`
  const at = (database: string) => Object.assign(new URL(inject('templateUrl')), { pathname: `/${database}` }).href
  const admin = postgres(at('postgres'), { max: 1 })
  await admin.unsafe(`create database ${name}`)
  onTestFinished(async () => {
    await admin.unsafe(`drop database ${name} with (force)`)
    await admin.end()
  })
  return at(name)
}

test('R-APP-02 processes that start together on an empty database take turns, and a second time changes nothing', async () => {
  const url = await emptyDatabase()
  await Promise.all([migrate(url), migrate(url), migrate(url)])
  const sql = postgres(url, { max: 1 })
  onTestFinished(() => sql.end())
  const applied = await sql`select hash from drizzle.__drizzle_migrations`
  expect(new Set(applied.map((row) => String(row['hash']))).size).toBe(applied.length)
  await migrate(url)
  expect(await sql`select hash from drizzle.__drizzle_migrations`).toHaveLength(applied.length)
})

test('ids are ordered by time', async () => {
  const sql = postgres(inject('templateUrl'), { max: 1 })
  onTestFinished(() => sql.end())
  const ids: string[] = []
  for (let i = 0; i < 20; i += 1) {
    const [row] = await sql<{ id: string }[]>`select uuidv7()::text as id, pg_sleep(0.002)`
    ids.push(row?.id ?? '')
  }
  expect(ids.toSorted()).toEqual(ids)
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
})
