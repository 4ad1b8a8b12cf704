import { expect, test, vi } from 'vitest'
import { createLog } from '#server/platform/log.ts'
import { signIn } from '#server/testing/app.ts'
import type { TestPanel, TestPanelOptions } from '#server/testing/panel.ts'
import { stageSync as stage } from '#server/testing/sync-stage.ts'
import { AppError } from '#shared/errors/app-error.ts'
import { mirroredSettings } from '#server/features/domains/mirror/index.ts'
import { settingKeys } from '#shared/features/domains/settings/catalog.ts'
import { wantDetails } from './queue-sync.ts'

/** Universal SSL and development mode are read elsewhere. */
const settingsPerZone = settingKeys.length - 2

/** Allows for a slow machine. */
const eventually = <T>(check: () => T | Promise<T>, options: { readonly interval?: number } = {}) =>
  vi.waitFor(check, { timeout: 30_000, interval: 20, ...options })

/** The mirror's state in the simulator's form. */
async function mirror(panel: TestPanel) {
  const { sql } = panel.services.db
  const zones = await sql<{ providerZoneId: string; name: string; providerStatus: string; records: number; settings: number }[]>`
    select zone_id as provider_zone_id, name, provider_status,
      (select count(*)::int from dns_records r where r.zone_id = z.id) as records,
      (select count(*)::int from zone_settings s, jsonb_object_keys(s.values) where s.zone_id = z.id) as settings
    from zones z where gone_at is null order by zone_id`
  return zones.map((zone) => ({ ...zone }))
}

const expected = (panel: TestPanel, records = 4) =>
  [...panel.simulator.state.zonesById.values()]
    .map((zone) => ({ providerZoneId: zone.id, name: zone.name, providerStatus: zone.status, records, settings: settingsPerZone }))
    .toSorted((a, b) => (a.providerZoneId < b.providerZoneId ? -1 : 1))

test('R-ACC-07 the zones of an added account appear without another click, with records and settings, in as few calls as possible', async () => {
  const s = await stage({ world: { zones: 120 } })
  await s.startSync()
  const id = await s.add(0)
  await s.settled(id)

  expect(await mirror(s)).toEqual(expected(s))
  const calls = (path: string) => s.simulator.journal.count({ path })
  expect(calls('/zones')).toBe(3)
  expect(calls('/zones/{zone}/dns_records')).toBe(120)
  expect(calls('/zones/{zone}/settings/{setting}')).toBe(120 * mirroredSettings.length)
  expect(calls('/zones/{zone}/bot_management')).toBe(120)
  expect(calls('/zones/{zone}/dnssec')).toBe(120)

  const account = await s.state(id)
  expect(account).toMatchObject({ health: 'working', zonesCount: 120, checking: false })
  expect(account.sync).toMatchObject({ state: 'idle', done: 120, total: 120, detailsPending: 0, errorCode: null })
  expect(account.sync.syncedAt).not.toBeNull()
})

test('a zone has the list columns: counts, addresses and settings as at the provider', async () => {
  const s = await stage({ world: { zones: 5, recordsPerZone: 12 } })
  await s.startSync()
  await s.settled(await s.add(0))
  const { email, globalKey, userId } = s.credential(0)
  const host = s.services.dnsHost.connect({ kind: 'global_key', email, apiKey: globalKey }, userId)
  const rows = await s.services.db.sql<Record<string, unknown>[]>`select *, zone_id as provider_zone_id from zones`
  expect(rows).toHaveLength(5)
  for (const row of rows) {
    const providerZoneId = String(row['providerZoneId'])
    const records = await host.listRecords(providerZoneId, { priority: 'person' })
    const ssl = await host.getSetting(providerZoneId, 'ssl', { priority: 'person' })
    const https = await host.getSetting(providerZoneId, 'always_use_https', { priority: 'person' })
    const addresses = records.filter((record) => record.type === 'A' || record.type === 'AAAA').map((record) => record.content)
    expect(row).toMatchObject({
      recordsCount: records.length,
      proxiedCount: records.filter((record) => record.proxied).length,
      originIps: [...new Set(addresses)].toSorted(),
      sslMode: ssl.value,
      https: https.value === 'on',
      recordsDueAt: null,
      settingsDueAt: null,
    })
    const stored = await s.services.db.sql`
      select record_id as "recordId", type, name, content, ttl, proxied, proxiable, priority, comment, tags, data, modified_at as "modifiedAt"
      from dns_records where zone_id = ${String(row['id'])} order by record_id`
    const byId = (a: { recordId: string }, b: { recordId: string }) => (a.recordId < b.recordId ? -1 : 1)
    const read = stored.map((record) => ({ ...record, modifiedAt: new Date(String(record['modifiedAt'])) }))
    expect(read).toEqual(records.toSorted(byId))
  }
})

