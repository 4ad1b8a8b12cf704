import { once } from 'node:events'
import { connect as open, createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { connect } from '#server/db/client.ts'
import { isDriverFault } from '#server/db/driver-fault.ts'
import { isDatabaseAway } from '#server/platform/database-away.ts'
import { createTestDatabase } from '#server/testing/database.ts'

const fields = Buffer.from('SFATAL\0VFATAL\0C57P01\0Mterminating connection due to administrator command\0\0')
const length = Buffer.alloc(4)
length.writeInt32BE(fields.length + 4)
/** As encoded by PostgreSQL. */
const terminated = Buffer.concat([Buffer.from('E'), length, fields])

test('a connection lost while the driver loads types is handled: the statement fails as unavailable, and the next one succeeds', async () => {
  const { url, close } = await createTestDatabase()
  onTestFinished(close)
  let ended = 0
  const proxy = createServer((client) => {
    const { hostname, port } = new URL(url)
    const server = open(Number(port), hostname)
    for (const socket of [client, server])
      socket.on('error', () => undefined).on('close', () => [client, server].map((each) => each.destroy()))
    server.pipe(client)
    client.on('data', (bytes) => {
      if (ended === 0 && bytes.includes('pg_catalog.pg_type a')) {
        ended += 1
        client.end(terminated)
      } else server.write(bytes)
    })
  }).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  onTestFinished(() => void proxy.close())
  const others = process.listeners('unhandledRejection')
  process.removeAllListeners('unhandledRejection')
  onTestFinished(() => others.forEach((listener) => process.on('unhandledRejection', listener)))
  const fault = new Promise((resolve) => process.once('unhandledRejection', resolve))

  const db = connect(Object.assign(new URL(url), { port: String((proxy.address() as AddressInfo).port) }).href, { max: 1 })
  onTestFinished(() => db.close())
  expect(isDatabaseAway(await db.sql`select 1 as one`.catch((error: unknown) => error))).toBe(true)
  expect([...(await db.sql`select 1 as one`)]).toEqual([{ one: 1 }])
  expect(ended).toBe(1)
  expect(isDriverFault(await fault)).toBe(true)
})

test('errors of the panel’s own statements are never mistaken for the driver fault', () => {
  const lost = Object.assign(new Error('write CONNECTION_CLOSED'), { code: 'CONNECTION_CLOSED', query: 'select * from zones' })
  expect(isDriverFault(lost)).toBe(false)
  expect(isDriverFault(new TypeError('x is not a function'))).toBe(false)
})
