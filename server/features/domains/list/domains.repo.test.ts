import fc from 'fast-check'
import ipaddr from 'ipaddr.js'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { dimMatches } from '#shared/features/domains/dims.ts'
import type { DomainFilter, DomainSort } from '#shared/features/domains/schema.ts'
import { protectionNames, unpackProtection } from '#shared/features/domains/protection.ts'
import { originCertificateStates } from '#shared/features/domains/origin-certificates/choices.ts'
import { aiBotChoices, dnssecStatuses } from '#shared/features/domains/settings/choices.ts'
import { domainSortKey, securityLevel, sslMode, tlsVersion, zoneHealth, zoneStatus } from '#shared/features/domains/schema.ts'
import type { Database } from '#server/db/client.ts'
import type { AccessScope } from '#server/platform/access-scope.ts'
import { createTestDatabase } from '#server/testing/database.ts'
import type { TestDatabase } from '#server/testing/database.ts'
import { insertUser, insertZones } from '#server/testing/factories.ts'
import { seedRegistrars } from '#server/testing/seed-registrars.ts'
import { seedZones } from '#server/testing/seed-zones.ts'
import type { DomainKey } from './domain-cursor.ts'
import { listIds, listPage } from './domains.repo.ts'
import { keyOf } from './domain-view.ts'
import { wholeRow } from './domain-row.repo.ts'
import type { DomainRow } from './domain-row.repo.ts'
import type { Effort } from './page-statement.repo.ts'

let database: TestDatabase
let db: Database
let everything: (DomainRow & { readonly originSoonAt: string | null; readonly activatedAt: string | null })[]
let ours: string
let theirs: string
let accountIds: string[]
let registrarIds: string[]
let groupIds: string[]

beforeAll(async () => {
  database = await createTestDatabase()
  db = database.db
  ours = (await insertUser(db)).id
  theirs = (await insertUser(db)).id
  const seeded = await seedZones(db, { ownerId: ours, count: 400, accounts: 5, groups: 3, prefix: 'a' })
  await seedZones(db, { ownerId: theirs, count: 150, accounts: 2, groups: 1, prefix: 'b' })
  accountIds = seeded.accountIds
  groupIds = seeded.groupIds
  registrarIds = await seedRegistrars(db, ours)
  await seedRegistrars(db, theirs)
  // As the triggers on bindings write it.
  await db.sql`
    update zones set tracker_type = (array[null, 'KEITARO', 'BINOM'])[abs(hashtext(zone_id)) % 3 + 1]`
  // Addresses of the other family, in provider notation, and one that no provider would return.
  await db.sql`
    update zones set origin_ips = array[(array['2001:db8::7', '2001:db8:0:1::7', '2001:db8:0:1:2:3:4:5', '2001:db9::', '::1', '1:2:3:4:5:6:7::8', '1:::2'])[
      abs(hashtext(zone_id)) % 7 + 1], '203.0.113.1'] where abs(hashtext(zone_id)) % 5 = 0`
  // Long after they were added.
  await db.sql`update zones set activated_at = now() - abs(hashtext(zone_id)) % 60 * interval '1 day' where abs(hashtext(zone_id)) % 2 = 0`
  // Rows with identical names, and rows that were never read.
  await insertZones(db, { ownerId: ours, accountId: accountIds[0] ?? '' }, 12, () => ({ name: 'same.example', search: 'same.example' }))
  everything = await db.sql.unsafe<typeof everything>(
    `select ${wholeRow.columns}, z.origin_soon_at, z.activated_at from zones z ${wholeRow.joined}`,
  )
})
afterAll(() => database.close())

/** Whether the filter matches the address: exactly, by network, or by the prefix before `*`. */
function meant(filter: string, address: string): boolean {
  if (filter.endsWith('*')) return address.startsWith(filter.slice(0, -1))
  if (!ipaddr.isValid(address)) return false
  const parsed = ipaddr.parse(address)
  if (!filter.includes('/')) return parsed.toString() === ipaddr.parse(filter).toString()
  const [network, bits] = ipaddr.parseCIDR(filter)
  return parsed.kind() === network.kind() && parsed.match(network, bits)
}

