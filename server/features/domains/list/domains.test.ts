import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { createTestApp, signIn } from '#server/testing/app.ts'
import type { SignedIn, TestApp } from '#server/testing/app.ts'
import { insertAccount, insertGroup, insertZone, insertZones } from '#server/testing/factories.ts'
import { seedZones } from '#server/testing/seed-zones.ts'
import { zoneSettings } from '#server/db/schema/index.ts'
import { writeCursor } from './domain-cursor.ts'

let server: TestApp
let me: SignedIn
let other: SignedIn
let admin: SignedIn
let mine: { readonly id: string; readonly email: string }
let theirs: { readonly id: string }
let foreign: { readonly id: string; readonly name: string }

beforeAll(async () => {
  server = await createTestApp()
  const { services } = server
  me = await signIn(services)
  other = await signIn(services)
  admin = await signIn(services, { role: 'admin' })
  mine = await insertAccount(services.db, { ownerId: me.user.id, email: 'Ops@Example.com' })
  theirs = await insertAccount(services.db, { ownerId: other.user.id })
  foreign = await insertZone(services.db, { ownerId: other.user.id, accountId: theirs.id, name: 'foreign.example' })
  const names = [
    'alpha.example',
    'beta-alpha.example',
    'alphabet.example',
    'zz-alpha.net',
    'x-alpha-1.org',
    'x-alpha-2.org',
    'x-alpha-3.org',
    'shop.example',
    '100-percent.example',
  ]
  await insertZones(services.db, { ownerId: me.user.id, accountId: mine.id }, names.length, (index) => ({
    name: names[index] ?? '',
    search: names[index] ?? '',
    originIps: ['192.0.2.7', '2001:db8::7'],
  }))
  await insertZone(services.db, {
    ownerId: me.user.id,
    accountId: mine.id,
    name: 'xn--e1afmkfd.xn--p1ai',
    search: 'xn--e1afmkfd.xn--p1ai\nпример.рф',
  })
})
afterAll(() => server.close())

const namesOf = async (filter: object, who = me) => (await who.call.domains.list({ filter })).domains.map((domain) => domain.name)

describe('R-PRM-02 users see only what they own', () => {
  test('lists, counts, selections, lookups and searches exclude the zones of others', async () => {
    const { call } = me
    expect(await namesOf({})).not.toContain(foreign.name)
    expect(await namesOf({ ownerId: other.user.id })).not.toContain(foreign.name)
    expect(await namesOf({ accountIds: [theirs.id] })).toEqual([])
    expect((await call.domains.summary({})).tiles.total).toBe(10)
    expect((await call.domains.summary({ filter: { ownerId: other.user.id } })).tiles.total).toBe(0)
    expect((await call.domains.matchingIds({})).ids).not.toContain(foreign.id)
    expect((await call.domains.range({ from: 0, to: 100 })).ids).not.toContain(foreign.id)
    expect((await call.domains.lookup({ names: [foreign.name] })).results).toEqual([
      { given: foreign.name, name: foreign.name, state: 'absent', domain: null, others: [] },
    ])
    expect((await call.domains.search({ text: 'foreign' })).domains).toEqual([])
    expect((await call.domains.filterOptions({})).accounts.map((account) => account.id)).toEqual([mine.id])
    expect((await call.domains.filterOptions({ ownerId: other.user.id })).accounts).toEqual([])
  })

  test('a cursor from the list of another user returns only one’s own zones', async () => {
    const cursor = writeCursor({ by: 'name', direction: 'asc' }, { value: foreign.name, name: foreign.name, id: foreign.id })
    const { domains } = await me.call.domains.list({ cursor })
    expect(domains.every((domain) => domain.ownerId === me.user.id)).toBe(true)
  })

  test.each(['', '/full', '/settings'])('the id of another user’s zone returns 404 at /zones/{id}%s', async (rest) => {
    const url = `/api/zones/${foreign.id}${rest}`
    expect((await server.app.inject({ url, headers: me.headers })).statusCode).toBe(404)
    expect((await server.app.inject({ url, headers: other.headers })).statusCode).toBe(200)
    expect((await server.app.inject({ url, headers: admin.headers })).statusCode).toBe(200)
    expect((await server.app.inject({ url })).statusCode).toBe(401)
  })

  test('an administrator sees all zones, may filter by owner, and gets the owners as options', async () => {
    const all = await namesOf({}, admin)
    expect(all).toHaveLength(11)
    expect(all).toEqual(all.toSorted())
    expect(await namesOf({ ownerId: other.user.id }, admin)).toEqual([foreign.name])
    expect((await admin.call.domains.summary({})).tiles.total).toBe(11)
    expect((await admin.call.domains.summary({ filter: { ownerId: other.user.id } })).tiles.total).toBe(1)
    const { owners } = await admin.call.domains.filterOptions({})
    expect(new Map(owners.map(({ id, zones }) => [id, zones]))).toEqual(
      new Map([
        [me.user.id, 10],
        [other.user.id, 1],
      ]),
    )
  })
})