test('a later sync reads the list again, writes no unchanged zone, and reads only details that changed', async () => {
  const s = await stage({ world: { zones: 60 } })
  await s.startSync()
  const id = await s.add(0)
  await s.settled(id)
  const versions = async () => s.services.db.sql`select id, xmin::text from zones order by id`
  const before = await versions()
  s.simulator.journal.reset()

  await s.person.call.accounts.sync({ id })
  await s.settled(id)
  expect(s.simulator.journal.count()).toBe(2)
  expect(await versions()).toEqual(before)

  const [changed] = s.simulator.state.zonesById.values()
  if (changed === undefined) throw new Error('no zone')
  s.simulator.state.changesOf(changed).settings.set('ssl', { value: 'strict', modifiedOnMs: Date.now() })
  changed.modifiedOnMs = Date.now()
  s.simulator.journal.reset()
  await s.person.call.accounts.sync({ id })
  await s.settled(id)
  expect(s.simulator.journal.count()).toBe(2 + 1 + mirroredSettings.length + 2)
  const [row] = await s.services.db.sql`select ssl_mode from zones where zone_id = ${changed.id}`
  expect(row).toEqual({ sslMode: 'strict' })
})

test('a domain whose record the panel changed is read again exactly once', async () => {
  const s = await stage({ world: { zones: 60 } })
  await s.startSync()
  const accountId = await s.add(0)
  await s.settled(accountId)
  const [zone] = await s.services.db.sql<
    { id: string; providerZoneId: string }[]
  >`select id, zone_id as provider_zone_id from zones order by id limit 1`
  if (zone === undefined) throw new Error('no zone')
  const { record } = await s.person.call.records.create({ id: zone.id, type: 'A', name: 'again', content: '192.0.2.60' })
  await s.person.call.records.update({ id: zone.id, recordId: record.id, content: '192.0.2.61' })

  const recordsRead = () =>
    s.simulator.journal.recent().filter(({ method, path }) => method === 'GET' && path === '/zones/{zone}/dns_records')
  s.simulator.journal.reset()
  await s.person.call.accounts.sync({ id: accountId })
  await s.settled(accountId)
  expect(recordsRead()).toHaveLength(1)
  s.simulator.journal.reset()
  await s.person.call.accounts.sync({ id: accountId })
  await s.settled(accountId)
  expect(s.simulator.journal.count()).toBe(2)
  const { entries } = await s.person.call.history.list({ id: zone.id, limit: 10 })
  expect(entries.map(({ source }) => source)).toEqual(['panel', 'panel'])
})

test('a zone removed at the provider is marked, not deleted, and loses the mark when it comes back', async () => {
  const s = await stage({ world: { zones: 60 } })
  await s.startSync()
  const id = await s.add(0)
  await s.settled(id)
  const [gone] = s.simulator.state.zonesById.values()
  if (gone === undefined) throw new Error('no zone')
  const row = async () => (await s.services.db.sql`select status, gone_at is not null as gone from zones where zone_id = ${gone.id}`)[0]

  s.simulator.state.removeZone(gone.id)
  await s.person.call.accounts.sync({ id })
  await s.settled(id)
  expect(await row()).toEqual({ status: 'error', gone: true })
  expect((await mirror(s)).length).toBe(59)

  s.simulator.state.addZone(gone)
  await s.person.call.accounts.sync({ id })
  await s.settled(id)
  expect(await row()).toEqual({ status: 'active', gone: false })
  expect(await mirror(s)).toEqual(expected(s))
})

