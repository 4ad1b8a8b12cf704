import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { watchEvents } from '#server/features/live/watch-events.ts'
import { operationKinds, startOperations } from '#server/features/operations/index.ts'
import { shares } from '#server/db/schema/index.ts'
import type { Services } from '#server/platform/context.ts'
import { createTestApp, signIn } from '#server/testing/app.ts'
import type { SignedIn, TestApp } from '#server/testing/app.ts'
import { createFakeClock } from '#server/testing/fake-clock.ts'
import type { FakeClock } from '#server/testing/fake-clock.ts'
import { insertAccount, insertGroup, insertRecord, insertZones } from '#server/testing/factories.ts'
import { createTestPanel } from '#server/testing/panel.ts'
import { seedZones } from '#server/testing/seed-zones.ts'
import { contextOf, createTestServices } from '#server/testing/services.ts'
import type { DnsHost, HostConnection } from '#server/ports/dns-host.ts'
import { AppError } from '#shared/errors/app-error.ts'
import type { DomainFilter } from '#shared/features/domains/schema.ts'
import type { LiveEvent } from '#shared/features/live/schema.ts'
import { isAtLeast, levels } from '#shared/features/sharing/rules.ts'
import type { Level } from '#shared/features/sharing/rules.ts'
import { shareLevel } from '#shared/features/sharing/schema.ts'
import type { ShareLevel } from '#shared/features/sharing/schema.ts'

/** A call that gets as far as the provider has passed the checks tested here. */
const dnsHost: DnsHost = {
  connect: () => new Proxy({}, { get: () => () => Promise.reject(new AppError('provider_unavailable')) }) as HostConnection,
  readBudgets: () => Promise.resolve([]),
  close: () => Promise.resolve(),
}

let t: TestApp
beforeAll(async () => {
  t = await createTestApp({ dnsHost })
})
afterAll(() => t.close())

/** An owner with two accounts of six zones each: two in the first group, two in the second, two in none. */
async function createOwner() {
  const { db, secrets } = t.services
  const owner = await signIn(t.services, { name: 'Olga' })
  const ownerId = owner.user.id
  const groups = [await insertGroup(db, { ownerId, name: 'First' }), await insertGroup(db, { ownerId, name: 'Second' })] as const
  const accounts = [
    await insertAccount(db, { ownerId }, { secrets, apiKey: `${ownerId}a`, password: 'canary' }),
    await insertAccount(db, { ownerId }, { secrets, apiKey: `${ownerId}b` }),
  ] as const
  const read = { recordsReadAt: new Date(), settingsReadAt: new Date() }
  const zones = []
  for (const account of accounts) {
    const groupOf = (index: number) => groups[Math.floor(index / 2)]?.id ?? null
    zones.push(...(await insertZones(db, { ownerId, accountId: account.id }, 6, (index) => ({ ...read, groupId: groupOf(index) }))))
  }
  for (const zone of zones) await insertRecord(db, { domainId: zone.id, name: zone.name, content: '203.0.113.9' })
  return { owner, groups, accounts, zones }
}
type World = Awaited<ReturnType<typeof createOwner>>

let w: World
let guest: SignedIn
let stranger: SignedIn
beforeEach(async () => {
  w = await createOwner()
  guest = await signIn(t.services, { name: 'Gleb' })
  stranger = await signIn(t.services)
})

const share = (accessTarget: { readonly groupId: string } | { readonly accountId: string }, level: ShareLevel, who = guest) =>
  w.owner.call.sharing.create({ ...accessTarget, user: who.user.username, level })
const namesOf = (zones: World['zones']) => zones.map(({ name }) => name).toSorted()
const listed = async (filter: DomainFilter = {}, who = guest) => (await who.call.domains.list({ filter })).domains
const refusal = (code: string) => ({ message: code })

