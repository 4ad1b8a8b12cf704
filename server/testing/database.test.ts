import { expect, onTestFinished, test } from 'vitest'
import { createTestDatabase } from '#server/testing/database.ts'

test('test databases are migrated, empty and separate', async () => {
  const [one, two] = await Promise.all([createTestDatabase(), createTestDatabase()])
  onTestFinished(async () => {
    await Promise.all([one.close(), two.close()])
  })
  await one.db.sql`insert into users (username, email, password_hash, role) values ('a', 'a@example.com', '-', 'admin')`
  expect(await one.db.sql`select 1 from users`).toHaveLength(1)
  expect(await two.db.sql`select 1 from users`).toHaveLength(0)
})