/** Runs a callback while an account's list is read: after its first page or a given one. */
function afterFirstPage() {
  let happen: (() => void) | null = null
  let after = 1
  const around: TestPanelOptions['around'] = (host) => ({
    ...host,
    connect: (credential, userId) => {
      const connection = host.connect(credential, userId)
      return {
        ...connection,
        listZones: async (page, call) => {
          const answer = await connection.listZones(page, call)
          if (page === after) happen?.()
          return answer
        },
      }
    },
  })
  return {
    around,
    always: (next: () => void) => (happen = next),
    once(next: () => void, page = 1) {
      after = page
      happen = () => ((happen = null), next())
    },
  }
}

test('pages added to a list while it is read are read too', async () => {
  const pages = afterFirstPage()
  const s = await stage({ world: { zones: 60 }, around: pages.around })
  const [some] = s.simulator.state.zonesById.values()
  if (some === undefined) throw new Error('no zone')
  pages.once(() => {
    for (let n = 0; n < 60; n += 1) s.simulator.state.addZone({ ...some, id: n.toString(16).padStart(32, 'e'), name: `zzzz-${n}.example` })
  })
  await s.startSync()
  await s.settled(await s.add(0))
  expect((await mirror(s)).map(({ providerZoneId }) => providerZoneId)).toEqual(expected(s).map(({ providerZoneId }) => providerZoneId))
  // The first reading covers all three pages, and the list is read once more because it changed.
  expect(s.simulator.journal.count({ path: '/zones' })).toBe(6)
})

test('a list that changes during both readings marks nothing', async () => {
  const pages = afterFirstPage()
  const s = await stage({ world: { zones: 160 }, around: pages.around })
  await s.startSync()
  const id = await s.add(0)
  await s.settled(id)
  const zones = [...s.simulator.state.zonesById.values()].toSorted((one, other) => (one.name < other.name ? -1 : 1))
  const removed = zones.splice(0, 30)
  for (const zone of removed) s.simulator.state.removeZone(zone.id)
  pages.always(() => s.simulator.state.removeZone(zones.pop()?.id ?? ''))
  await s.person.call.accounts.sync({ id })
  await s.settled(id)
  expect(await s.services.db.sql`select from zones where gone_at is not null`).toHaveLength(0)
  expect((await s.state(id)).disappearance).toBeNull()
})

test('a list that changes each time it is read is read again soon and not reported as complete', async () => {
  const pages = afterFirstPage()
  const s = await stage({ world: { zones: 160 }, around: pages.around })
  await s.startSync()
  const id = await s.add(0)
  await s.settled(id)
  const { sql } = s.services.db
  const read = async () => (await sql<{ syncedAt: Date }[]>`select synced_at from accounts where id = ${id}`)[0]?.syncedAt
  const before = await read()
  const zones = [...s.simulator.state.zonesById.values()].toSorted((one, other) => (one.name < other.name ? -1 : 1))
  pages.always(() => s.simulator.state.removeZone(zones.pop()?.id ?? ''))
  await s.person.call.accounts.sync({ id })
  await s.settled(id)
  expect(await read()).toEqual(before)
  expect(await sql`select from accounts where id = ${id} and next_sync_at <= now() + interval '61 seconds'`).toHaveLength(1)
})

test('a zone that one user no longer has stays with another who has it through their own account', async () => {
  const s = await stage({ world: { zones: 10 } })
  await s.startSync()
  const id = await s.add(0)
  const other = await signIn(s.services, { role: 'user' })
  const { email, globalKey } = s.credential(0)
  const { account } = await other.call.accounts.add({ email, apiKey: globalKey })
  await s.settled(id, account.id)
  const [gone] = s.simulator.state.zonesById.values()
  s.simulator.state.removeZone(gone?.id ?? '')
  await s.person.call.accounts.sync({ id })
  await s.settled(id)
  expect(await s.services.db.sql`select account_id from zones where gone_at is not null`).toEqual([{ accountId: id }])
})

