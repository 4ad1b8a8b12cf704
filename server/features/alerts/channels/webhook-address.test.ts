import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { encryptAddress } from './channel-secrets.ts'
import { createTestAlerts, insertIncidents, promptly } from '#server/testing/alerts.ts'
import type { TestAlerts } from '#server/testing/alerts.ts'

let t: TestAlerts
let base: string
let asked: string[]
let answer: { status: number; headers: Record<string, string> }
let stop = async () => Promise.resolve()
beforeEach(async () => {
  asked = []
  answer = { status: 200, headers: {} }
  const server = createServer((request, response) => {
    asked.push(request.url ?? '')
    response.writeHead(answer.status, answer.headers).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  base = `127.0.0.1:${(server.address() as AddressInfo).port}`
  stop = () => new Promise((resolve) => server.close(() => resolve()))
  t = await createTestAlerts({ outboundAllow: ['127.0.0.0/8', '169.254.0.0/16'] })
})
afterEach(async () => {
  await t.close()
  await stop()
})

/** All stored data of channels and their log. */
const kept = async () => {
  const { sql } = t.services.db
  return JSON.stringify([await sql`select * from alert_channels`, await sql`select * from activity`, await sql`select * from outbox`])
}

test('a webhook is posted to its full address, of which responses, log and tables show only the host', async () => {
  const { call } = t.owner
  const url = `http://user:pass@${base}/services/T0/hidden-path?key=hidden`
  const { channel } = await call.alerts.createChannel({ kind: 'webhook', name: 'hook', url })
  expect(channel.url).toBe(base)
  expect(await call.alerts.testChannel({ id: channel.id })).toEqual({ failure: null })
  await insertIncidents(t.services, t.owner.user.id, [{ name: 'shop.example' }])
  await t.start(promptly)
  await expect.poll(() => asked).toEqual(['/services/T0/hidden-path?key=hidden', '/services/T0/hidden-path?key=hidden'])
  const { channels } = await call.alerts.listChannels({})
  expect(channels.find(({ id }) => id === channel.id)?.url).toBe(base)
  expect(await kept()).not.toMatch(/hidden|user:pass/)
})

test.each([
  'http://169.254.169.254/x',
  'http://168.63.129.16/',
  'http://100.100.100.200/',
  'http://[fd00:ec2::254]/',
  'http://0xa9fea9fe/',
])('a webhook at %s is rejected when it is created and when it is updated, with the field', async (url) => {
  const { call } = t.owner
  const refused = { cause: { code: 'validation_failed', issues: [{ path: 'url', message: 'metadata_address' }] } }
  await expect(call.alerts.createChannel({ kind: 'webhook', name: 'hook', url })).rejects.toMatchObject(refused)
  const { channel } = await call.alerts.createChannel({ kind: 'webhook', name: 'hook', url: `http://${base}/` })
  await expect(call.alerts.updateChannel({ id: channel.id, url })).rejects.toMatchObject(refused)
  expect(await call.alerts.testChannel({ id: channel.id })).toEqual({ failure: null })
})

test('a webhook that was stored at a metadata service is neither tested nor delivered to', async () => {
  const { channel } = await t.owner.call.alerts.createChannel({ kind: 'webhook', name: 'hook', url: `http://${base}/` })
  const { urlSealed } = encryptAddress(t.services.secrets, channel.id, 'http://169.254.169.254/latest')
  await t.services.db.sql`update alert_channels set url_sealed = ${urlSealed} where id = ${channel.id}`
  await insertIncidents(t.services, t.owner.user.id, [{ name: 'shop.example' }])
  await t.start(promptly)
  const failure = { code: 'forbidden', message: 'not a public address' }
  const find = async () => (await t.owner.call.alerts.listChannels({})).channels.find(({ id }) => id === channel.id)
  await expect.poll(find).toMatchObject({ failure })
  expect(await t.owner.call.alerts.testChannel({ id: channel.id })).toMatchObject({ failure })
})

test('a new address is logged as changed, the same one as no change, and an omitted one is kept', async () => {
  const { call } = t.owner
  const { channel } = await call.alerts.createChannel({ kind: 'webhook', name: 'hook', url: `http://${base}/hidden-1` })
  const { id } = channel
  const changes = async () => {
    const rows = await t.services.db.sql<{ details: unknown }[]>`select details from activity where action = 'update' order by id`
    return rows.map(({ details }) => details)
  }
  await call.alerts.updateChannel({ id, url: `http://${base}/hidden-1` })
  expect(await changes()).toEqual([])
  await call.alerts.updateChannel({ id, url: `http://${base}/hidden-2` })
  await call.alerts.updateChannel({ id, name: 'renamed' })
  expect(await changes()).toEqual([
    { alertChannel: 'webhook', url: 'changed' },
    { alertChannel: 'webhook', name: { from: 'hook', to: 'renamed' } },
  ])
  await call.alerts.testChannel({ id })
  expect(asked).toEqual(['/hidden-2'])
  expect(await kept()).not.toContain('hidden')
})

test('an address stored unencrypted by an earlier version still works, and is encrypted when a process starts', async () => {
  const { call } = t.owner
  const { sql } = t.services.db
  const { channel } = await call.alerts.createChannel({ kind: 'webhook', name: 'hook', url: `http://${base}/encrypted` })
  await sql`update alert_channels set url = ${`http://${base}/hidden-plain`} where id = ${channel.id}`
  expect((await call.alerts.listChannels({})).channels.find(({ id }) => id === channel.id)?.url).toBe(base)
  await call.alerts.testChannel({ id: channel.id })
  await t.start(promptly)
  expect(await kept()).not.toContain('hidden')
  await call.alerts.testChannel({ id: channel.id })
  expect(asked).toEqual(['/hidden-plain', '/hidden-plain'])
})

test('an address encrypted with another key is reported as lost and can be entered again', async () => {
  const { call } = t.owner
  const { channel } = await call.alerts.createChannel({ kind: 'webhook', name: 'hook', url: `http://${base}/one` })
  await t.services.db.sql`update alert_channels set url_sealed = 'v1.nonsense' where id = ${channel.id}`
  expect((await call.alerts.testChannel({ id: channel.id })).failure?.code).toBe('secret_lost')
  await call.alerts.updateChannel({ id: channel.id, url: `http://${base}/two` })
  expect(await call.alerts.testChannel({ id: channel.id })).toEqual({ failure: null })
  expect(asked).toEqual(['/two'])
})

test('R-MON-02 a test reports the status with which a webhook refused it, even with a Retry-After', async () => {
  const { call } = t.owner
  const { channel } = await call.alerts.createChannel({ kind: 'webhook', name: 'hook', url: `http://${base}/x` })
  for (const headers of [{}, { 'retry-after': '30' }]) {
    answer = { status: 503, headers: { ...headers } }
    expect((await call.alerts.testChannel({ id: channel.id })).failure).toMatchObject({ code: 'refused', message: 'status 503' })
  }
})
