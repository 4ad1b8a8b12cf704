import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestDatabase } from '#server/testing/database.ts'
import type { TestDatabase } from '#server/testing/database.ts'
import { brokenRequests, openSlowClients, sendBytes } from '#server/testing/malformed/broken-connections.ts'
import { listDoors } from '#server/testing/malformed/malformed-request.ts'
import { describeFaults, patienceMs, sendMalformed } from '#server/testing/malformed/send-malformed.ts'
import { startTarget } from '#server/testing/malformed/start-target.ts'
import type { Target } from '#server/testing/malformed/start-target.ts'

const minutes = 60_000
let database: TestDatabase | undefined
let target: Target
beforeAll(async () => {
  database = await createTestDatabase()
  target = await startTarget(database.url, database.db)
}, 3 * minutes)
afterAll(async () => {
  await target.stop()
  await database?.close()
})

const health = async () => {
  const began = performance.now()
  const { status } = await fetch(`${target.origin}/api/health`)
  return { status, ms: performance.now() - began }
}

test(
  'R-API-03 none of 20,000 malformed requests over every route and procedure is answered with a fault of the server, held up, or shown its insides; slow clients hold up nobody, and nothing of it stays in memory',
  { timeout: 10 * minutes },
  async () => {
    const doors = listDoors()
    expect(doors.filter(({ kind }) => kind === 'rest').length).toBeGreaterThan(100)
    expect(doors.filter(({ kind }) => kind === 'trpc').length).toBeGreaterThan(150)
    const slow = openSlowClients(target.port, 200)
    const run = (seed: number) => sendMalformed(target.origin, doors, { seed, count: 10_000, callers: target.callers })
    const first = await run(1)
    const between = await target.memory()
    const second = await run(2)
    const after = await target.memory()
    slow.close()

    expect(describeFaults([...first.faults, ...second.faults])).toEqual([])
    expect(first.sent + second.sent).toBe(20_000)
    // Most were refused for what they are, and some did reach what they were about.
    const statuses = (status: number) => (first.statuses.get(status) ?? 0) + (second.statuses.get(status) ?? 0)
    expect(statuses(400)).toBeGreaterThan(5_000)
    expect(statuses(200)).toBeGreaterThan(500)
    expect(Math.max(first.slowestMs, second.slowestMs)).toBeLessThan(patienceMs)
    expect(target.server.output()).not.toMatch(/"level":(50|60)/)
    expect(await health()).toEqual({ status: 200, ms: expect.any(Number) as unknown })
    expect(after.heap - between.heap).toBeLessThan(20)
    expect(after.rss - between.rss).toBeLessThan(60)
  },
)

describe('connections', () => {
  test.each(Object.entries(brokenRequests))('%s is refused or closed, and the next is answered', async (_, bytes) => {
    const { statuses, closed, text } = await sendBytes(target.port, bytes, patienceMs)
    expect(closed).toBe(true)
    expect(statuses.filter((status) => status >= 500)).toEqual([])
    expect(text).not.toMatch(/node:internal|\n\s+at /)
    expect((await health()).status).toBe(200)
  })
})