test('a zone that slips between two pages because another was removed is neither lost nor marked as gone', async () => {
  const pages = afterFirstPage()
  const s = await stage({ world: { zones: 160 }, sync: { callsPerAccount: 1 }, around: pages.around })
  const byName = [...s.simulator.state.zonesById.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1))
  const [first, second, third] = byName
  if (first === undefined || second === undefined || third === undefined) throw new Error('no zones')

  // During the first reading of the account.
  pages.once(() => s.simulator.state.removeZone(first.id))
  await s.startSync()
  const id = await s.add(0)
  await s.settled(id)
  const live = (await mirror(s)).map((zone) => zone.providerZoneId)
  for (const zone of s.simulator.state.zonesById.values()) expect(live).toContain(zone.id)

  // One is removed and one is added, so that the number stays the same.
  pages.once(() => {
    s.simulator.state.removeZone(second.id)
    s.simulator.state.addZone({ ...second, id: 'f'.repeat(32), name: 'zzzz-last.example' })
  })
  await s.person.call.accounts.sync({ id })
  await s.settled(id)
  const gone = await s.services.db.sql`select zone_id from zones where gone_at is not null and zone_id <> all(${[first.id, second.id]})`
  expect(gone).toEqual([])
})

test.each([
  ['its number has changed and is as before in the end', 'number'],
  ['its number has never changed, though one name came twice', 'twice'],
])('a zone missed by the first list of an account while it changed is found by another reading: %s', async (_what, how) => {
  const pages = afterFirstPage()
  const s = await stage({ world: { zones: 160 }, sync: { callsPerAccount: 1 }, around: pages.around })
  const { state } = s.simulator
  const byName = [...state.zonesById.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1))
  const [first, last] = [byName[0], byName.at(-1)]
  if (first === undefined || last === undefined) throw new Error('no zones')
  const added = (name: string) => state.addZone({ ...first, id: 'f'.repeat(32), name })
  pages.once(() => {
    if (how === 'number') {
      // The first zone of page two moves to page one, which has already been read.
      state.removeZone(first.id)
      pages.once(() => added('zzzz-last.example'), 2)
    } else {
      // The last zone of page one is listed again on page two.
      state.removeZone(last.id)
      added('0000-first.example')
    }
  })
  await s.startSync()
  await s.settled(await s.add(0))
  const live = (await mirror(s)).map((zone) => zone.providerZoneId)
  expect([...state.zonesById.keys()].filter((providerZoneId) => !live.includes(providerZoneId))).toEqual([])
})

test('a zone visible to two accounts of one owner exists once, in the first, and moves when the first loses it', async () => {
  const s = await stage({ world: { zones: 40, accounts: 3, plain: false } })
  await s.startSync()
  const first = await s.add(0)
  await s.settled(first)
  const own = s.simulator.state.zonesOfAccount(s.credential(0).accountId).size
  // The second user is a guest in the first account.
  const second = await s.add(1)
  await s.settled(second)
  const counts = async () =>
    Object.fromEntries(
      (
        await s.services.db.sql<{ accountId: string; n: number }[]>`
          select account_id, count(*)::int as n from zones where gone_at is null group by 1`
      ).map((row) => [row.accountId, row.n]),
    )
  const theirs = s.simulator.state.zonesOfAccount(s.credential(1).accountId).size
  expect(await counts()).toEqual({ [first]: own, [second]: theirs })

  s.simulator.state.revokeKey(s.credential(0).userId)
  await s.person.call.accounts.remove({ id: first })
  await s.person.call.accounts.sync({ id: second })
  await s.settled(second)
  expect(await counts()).toEqual({ [second]: own + theirs })
})

test('a zone first listed by a colleague’s credential moves to the credential of its own account and stays there', async () => {
  const s = await stage({ world: { zones: 40, accounts: 3, plain: false } })
  await s.startSync()
  const guest = await s.add(1)
  await s.settled(guest)
  const own = s.simulator.state.zonesOfAccount(s.credential(0).accountId).size
  const theirs = s.simulator.state.zonesOfAccount(s.credential(1).accountId).size
  const countOf = async (id: string) => {
    const [row] = await s.services.db.sql<
      { n: number }[]
    >`select count(*)::int as n from zones where account_id = ${id} and gone_at is null`
    return row?.n
  }
  expect(await countOf(guest)).toBe(own + theirs)
  const host = await s.add(0)
  await s.settled(host)
  expect([await countOf(host), await countOf(guest)]).toEqual([own, theirs])
  await s.person.call.accounts.sync({ id: guest })
  await s.settled(guest)
  expect([await countOf(host), await countOf(guest)]).toEqual([own, theirs])
})

