import { afterAll, beforeAll, expect, test } from 'vitest'
import { createLimiter } from '#server/platform/limiter.ts'
import { createTestDatabase } from '#server/testing/database.ts'
import type { TestDatabase } from '#server/testing/database.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.close())

test('exactly the allowed number of concurrent attempts pass across several processes', async () => {
  const [one, two] = [createLimiter(database.db.sql), createLimiter(database.db.sql)]
  const tries = await Promise.all(Array.from({ length: 40 }, (_, i) => (i % 2 === 0 ? one : two).take('side by side', 7, 60_000)))
  expect(tries.filter(({ allowed }) => allowed)).toHaveLength(7)
  for (const { retryAfterSeconds } of tries) expect(retryAfterSeconds).toBeLessThanOrEqual(60)
})

test('a returned attempt can be used again; an expired window restarts and is cleaned up', async () => {
  const limiter = createLimiter(database.db.sql)
  const allowed = async () => (await limiter.take('given back', 1, 60_000)).allowed
  expect(await allowed()).toBe(true)
  await limiter.giveBack('given back')
  expect(await allowed()).toBe(true)
  expect(await allowed()).toBe(false)
  await database.db.sql`update attempts set resets_at = now() - interval '1 second'`
  expect(await allowed()).toBe(true)
  await database.db.sql`update attempts set resets_at = now() - interval '1 second'`
  await limiter.sweep()
  expect(await database.db.sql`select 1 from attempts`).toHaveLength(0)
})

test('further attempts do not extend a window', async () => {
  const { sql } = database.db
  const limiter = createLimiter(sql)
  await limiter.take('fixed', 2, 60_000)
  await sql`update attempts set resets_at = now() + interval '10 seconds' where key = 'fixed'`
  const ends = async () => (await sql`select resets_at::text from attempts where key = 'fixed'`)[0]?.['resetsAt'] as string
  const before = await ends()
  for (const allowed of [true, false, false]) {
    const tried = await limiter.take('fixed', 2, 60_000)
    expect(tried.allowed).toBe(allowed)
    expect(tried.retryAfterSeconds).toBeLessThanOrEqual(10)
  }
  expect(await ends()).toBe(before)
})

test('one attempt of several keys is returned immediately, also concurrently and in any order', async () => {
  const limiter = createLimiter(database.db.sql)
  const keys = ['address', 'email']
  for (let n = 0; n < 20; n += 1) for (const key of keys) await limiter.take(key, 100, 60_000)
  await Promise.all(Array.from({ length: 20 }, (_, i) => limiter.giveBack(...(i % 2 === 0 ? keys : keys.toReversed()))))
  expect(await database.db.sql`select key, count from attempts where key = any(${keys}) order by key`).toEqual(
    keys.map((key) => ({ key, count: 0 })),
  )
})

test('paced attempts allow a concurrent burst, then one at a time, and refused or returned attempts delay no one', async () => {
  const [one, two] = [createLimiter(database.db.sql), createLimiter(database.db.sql)]
  const pace = (limiter = one) => limiter.pace('paced', 5, 60_000)
  const burst = await Promise.all(Array.from({ length: 20 }, (_, i) => pace(i % 2 === 0 ? one : two)))
  expect(burst.filter(({ allowed }) => allowed)).toHaveLength(5)
  for (const { allowed, retryAfterSeconds, remaining } of burst) {
    expect(remaining).toBeLessThanOrEqual(allowed ? 4 : 0)
    if (!allowed) expect(retryAfterSeconds).toBeLessThanOrEqual(60)
  }

  await database.db.sql`update attempts set resets_at = resets_at - interval '60 seconds' where key = 'paced'`
  expect([(await pace()).allowed, (await pace()).allowed]).toEqual([true, false])
  await one.givePaceBack('paced', 60_000)
  expect((await pace()).allowed).toBe(true)
  await database.db.sql`update attempts set resets_at = now() - interval '1 hour' where key = 'paced'`
  expect(await pace()).toMatchObject({ allowed: true, remaining: 4 })
})

test('all keys with a common prefix are deleted together', async () => {
  const limiter = createLimiter(database.db.sql)
  for (const key of ['login a@b.c', 'login a@b.c at 1', 'login a@b.c at 2', 'login a@b.com at 1']) await limiter.take(key, 5, 60_000)
  await limiter.forgetAll('login a@b.c at ')
  const left = await database.db.sql<{ key: string }[]>`select key from attempts where key like 'login%' order by key`
  expect(left.map(({ key }) => key)).toEqual(['login a@b.c', 'login a@b.com at 1'])
})