/** The expected list without any index: every row is tested and the matches are sorted. */
function expected({ owners, shared }: AccessScope, filter: DomainFilter, sort: DomainSort): string[] {
  const now = Date.now()
  const paid = ({ paidUntil: at }: DomainRow) => (at === null ? Infinity : Date.parse(at))
  const time = (at: string | null) => (at === null ? Number.NaN : at === 'infinity' ? Infinity : Date.parse(at))
  const originCertificates = {
    none: (expiry: number) => expiry === Infinity,
    valid: (expiry: number, soon: number) => soon >= now && expiry < Infinity,
    expires_soon: (expiry: number, soon: number) => expiry >= now && soon < now,
    expired: (expiry: number) => expiry < now,
  }
  const hasTraffic: Record<NonNullable<DomainFilter['traffic']>, (row: (typeof everything)[number]) => boolean> = {
    some: ({ requests }) => requests !== null && requests > 0,
    none: ({ requests }) => requests === 0,
    idle: ({ requests, activatedAt, createdAt }) => requests === 0 && now - Date.parse(activatedAt ?? createdAt) > 30 * 86_400_000,
    ungrouped: ({ requests, groupId }) => requests !== null && requests > 0 && groupId === null,
  }
  const own = (row: DomainRow) => owners.includes(row.ownerId)
  const has = (row: (typeof everything)[number]) =>
    ((filter.registrar === undefined && (filter.registrarIds?.length ?? 0) === 0) ||
      (own(row) &&
        (row.registrarId === null ? filter.registrar !== undefined : filter.registrarIds?.includes(row.registrarId) === true))) &&
    (filter.paidUntil === undefined ||
      (own(row) &&
        (filter.paidUntil === 'over' ? paid(row) < now : paid(row) >= now && paid(row) < now + filter.paidUntil * 86_400_000))) &&
    (owners.includes(row.ownerId) ||
      shared?.accountIds.includes(row.accountId) === true ||
      shared?.groupIds.includes(row.groupId ?? '') === true) &&
    (filter.search === undefined || row.search.includes(filter.search.toLowerCase())) &&
    (filter.ip === undefined || row.originIps.some((address) => meant(filter.ip ?? '', address))) &&
    (filter.email === undefined ||
      (filter.email.endsWith('.example')
        ? row.accountEmail.toLowerCase() === filter.email
        : row.accountEmail.toLowerCase().includes(filter.email.toLowerCase()))) &&
    (filter.accountIds === undefined || filter.accountIds.length === 0 || filter.accountIds.includes(row.accountId)) &&
    (filter.groupIds === undefined || filter.groupIds.length === 0 || filter.groupIds.includes(row.groupId ?? '')) &&
    (filter.status === undefined || row.status === filter.status) &&
    (filter.health === undefined || row.health === filter.health) &&
    (filter.tracker === undefined || (row.trackerType ?? 'none') === filter.tracker) &&
    (filter.ssl === undefined || (filter.ssl === 'on' ? row.sslMode !== null && row.sslMode !== 'off' : row.sslMode === filter.ssl)) &&
    (filter.https === undefined || row.https === (filter.https === 'enabled')) &&
    (filter.securityLevel === undefined || row.securityLevel === filter.securityLevel) &&
    protectionNames.every((name) => filter[name] === undefined || unpackProtection(name, row.protection) === filter[name]) &&
    (filter.originCertificate === undefined ||
      originCertificates[filter.originCertificate](time(row.originExpiresAt), time(row.originSoonAt))) &&
    (filter.traffic === undefined || hasTraffic[filter.traffic](row)) &&
    (filter.tlsMin === undefined || row.tlsMin === filter.tlsMin)
  const compare = (a: string | number, b: string | number) => (a < b ? -1 : a > b ? 1 : 0)
  const sign = sort.direction === 'asc' ? 1 : -1
  return everything
    .filter(has)
    .map((row) => ({ id: row.id, name: row.name, value: keyOf(row, sort.by, own(row) ? null : theShare).value }))
    .toSorted((a, b) => sign * (compare(a.value, b.value) || compare(a.name, b.name) || compare(a.id, b.id)))
    .map((row) => row.id)
}

const theShare = { level: 'view', by: 'somebody' } as const

async function allPages(scope: AccessScope, filter: DomainFilter, sort: DomainSort, limit: number, effort?: Effort) {
  const ids: string[] = []
  let after: DomainKey | null = null
  for (;;) {
    const page: DomainRow[] = await listPage(db, scope, { filter, sort, after, limit }, wholeRow, effort)
    ids.push(...page.map((row) => row.id))
    const last = page.at(-1)
    if (last === undefined || page.length < limit) return ids
    after = keyOf(last, sort.by, scope.owners.includes(last.ownerId) ? null : theShare)
  }
}