describe('R-PRM-02 lists include shared objects, marked with owner and level', () => {
  test('R-PRM-02 a shared account adds its domains to every list and count, a shared group its members', async () => {
    const [account, other] = w.accounts
    const [group] = w.groups
    await share({ accountId: account.id }, 'operate')
    await share({ groupId: group.id }, 'view')
    const reached = w.zones.filter((zone) => zone.accountId === account.id || zone.groupId === group.id)
    const domains = await listed()
    expect(domains.map(({ name }) => name)).toEqual(namesOf(reached))
    expect(new Map(domains.map(({ accountId, shared }) => [accountId, shared]))).toEqual(
      new Map([
        [account.id, { by: `Olga · ${w.owner.user.username}`, level: 'operate' }],
        [other.id, { by: `Olga · ${w.owner.user.username}`, level: 'view' }],
      ]),
    )
    const { tiles, matching, facets } = await guest.call.domains.summary({})
    expect([tiles.total, tiles.active, matching]).toEqual([8, 8, 8])
    expect(facets.account).toEqual({ [account.id]: 6, [other.id]: 2 })
    expect(facets.group).toEqual({ [group.id]: 4, [w.groups[1].id]: 2 })
    expect((await guest.call.domains.matchingIds({})).ids).toHaveLength(8)
    expect((await guest.call.domains.range({ from: 2, to: 4 })).ids).toEqual(domains.slice(2, 5).map(({ id }) => id))
    const names = namesOf(w.zones)
    const { results } = await guest.call.domains.lookup({ names })
    expect(results.filter(({ state }) => state === 'ours').map(({ name }) => name)).toEqual(namesOf(reached))
    expect((await guest.call.domains.search({ text: reached[0]?.name ?? '' })).domains[0]?.name).toBe(reached[0]?.name)
    const options = await guest.call.domains.filterOptions({})
    expect(options.accounts.map(({ id, zones }) => [id, zones])).toEqual(
      w.accounts.toSorted((a, b) => (a.email < b.email ? -1 : 1)).map(({ id }) => [id, id === account.id ? 6 : 2]),
    )
    expect(options).toMatchObject({
      shared: true,
      groups: [
        { name: 'First', zones: 4 },
        { name: 'Second', zones: 2 },
      ],
    })
    expect((await guest.call.addresses.list({ search: '203.0.113.9' })).addresses).toMatchObject([{ domains: 8 }])
    expect((await guest.call.addresses.domains({ address: '203.0.113.9' })).domains.map(({ name }) => name)).toEqual(namesOf(reached))
  })

  test('R-PRM-02 groups and accounts show who shares them; their owner sees the number of grants', async () => {
    await share({ accountId: w.accounts[0].id }, 'manage')
    await share({ groupId: w.groups[1].id }, 'view')
    expect((await guest.call.accounts.list({})).accounts).toMatchObject([
      { id: w.accounts[0].id, shared: { by: `Olga · ${w.owner.user.username}`, level: 'manage' }, sharedWith: 0 },
    ])
    expect((await guest.call.groups.list({})).groups).toMatchObject([
      { id: w.groups[1].id, shared: { by: `Olga · ${w.owner.user.username}`, level: 'view' }, sharedWith: 0 },
    ])
    const owned = (await w.owner.call.accounts.list({})).accounts
    expect(owned.map(({ id, shared, sharedWith }) => [id === w.accounts[0].id, shared, sharedWith])).toEqual(
      owned.map(({ id }) => [id === w.accounts[0].id, null, id === w.accounts[0].id ? 1 : 0]),
    )
    expect((await stranger.call.accounts.list({})).accounts).toEqual([])
  })

  test('R-PRM-02 own and shared objects are listed together and can be distinguished', async () => {
    const { db } = t.services
    const mine = await insertAccount(db, { ownerId: guest.user.id })
    const [own] = await insertZones(db, { ownerId: guest.user.id, accountId: mine.id }, 1)
    await share({ accountId: w.accounts[0].id }, 'view')
    expect(await listed()).toHaveLength(7)
    expect((await listed({ ownership: 'own' })).map(({ id }) => id)).toEqual([own?.id])
    expect(await listed({ ownership: 'shared' })).toHaveLength(6)
    expect(await listed({ ownerId: w.owner.user.id })).toHaveLength(6)
    expect(await listed({ ownerId: stranger.user.id })).toEqual([])
    expect((await guest.call.domains.summary({ filter: { ownership: 'shared' } })).tiles.total).toBe(6)
    expect((await guest.call.domains.summary({ filter: { ownership: 'own' } })).tiles.total).toBe(1)
    expect((await guest.call.accounts.list({ ownership: 'shared' })).accounts.map(({ id }) => id)).toEqual([w.accounts[0].id])
    expect((await guest.call.groups.list({ ownership: 'own' })).groups).toEqual([])
  })

  test('R-DOM-01 counts match the list for any sharing and any filter', async () => {
    const { db } = t.services
    const [one, two] = [await signIn(t.services), await signIn(t.services)]
    const seeded = [
      {
        owner: one,
        ...(await seedZones(db, { ownerId: one.user.id, count: 120, accounts: 4, groups: 3, prefix: `s${one.user.username}` })),
      },
      {
        owner: two,
        ...(await seedZones(db, { ownerId: two.user.id, count: 90, accounts: 3, groups: 2, prefix: `s${two.user.username}` })),
      },
    ]
    await seedZones(db, { ownerId: guest.user.id, count: 40, accounts: 2, groups: 1, prefix: `s${guest.user.username}` })
    const targets = seeded.flatMap(({ owner, accountIds, groupIds }) => [
      ...accountIds.map((accountId) => ({ ownerId: owner.user.id, accountId })),
      ...groupIds.map((groupId) => ({ ownerId: owner.user.id, groupId })),
    ])
    await fc.assert(
      fc.asyncProperty(
        fc.subarray(targets),
        fc.record(
          {
            search: fc.constantFrom('shop', 'a', '-1'),
            status: fc.constantFrom('active' as const, 'pending' as const),
            ssl: fc.constantFrom('on' as const, 'full' as const),
            accountIds: fc.subarray(seeded.flatMap(({ accountIds }) => accountIds)),
            groupIds: fc.subarray(seeded.flatMap(({ groupIds }) => groupIds)),
            ownership: fc.constantFrom('own' as const, 'shared' as const),
          },
          { requiredKeys: [] },
        ),
        async (granted, filter) => {
          await db.sql`delete from shares where grantee_id = ${guest.user.id}`
          if (granted.length > 0)
            await db.orm
              .insert(shares)
              .values(granted.map((accessTarget) => ({ ...accessTarget, granteeId: guest.user.id, level: 'view' as const })))
          const { ids } = await guest.call.domains.matchingIds({ filter })
          const everything = await guest.call.domains.matchingIds({
            filter: filter.ownership === undefined ? {} : { ownership: filter.ownership },
          })
          const { matching, tiles } = await guest.call.domains.summary({ filter })
          expect([matching, tiles.total]).toEqual([ids.length, everything.ids.length])
          expect(new Set(ids).size).toBe(ids.length)
        },
      ),
      { numRuns: 60, seed: 20_261_121 },
    )
  })
})

