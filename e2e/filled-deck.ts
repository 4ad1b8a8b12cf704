import { z } from 'zod'
import { registrarCustomers } from '#server/simulators/registrar-world.ts'
import { call, deck, expect } from './fixtures.ts'

/** The objects whose pages the tests open. */
export interface Filled {
  readonly domainId: string
  readonly domainName: string
  readonly groupId: string
  readonly operationId: string
}

const patient = { timeout: 90_000 }
const zones = z.object({
  data: z.array(z.object({ id: z.uuid(), name: z.string(), recordsCount: z.int().nullable(), sslMode: z.string().nullable() })),
})
const activeZones = async () => (await call('GET', '/zones/live?status=active&limit=100', zones)).data

/** A registrar with an API, a manual one, and registrant contacts. */
async function addRegistrars(): Promise<void> {
  await call('POST', '/registrars', z.unknown(), {
    name: 'Porkbun',
    type: 'API_ENABLED',
    provider: 'PORKBUN',
    ...registrarCustomers.PORKBUN,
  })
  await call('POST', '/registrars', z.unknown(), { name: 'Old shops', username: 'anna', password: 'a-word-of-its-own' })
  await call('POST', '/registration/contacts', z.unknown(), {
    name: 'Main',
    firstName: 'Anna',
    lastName: 'Orlova',
    email: 'anna@example.com',
    phone: '+74951234567',
    address: 'Tverskaya 1',
    city: 'Moscow',
    region: 'Moscow',
    postalCode: '101000',
    country: 'RU',
  })
}

/** A tracker that differs from Cloudflare in every common way, and a domain in reserve. */
async function addTracker([bound, linkable, spare]: readonly { readonly id: string; readonly name: string }[]): Promise<void> {
  const { keitaro } = deck()
  keitaro.state.addCampaign('DE | Nutra')
  keitaro.state.add({
    name: bound?.name ?? '',
    healed: true,
    error: { description: 'Timeout was reached', solution: 'Look at the firewall' },
  })
  keitaro.state.add({ name: linkable?.name ?? '' })
  keitaro.state.add({ name: 'left-behind.example.com' })
  const made = z.object({ tracker: z.object({ id: z.uuid() }) })
  const { tracker } = await call('POST', '/trackers', made, {
    kind: 'KEITARO',
    name: 'Keitaro',
    url: keitaro.url,
    apiKey: keitaro.apiKey,
    addresses: ['203.0.113.77'],
  })
  await call('POST', `/zones/${bound?.id ?? ''}/tracker`, z.unknown(), { trackerId: tracker.id })
  await call('POST', '/reserve-domains', z.unknown(), { zoneIds: [spare?.id], note: 'Spare' })
  const read = z.object({ trackers: z.array(z.object({ sync: z.object({ syncedAt: z.string().nullable() }) })) })
  await expect
    .poll(async () => (await call('GET', '/trackers', read)).trackers.every(({ sync }) => sync.syncedAt !== null), patient)
    .toBe(true)
}

/** Domains are monitored, one of them is down, and an alert has been sent. */
async function watch(down: { readonly name: string }, groupId: string): Promise<void> {
  const { telegram, targets } = deck()
  const chatId = '-1001234567890'
  const bot = telegram.state.addBot('filled_bot')
  telegram.state.addChat(Number(chatId), 'supergroup')
  targets.set(down.name, { page: { kind: 'page', status: 502 } })
  await call('PATCH', '/settings/monitoring', z.unknown(), {
    enabled: true,
    telegram: { chatId, botToken: bot.token },
    regions: ['EUROPE'],
    checkInterval: 1,
    options: { failuresToDown: 1, successesToUp: 1 },
  })
  await call('POST', '/alert-channels', z.unknown(), { kind: 'telegram', name: 'On duty', chatId, groupIds: [groupId] })
  await call('PUT', `/settings/monitoring/groups/${groupId}`, z.unknown(), { override: { intervalMinutes: 5 } })
  const at = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()
  await call('POST', '/maintenance-windows', z.unknown(), { name: 'Moving', groupId, zoneIds: null, startsAt: at(24), endsAt: at(26) })
  const counted = z.object({ health: z.object({ critical: z.int(), ok: z.int(), unknown: z.int() }) })
  await expect.poll(async () => (await call('GET', '/monitoring', counted)).health, patient).toMatchObject({ critical: 1, unknown: 0 })
  const messages = z.object({ messages: z.array(z.object({ state: z.string() })) })
  await expect
    .poll(async () => (await call('GET', '/alert-messages', messages)).messages.some(({ state }) => state === 'sent'), patient)
    .toBe(true)
}

/** An abuse report about the domain has been read. */
async function report(domain: string): Promise<void> {
  const { cloudflare, credentials, readReports } = deck()
  cloudflare.state.abuse.add({ id: credentials[0]?.accountId ?? '' }, { domain }, { mitigations: [{}] })
  await readReports()
  const listed = z.object({ abuseReports: z.array(z.unknown()) })
  await expect.poll(async () => (await call('GET', '/abuse-reports', listed)).abuseReports.length, patient).toBe(1)
}

/**
 * Creates a domain with data of every kind, and others beside it, so that no page is empty. For `test.beforeAll`, after `useDeck` with accounts.
 */
export async function fillDeck(): Promise<Filled> {
  await expect
    .poll(async () => (await activeZones()).every(({ recordsCount, sslMode }) => recordsCount !== null && sslMode !== null), patient)
    .toBe(true)
  const domains = await activeZones()
  const [first] = domains
  if (first === undefined || domains.length < 4) throw new Error('the world is too small')
  const ids = domains.map(({ id }) => id)
  await report(first.name)
  const made = z.object({ group: z.object({ id: z.uuid() }) })
  const { group } = await call('POST', '/groups', made, { name: 'Shops', description: 'Text', color: '#d9a514', icon: 'cart' })
  await call('POST', `/groups/${group.id}/zones`, z.unknown(), { zoneIds: ids.slice(0, 3) })
  await call('POST', '/profiles', z.unknown(), { name: 'Landing page', settings: { ssl: 'strict' }, records: [] })
  for (const action of ['block', 'managed_challenge']) {
    const rule = { description: `Admin area: ${action}`, expression: 'http.request.uri.path eq "/admin"', action }
    await call('POST', `/zones/${first.id}/rulesets/http_request_firewall_custom/rules`, z.unknown(), { rule })
  }
  await call('POST', '/users', z.unknown(), {
    username: 'daniel',
    name: 'Daniel Weber',
    role: 'user',
    email: 'daniel@example.com',
    password: 'correct horse battery',
  })
  const started = z.object({ operation: z.object({ id: z.uuid(), state: z.string() }) })
  const { operation } = await call('POST', '/zones/bulk-update-settings', started, { ids, settings: { minTlsVersion: '1.2' } })
  await expect.poll(async () => (await call('GET', `/operations/${operation.id}`, started)).operation.state, patient).toBe('done')
  await addRegistrars()
  await addTracker(domains)
  await watch(first, group.id)
  return { domainId: first.id, domainName: first.name, groupId: group.id, operationId: operation.id }
}