/** One owner, several owners, and shared access: accounts, groups, and both with zones that are in both. */
const listScopes = (): AccessScope[] => {
  const shared = (accountIds_: readonly string[], groupIds_: readonly string[]) => ({
    owners: [ours],
    accountIds: accountIds_,
    groupIds: groupIds_,
  })
  return [
    { owners: [ours], shared: null },
    { owners: [ours, theirs], shared: null },
    { owners: [ours, theirs], shared: null, everybody: true },
    { owners: [theirs], shared: null },
    { owners: [theirs], shared: shared(accountIds.slice(0, 2), []) },
    { owners: [theirs], shared: shared([], groupIds.slice(0, 2)) },
    { owners: [theirs], shared: shared(accountIds.slice(0, 1), groupIds.slice(1)) },
    { owners: [], shared: shared(accountIds.slice(1, 2), groupIds.slice(0, 1)) },
  ]
}

const sorts = domainSortKey.options.flatMap((by) => (['asc', 'desc'] as const).map((direction) => ({ by, direction })))

test.each(sorts)('R-DOM-02 pages by $by $direction contain every zone exactly once, including ties and unknown values', async (sort) => {
  for (const scope of listScopes()) {
    expect(await allPages(scope, {}, sort, 7)).toEqual(expected(scope, {}, sort))
  }
})

const addressFilters = [
  '203.0.113.1',
  '203.0.113.1*',
  '203.*',
  '198.51.7*',
  '203.0.113.1/32',
  '203.0.113.5/25',
  '198.51.64.0/20',
  '203.0.113.0/24',
  '198.48.0.0/12',
  '198.0.0.0/7',
  '0.0.0.0/0',
  '2001:db8::7',
  '2001:DB8:0:0::7',
  '2001:db8:*',
  '2001:db8::7/128',
  '2001:db8::/32',
  '2001:db8:0:1::/64',
  '2001:db8:0:1::/68',
  '2000::/3',
  '::/0',
]
const oneOf = <T>(values: readonly T[]) => fc.constantFrom(...values)
const filters = () =>
  fc.record(
    {
      search: fc.oneof(
        oneOf([
          'a',
          'é',
          'ко',
          'shop',
          'market-',
          'mark',
          'x',
          '-a1',
          'пример',
          'приме',
          'ИМЕР-',
          'e.',
          'same.example',
          '%',
          '_',
          'nothing-like-it',
        ]),
      ),
      accountIds: fc.subarray(accountIds),
      groupIds: fc.subarray(groupIds),
      registrarIds: fc.subarray(registrarIds),
      registrar: fc.constant('none' as const),
      paidUntil: oneOf(['over' as const, 1, 30, 365]),
      status: oneOf(zoneStatus.options),
      ssl: oneOf([...sslMode.options, 'on' as const]),
      https: oneOf(['enabled', 'disabled'] as const),
      securityLevel: oneOf(securityLevel.options),
      tlsMin: oneOf(tlsVersion.options),
      health: oneOf(zoneHealth.options),
      botFightMode: oneOf(['enabled', 'disabled'] as const),
      aiBots: oneOf(aiBotChoices),
      aiLabyrinth: oneOf(['enabled', 'disabled'] as const),
      managedRobotsTxt: oneOf(['enabled', 'disabled'] as const),
      dnssec: oneOf(dnssecStatuses),
      originCertificate: oneOf(originCertificateStates),
      traffic: oneOf(['some', 'none', 'idle', 'ungrouped'] as const),
      tracker: oneOf(['none', 'KEITARO', 'BINOM'] as const),
      email: oneOf(['ops1@', 'TEAM2', '@', 'nobody', 'ops1@team1.example', 's1@team1.example']),
      ip: oneOf(addressFilters),
    },
    { requiredKeys: [] },
  )

test.each(addressFilters)(
  'R-DOM-02 the address filter %s finds exactly the matching zones, whichever way the statement takes',
  async (ip) => {
    const sort = { by: 'name', direction: 'asc' } as const
    for (const scope of listScopes()) {
      const all = expected(scope, { ip }, sort)
      for (const effort of [
        { walk: 1, collect: 1, known: 0 },
        { walk: 1, collect: 1_000, known: 0 },
        { walk: 1_000, collect: 1, known: 0 },
      ]) {
        expect(await allPages(scope, { ip }, sort, 50, effort)).toEqual(all)
      }
    }
  },
)