type Call = (
  who: SignedIn,
  targets: { zone: World['zones'][number]; account: World['accounts'][number]; group: World['groups'][number] },
) => Promise<unknown>
/** The level required by each call; the provider's response is not awaited. */
const calls: readonly (readonly [string, 'zone' | 'account' | 'group', Level, Call])[] = [
  ['a domain', 'zone', 'view', (who, { zone }) => who.call.domains.get({ id: zone.id })],
  ['all of a domain', 'zone', 'view', (who, { zone }) => who.call.domains.full({ id: zone.id })],
  ['settings', 'zone', 'view', (who, { zone }) => who.call.domains.settings({ id: zone.id })],
  ['records', 'zone', 'view', (who, { zone }) => who.call.records.list({ id: zone.id })],
  ['history', 'zone', 'view', (who, { zone }) => who.call.history.list({ id: zone.id })],
  ['certificates', 'zone', 'view', (who, { zone }) => who.call.zoneSettings.ssl({ id: zone.id })],
  ['the profile of a domain', 'zone', 'view', (who, { zone }) => who.call.profiles.ofDomain({ id: zone.id })],
  [
    'a new record',
    'zone',
    'operate',
    (who, { zone }) => who.call.records.create({ id: zone.id, type: 'A', name: 'x', content: '192.0.2.7' }),
  ],
  ['a setting', 'zone', 'operate', (who, { zone }) => who.call.zoneSettings.update({ id: zone.id, minTlsVersion: '1.2' })],
  ['reading it again', 'zone', 'operate', (who, { zone }) => who.call.zoneSettings.refresh({ id: zone.id })],
  ['clearing the cache', 'zone', 'operate', (who, { zone }) => who.call.zoneSettings.purgeCache({ id: zone.id, purgeEverything: true })],
  ['pausing', 'zone', 'operate', (who, { zone }) => who.call.zoneSettings.pause({ id: zone.id, paused: true })],
  [
    'a change over many',
    'zone',
    'operate',
    (who, { zone }) => who.call.operations.preview({ request: { kind: 'purge', input: {} }, target: { ids: [zone.id] } }),
  ],
  [
    'deleting many',
    'zone',
    'manage',
    (who, { zone }) => who.call.operations.preview({ request: { kind: 'delete', input: {} }, target: { ids: [zone.id] } }),
  ],
  ['deleting it', 'zone', 'manage', (who, { zone }) => who.call.zoneSettings.remove({ id: zone.id })],
  ['an account', 'account', 'view', (who, { account }) => who.call.accounts.get({ id: account.id })],
  ['a sync', 'account', 'operate', (who, { account }) => who.call.accounts.sync({ id: account.id })],
  ['a check', 'account', 'operate', (who, { account }) => who.call.accounts.check({ ids: [account.id] })],
  ['its name', 'account', 'manage', (who, { account }) => who.call.accounts.update({ id: account.id, name: 'Renamed' })],
  [
    'a new domain',
    'account',
    'manage',
    (who, { account }) => who.call.operations.previewCreate({ domains: ['new.com'], accountIds: [account.id], ipAddress: '192.0.2.9' }),
  ],
  ['its key', 'account', 'own', (who, { account }) => who.call.accounts.update({ id: account.id, apiKey: 'another-key' })],
  ['its password', 'account', 'own', (who, { account }) => who.call.accounts.update({ id: account.id, password: 'another' })],
  ['its secrets', 'account', 'own', (who, { account }) => who.call.accounts.reveal({ id: account.id })],
  ['what goes with it', 'account', 'own', (who, { account }) => who.call.accounts.deletionPreview({ ids: [account.id] })],
  ['who has access to it', 'account', 'view', (who, { account }) => who.call.sharing.list({ accountId: account.id })],
  [
    'giving access to it',
    'account',
    'own',
    (who, { account }) => who.call.sharing.create({ accountId: account.id, user: stranger.user.username, level: 'view' }),
  ],
  ['a group', 'group', 'view', (who, { group }) => who.call.groups.get({ id: group.id })],
  ['the name of a group', 'group', 'manage', (who, { group }) => who.call.groups.update({ id: group.id, name: 'Renamed' })],
  ['domains out of a group', 'group', 'own', (who, { group, zone }) => who.call.groups.removeZones({ id: group.id, zoneIds: [zone.id] })],
  ['deleting a group', 'group', 'own', (who, { group }) => who.call.groups.remove({ id: group.id })],
  ['who has access to a group', 'group', 'view', (who, { group }) => who.call.sharing.list({ groupId: group.id })],
]