describe('R-PAL-02 palette search', () => {
  test('returns at most five results, prefix matches first', async () => {
    const { domains } = await me.call.domains.search({ text: 'ALPHA' })
    expect(domains.map((domain) => domain.name)).toEqual([
      'alpha.example',
      'alphabet.example',
      'beta-alpha.example',
      'x-alpha-1.org',
      'x-alpha-2.org',
    ])
  })
  test('finds an internationalized name in both notations', async () => {
    for (const text of ['Прим', 'xn--e1af', 'ИМЕР']) {
      expect((await me.call.domains.search({ text })).domains.map((domain) => domain.displayName)).toEqual(['пример.рф'])
    }
  })
  test('an empty term finds nothing', async () => {
    expect((await me.call.domains.search({ text: '  ' })).domains).toEqual([])
  })
})

describe('R-DOM-02 search', () => {
  test.each([
    ['ALPHA-1', ['x-alpha-1.org']],
    ['ПРИМЕР', ['xn--e1afmkfd.xn--p1ai']],
    ['фмк', []],
    ['%', []],
    ['_', []],
    ['0-p', ['100-percent.example']],
    ["' or 1=1 --", []],
    ["');drop table zones;--", []],
    ['\\', []],
    ['🙂', []],
    ['\u202eelpmaxe', []],
    ['<script>', []],
    ['a'.repeat(255), []],
    ["'", []],
    ["x':* | '", []],
  ])('%j finds only names that contain it', async (search, names) => {
    expect(await namesOf({ search })).toEqual(names)
    expect((await me.call.domains.summary({ filter: { search } })).matching).toBe(names.length)
    expect((await me.call.domains.search({ text: search })).domains.map((domain) => domain.name)).toEqual(names)
  })

  test.each(['192.0.2.7', '192.0.*', '192.0.2.0/24', '2001:DB8:0:0::7', '2001:db8:*', '2001:db8::/32'])(
    'address %s is found',
    async (ip) => {
      expect(await namesOf({ ip })).toHaveLength(9)
      expect((await me.call.domains.summary({ filter: { ip } })).matching).toBe(9)
    },
  )
  test.each(['192.0.2.70', '192.0.2.70*', '192.0.3.0/24', '2001:db8::70'])('no domain has the address %j', async (ip) => {
    expect(await namesOf({ ip })).toEqual([])
    expect((await me.call.domains.summary({ filter: { ip } })).matching).toBe(0)
  })
  test.each(['192.0.2', '0.2.7', '%', "'", ' ', '', "1':*|'2", '*'])(
    '%j is refused: it selects neither one address nor a network',
    async (ip) => {
      await expect(namesOf({ ip })).rejects.toMatchObject({ message: expect.stringContaining('invalid_address_filter') as unknown })
    },
  )

  test('finds by the account’s email, also after it changed', async () => {
    expect(await namesOf({ email: 'OPS@ex' })).toHaveLength(10)
    expect(await namesOf({ email: '%' })).toHaveLength(0)
    const { db } = server.services
    await db.sql`update accounts set email = 'changed@example.com' where id = ${mine.id}`
    expect((await me.call.domains.list({ sort: { by: 'account', direction: 'asc' }, limit: 2 })).domains[0]?.account.email).toBe(
      'changed@example.com',
    )
    expect(await namesOf({ email: 'changed' })).toHaveLength(10)
    await db.sql`update accounts set email = ${mine.email} where id = ${mine.id}`
  })
})