test('two schedulers share the accounts and never work on the same one concurrently', async () => {
  const listing = new Map<string, number>()
  let most = 0
  const s = await stage({
    world: { zones: 200, accounts: 8 },
    latencyMs: 2,
    sync: { concurrentLists: 2, concurrentDetails: 2, callsPerAccount: 2 },
    around: (host) => ({
      ...host,
      connect: (credential, userId) => {
        const connection = host.connect(credential, userId)
        const key = credential.kind === 'global_key' ? credential.email : credential.token
        const counted = async <T>(maxConcurrent: number, work: () => Promise<T>) => {
          listing.set(key, (listing.get(key) ?? 0) + 1)
          most = Math.max(most, (listing.get(key) ?? 0) / maxConcurrent)
          try {
            return await work()
          } finally {
            listing.set(key, (listing.get(key) ?? 0) - 1)
          }
        }
        return {
          ...connection,
          listZones: (page, call) => counted(2, () => connection.listZones(page, call)),
          listRecords: (providerZoneId, call) => counted(2, () => connection.listRecords(providerZoneId, call)),
        }
      },
    }),
  })
  await Promise.all([s.startSync(), s.startSync()])
  const ids = await Promise.all(Array.from({ length: 8 }, (_, index) => s.add(index)))
  await s.settled(...ids)
  expect(await mirror(s)).toEqual(expected(s))
  expect(most).toBeLessThanOrEqual(1)
  // Nothing was read twice either.
  expect(s.simulator.journal.count({ path: '/zones' })).toBe(8)
  expect(s.simulator.journal.count({ path: '/zones/{zone}/dns_records' })).toBe(200)
})

test('when the connection that holds the locks breaks, work under them stops and is completed later', async () => {
  const s = await stage({ world: { zones: 150 }, latencyMs: 5, sync: { callsPerAccount: 2 } })
  await s.startSync()
  const id = await s.add(0)
  await eventually(() => expect(s.simulator.journal.count({ path: '/zones/{zone}/dns_records' })).toBeGreaterThan(20), { interval: 5 })
  const [cut] = await s.services.db.sql`
    select count(pg_terminate_backend(pid))::int as n from pg_locks where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())`
  expect(cut).toEqual({ n: 1 })
  await s.settled(id)
  expect(await mirror(s)).toEqual(expected(s))
})

test('R-ACC-04 a revoked key is an auth error with the provider’s message and is not retried constantly', async () => {
  const s = await stage({ world: { zones: 60 } })
  await s.startSync()
  const id = await s.add(0)
  await s.settled(id)
  s.simulator.state.revokeKey(s.credential(0).userId)
  s.simulator.journal.reset()
  await s.person.call.accounts.sync({ id })
  await s.settled(id)
  const account = await s.state(id)
  expect(account).toMatchObject({ health: 'auth_error', healthCode: '9103', healthMessage: 'Unknown X-Auth-Key or X-Auth-Email' })
  expect(account.sync.state).toBe('failed')
  expect(Date.parse(account.sync.nextAt)).toBeGreaterThan(Date.now() + 3_000_000)
  expect(s.simulator.journal.count()).toBe(1)
  expect((await mirror(s)).length).toBe(60)
})

test('an unavailable provider is an API error, retried later, and working when it is back', async () => {
  const s = await stage({ world: { zones: 60 } })
  await s.startSync()
  const id = await s.add(0)
  await s.settled(id)
  const heal = s.simulator.faults.add({ path: '/zones', effect: { kind: 'success-false' } })
  await s.person.call.accounts.sync({ id })
  await s.settled(id)
  const broken = await s.state(id)
  expect(broken.health).toBe('api_error')
  expect(Date.parse(broken.sync.nextAt) - Date.now()).toBeLessThan(31_000)
  heal()
  await s.person.call.accounts.sync({ id })
  await s.settled(id)
  expect(await s.state(id)).toMatchObject({ health: 'working', healthMessage: null, sync: { state: 'idle', errorCode: null } })
})

