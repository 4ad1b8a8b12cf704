import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import type { TrackerConnection } from '#server/ports/ad-tracker.ts'
import { startKeitaroSimulator } from '#server/simulators/trackers/keitaro.ts'
import type { KeitaroSimulator } from '#server/simulators/trackers/keitaro.ts'
import { createTestDatabase } from '#server/testing/database.ts'
import type { TestDatabase } from '#server/testing/database.ts'
import { connectTestTrackers } from '#server/testing/test-trackers.ts'
import type { AdTrackers } from '#server/ports/ad-tracker.ts'

const person = { priority: 'person' } as const
let database: TestDatabase
let simulator: KeitaroSimulator
let trackers: AdTrackers
let connection: TrackerConnection
beforeAll(async () => {
  database = await createTestDatabase()
  simulator = await startKeitaroSimulator()
  trackers = connectTestTrackers(database.db.sql)
  connection = trackers.connect({ kind: 'KEITARO', url: simulator.url, apiKey: simulator.apiKey })
})
afterAll(async () => {
  await trackers.close()
  await simulator.close()
  await database.close()
})
beforeEach(() => simulator.reset())

/** A tracker with these responses by path. */
async function answering(answers: Readonly<Record<string, unknown>>): Promise<TrackerConnection> {
  const server = createServer((request, response) => {
    const answer = answers[`${request.method} ${request.url?.replace('/admin_api/v1', '')}`]
    response.writeHead(answer === undefined ? 404 : 200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(answer ?? { error: 'Not found' }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return trackers.connect({ kind: 'KEITARO', url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, apiKey: 'key-of-a-test' })
}

test('R-TRK-02 an edition without the Admin API is reported as such', async () => {
  simulator.ways.adminApi = false
  for (const _ of [1, 2])
    await expect(connection.listDomains(person)).rejects.toMatchObject({
      code: 'tracker_edition',
      provider: { code: '402', message: 'HTTP 402' },
    })
})

test('R-TRK-02 an error of a tracker or the network is reported without the key, readable and shortened', async () => {
  const secret = 'secret-key-of-a-test'
  let asked = 0
  const server = createServer((request, response) => {
    asked += 1
    // Its domains and those in the archive.
    if (asked <= 2) {
      response.end('[]')
      return
    }
    response.writeHead(403)
    const page = '<html><title>Tom &amp; Co&#39;s &#x2014; closed</title></html>'
    response.end(request.url?.includes('campaigns') === true ? page : JSON.stringify({ error: `${'x'.repeat(490)}${secret}` }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const { listDomains, listCampaigns } = trackers.connect({ kind: 'KEITARO', url: `http://${host}`, apiKey: secret })
  expect(await listDomains(person)).toEqual([])
  await expect(listDomains(person)).rejects.toMatchObject({ provider: { message: `${'x'.repeat(490)}[hidden]` } })
  await expect(listCampaigns(person)).rejects.toMatchObject({ provider: { message: "Tom & Co's — closed" } })
  const secured = trackers.connect({ kind: 'KEITARO', url: `https://${host}`, apiKey: secret })
  await expect(secured.listDomains(person)).rejects.toMatchObject({
    code: 'tracker_unavailable',
    provider: { code: expect.stringMatching(/^ERR_SSL/) as string, message: expect.stringMatching(/^[a-z ]+$/) as string },
  })
})

test('archived domains are reported if the tracker lists them; otherwise the other domains are', async () => {
  simulator.state.add({ name: 'used.com' })
  simulator.state.add({ name: 'archived.com', archived: true })
  const listNames = async () => (await connection.listDomains(person)).map(({ name, archived }) => [name, archived])
  expect(await listNames()).toEqual([
    ['used.com', false],
    ['archived.com', true],
  ])
  simulator.ways.archiveListed = false
  expect(await listNames()).toEqual([['used.com', false]])
})

test('R-TRK-03 an archived domain is restored instead of added, and changed as requested', async () => {
  const campaignId = simulator.state.addCampaign('DE | Nutra').id
  const groupId = simulator.state.addGroup('Facebook')
  const { id } = simulator.state.add({ name: 'back.com', archived: true })
  for (const _ of [1, 2]) {
    const domain = await connection.addDomain({ name: 'back.com', campaignId, groupId, sslRedirect: true }, person)
    expect(domain).toMatchObject({
      id,
      archived: false,
      campaign: { id: campaignId },
      group: { id: groupId, name: 'Facebook' },
      sslRedirect: true,
    })
  }
  expect([...simulator.state.domains.values()]).toMatchObject([{ id, archived: false, campaignId, groupId, sslRedirect: true }])
})

test('R-TRK-03 an adopted domain keeps its redirect to HTTPS', async () => {
  const { id } = simulator.state.add({ name: 'safe.com', sslRedirect: true })
  const order = { name: 'safe.com', campaignId: null, groupId: null, sslRedirect: false }
  for (const _ of [1, 2]) expect(await connection.addDomain(order, person)).toMatchObject({ id, sslRedirect: true })
  expect(simulator.journal.count({ method: 'PUT' })).toBe(0)
})

test('R-TRK-03 many existing domains are adopted with one read of the list', async () => {
  const names = Array.from({ length: 20 }, (_, serial) => `there-${serial}.com`)
  for (const name of names) simulator.state.add({ name })
  for (const name of names) await connection.addDomain({ name, campaignId: null, groupId: null, sslRedirect: false }, person)
  expect(simulator.journal.count({ method: 'GET', path: '/domains' })).toBe(1)
})

test('a domain archived a moment ago is restored, not mistaken for an active one', async () => {
  const { id } = simulator.state.add({ name: 'swings.com' })
  const order = { name: 'swings.com', campaignId: null, groupId: null, sslRedirect: false }
  await connection.addDomain(order, person)
  await connection.archiveDomain(id, person)
  expect(await connection.addDomain(order, person)).toMatchObject({ id, archived: false })
  expect(simulator.state.domains.get(id)?.archived).toBe(false)
})

test.each(['array', 'object', 'nothing'] as const)('changes, checks and restores are accepted with %s as response', async (answers) => {
  simulator.ways.answers = answers
  const { id } = simulator.state.add({
    name: 'odd.com',
    archived: true,
    error: { description: 'Timeout', solution: 'Wait' },
    healed: true,
  })
  for (const _ of [1, 2]) expect(await connection.restoreDomain(id, person)).toMatchObject({ id, archived: false })
  for (const _ of [1, 2]) expect(await connection.checkDomain(id, person)).toMatchObject({ id, problem: null })
  for (const _ of [1, 2]) expect(await connection.updateDomain(id, { sslRedirect: true }, person)).toMatchObject({ id, sslRedirect: true })
  await expect(connection.restoreDomain('999', person)).rejects.toMatchObject({ code: 'tracker_not_found' })
})

test.each(['/groups', '/domains/groups', null] as const)('groups are read from the tracker’s own path: %s', async (groupsAt) => {
  simulator.ways.groupsAt = groupsAt
  const id = simulator.state.addGroup('Push')
  expect(await connection.listGroups(person)).toEqual(groupsAt === null ? [] : [{ id, name: 'Push' }])
})

test('a campaign’s links are moved to another domain', async () => {
  const campaign = simulator.state.addCampaign('DE | Nutra')
  const { id } = simulator.state.add({ name: 'next.com' })
  for (const _ of [1, 2]) {
    await connection.moveCampaign(campaign.id, id, person)
    expect(campaign.domainId).toBe(id)
  }
  await expect(connection.moveCampaign('999', id, person)).rejects.toMatchObject({ code: 'tracker_not_found' })
})

test('deleted campaigns are left out', async () => {
  simulator.state.addCampaign('Over', { state: 'deleted' })
  const { id } = simulator.state.addCampaign('Paused', { state: 'disabled' })
  expect(await connection.listCampaigns(person)).toEqual([{ id, name: 'Paused', state: 'disabled', domainId: null }])
})

test.each([
  ['under a name', { data: [{ id: 5, name: 'Пример.com.', unknown: { deep: [1] } }] }],
  ['by number', { 0: { id: '5', name: 'xn--e1afmkfd.com' } }],
  [
    'with rows that cannot be read',
    [{ id: 5, name: 'XN--E1AFMKFD.com', campaigns_count: 'many', ssl_redirect: 'maybe' }, { id: null }, 'row'],
  ],
])('a list is read %s, and missing fields count as absent', async (_, rows) => {
  const own = await answering({ 'GET /domains': rows })
  expect(await own.listDomains(person)).toEqual([
    {
      id: '5',
      name: 'xn--e1afmkfd.com',
      archived: false,
      status: null,
      problem: null,
      solution: null,
      sslStatus: null,
      sslProblem: null,
      campaign: null,
      campaignsCount: null,
      group: null,
      sslRedirect: null,
    },
  ])
})

test('a list without a single readable row is an error, not an empty list', async () => {
  const own = await answering({ 'GET /domains': [{ title: 'a' }, { title: 'b' }] })
  await expect(own.listDomains(person)).rejects.toMatchObject({ code: 'tracker_not_one' })
})