const outcome = (call: Promise<unknown>) =>
  call.then(
    () => 'let through',
    (error: unknown) => {
      const code = error instanceof Error ? error.message : ''
      return ['not_found', 'level_too_low', 'validation_failed', 'forbidden', 'internal'].includes(code) ? code : 'let through'
    },
  )

describe('R-PRM-02 each level permits exactly its actions', () => {
  test.each(calls)('R-PRM-02 %s (%s) requires %s', async (_name, of, needed, call) => {
    const found: Record<string, string> = {}
    const expected: Record<string, string> = {}
    const shareable = of === 'zone' ? (['account', 'group'] as const) : ([of] as const)
    for (const by of shareable) {
      for (const level of [null, ...levels]) {
        w = await createOwner()
        const [account, group] = [w.accounts[0], w.groups[0]]
        const zone = w.zones[0]
        if (zone === undefined) throw new Error('no zone')
        if (level !== null && level !== 'own') await share(by === 'account' ? { accountId: account.id } : { groupId: group.id }, level)
        const key = `${by} ${level}`
        found[key] = await outcome(call(level === 'own' ? w.owner : guest, { zone, account, group }))
        expected[key] = level === null ? 'not_found' : isAtLeast(level, needed) ? 'let through' : 'level_too_low'
      }
    }
    expect(found).toEqual(expected)
  })

  test('R-PRM-02 the higher of two levels counts', async () => {
    await share({ accountId: w.accounts[0].id }, 'view')
    await share({ groupId: w.groups[0].id }, 'operate')
    const [inBoth, inOne] = [w.zones[0], w.zones[2]]
    expect((await guest.call.domains.get({ id: inBoth?.id ?? '' })).zone.shared?.level).toBe('operate')
    expect((await guest.call.domains.get({ id: inOne?.id ?? '' })).zone.shared?.level).toBe('view')
  })

  test('R-PRM-02 of many domains those shared at a lower level are skipped with the reason', async () => {
    await share({ accountId: w.accounts[0].id }, 'view')
    await share({ groupId: w.groups[0].id }, 'operate')
    const { operation } = await guest.call.operations.preview({ request: { kind: 'purge', input: {} }, target: { filter: {} } })
    expect(operation).toMatchObject({ ownerId: guest.user.id, total: 8, skipped: 4 })
    const { items } = await guest.call.operations.items({ id: operation.id, limit: 100 })
    expect(items.filter(({ state }) => state === 'skipped').every(({ code }) => code === 'level_too_low')).toBe(true)
    await expect(w.owner.call.operations.items({ id: operation.id })).rejects.toMatchObject(refusal('not_found'))
  })

  test('R-PRM-02 managing a group gives no wider access through it', async () => {
    const [group, other] = w.groups
    await share({ groupId: group.id }, 'manage')
    const [inside, outside] = [w.zones[0]?.id ?? '', w.zones[2]?.id ?? '']
    await expect(guest.call.groups.addZones({ id: group.id, zoneIds: [outside] })).rejects.toMatchObject(refusal('not_found'))
    await expect(guest.call.zoneSettings.setGroup({ id: inside, groupId: other.id })).rejects.toMatchObject(refusal('not_found'))
    await share({ groupId: other.id }, 'view')
    await expect(guest.call.groups.addZones({ id: group.id, zoneIds: [outside] })).rejects.toMatchObject(refusal('not_found'))
    await expect(guest.call.zoneSettings.setGroup({ id: inside, groupId: other.id })).rejects.toMatchObject(refusal('level_too_low'))
    const mine = await insertGroup(t.services.db, { ownerId: guest.user.id })
    await expect(guest.call.zoneSettings.setGroup({ id: inside, groupId: mine.id })).rejects.toMatchObject(refusal('not_found'))
    await expect(guest.call.groups.addZones({ id: mine.id, zoneIds: [inside] })).rejects.toMatchObject(refusal('not_found'))
    // With the manage level for both the group and the account it may be moved, also out of the shared objects.
    await share({ accountId: w.accounts[0].id }, 'manage')
    expect((await guest.call.groups.addZones({ id: group.id, zoneIds: [outside] })).group.zonesCount).toBe(5)
    await t.services.db.sql`delete from shares where account_id is not null`
    expect((await guest.call.groups.addZones({ id: group.id, zoneIds: [outside] })).group.zonesCount).toBe(5)
  })

  test('R-PRM-02 a domain cannot be removed from a group with access through that group only, since other members would lose it', async () => {
    const [group, other] = w.groups
    const id = w.zones[0]?.id ?? ''
    await share({ groupId: group.id }, 'manage')
    await share({ groupId: other.id }, 'manage')
    const tooLow = refusal('level_too_low')
    const takesOut: readonly (() => Promise<unknown>)[] = [
      () => guest.call.zoneSettings.setGroup({ id, groupId: null }),
      () => guest.call.zoneSettings.setGroup({ id, groupId: other.id }),
      () => guest.call.groups.removeZones({ id: group.id, zoneIds: [id] }),
      () => guest.call.groups.addZones({ id: other.id, zoneIds: [id] }),
    ]
    for (const takeOut of takesOut) await expect(takeOut()).rejects.toMatchObject(tooLow)
    for (const groupId of [null, other.id]) {
      const { operation } = await guest.call.operations.preview({ request: { kind: 'group', input: { groupId } }, target: { ids: [id] } })
      const { items } = await guest.call.operations.items({ id: operation.id })
      expect(items).toMatchObject([{ state: 'skipped', code: 'level_too_low' }])
    }
    expect((await guest.call.domains.get({ id })).zone.groupId).toBe(group.id)
    await share({ accountId: w.accounts[0].id }, 'manage')
    expect((await guest.call.zoneSettings.setGroup({ id, groupId: null })).zone.groupId).toBeNull()
  })

  test('R-PRM-04 no response to a person with shared access contains a secret of the account', async () => {
    const [account] = w.accounts
    await share({ accountId: account.id }, 'manage')
    const paths = ['/accounts', `/accounts/${account.id}`, '/zones/live', '/groups', '/operations']
    for (const path of paths) {
      const { statusCode, body } = await t.app.inject({ url: `/api${path}`, headers: guest.headers })
      expect([path, statusCode]).toEqual([path, 200])
      for (const secret of [w.owner.user.id + 'a', 'canary', account.apiKeySealed])
        expect([path, body.includes(secret)]).toEqual([path, false])
    }
    const revealed = await t.app.inject({
      method: 'POST',
      url: `/api/accounts/${account.id}/login-details`,
      headers: guest.headers,
      payload: {},
    })
    expect([revealed.statusCode, revealed.json<{ code: string }>().code]).toEqual([403, 'level_too_low'])
  })
})