test('an account without zones is synced and empty', async () => {
  const s = await stage({ world: { zones: 30, accounts: 3, plain: false } })
  await s.startSync()
  const id = await s.add(2)
  await s.settled(id)
  expect(await s.state(id)).toMatchObject({ health: 'working', zonesCount: 0, sync: { state: 'idle', done: 0, total: 0 } })
})

test.each([60, 2])(
  'R-ACC-06 a token that may not read settings of %i zones still syncs their records, and the settings are not requested repeatedly',
  async (zones) => {
    const s = await stage({ world: { zones } })
    await s.startSync()
    const { email, readOnlyToken } = s.credential(0)
    const added = await s.person.call.accounts.add({ email, apiKey: readOnlyToken, kind: 'api_token' })
    const id = added.account.id
    await s.settled(id)
    const rows = await mirror(s)
    expect(rows).toEqual(expected(s).map((zone) => ({ ...zone, settings: 0 })))
    expect(s.simulator.journal.count({ path: '/zones/{zone}/settings/{setting}' })).toBeLessThan(40)
    expect((await s.state(id)).health).toBe('working')
    // The status reports what the token may not read, and nothing stays pending forever.
    const { account } = await s.person.call.accounts.get({ id })
    expect(account.sync).toMatchObject({ state: 'idle', refused: 'settings', detailsPending: 0 })
    expect((await s.person.call.domains.summary({ filter: {} })).freshness.detailsPending).toBe(0)
  },
)

test.each([
  ['the credential has no permission for them', 'forbidden'],
  ['Cloudflare does not know the endpoint for this zone', 'success-false'],
] as const)('the settings of bots and DNSSEC stay unknown if %s, and all other settings are read', async (_why, kind) => {
  const s = await stage({ world: { zones: 12 } })
  for (const path of ['/zones/*/bot_management', '/zones/*/dnssec']) s.simulator.faults.add({ path, effect: { kind } })
  await s.startSync()
  const id = await s.add(0)
  await s.settled(id)
  expect(await mirror(s)).toEqual(expected(s).map((zone) => ({ ...zone, settings: mirroredSettings.length })))
  expect((await s.state(id)).sync).toMatchObject({ state: 'idle', refused: null, detailsPending: 0, errorCode: null })
  const [zone] = await s.services.db.sql<{ id: string }[]>`select id from zones limit 1`
  const { settings } = await s.person.call.domains.settings({ id: zone?.id ?? '' })
  expect(settings).toMatchObject({
    botFightMode: null,
    aiBots: null,
    aiLabyrinth: null,
    managedRobotsTxt: null,
    dnssec: null,
    dnssecState: null,
  })
})

test('a part that may be read again is no longer reported as refused', async () => {
  const s = await stage({ world: { zones: 20 } })
  const heal = s.simulator.faults.add({ path: '/zones/*/settings/*', effect: { kind: 'forbidden' } })
  await s.startSync()
  const id = await s.add(0)
  await s.settled(id)
  expect((await s.state(id)).sync.refused).toBe('settings')
  heal()
  // Simulates the end of the postponement, which takes hours.
  await s.services.db.sql`update zones set settings_due_at = now() where account_id = ${id}`
  await s.services.db.sql`update accounts set details_due_at = now() where id = ${id}`
  await s.settled(id)
  expect((await s.state(id)).sync.refused).toBeNull()
  expect(await mirror(s)).toEqual(expected(s))
})

