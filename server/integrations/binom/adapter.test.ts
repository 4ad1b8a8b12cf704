import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import type { AdTrackers, TrackerConnection } from '#server/ports/ad-tracker.ts'
import { startBinomSimulator } from '#server/simulators/trackers/binom.ts'
import type { BinomSimulator } from '#server/simulators/trackers/binom.ts'
import { createTestDatabase } from '#server/testing/database.ts'
import type { TestDatabase } from '#server/testing/database.ts'
import { connectTestTrackers } from '#server/testing/test-trackers.ts'

const person = { priority: 'person' } as const
const order = { name: 'new.com', campaignId: null, groupId: '7', sslRedirect: true }
let database: TestDatabase
let simulator: BinomSimulator
let trackers: AdTrackers
let connection: TrackerConnection
beforeAll(async () => {
  database = await createTestDatabase()
  simulator = await startBinomSimulator()
  trackers = connectTestTrackers(database.db.sql)
})
afterAll(async () => {
  await trackers.close()
  await simulator.close()
  await database.close()
})
let serial = 0
beforeEach(() => {
  simulator.reset()
  // What is detected about one tracker must not be assumed for another.
  simulator.state.apiKey = `key-of-test-${(serial += 1)}`
  connection = trackers.connect({ kind: 'BINOM', url: simulator.url, apiKey: simulator.state.apiKey })
})
const domains = () => [...simulator.state.domains.values()]

test.each([
  ['by-id', 'id'],
  ['by-id', 'nothing'],
  ['plain', 'id'],
  ['plain', 'nothing'],
] as const)('R-TRK-03 a domain is added to a tracker that creates domains %s and answers with %s', async (create, answers) => {
  Object.assign(simulator.ways, { create, answers })
  const campaignId = simulator.state.addCampaign('DE | Nutra').id
  for (const _ of [1, 2]) {
    const domain = await connection.addDomain({ ...order, campaignId }, person)
    expect(domain).toMatchObject({ name: 'new.com', campaign: { id: campaignId } })
    expect(domains()).toMatchObject([{ id: domain.id, name: 'new.com', campaignId }])
  }
})

test('R-TRK-03 a tracker without a call to add domains reports that and where to do it by hand', async () => {
  simulator.ways.create = 'none'
  for (const _ of [1, 2]) {
    const refusal = connection.addDomain(order, person)
    await expect(refusal).rejects.toMatchObject({
      code: 'tracker_unable',
      provider: { message: expect.stringMatching(/HTTP 405.*api\/doc/) as string },
    })
  }
  expect(domains()).toEqual([])
})

test('a front-page campaign is refused if the tracker has no call to set it', async () => {
  simulator.ways.indexPage = false
  const { id } = simulator.state.add({ name: 'page.com' })
  const campaignId = simulator.state.addCampaign('DE | Nutra').id
  await expect(connection.updateDomain(id, { campaignId }, person)).rejects.toMatchObject({ code: 'tracker_unable' })
})

test('a campaign that is missing after it was set is refused', async () => {
  const server = createServer((request, response) => {
    response.end(request.method === 'PUT' ? '{}' : JSON.stringify({ id: 'd1', domain: 'page.com', indexPage: null }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const { updateDomain } = trackers.connect({ kind: 'BINOM', url, apiKey: 'key-of-a-test' })
  await expect(updateDomain('d1', { campaignId: '7' }, person)).rejects.toMatchObject({ code: 'tracker_unable' })
})

test('domains are read from the alternative list if the first does not exist', async () => {
  simulator.ways.list = '/domain/list/filtered'
  simulator.state.add({ name: 'other.com' })
  expect(await connection.listDomains(person)).toMatchObject([{ name: 'other.com', campaign: null, problem: null, campaignsCount: null }])
})

test('a domain is read from the list if the tracker has no call for a single one, which is then not tried again', async () => {
  simulator.ways.single = false
  const { id } = simulator.state.add({ name: 'listed.com', ssl: 'error', healed: true })
  for (const _ of [1, 2]) expect(await connection.checkDomain(id, person)).toMatchObject({ id, name: 'listed.com', sslProblem: null })
  expect(simulator.journal.count({ method: 'GET', path: '/domain/{id}' })).toBe(1)
})

test('a date at the start of 1970 counts as absent, and a domain without a certificate has no certificate problem', async () => {
  const { createdAtMs } = simulator.state.add({ name: 'with.com' })
  simulator.state.add({ name: 'without.com', ssl: 'pending' })
  // Expires at the start of 1970.
  simulator.state.add({ name: 'endless.com', createdAtMs: -90 * 86_400_000 })
  const until = new Date(createdAtMs + 90 * 86_400_000).toISOString().slice(0, 10)
  const [sound, without, endless] = await connection.listDomains(person)
  expect(sound?.sslStatus).toContain(until)
  expect(without).toMatchObject({ sslStatus: 'off', sslProblem: null })
  expect(endless).toMatchObject({ sslStatus: 'on', sslProblem: null })
})