test('R-DOM-02 an administrator finds rare and common text in any order, whichever way the statement takes', async () => {
  const scope = { owners: [ours, theirs], shared: null, everybody: true }
  for (const filter of [{ search: '-a1' }, { search: 'nothing-like-it' }, { search: 'e' }, { ip: '198.51.7*' }]) {
    for (const by of ['createdAt', 'status', 'paidUntil'] as const) {
      const sort = { by, direction: 'desc' } as const
      for (const effort of [
        { walk: 1, collect: 1_000, known: 0 },
        { walk: 1, collect: 2, known: 0 },
        { walk: 1_000, collect: 1_000, known: 0 },
      ]) {
        expect(await allPages(scope, filter, sort, 50, effort)).toEqual(expected(scope, filter, sort))
      }
    }
  }
})

test('R-DOM-02 any combination of filters and order returns the same rows as testing every row, whichever way the statement takes', async () => {
  await fc.assert(
    fc.asyncProperty(
      filters(),
      oneOf(sorts),
      fc.integer({ min: 1, max: 60 }),
      fc.record({
        walk: fc.integer({ min: 1, max: 600 }),
        collect: fc.integer({ min: 1, max: 600 }),
        known: fc.integer({ min: -1, max: 100 }),
      }),
      oneOf(listScopes()),
      async (filter, sort, limit, effort, scope) => {
        const all = expected(scope, filter, sort)
        expect(await allPages(scope, filter, sort, limit, effort)).toEqual(all)
        expect(await listIds(db, scope, { filter, sort, offset: 3, limit: 20 })).toEqual(all.slice(3, 23))
      },
    ),
    { numRuns: 120, seed: 20_261_121 },
  )
})

test('filters on bots, DNSSEC, Origin CA and traffic find exactly the matching zones, also with other filters, whichever way the statement takes', async () => {
  const protections: DomainFilter[] = [
    { botFightMode: 'enabled' },
    { aiBots: 'only_on_ad_pages', aiLabyrinth: 'disabled' },
    { managedRobotsTxt: 'enabled', dnssec: 'pending-disabled' },
    { dnssec: 'active' },
  ]
  const others: DomainFilter[] = [{}, { status: 'active' }, { search: 'shop' }, { accountIds: accountIds.slice(0, 2) }, { paidUntil: 365 }]
  const origins: DomainFilter[] = originCertificateStates.map((originCertificate) => ({ originCertificate }))
  const traffic: DomainFilter[] = [{ traffic: 'none' }, { traffic: 'some' }, { traffic: 'idle' }, { traffic: 'ungrouped' }]
  const combined = [
    ...protections.flatMap((one) => others.map((other) => ({ ...one, ...other }))),
    ...traffic.flatMap((one) => [
      one,
      { ...one, search: 'shop' },
      { ...one, originCertificate: 'none' as const },
      { ...one, status: 'active' as const },
    ]),
    ...origins.flatMap((one) => [one, { ...one, search: 'shop' }, { ...one, dnssec: 'active' as const }]),
  ]
  for (const [index, filter] of combined.entries()) {
    const sort = sorts[index % sorts.length] ?? { by: 'name', direction: 'asc' }
    for (const scope of listScopes()) {
      const all = expected(scope, filter, sort)
      for (const effort of [
        { walk: 1, collect: 1_000, known: 0 },
        { walk: 1_000, collect: 1, known: 0 },
      ])
        expect(await allPages(scope, filter, sort, 50, effort)).toEqual(all)
      expect(await listIds(db, scope, { filter, sort, offset: 0, limit: 1_000 })).toEqual(all)
    }
  }
})

test('the seed has certificates of every state, and the state of a row is that of the filter that finds it', async () => {
  const scope = { owners: [ours, theirs], shared: null }
  for (const originCertificate of originCertificateStates) {
    const page = await listPage(
      db,
      scope,
      { filter: { originCertificate }, sort: { by: 'name', direction: 'asc' }, after: null, limit: 600 },
      wholeRow,
    )
    expect(new Set(page.map(({ originState }) => originState))).toEqual(new Set([originCertificate]))
  }
})

test('R-DOM-02 the packed values of a row match its columns', () => {
  for (const row of everything) {
    expect(dimMatches('status', row.status, row.dims)).toBe(true)
    expect(dimMatches('health', row.health, row.dims)).toBe(true)
    expect(dimMatches('tracker', row.trackerType ?? 'none', row.dims)).toBe(true)
    expect(dimMatches('ssl', row.sslMode ?? '', row.dims)).toBe(true)
    expect(dimMatches('tlsMin', row.tlsMin ?? '', row.dims)).toBe(true)
    expect(dimMatches('securityLevel', row.securityLevel ?? '', row.dims)).toBe(true)
    expect(dimMatches('https', row.https === null ? '' : row.https ? 'enabled' : 'disabled', row.dims)).toBe(true)
  }
})