test('scattered failures of zones do not pause the others: only consecutive failures count as an unavailable provider', async () => {
  const failing = new Set<string>()
  const s = await stage({
    world: { zones: 60 },
    sync: { callsPerAccount: 1 },
    // Simulates the result after the connection's own retries.
    around: (host) => ({
      ...host,
      connect: (credential, userId) => {
        const connection = host.connect(credential, userId)
        return {
          ...connection,
          listRecords: (zone, call) =>
            failing.has(zone) ? Promise.reject(new AppError('provider_unavailable')) : connection.listRecords(zone, call),
        }
      },
    }),
  })
  const ids = [...s.simulator.state.zonesById.keys()].toSorted()
  for (const id of ids.filter((_, index) => index % 2 === 0)) failing.add(id)
  await s.startSync()
  await s.settled(await s.add(0))
  expect((await mirror(s)).filter(({ records }) => records === 4)).toHaveLength(30)
})

test('one zone that cannot be read does not block the others', async () => {
  const s = await stage({ world: { zones: 60 } })
  const [odd] = s.simulator.state.zonesById.values()
  if (odd === undefined) throw new Error('no zone')
  s.simulator.faults.add({ path: `/zones/${odd.id}/dns_records`, effect: { kind: 'forbidden' } })
  await s.startSync()
  await s.settled(await s.add(0))
  const rows = await mirror(s)
  expect(rows.find((zone) => zone.providerZoneId === odd.id)?.records).toBe(0)
  expect(rows.filter((zone) => zone.records === 4)).toHaveLength(59)
  expect(s.simulator.journal.count({ path: '/zones/{zone}/dns_records' })).toBe(60)
})

test('scattered refusals of zones do not postpone the others: only consecutive refusals count as a missing permission', async () => {
  const s = await stage({ world: { zones: 60 }, sync: { callsPerAccount: 1 } })
  const ids = [...s.simulator.state.zonesById.keys()].toSorted()
  for (const id of ids.filter((_, index) => index % 2 === 0))
    s.simulator.faults.add({ path: `/zones/${id}/dns_records`, effect: { kind: 'forbidden' } })
  await s.startSync()
  const id = await s.add(0)
  await s.settled(id)
  expect((await mirror(s)).filter(({ records }) => records === 4)).toHaveLength(30)
  expect((await s.state(id)).sync.refused).toBeNull()
})

test('zones that a user looks at are read first', async () => {
  const s = await stage({ world: { zones: 200 }, latencyMs: 5, sync: { callsPerAccount: 1 } })
  await s.startSync()
  const id = await s.add(0)
  const { sql, orm } = s.services.db
  const waiting = await eventually(
    async () => {
      const rows = await sql<{ id: string; providerZoneId: string }[]>`
        select id, zone_id as provider_zone_id from zones where account_id = ${id} and records_read_at is null order by id desc limit 1`
      expect(s.simulator.journal.count({ path: '/zones/{zone}/dns_records' })).toBeGreaterThan(5)
      const [row] = rows
      if (row === undefined) throw new Error('everything is read')
      return row
    },
    { interval: 5 },
  )
  await wantDetails(orm, [waiting.id])
  await eventually(
    async () => {
      const [row] = await sql`select settings_read_at is not null as read from zones where id = ${waiting.id}`
      expect(row).toEqual({ read: true })
    },
    { interval: 10 },
  )
  const [left] = await sql<{ n: number }[]>`select count(*)::int as n from zones where settings_read_at is null`
  expect(left?.n).toBeGreaterThan(150)
})

test('R-ACC-05 deleting an account stops its running sync and leaves nothing behind', async () => {
  const s = await stage({ world: { zones: 150 }, latencyMs: 5, sync: { callsPerAccount: 3 } })
  await s.startSync()
  const id = await s.add(0)
  await eventually(() => expect(s.simulator.journal.count({ path: '/zones/{zone}/dns_records' })).toBeGreaterThan(10), { interval: 5 })
  await s.person.call.accounts.remove({ id })
  const [rows] = await s.services.db
    .sql`select (select count(*)::int from zones) as zones, (select count(*)::int from dns_records) as records`
  expect(rows).toEqual({ zones: 0, records: 0 })
  await eventually(async () => {
    const [held] = await s.services.db.sql`
      select count(*)::int as n from pg_locks where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())`
    expect(held).toEqual({ n: 0 })
  })
  expect(s.simulator.journal.count({ path: '/zones/{zone}/dns_records' })).toBeLessThan(150)
})

