import { callAsUser } from '#server/demo/caller.ts'
import type { DemoCaller } from '#server/demo/caller.ts'
import { demoGroups, demoUser } from '#server/demo/team.ts'
import { refusedNames } from '#server/demo/world.ts'
import type { Services } from '#server/platform/context.ts'
import type { OperationRequest } from '#shared/features/operations/registry.ts'

const lookEveryMs = 2_000
const dayMs = 86_400_000
const freshNames = [
  'autumn-offers.com',
  'lamps-and-light.com',
  'northern-tea.com',
  'weekend-bikes.com',
  'paper-and-ink.com',
  'city-garden.net',
]

interface Found {
  readonly id: string
  readonly reading: boolean
  readonly seeded: boolean
}

async function findDemo({ db }: Services): Promise<Found | undefined> {
  const [row] = await db.sql<Found[]>`
    select u.id, exists (select from accounts a where a.synced_at is null and a.health = 'working') as reading,
      exists (select from operations o where o.owner_id = u.id and o.kind = 'profile') as seeded
    from users u where u.email = ${demoUser.email}`
  return row
}

/** Active domains of the demo user by name, those of `providerAccountId` separately, because operations there are slow. */
async function listDomains({ db }: Services, ownerId: string, providerAccountId: string) {
  const rows = await db.sql<{ id: string; slow: boolean }[]>`
    select z.id, coalesce(z.provider_account_id, '') = ${providerAccountId} as slow from zones z join accounts a on a.id = z.account_id
    where z.owner_id = ${ownerId} and z.gone_at is null and z.status = 'active' and a.health = 'working' order by z.name`
  const idsOf = (wanted: boolean) => rows.filter(({ slow }) => slow === wanted).map(({ id }) => id)
  return { ids: idsOf(false), slowIds: idsOf(true) }
}

/**
 * Fills the groups and starts operations with every outcome, once all accounts have been read: finished ones that can be undone, one partly
 * refused by the provider, a canary waiting for a decision, a scheduled one. At every start one of them is running.
 */
export async function seedOperations(services: Services, slowAccountId: string): Promise<void> {
  const { clock, stopping } = services
  let found = await findDemo(services)
  for (; found?.reading === true; found = await findDemo(services)) {
    await clock.sleep(lookEveryMs, stopping).catch(() => undefined)
    if (stopping.aborted) return
  }
  if (found === undefined) return
  const demo = await callAsUser(services, found.id)
  const { ids, slowIds } = await listDomains(services, found.id, slowAccountId)
  if (!found.seeded) await startAll(services, demo, ids)
  const { operations } = await demo.operations.list({ state: 'active', kind: 'purge' })
  if (operations.length === 0 && slowIds.length > 0) await start(demo, { kind: 'purge', input: {} }, slowIds, { priority: 'low' })
  await demo.auth.logout()
}

async function start(
  demo: DemoCaller,
  request: OperationRequest,
  ids: readonly string[],
  how: { readonly canary?: number; readonly scheduledAt?: string; readonly priority?: 'low' } = {},
): Promise<void> {
  if (ids.length === 0) return
  const { operation } = await demo.operations.preview({ request, target: { ids: [...ids] } })
  if (operation.total > 0) await demo.operations.start({ id: operation.id, ...how })
}

async function startAll(services: Services, demo: DemoCaller, ids: readonly string[]): Promise<void> {
  const { profiles } = await demo.profiles.list()
  const storefront = profiles.find(({ name }) => name === 'Storefront')
  // Demo data from before the team existed, or with a deleted team, is left unchanged.
  if (storefront === undefined) return
  const { groups } = await demo.groups.list({ ownership: 'own' })
  const domainsOf = new Map<string, readonly string[]>()
  let from = 0
  for (const { name, domains } of demoGroups) {
    const group = groups.find((each) => each.name === name)
    const domainIds = ids.slice(from, from + domains)
    from += domains
    domainsOf.set(name, domainIds)
    if (group !== undefined && domainIds.length > 0) await demo.groups.addZones({ id: group.id, zoneIds: domainIds })
  }
  const of = (name: (typeof demoGroups)[number]['name']) => domainsOf.get(name) ?? []
  const verification = { type: 'TXT' as const, name: '@', content: 'site-verification=zonedeck-demo', ttl: 1, proxied: false }
  await start(demo, { kind: 'dns_add', input: { records: [verification], mode: 'add', values: [] } }, of('Client sites').slice(0, 40))
  await start(demo, { kind: 'settings', input: { settings: { minTlsVersion: '1.2' } } }, of('Blogs').slice(0, 60))
  await start(demo, { kind: 'settings', input: { settings: { securityLevel: 'high' } } }, of('Landing pages').slice(0, 80), { canary: 5 })
  await start(demo, { kind: 'settings', input: { settings: { alwaysUseHttps: true, minTlsVersion: '1.3' } } }, of('Parked'), {
    scheduledAt: new Date((Math.floor(services.clock.now() / dayMs) + 1) * dayMs + dayMs / 8).toISOString(),
  })
  const { accounts } = await demo.accounts.list({})
  const account = accounts.find(({ health }) => health === 'working')
  if (account !== undefined) {
    const domains = [...freshNames, ...refusedNames]
    const { operation } = await demo.operations.previewCreate({
      domains,
      accountIds: [account.id],
      ipAddress: '203.0.113.80',
      profileId: null,
    })
    await demo.operations.start({ id: operation.id })
  }
  // Written last: it marks all of them as started.
  await start(demo, { kind: 'profile', input: { profileId: storefront.id } }, of('Storefronts'))
}
