import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { operationKinds, startOperations } from '#server/features/operations/index.ts'
import { signIn } from '#server/testing/app.ts'
import type { SignedIn } from '#server/testing/app.ts'
import { insertAccount } from '#server/testing/factories.ts'
import { createTestPanel } from '#server/testing/panel.ts'
import type { TestPanel } from '#server/testing/panel.ts'
import { porkbunKeys } from '#server/testing/test-registrars.ts'

let panel: TestPanel
let ann: SignedIn
let order: { accountIds: string[]; contactId: string; ipAddress: string; registrarId: string }

beforeAll(async () => {
  panel = await createTestPanel({ world: { zones: 1, accounts: 1, recordsPerZone: 2 }, registrarNames: [], trackers: true })
  const { services } = panel
  ann = await signIn(services)
  const { email, globalKey, userId } = panel.credential(0)
  const owner = { ownerId: ann.user.id, email, providerUserId: userId }
  const account = await insertAccount(services.db, owner, { secrets: services.secrets, apiKey: globalKey })
  const { registrar } = await ann.call.registrars.create({ name: 'Shop', type: 'API_ENABLED', provider: 'PORKBUN', ...porkbunKeys })
  const { contact } = await ann.call.buying.contacts.create({
    name: 'Anna',
    firstName: 'Anna',
    lastName: 'Petrova',
    email: 'anna@people.example',
    phone: '+79161234567',
    address: 'Tverskaya 1',
    city: 'Moscow',
    region: 'Moscow',
    postalCode: '125009',
    country: 'RU',
  })
  order = { accountIds: [account.id], contactId: contact.id, ipAddress: '192.0.2.7', registrarId: registrar.id }
})
afterAll(() => panel.close())

test('R-TRK-03 a bought domain is bound to a tracker; when the tracker refuses, the domain is kept and a retry completes the binding', async () => {
  const { services, trackers, registrars } = panel
  if (trackers === null || registrars === null) throw new Error('no trackers')
  const { keitaro } = trackers
  const runner = await startOperations(services, operationKinds, { pollMs: 20 })
  onTestFinished(() => runner.stop())
  const { tracker } = await ann.call.trackers.create({ kind: 'KEITARO', name: 'Main', url: keitaro.url, apiKey: keitaro.apiKey })
  const campaignId = keitaro.state.addCampaign('Spring').id
  const { registrarId, ...given } = order
  const names = ['free-bound-a.com', 'free-bound-b.com'].map((name) => ({
    name,
    registrarId,
    price: { minor: 1_098, currency: 'USD' },
    years: 1,
  }))
  keitaro.faults.add({ method: 'POST', times: 1, effect: { kind: 'revoked-key' } })

  const preview = await ann.call.operations.previewPurchase({ ...given, names, tracker: { trackerId: tracker.id, campaignId } })
  const items = async () => (await ann.call.operations.items({ id: preview.operation.id, limit: 10 })).items
  expect((await items()).map(({ plan }) => plan.after)).toMatchObject(
    names.map(() => ({ binding: { tracker: 'Main', campaign: 'Spring', group: null, sslRedirect: false } })),
  )
  await ann.call.operations.start({ id: preview.operation.id })
  const ended = () =>
    expect
      .poll(async () => (await ann.call.operations.items({ id: preview.operation.id, limit: 1 })).operation.state, { timeout: 60_000 })
      .toBe('done')
  await ended()
  const failed = (await items()).filter(({ state }) => state === 'failed')
  expect(failed).toMatchObject([{ code: 'tracker_auth' }])
  expect(failed[0]?.steps).toMatchObject([
    { step: 'buy', state: 'done' },
    { step: 'zone', state: 'done' },
    { step: 'setup', state: 'done' },
    { step: 'name_servers', state: 'done' },
    { step: 'tracker', state: 'failed', code: 'tracker_auth' },
  ])
  expect(panel.simulator.state.zonesNamed(failed[0]?.domain ?? '')).toHaveLength(1)

  await ann.call.operations.retryFailed({ id: preview.operation.id })
  await ended()
  expect((await items()).map(({ state, steps }) => [state, steps?.find(({ step }) => step === 'tracker')?.state])).toEqual([
    ['done', 'done'],
    ['done', 'done'],
  ])
  expect(registrars.market.ledger.map(({ name }) => name).toSorted()).toEqual(names.map(({ name }) => name))
  expect(new Map([...keitaro.state.domains.values()].map((domain) => [domain.name, domain.campaignId]))).toEqual(
    new Map(names.map(({ name }) => [name, campaignId])),
  )
  expect(keitaro.state.domains.size).toBe(names.length)

  const ben = await signIn(services)
  const theirs = await ben.call.trackers.create({ kind: 'KEITARO', name: 'His', url: keitaro.url, apiKey: keitaro.apiKey })
  const mixed = ann.call.operations.previewPurchase({
    ...given,
    names: names.map((each) => ({ ...each, name: `free-other-${each.name}` })),
    tracker: { trackerId: theirs.tracker.id },
  })
  await expect(mixed).rejects.toMatchObject({ cause: { code: 'not_found' } })
})
