import { afterEach, expect, test } from 'vitest'

import { startTestSimulator } from '#server/testing/cloudflare-simulator.ts'

type Running = Awaited<ReturnType<typeof startTestSimulator>>
let running: Running | null = null
afterEach(() => running?.simulator.close())

async function start(...args: Parameters<typeof startTestSimulator>): Promise<Running> {
  running = await startTestSimulator(...args)
  return running
}

test('the budget belongs to the user: key and token share it, and every response reports the remainder', async () => {
  const { call, owner } = await start({ budget: { limit: 3, windowMs: 60_000 } })
  expect((await call('GET', '/user')).headers.get('ratelimit')).toBe('"default";r=2;t=60')
  expect((await call('GET', '/user', { token: owner.apiToken })).headers.get('ratelimit')).toBe('"default";r=1;t=60')
  const last = await call('GET', '/accounts')
  expect(last.headers.get('ratelimit')).toBe('"default";r=0;t=60')
  expect(last.headers.get('ratelimit-policy')).toBe('"default";q=3;w=60')
  const refused = await call('GET', '/accounts')
  expect(refused).toMatchObject({ status: 429, code: 10429 })
  expect(refused.headers.get('retry-after')).toBe('60')
})

test('a call over the budget blocks the user for a whole window, and no one else', async () => {
  const { call, clock, credentials, simulator } = await start({ budget: { limit: 2, windowMs: 60_000 }, world: { accounts: 2 } })
  await call('GET', '/user')
  clock.nowMs += 40_000
  await call('GET', '/user')
  expect((await call('GET', '/user')).status).toBe(429)
  clock.nowMs += 30_000
  expect((await call('GET', '/user')).headers.get('retry-after')).toBe('30')
  expect((await call('GET', '/user', { as: credentials(1) })).status).toBe(200)
  clock.nowMs += 30_000
  expect((await call('GET', '/user')).status).toBe(200)
  expect(simulator.journal.count({ status: 429 })).toBe(2)
})

test('the window slides: a call becomes free when the oldest has left the window', async () => {
  const { call, clock } = await start({ budget: { limit: 2, windowMs: 60_000 } })
  await call('GET', '/user')
  clock.nowMs += 50_000
  expect((await call('GET', '/user')).headers.get('ratelimit')).toBe('"default";r=0;t=10')
  clock.nowMs += 10_000
  expect((await call('GET', '/user')).headers.get('ratelimit')).toBe('"default";r=0;t=50')
})

test('an IP address may make a limited number of calls a second, for all users together', async () => {
  const { call, clock, credentials } = await start({ addressLimitPerSecond: 2, world: { accounts: 2 } })
  await call('GET', '/user')
  await call('GET', '/user', { as: credentials(1) })
  expect(await call('GET', '/user')).toMatchObject({ status: 429, code: 971 })
  clock.nowMs += 1000
  expect((await call('GET', '/user')).status).toBe(200)
})

test('the journal counts calls by template, status and user, including refused ones', async () => {
  const { call, simulator, owner, zones } = await start({ budget: { limit: 3, windowMs: 60_000 } })
  for (const zone of zones.slice(0, 4)) await call('GET', `/zones/${zone.id}`)
  await call('GET', '/user', { token: 'x'.repeat(40) })
  const path = '/zones/{zone}'
  expect(simulator.journal.count()).toBe(5)
  expect(simulator.journal.count({ method: 'GET', path, status: 200, userId: owner.userId })).toBe(3)
  expect(simulator.journal.count({ path, status: 429 })).toBe(1)
  expect(simulator.journal.recent().map((entry) => entry.status)).toEqual([200, 200, 200, 429, 403])
  simulator.journal.reset()
  expect(simulator.journal.count()).toBe(0)
})
