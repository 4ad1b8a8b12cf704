import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { sql } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { users } from '#server/db/schema/index.ts'
import { createTestDatabase } from '#server/testing/database.ts'
import { insertUser } from '#server/testing/factories.ts'

it('every query method returns the schema’s names and leaves JSON unchanged', async () => {
  const { db, close } = await createTestDatabase()
  try {
    const { id } = await insertUser(db)
    const statement = `select password_hash is not null as has_password, jsonb_build_object('some_key', 1) as written_json, id as "userId" from users`
    const row = { hasPassword: true, writtenJson: { some_key: 1 }, userId: id }
    expect(await db.sql.unsafe(statement)).toEqual([row])
    expect(await db.steadySql.unsafe(statement)).toEqual([row])
    expect([...(await db.orm.execute(sql.raw(statement)))]).toEqual([row])
    expect(await db.orm.transaction((tx) => tx.execute(sql.raw(statement)))).toMatchObject([row])
    expect(await db.orm.select({ id: users.id, createdAt: users.createdAt }).from(users)).toEqual([
      { id, createdAt: expect.any(Date) as unknown },
    ])
  } finally {
    await close()
  }
})

it('no statement declares rows with database column names, which would be undefined', () => {
  const root = fileURLToPath(new URL('../..', import.meta.url))
  const declared = /\b(?:execute|sql|tx|pool|unsafe|steadySql|run)<[^`()]*\b[a-z]+_[a-z_]+\??:[^`()]*>\s*[(`]/
  const found = globSync('{server,bench}/**/*.ts', { cwd: root }).filter(
    (file) => !/migrate\.test|row-names\.test/.test(file) && declared.test(readFileSync(`${root}/${file}`, 'utf8')),
  )
  expect(declared.test('db.sql<{ id: string; owner_id: string }[]>`select')).toBe(true)
  expect(found).toEqual([])
})