describe('R-PRM-02 granting and revoking access', () => {
  const rest = async (who: SignedIn, method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, payload?: object) => {
    const answer = await t.app.inject({ method, url: `/api/shares${path}`, headers: who.headers, ...(payload && { payload }) })
    return {
      status: answer.statusCode,
      body: answer.body === '' ? null : answer.json<{ share: { id: string }; shares: object[]; issues: object[] }>(),
    }
  }

  test('R-PRM-02 over REST access is granted, listed, changed and revoked, each logged with before and after', async () => {
    const groupId = w.groups[0].id
    const made = await rest(w.owner, 'POST', '', { groupId, user: guest.user.email.toUpperCase(), level: 'view' })
    expect(made).toMatchObject({
      status: 201,
      body: { share: { groupId, accountId: null, level: 'view', user: { id: guest.user.id, name: 'Gleb' } } },
    })
    const id = made.body?.share.id ?? ''
    expect((await rest(w.owner, 'GET', `?groupId=${groupId}`)).body?.shares).toMatchObject([{ id }])
    expect((await rest(w.owner, 'PATCH', `/${id}`, { level: 'manage' })).body?.share).toMatchObject({ id, level: 'manage' })
    expect((await rest(stranger, 'DELETE', `/${id}`)).status).toBe(404)
    expect((await rest(stranger, 'GET', `?groupId=${groupId}`)).status).toBe(404)
    expect((await rest(guest, 'PATCH', `/${id}`, { level: 'view' })).status).toBe(403)
    expect((await rest(w.owner, 'DELETE', `/${id}`)).status).toBe(204)
    expect((await rest(w.owner, 'DELETE', `/${id}`)).status).toBe(404)
    const log = await t.services.db.sql`select details, owner_id, actor_id from activity where entity_id = ${groupId} order by id`
    const by = { ownerId: w.owner.user.id, actorId: w.owner.user.id }
    expect(log.map((row) => ({ ...row }))).toEqual([
      { details: { access: { user: guest.user.username, from: null, to: 'view' } }, ...by },
      { details: { access: { user: guest.user.username, from: 'view', to: 'manage' } }, ...by },
      { details: { access: { user: guest.user.username, from: 'manage', to: null } }, ...by },
    ])
  })

  test.each([
    [{ user: 'nobody-here', level: 'view' }, 'user'],
    [{ user: '', level: 'view' }, 'user'],
    [{ user: 'x'.repeat(255), level: 'view' }, 'user'],
    [{ user: 'a\u0000b', level: 'view' }, 'user'],
    [{ user: 'x', level: 'own' }, 'level'],
    [{ user: 'x' }, 'level'],
  ])('R-PRM-02 %j is refused at its field', async (payload, path) => {
    const answer = await rest(w.owner, 'POST', '', { groupId: w.groups[0].id, ...payload })
    expect(answer).toMatchObject({ status: 400, body: { issues: [{ path }] } })
  })

  test('R-PRM-02 sharing with the owner, two objects or none at a time, and another person’s objects are refused', async () => {
    const [groupId, accountId] = [w.groups[0].id, w.accounts[0].id]
    const level = 'view'
    expect((await rest(w.owner, 'POST', '', { groupId, user: w.owner.user.username, level })).status).toBe(400)
    expect((await rest(w.owner, 'POST', '', { groupId, accountId, user: guest.user.username, level })).status).toBe(400)
    expect((await rest(w.owner, 'POST', '', { user: guest.user.username, level })).status).toBe(400)
    expect((await rest(w.owner, 'GET', '')).status).toBe(400)
    expect((await rest(stranger, 'POST', '', { groupId, user: guest.user.username, level })).status).toBe(404)
    expect((await rest(w.owner, 'POST', '', { groupId: crypto.randomUUID(), user: guest.user.username, level })).status).toBe(404)
  })

  test('R-PRM-02 an administrator may share another person’s object, which stays its owner’s', async () => {
    const admin = await signIn(t.services, { role: 'admin' })
    await admin.call.sharing.create({ accountId: w.accounts[0].id, user: guest.user.username, level: 'view' })
    expect((await listed())[0]?.shared).toEqual({ by: `Olga · ${w.owner.user.username}`, level: 'view' })
    const [row] = await t.services.db.sql`select owner_id, actor_id from activity where entity_id = ${w.accounts[0].id}`
    expect({ ...row }).toEqual({ ownerId: w.owner.user.id, actorId: admin.user.id })
  })

  test('R-PRM-02 50 concurrent grants create one grant', async () => {
    const groupId = w.groups[0].id
    const made = await Promise.all(Array.from({ length: 50 }, (_, n) => share({ groupId }, shareLevel.options[n % 3] ?? 'view')))
    expect(new Set(made.map(({ share: { id } }) => id)).size).toBe(1)
    expect((await w.owner.call.sharing.list({ groupId })).shares).toHaveLength(1)
  })

  test('R-PRM-02 a grantee sees and gives up only their own grant; the other grants are visible to the owner', async () => {
    for (const accessTarget of [{ groupId: w.groups[0].id }, { accountId: w.accounts[0].id }]) {
      await share(accessTarget, 'manage', stranger)
      const { share: given } = await share(accessTarget, 'view')
      expect((await w.owner.call.sharing.list(accessTarget)).shares).toHaveLength(2)
      const { shares: seen } = await guest.call.sharing.list(accessTarget)
      expect(seen).toEqual([given])
      await guest.call.sharing.remove({ id: seen[0]?.id ?? '' })
      await expect(guest.call.sharing.list(accessTarget)).rejects.toMatchObject(refusal('not_found'))
      expect(await listed()).toEqual([])
      expect((await w.owner.call.sharing.list(accessTarget)).shares).toMatchObject([{ user: { id: stranger.user.id } }])
    }
  })

  test('R-PRM-02 a grantee with the manage level cannot change, revoke or create grants', async () => {
    for (const accessTarget of [{ groupId: w.groups[0].id }, { accountId: w.accounts[0].id }]) {
      await share(accessTarget, 'manage')
      const { share: given } = await share(accessTarget, 'view', stranger)
      await expect(guest.call.sharing.remove({ id: given.id })).rejects.toMatchObject(refusal('level_too_low'))
      await expect(guest.call.sharing.update({ id: given.id, level: 'manage' })).rejects.toMatchObject(refusal('level_too_low'))
      await expect(guest.call.sharing.create({ ...accessTarget, user: stranger.user.username, level: 'manage' })).rejects.toMatchObject(
        refusal('level_too_low'),
      )
      expect((await w.owner.call.sharing.list(accessTarget)).shares).toContainEqual(given)
    }
  })

  test('R-PRM-02 revoked access ends immediately, and a grantee may give it up', async () => {
    const zone = w.zones[0]?.id ?? ''
    const { share: given } = await share({ accountId: w.accounts[0].id }, 'manage')
    expect(await listed()).toHaveLength(6)
    await w.owner.call.sharing.remove({ id: given.id })
    expect(await listed()).toEqual([])
    await expect(guest.call.records.list({ id: zone })).rejects.toMatchObject(refusal('not_found'))
    const again = await share({ accountId: w.accounts[0].id }, 'view')
    await guest.call.sharing.remove({ id: again.share.id })
    expect(await listed()).toEqual([])
  })
})