test('R-ACC-05 an account deleted while its list is written is removed with everything already written', async () => {
  const errors: string[] = []
  const log = createLog('error', { write: (line) => void errors.push(line) })
  const s = await stage({ world: { zones: 400 }, sync: { callsPerAccount: 4 }, log })
  await s.startSync()
  for (const pages of [1, 2, 4, 6, 8]) {
    const from = s.simulator.journal.count({ path: '/zones' })
    const id = await s.add(0)
    await eventually(() => expect(s.simulator.journal.count({ path: '/zones' })).toBeGreaterThanOrEqual(from + pages), { interval: 1 })
    await s.person.call.accounts.remove({ id })
    const [left] = await s.services.db.sql`select count(*)::int as n from zones`
    expect(left).toEqual({ n: 0 })
  }
  await eventually(async () => {
    const [held] = await s.services.db.sql`
      select count(*)::int as n from pg_locks where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())`
    expect(held).toEqual({ n: 0 })
  })
  expect(errors).toEqual([])
})

test('R-LOG-01 the first sync and requested ones are in the activity log, scheduled ones are not', async () => {
  const s = await stage({ world: { zones: 10 } })
  await s.startSync()
  const id = await s.add(0)
  await s.settled(id)
  const { sql } = s.services.db
  const entries = () =>
    sql`select action, actor_name as actor, details from activity where entity_id = ${id} and action = 'sync' order by id`
  expect(await entries()).toEqual([{ action: 'sync', actor: 'sync', details: { zones: 10, gone: 0 } }])
  await sql`update accounts set next_sync_at = now() where id = ${id}`
  await s.settled(id)
  expect(await entries()).toHaveLength(1)
  await s.person.call.accounts.sync({ id })
  await s.settled(id)
  expect(await entries()).toHaveLength(3)
})

test('internationalized names are found in both notations', async () => {
  const s = await stage({ world: { zones: 10 } })
  const [some] = s.simulator.state.zonesById.values()
  if (some === undefined) throw new Error('no zone')
  s.simulator.state.addZone({ ...some, id: 'a'.repeat(32), name: 'xn--e1afmkfd.xn--p1ai' })
  await s.startSync()
  await s.settled(await s.add(0))
  const [row] = await s.services.db.sql`select name, search from zones where zone_id = ${'a'.repeat(32)}`
  expect(row).toEqual({ name: 'xn--e1afmkfd.xn--p1ai', search: 'xn--e1afmkfd.xn--p1ai\nпример.рф' })
})

test('a requested zone list does not wait behind calls that wait for their budget', async () => {
  let blocked = 0
  const s = await stage({
    world: { zones: 60 },
    around: (host) => ({
      ...host,
      connect: (credential, userId) => {
        const connection = host.connect(credential, userId)
        return {
          ...connection,
          getSetting: (_providerZoneId, _setting, { signal }) =>
            new Promise((_resolve, reject) => {
              blocked += 1
              signal?.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
            }),
        }
      },
    }),
  })
  await s.startSync()
  const id = await s.add(0)
  await eventually(() => expect(blocked).toBeGreaterThan(0))
  s.simulator.journal.reset()
  await s.person.call.accounts.sync({ id })
  await eventually(() => expect(s.simulator.journal.count({ path: '/zones' })).toBe(2))
  const [row] = await s.services.db.sql`select count(*)::int as n from zones where detail_failures > 0 or settings_due_at is null`
  expect(row).toEqual({ n: 0 })
})

test('progress and changes are published live, at most a few times a second', async () => {
  const s = await stage({ world: { zones: 60 }, latencyMs: 10, sync: { callsPerAccount: 2 } })
  const seen: string[] = []
  const end = s.services.events.subscribe((ownerId, event) => {
    if (ownerId === s.person.user.id) seen.push(event.kind)
  })
  await s.startSync()
  const started = performance.now()
  const id = await s.add(0)
  await s.settled(id)
  const seconds = (performance.now() - started) / 1000
  await eventually(() => expect(seen).toContain('domains'))
  end()
  expect(seen.filter((kind) => kind === 'accounts').length).toBeGreaterThan(1)
  expect(seen.length).toBeLessThan(2 * 4 * (seconds + 1))
})
