import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readEnv } from '#server/config/env.ts'
import { createAdTrackers } from '#server/integrations/trackers/create-ad-trackers.ts'
import { createLog } from '#server/platform/log.ts'
import { systemClock } from '#server/platform/clock.ts'
import { createTestDatabase } from '#server/testing/database.ts'
import type { AdTrackers } from '#server/ports/ad-tracker.ts'
import { startDemoWorld } from './world.ts'
import type { DemoWorld } from './world.ts'

let demo: DemoWorld
let trackers: AdTrackers
let open: number
const closers: (() => Promise<unknown>)[] = []
beforeAll(async () => {
  demo = await startDemoWorld()
  closers.push(() => demo.close())
  const database = await createTestDatabase()
  closers.push(() => database.close())
  trackers = createAdTrackers({
    allow: demo.env(readEnv({}), '/tmp').OUTBOUND_ALLOW,
    sql: database.db.sql,
    clock: systemClock,
    log: createLog('silent'),
    userAgent: 'test',
  })
  closers.push(() => trackers.close())
  const server = createServer((_request, response) => response.end('inside'))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  open = (server.address() as AddressInfo).port
  closers.push(() => new Promise((resolve) => server.close(resolve)))
})
afterAll(async () => {
  for (const close of closers.toReversed()) await close()
})

const listAt = (url: string, apiKey = 'key') => trackers.connect({ kind: 'KEITARO', url, apiKey }).listDomains({ priority: 'person' })

test('the demo connects to its simulated trackers, and to no other port of this machine, open or closed', async () => {
  const { url, apiKey } = demo.trackers.keitaro
  expect((await listAt(url, apiKey)).length).toBeGreaterThan(0)
  for (const other of [`http://127.0.0.1:${open}`, 'http://127.0.0.1:9', `http://localhost:${open}`, 'http://10.0.0.1'])
    await expect(listAt(other)).rejects.toMatchObject({ code: 'tracker_private' })
})