/** Events sent to the person from now on. `hears` waits for one, and returns and clears those received until then. */
function listen(services: Services, clock: FakeClock, who: SignedIn) {
  const heard: LiveEvent[] = []
  const stop = new AbortController()
  const done = (async () => {
    const ctx = contextOf(services, who.actor)
    for await (const event of watchEvents({ ctx, recheck: () => Promise.resolve(), resumed: false, signal: stop.signal })) heard.push(event)
  })()
  const settled = done.catch(() => undefined)
  onTestFinished(async () => {
    stop.abort()
    await settled
  })
  const hears = async (event: LiveEvent) => {
    await expect
      .poll(async () => {
        await clock.advance(250)
        return heard
      })
      .toContainEqual(event)
    return heard.splice(0)
  }
  return { heard, hears }
}

test('R-PRM-02 live events are sent to grantees, only for the shared objects and only while shared', async () => {
  const clock = createFakeClock()
  const own = await createTestServices({ clock })
  onTestFinished(() => own.close())
  const { services } = own
  const [ann, bob] = [await signIn(services), await signIn(services)]
  const [one, two, three] = [
    await insertAccount(services.db, { ownerId: ann.user.id }),
    await insertAccount(services.db, { ownerId: ann.user.id }),
    await insertAccount(services.db, { ownerId: ann.user.id }),
  ]
  const group = await insertGroup(services.db, { ownerId: ann.user.id })
  await insertZones(services.db, { ownerId: ann.user.id, accountId: two.id }, 1, () => ({ groupId: group.id }))
  const { heard, hears } = listen(services, clock, bob)
  const publishChange = () => services.events.publish(services.db.orm, ann.user.id, 'domains', [one.id, two.id, three.id])
  await publishChange()
  const first = await ann.call.sharing.create({ accountId: one.id, user: bob.user.username, level: 'view' })
  await hears({ kind: 'shares', accountIds: [] })
  await publishChange()
  await hears({ kind: 'domains', accountIds: [one.id] })
  await ann.call.sharing.create({ groupId: group.id, user: bob.user.username, level: 'view' })
  await hears({ kind: 'shares', accountIds: [] })
  await publishChange()
  await hears({ kind: 'domains', accountIds: [one.id, two.id] })
  await ann.call.sharing.remove({ id: first.share.id })
  await hears({ kind: 'shares', accountIds: [] })
  await publishChange()
  await hears({ kind: 'domains', accountIds: [two.id] })
  expect(JSON.stringify(heard)).not.toContain(three.id)
})