describe('R-DOM-02 lookup of pasted names', () => {
  test('returns existing domains with their account, and absent, invalid and repeated names, in the given order', async () => {
    const names = [
      'HTTPS://Shop.Example/path',
      'somebody@alpha.example',
      'пример.рф',
      'absent.example',
      '<b>x</b>',
      'shop.example.',
      'www.shop.example',
      'a'.repeat(255),
    ]
    const { results } = await me.call.domains.lookup({ names })
    expect(results.map(({ name, state }) => [name, state])).toEqual([
      ['shop.example', 'ours'],
      ['alpha.example', 'ours'],
      ['xn--e1afmkfd.xn--p1ai', 'ours'],
      ['absent.example', 'absent'],
      [null, 'invalid'],
      ['shop.example', 'repeated'],
      ['shop.example', 'repeated'],
      [null, 'invalid'],
    ])
    expect(results.map((result) => result.given)).toEqual(names)
    expect(results.every(({ others }) => others.length === 0)).toBe(true)
    expect(results[2]?.domain).toMatchObject({ displayName: 'пример.рф', accountId: mine.id, accountEmail: mine.email, status: 'active' })
  })
  test('returns a name in every account that has it, to each user who sees them, existing zones first', async () => {
    const { db } = server.services
    const owner = await signIn(server.services)
    const [first, second] = [
      await insertAccount(db, { ownerId: owner.user.id, email: 'first@two.example' }),
      await insertAccount(db, { ownerId: owner.user.id, email: 'second@two.example' }),
    ]
    const name = 'in-many.example'
    const place = { ownerId: owner.user.id, name }
    const gone = await insertZone(db, { ...place, accountId: first.id, status: 'active', goneAt: new Date() })
    const pending = await insertZone(db, { ...place, accountId: second.id, status: 'pending' })
    const elsewhere = await insertZone(db, { ownerId: other.user.id, accountId: theirs.id, name, status: 'active' })
    onTestFinished(() => void db.sql`delete from zones where name = ${name}`)
    const seen = async (who: SignedIn) => {
      const { results } = await who.call.domains.lookup({ names: [`www.${name}`, name] })
      expect(results.map(({ state }) => state)).toEqual(['ours', 'repeated'])
      return [results[0]?.domain, ...(results[0]?.others ?? [])].map(
        (found) => found && [found.id, found.accountEmail, found.status, found.gone],
      )
    }
    const own = [
      [pending.id, 'second@two.example', 'pending', false],
      [gone.id, 'first@two.example', 'active', true],
    ]
    expect(await seen(owner)).toEqual(own)
    expect(await seen(admin)).toEqual([[elsewhere.id, expect.any(String), 'active', false], ...own])
  })
  test('accepts 10,000 names in one call', async () => {
    const names = Array.from({ length: 10_000 }, (_, index) => (index === 9_999 ? 'alpha.example' : `absent-${index}.example`))
    const { results } = await me.call.domains.lookup({ names })
    expect(results).toHaveLength(10_000)
    expect(results.filter((result) => result.state === 'ours').map((result) => result.name)).toEqual(['alpha.example'])
  })
})

describe('R-RTE-05 an invalid cursor is refused', () => {
  const forged = (change: object) =>
    Buffer.from(JSON.stringify({ by: 'name', direction: 'asc', value: 'a', name: 'a', id: crypto.randomUUID(), ...change })).toString(
      'base64url',
    )
  test.each([
    ['no base64', '***'],
    ['no JSON', Buffer.from('{').toString('base64url')],
    ['of another order', forged({ by: 'status', value: 1 })],
    ['of the other direction', forged({ direction: 'desc' })],
    ['with SQL for an id', forged({ id: "' or 1=1" })],
    ['with a number for a name', forged({ name: 1 })],
    ['with a zero character', forged({ name: 'a\0' })],
    ['null', Buffer.from('null').toString('base64url')],
  ])('%s', async (_, cursor) => {
    const answer = await server.app.inject({
      url: `/trpc/domains.list?input=${encodeURIComponent(JSON.stringify({ cursor }))}`,
      headers: me.headers,
    })
    expect(answer.statusCode).toBe(400)
    expect(answer.json()).toMatchObject({ error: { data: { code: 'validation_failed' } } })
  })
})

describe('R-DOM-04 selections', () => {
  test('a range by index contains what the list shows between the two ends, in either direction', async () => {
    const { domains } = await me.call.domains.list({ sort: { by: 'name', direction: 'desc' } })
    const expected = domains.slice(2, 6).map((domain) => domain.id)
    expect((await me.call.domains.range({ sort: { by: 'name', direction: 'desc' }, from: 2, to: 5 })).ids).toEqual(expected)
    expect((await me.call.domains.range({ sort: { by: 'name', direction: 'desc' }, from: 5, to: 2 })).ids).toEqual(expected)
  })
  test('a page reached by index continues with a cursor', async () => {
    const all = await namesOf({})
    const jumped = await me.call.domains.list({ offset: 3, limit: 2 })
    expect(jumped.domains.map((domain) => domain.name)).toEqual(all.slice(3, 5))
    const next = await me.call.domains.list({ cursor: jumped.nextCursor ?? '', limit: 2 })
    expect(next.domains.map((domain) => domain.name)).toEqual(all.slice(5, 7))
  })
})