test.each(['registrars', 'trackers'] as const)('R-PRM-02 changes of %s are sent to grantees, only while shared', async (kind) => {
  const clock = createFakeClock()
  const own = await createTestServices({ clock })
  onTestFinished(() => own.close())
  const { services } = own
  const [ann, bob, stranger] = [await signIn(services), await signIn(services), await signIn(services)]
  const create = async ({ call }: SignedIn) =>
    kind === 'registrars'
      ? (await call.registrars.create({ name: 'Old', username: 'anna', password: 'long-secret-word' })).registrar.id
      : (await call.trackers.create({ kind: 'KEITARO', name: 'Old', url: 'https://tracker.example', apiKey: 'a'.repeat(32) })).tracker.id
  const rename = (id: string, name: string) => ann.call[kind].update({ id, name })
  const shareWithBob = ({ call }: SignedIn, id: string) =>
    call.sharing.create({ [kind === 'registrars' ? 'registrarId' : 'trackerId']: id, user: bob.user.username, level: 'view' })
  const [id, strange] = [await create(ann), await create(stranger)]
  const { hears } = listen(services, clock, bob)
  const shares: LiveEvent = { kind: 'shares', accountIds: [] }
  const changed: LiveEvent = { kind, accountIds: [] }
  const { share: given } = await shareWithBob(ann, id)
  await hears(shares)
  await rename(id, 'Heard')
  await hears(changed)
  await ann.call.sharing.remove({ id: given.id })
  await hears(shares)
  await rename(id, 'Unheard')
  await shareWithBob(stranger, strange)
  expect(await hears(shares)).not.toContainEqual(changed)
  await shareWithBob(ann, id)
  await hears(shares)
  await ann.call[kind].remove({ id })
  await hears(shares)
})

test('R-PRM-02 former grantees are notified when a shared object or its owner is deleted, and when domains leave a shared group', async () => {
  const clock = createFakeClock(Date.now())
  const own = await createTestServices({ clock })
  onTestFinished(() => own.close())
  const { services } = own
  const [ann, bob, admin] = [await signIn(services), await signIn(services), await signIn(services, { role: 'admin' })]
  const ownerId = ann.user.id
  const user = bob.user.username
  const createAccount = () => insertAccount(services.db, { ownerId })
  const [account, behind] = [await createAccount(), await createAccount()]
  const [group, last] = [await insertGroup(services.db, { ownerId }), await insertGroup(services.db, { ownerId })]
  const [zone] = await insertZones(services.db, { ownerId, accountId: behind.id }, 1, () => ({ groupId: group.id }))
  await ann.call.sharing.create({ accountId: account.id, user, level: 'view' })
  for (const { id: groupId } of [group, last]) await ann.call.sharing.create({ groupId, user, level: 'view' })
  const { hears } = listen(services, clock, bob)
  const comeOrGone: LiveEvent = { kind: 'shares', accountIds: [] }
  const eventsOf = (kind: 'domains' | 'accounts') => services.events.publish(services.db.orm, ownerId, kind, [behind.id])
  await eventsOf('accounts')
  await hears({ kind: 'accounts', accountIds: [behind.id] })
  await ann.call.groups.removeZones({ id: group.id, zoneIds: [zone?.id ?? ''] })
  await hears({ kind: 'domains', accountIds: [behind.id] })
  await ann.call.groups.remove({ id: group.id })
  await hears(comeOrGone)
  await ann.call.accounts.remove({ id: account.id })
  await hears(comeOrGone)
  await admin.call.users.remove({ id: ownerId })
  expect(await hears(comeOrGone)).not.toContainEqual(expect.objectContaining({ kind: 'users' }))
})

test('R-PRM-02 the owner of a share with a deleted user is notified', async () => {
  const clock = createFakeClock(Date.now())
  const own = await createTestServices({ clock })
  onTestFinished(() => own.close())
  const { services } = own
  const [ann, bob, admin] = [await signIn(services), await signIn(services), await signIn(services, { role: 'admin' })]
  const group = await insertGroup(services.db, { ownerId: ann.user.id })
  await ann.call.sharing.create({ groupId: group.id, user: bob.user.username, level: 'view' })
  const { hears } = listen(services, clock, ann)
  await admin.call.users.remove({ id: bob.user.id })
  expect(await hears({ kind: 'shares', accountIds: [] })).toHaveLength(1)
})

test('R-PRM-02 an operation of a grantee uses the account’s key, reports owner and actor, stops when access ends, and requires the same level to undo', async () => {
  const panel = await createTestPanel({ world: { zones: 6, accounts: 2, recordsPerZone: 2 } })
  onTestFinished(() => panel.close())
  const { services, simulator } = panel
  const [ann, bob] = [await signIn(services), await signIn(services, { name: 'Bob' })]
  const accounts = []
  for (const index of [0, 1]) {
    const { email, globalKey, accountId, userId } = panel.credential(index)
    const account = await insertAccount(
      services.db,
      { ownerId: ann.user.id, email, providerUserId: userId },
      { secrets: services.secrets, apiKey: globalKey },
    )
    const theirs = [...simulator.state.zonesById.values()].filter((zone) => zone.account.id === accountId)
    await insertZones(services.db, { ownerId: ann.user.id, accountId: account.id }, theirs.length, (at) => ({
      providerZoneId: theirs[at]?.id ?? '',
      name: theirs[at]?.name ?? '',
      settingsReadAt: new Date(),
    }))
    accounts.push(account)
  }
  const given = []
  for (const { id: accountId } of accounts)
    given.push(await ann.call.sharing.create({ accountId, user: bob.user.username, level: 'operate' }))
  const request = { kind: 'settings', input: { settings: { minTlsVersion: '1.3' } } } as const
  const { operation } = await bob.call.operations.preview({ request, target: { filter: {} } })
  expect(operation.total).toBe(6)
  await bob.call.operations.start({ id: operation.id })
  await ann.call.sharing.remove({ id: given[0]?.share.id ?? '' })
  const runner = await startOperations(services, operationKinds, { pollMs: 20 })
  onTestFinished(() => runner.stop())
  const items = () => bob.call.operations.items({ id: operation.id, limit: 100 })
  await expect.poll(async () => (await items()).operation.state, { timeout: 30_000, interval: 20 }).toBe('done')
  const ended = new Map((await items()).items.map(({ account, state, code }) => [account, [state, code]]))
  expect(ended).toEqual(
    new Map([
      [accounts[0]?.email, ['failed', 'access_ended']],
      [accounts[1]?.email, ['done', null]],
    ]),
  )
  expect(simulator.journal.count({ method: 'PATCH' })).toBe((await items()).operation.done)
  const log = await services.db.sql`
    select distinct owner_id, actor_id, actor_kind from activity where entity_type in ('zone', 'operation') order by actor_kind`
  expect(log.map((row) => ({ ...row }))).toEqual([
    { ownerId: ann.user.id, actorId: bob.user.id, actorKind: 'user' },
    { ownerId: ann.user.id, actorId: bob.user.id, actorKind: 'operation' },
  ])

  const second = given[1]?.share.id ?? ''
  await ann.call.sharing.update({ id: second, level: 'view' })
  await expect(bob.call.operations.previewUndo({ id: operation.id })).rejects.toMatchObject(refusal('level_too_low'))
  await ann.call.sharing.update({ id: second, level: 'operate' })
  const undo = await bob.call.operations.previewUndo({ id: operation.id })
  expect(undo.operation.total).toBe((await items()).operation.done)
})