describe('R-DOM-11 R-DOM-12 one domain', () => {
  test('is returned with its account, group, details and settings; unread values are null', async () => {
    const { db } = server.services
    const group = await insertGroup(db, { ownerId: me.user.id, name: 'Landing', color: '#fff' })
    const zone = await insertZone(db, {
      ownerId: me.user.id,
      accountId: mine.id,
      groupId: group.id,
      name: 'whole.example',
      status: 'pending',
      sslMode: 'strict',
      details: { verificationKey: 'abc', pageRuleQuota: 3, originalNameServers: ['ns1.example'], unknown: true },
      settingsReadAt: new Date(),
    })
    await db.orm
      .insert(zoneSettings)
      .values({ domainId: zone.id, values: { ssl: { value: 'strict', editable: true, modifiedOn: null } }, readAt: new Date() })
    const at = async (path: string): Promise<unknown> =>
      (await server.app.inject({ url: `/api/zones/${zone.id}${path}`, headers: me.headers })).json()
    expect(await at('')).toMatchObject({
      zone: {
        id: zone.id,
        status: 'pending',
        account: { email: mine.email },
        group: { name: 'Landing', color: '#fff' },
        recordsCount: null,
        https: null,
      },
    })
    expect(await at('/full')).toMatchObject({
      zone: {
        name: 'whole.example',
        verificationKey: 'abc',
        pageRuleQuota: 3,
        originalNameServers: ['ns1.example'],
        recordsReadAt: null,
        _count: { dnsRecords: null },
      },
    })
    expect(await at('/settings')).toMatchObject({
      settings: {
        ssl: 'strict',
        minTlsVersion: null,
        values: { ssl: { value: 'strict', editable: true } },
        ageSeconds: expect.any(Number) as number,
      },
    })
    await db.sql`delete from zones where id = ${zone.id}`
    expect((await server.app.inject({ url: `/api/zones/${zone.id}`, headers: me.headers })).statusCode).toBe(404)
  })

  test('GET /zones/live takes filters from the query string and returns all zones, or pages by cursor', async () => {
    const live = async (query: string) =>
      (await server.app.inject({ url: `/api/zones/live${query}`, headers: me.headers })).json<{
        data: { name: string }[]
        nextCursor?: string
        freshness: object
      }>()
    const all = await live('')
    expect(all.data).toHaveLength(10)
    expect(all.nextCursor).toBeUndefined()
    expect(all.freshness).toMatchObject({ syncing: 0 })
    const names: string[] = []
    for (let cursor: string | undefined = ''; cursor !== undefined;) {
      const page = await live(`?limit=4${cursor === '' ? '' : `&cursor=${cursor}`}`)
      names.push(...page.data.map((zone) => zone.name))
      cursor = page.nextCursor
    }
    expect(names).toEqual(all.data.map((zone) => zone.name))
    expect((await live(`?accountIds=${mine.id},${theirs.id}&search=shop&status=active`)).data.map((zone) => zone.name)).toEqual([
      'shop.example',
    ])
    expect((await server.app.inject({ url: '/api/zones/live?status=nonsense', headers: me.headers })).statusCode).toBe(400)
    expect((await server.app.inject({ url: '/api/zones/live?limit=0', headers: me.headers })).statusCode).toBe(400)
    const foundAt = async (ip: string) => (await live(`?ip=${ip}`)).data.length
    expect([await foundAt('192.0.2.7'), await foundAt('192.0.2.0/24'), await foundAt('192.0.*'), await foundAt('192.0.2.70')]).toEqual([
      9, 9, 9, 0,
    ])
    const part = await server.app.inject({ url: '/api/zones/live?ip=192.0.2.', headers: me.headers })
    expect(part.json()).toMatchObject({
      code: 'validation_failed',
      issues: [{ path: 'ip', message: expect.stringContaining('203.0.113.0/24') as unknown }],
    })
    // A misspelt filter must not return everything.
    expect((await server.app.inject({ url: '/api/zones/live?staus=active', headers: me.headers })).statusCode).toBe(400)
  })

  test('GET /zones/live without a limit returns ten thousand zones at most, and a cursor for the rest', async () => {
    const own = await createTestApp()
    onTestFinished(() => own.close())
    const { user, headers } = await signIn(own.services)
    await seedZones(own.services.db, { ownerId: user.id, count: 10_050, accounts: 2, groups: 0, prefix: 'many' })
    const live = async (query: Record<string, string>) =>
      (await own.app.inject({ url: '/api/zones/live', query, headers })).json<{ data: { id: string }[]; nextCursor?: string }>()
    const first = await live({})
    expect(first.data).toHaveLength(10_000)
    const { data: rest, nextCursor } = await live({ cursor: first.nextCursor ?? '' })
    expect(rest).toHaveLength(50)
    expect(nextCursor).toBeUndefined()
    expect(new Set([...first.data, ...rest].map(({ id }) => id)).size).toBe(10_050)
  })

  test('zones that are shown before they were read are queued to be read first', async () => {
    const { db } = server.services
    await db.sql`update zones set records_due_at = now(), settings_due_at = now(), wanted_at = null where owner_id = ${me.user.id}`
    const { domains } = await me.call.domains.list({ limit: 3 })
    const wanted = await db.sql<{ id: string }[]>`select id from zones where wanted_at is not null order by name`
    expect(wanted.map((row) => row.id)).toEqual(domains.map((domain) => domain.id))
  })
})
