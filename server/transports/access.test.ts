import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestApp, signIn } from '#server/testing/app.ts'
import type { SignedIn, TestApp } from '#server/testing/app.ts'
import { insertAccount, insertGroup, insertZone } from '#server/testing/factories.ts'
import { listRestRoutes } from '#server/transports/rest/rest-routes.ts'
import { listProcedures } from '#server/transports/trpc/list-procedures.ts'
import type { DnsHost } from '#server/ports/dns-host.ts'
import { AppError } from '#shared/errors/app-error.ts'

/** Things of somebody else's. */
interface Theirs {
  readonly userId: string
  readonly accountId: string
  readonly zoneId: string
  readonly zoneName: string
  readonly operationId: string
  readonly profileId: string
  readonly groupId: string
}

/** `of`: an input that names things of somebody else's; absent where an input can name nothing. */
type Expectation =
  | { readonly who: 'public' }
  | { readonly who: 'owner' | 'admin'; readonly of?: (theirs: Theirs) => object; readonly answers?: 'not_found' | 'each_not_found' }

const anybody: Expectation = { who: 'public' }
const ownerOf = (of?: (theirs: Theirs) => object): Expectation => (of === undefined ? { who: 'owner' } : { who: 'owner', of })
/** One thing by its id: somebody else's is not found. */
const ownerOfOne = (of: (theirs: Theirs) => object): Expectation => ({ who: 'owner', of, answers: 'not_found' })

const filter = ({ accountId, userId }: Theirs) => ({ filter: { accountIds: [accountId], ownerId: userId } })
const account = ({ accountId }: Theirs) => ({ id: accountId })
const someAccounts = ({ accountId }: Theirs) => ({ ids: [accountId] })
const zone = ({ zoneId }: Theirs) => ({ id: zoneId })
const group = ({ groupId }: Theirs) => ({ id: groupId })
const profile = ({ profileId }: Theirs) => ({ id: profileId })
const operation = ({ operationId }: Theirs) => ({ id: operationId })
const creation = ({ accountId }: Theirs) => ({ domains: ['new.com'], accountIds: [accountId], ipAddress: '192.0.2.9' })

/** Who may call what. A procedure that is not here fails the test. */
const expectations: Readonly<Record<string, Expectation>> = {
  'accounts.add': ownerOf(),
  'accounts.addMany': ownerOf(),
  'accounts.check': ownerOf(someAccounts),
  'accounts.checkProgress': ownerOf(),
  'accounts.deletionPreview': ownerOf(someAccounts),
  'accounts.get': ownerOfOne(account),
  'accounts.list': ownerOf(({ userId }) => ({ ownerId: userId })),
  'accounts.remove': ownerOfOne(account),
  'accounts.removeMany': ownerOf(someAccounts),
  'accounts.requestSync': ownerOf(someAccounts),
  'accounts.reveal': ownerOfOne(account),
  'accounts.sync': ownerOfOne(account),
  'accounts.update': ownerOfOne((theirs) => ({ ...account(theirs), name: 'taken over' })),
  'addresses.domains': ownerOf(({ userId }) => ({ address: '192.0.2.77', ownerId: userId })),
  'addresses.list': ownerOf(({ userId }) => ({ ownerId: userId })),
  'auth.config': anybody,
  'auth.login': anybody,
  'auth.logout': ownerOf(),
  'auth.me': ownerOf(),
  'auth.register': anybody,
  'domains.filterOptions': ownerOf(({ userId }) => ({ ownerId: userId })),
  'domains.full': ownerOfOne(zone),
  'domains.get': ownerOfOne(zone),
  'domains.list': ownerOf(filter),
  'domains.live': ownerOf(({ accountId, userId }) => ({ accountIds: accountId, ownerId: userId })),
  'domains.lookup': ownerOf(({ zoneName }) => ({ names: [zoneName] })),
  'domains.matchingIds': ownerOf(filter),
  'domains.range': ownerOf((theirs) => ({ ...filter(theirs), from: 0, to: 100 })),
  'domains.search': ownerOf(({ zoneName }) => ({ text: zoneName })),
  'domains.settings': ownerOfOne(zone),
  'domains.summary': ownerOf(filter),
  'groups.addZones': ownerOfOne(({ zoneId, groupId }) => ({ id: groupId, zoneIds: [zoneId] })),
  'groups.create': ownerOf(),
  'groups.get': ownerOfOne(group),
  'groups.list': ownerOf(({ userId }) => ({ ownerId: userId })),
  'groups.remove': ownerOfOne(group),
  'groups.removeZones': ownerOfOne(({ zoneId, groupId }) => ({ id: groupId, zoneIds: [zoneId] })),
  'groups.update': ownerOfOne((theirs) => ({ ...group(theirs), name: 'taken over' })),
  'history.list': ownerOfOne(zone),
  'history.previewRevert': ownerOfOne((theirs) => ({ ...zone(theirs), ids: [theirs.zoneId] })),
  'history.revert': ownerOfOne((theirs) => ({ ...zone(theirs), ids: [theirs.zoneId], token: 't' })),
  'live.events': ownerOf(),
  'me.changePassword': ownerOf(),
  'me.endOtherSessions': ownerOf(),
  'me.endSession': ownerOf(),
  'me.get': ownerOf(),
  'me.sessions': ownerOf(),
  'me.update': ownerOf(),
  'operations.bulkCreate': ownerOfOne((theirs) => ({ ...creation(theirs), preview: true })),
  'operations.bulkDelete': ownerOfOne(({ zoneId }) => ({ ids: [zoneId] })),
  'operations.bulkDns': ownerOfOne(({ zoneId }) => ({ ids: [zoneId], delete: { type: 'A' } })),
  'operations.bulkIp': ownerOfOne(({ zoneId }) => ({ ids: [zoneId], ipAddress: '192.0.2.9' })),
  'operations.bulkSettings': ownerOfOne(({ zoneId }) => ({ ids: [zoneId], settings: { ssl: 'off' } })),
  'operations.cancel': ownerOfOne(operation),
  'operations.discard': ownerOfOne(operation),
  'operations.items': ownerOfOne(operation),
  'operations.list': ownerOf(({ userId }) => ({ ownerId: userId })),
  'operations.pause': ownerOfOne(operation),
  'operations.preview': ownerOfOne(({ zoneId }) => ({
    request: { kind: 'settings', input: { settings: { ssl: 'off' } } },
    target: { ids: [zoneId] },
  })),
  'operations.previewCreate': ownerOfOne(creation),
  'operations.previewUndo': ownerOfOne(operation),
  'operations.refreshAll': ownerOf(() => ({ preview: true })),
  'operations.resume': ownerOfOne(operation),
  'operations.retryFailed': ownerOfOne(operation),
  'operations.start': ownerOfOne(operation),
  'profiles.create': ownerOf(),
  'profiles.differing': ownerOfOne(profile),
  'profiles.domainIds': ownerOfOne(profile),
  'profiles.domains': ownerOfOne(profile),
  'profiles.duplicate': ownerOfOne(profile),
  'profiles.forget': ownerOfOne(zone),
  'profiles.get': ownerOfOne(profile),
  'profiles.list': ownerOf(),
  'profiles.ofDomain': ownerOfOne(zone),
  'profiles.remove': ownerOfOne(profile),
  'profiles.setDefault': ownerOfOne((theirs) => ({ ...profile(theirs), isDefault: true })),
  'profiles.update': ownerOfOne((theirs) => ({ ...profile(theirs), name: 'taken over' })),
  'records.change': ownerOfOne((theirs) => ({ ...zone(theirs), deletes: ['r'] })),
  'records.changeIp': ownerOfOne((theirs) => ({ ...zone(theirs), ipAddress: '192.0.2.9' })),
  'records.create': ownerOfOne((theirs) => ({ ...zone(theirs), type: 'A', name: 'www', content: '192.0.2.9' })),
  'records.exportFile': ownerOfOne(zone),
  'records.importFile': ownerOfOne((theirs) => ({ ...zone(theirs), text: 'www A 192.0.2.9', token: 't' })),
  'records.list': ownerOfOne(zone),
  'records.previewImport': ownerOfOne((theirs) => ({ ...zone(theirs), text: 'www A 192.0.2.9' })),
  'records.refresh': ownerOfOne(zone),
  'records.refreshIp': ownerOfOne(zone),
  'records.remove': ownerOfOne((theirs) => ({ ...zone(theirs), recordId: 'r' })),
  'records.update': ownerOfOne((theirs) => ({ ...zone(theirs), recordId: 'r', content: '192.0.2.9' })),
  'settings.get': { who: 'admin' },
  'settings.system': ownerOf(),
  'settings.update': { who: 'admin' },
  'users.create': { who: 'admin' },
  'users.deletionPreview': { who: 'admin' },
  'users.get': { who: 'admin' },
  'users.list': { who: 'admin' },
  'users.remove': { who: 'admin' },
  'users.removeMany': { who: 'admin' },
  'users.signOut': { who: 'admin' },
  'users.update': { who: 'admin' },
  'zoneCreation.create': ownerOfOne(({ accountId }) => ({ domainName: 'new.com', accountId, ipAddress: '192.0.2.9' })),
  'zoneCreation.standings': ownerOf(),
  'zoneSettings.batch': { who: 'owner', of: ({ zoneId }) => ({ zoneIds: [zoneId] }), answers: 'each_not_found' },
  'zoneSettings.nameServers': ownerOfOne(zone),
  'zoneSettings.pause': ownerOfOne((theirs) => ({ ...zone(theirs), paused: true })),
  'zoneSettings.purgeCache': ownerOfOne((theirs) => ({ ...zone(theirs), purgeEverything: true })),
  'zoneSettings.refresh': ownerOfOne(zone),
  'zoneSettings.remove': ownerOfOne(zone),
  'zoneSettings.setDevelopmentMode': ownerOfOne((theirs) => ({ ...zone(theirs), enabled: true })),
  'zoneSettings.setGroup': ownerOfOne((theirs) => ({ ...zone(theirs), groupId: null })),
  'zoneSettings.setUniversal': ownerOfOne((theirs) => ({ ...zone(theirs), enabled: false })),
  'zoneSettings.ssl': ownerOfOne(zone),
  'zoneSettings.traffic': ownerOfOne(zone),
  'zoneSettings.update': ownerOfOne((theirs) => ({ ...zone(theirs), ssl: 'off' })),
}

const unknownZone = (zoneId: string) => ({ zoneId, error: { code: 'not_found', message: 'Not found' } })

/** Whoever gets as far as asking the provider has passed what is tested here. */
const dnsHost: DnsHost = {
  connect: () => {
    throw new AppError('provider_unavailable')
  },
  readBudgets: () => Promise.reject(new AppError('provider_unavailable')),
  close: () => Promise.resolve(),
}

let t: TestApp
beforeAll(async () => {
  t = await createTestApp({ dnsHost })
})
afterAll(() => t.close())

const callTrpc = (path: string, type: string, headers: Record<string, string> = {}, input: object = {}) =>
  type === 'mutation'
    ? t.app.inject({ method: 'POST', url: `/trpc/${path}`, headers, payload: input })
    : t.app.inject({ url: `/trpc/${path}?input=${encodeURIComponent(JSON.stringify(input))}`, headers })

test('R-PRM-02 every procedure of the live router has its line here', () => {
  expect(
    listProcedures()
      .map((procedure) => procedure.path)
      .toSorted(),
  ).toEqual(Object.keys(expectations))
})

test.each(listProcedures())('R-PRM-02 $path asks who it is', async ({ path, type }) => {
  const answer = await callTrpc(path, type)
  if (expectations[path]?.who === 'public') expect(answer.statusCode).not.toBe(401)
  // A subscription's refusal is its first event; the stream itself has begun.
  else if (type === 'subscription') expect(answer.body).toContain('"code":"unauthorized"')
  else expect(answer.statusCode).toBe(401)
})

test('R-PRM-01 what is for administrators refuses others', async () => {
  const { headers } = await signIn(t.services)
  for (const { path, type } of listProcedures().filter(({ path }) => expectations[path]?.who === 'admin')) {
    expect([path, (await callTrpc(path, type, headers)).statusCode]).toEqual([path, 403])
  }
})

test.each(listRestRoutes())('R-PRM-02 $method $url asks who it is, like the procedure behind it', async ({ method, url, path }) => {
  const answer = await t.app.inject({ method, url: url.replaceAll(/:\w+/g, '01a1fcdd-50f5-7bb3-90c9-934147e5e7fb') })
  if (expectations[path]?.who === 'public') expect(answer.statusCode).not.toBe(401)
  else expect(answer.statusCode).toBe(401)
})

test.each(['Bearer', 'Bearer x', 'Basic YTpi', 'bearer null', `Bearer ${'x'.repeat(600)}`])(
  'a header that is no session (%s) is nobody',
  async (authorization) => {
    const answer = await t.app.inject({ url: '/api/auth/me', headers: { authorization } })
    expect(answer.statusCode).toBe(401)
  },
)

describe('R-PRM-02 two people', () => {
  let ann: SignedIn
  let bob: SignedIn
  let theirs: Theirs
  const secrets = ['canary-key', 'canary-password', 'canary@owned.example']

  beforeAll(async () => {
    ann = await signIn(t.services)
    bob = await signIn(t.services)
    const owned = await insertAccount(
      t.services.db,
      { ownerId: ann.user.id, email: 'canary@owned.example' },
      { secrets: t.services.secrets, apiKey: 'canary-key', password: 'canary-password' },
    )
    const owner = { ownerId: ann.user.id, accountId: owned.id }
    const { id, name } = await insertZone(t.services.db, { ...owner, name: 'canary-owned.example' })
    const made = await ann.call.profiles.create({ name: 'canary-owned', settings: { ssl: 'off' }, records: [] })
    const settings = { kind: 'settings', input: { settings: { ssl: 'off' } } } as const
    const { operation } = await ann.call.operations.preview({ request: settings, target: { ids: [id] } })
    const { id: groupId } = await insertGroup(t.services.db, { ownerId: ann.user.id })
    theirs = {
      userId: ann.user.id,
      accountId: owned.id,
      zoneId: id,
      zoneName: name,
      operationId: operation.id,
      profileId: made.profile.id,
      groupId,
    }
  })

  /** Everything of Ann's that somebody could have touched. */
  const annsRows = async () =>
    Promise.all(
      ['accounts', 'groups', 'operations', 'profiles', 'zones'].map(
        (table) => t.services.db.sql`select * from ${t.services.db.sql(table)} where owner_id = ${ann.user.id}`,
      ),
    )

  const reaching = listProcedures().flatMap(({ path, type }) => {
    const expectation = expectations[path]
    return expectation === undefined || expectation.who === 'public' || expectation.of === undefined
      ? []
      : [{ path, type, of: expectation.of, answers: expectation.answers }]
  })

  test.each(reaching)('$path neither shows nor touches what is somebody else’s', async ({ path, type, of, answers }) => {
    const before = await annsRows()
    const answer = await callTrpc(path, type, bob.headers, of(theirs))
    if (answers === 'not_found') expect([answer.statusCode, answer.body]).toEqual([404, expect.stringContaining('not_found')])
    else expect([200, 404]).toContain(answer.statusCode)
    if (answers === 'each_not_found') expect(answer.json()).toEqual({ result: { data: { results: [unknownZone(theirs.zoneId)] } } })
    else expect(answer.body).not.toContain(theirs.zoneId)
    for (const text of [theirs.userId, theirs.accountId, ...secrets]) expect(answer.body).not.toContain(text)
    expect(await annsRows()).toEqual(before)
  })

  test('the same calls are good ones: their owner is answered', async () => {
    for (const { path, type, of } of reaching.filter(({ type }) => type === 'query')) {
      const { statusCode, body } = await callTrpc(path, type, ann.headers, of(theirs))
      expect([path, statusCode, body]).toEqual([path, body.includes('provider_unavailable') ? 502 : 200, body])
    }
  })

  test('R-PRM-04 no query shows a secret, not even to its owner or an administrator', async () => {
    const admin = await signIn(t.services, { role: 'admin' })
    for (const { headers } of [ann, admin]) {
      for (const { path, type, of } of reaching.filter(({ type }) => type === 'query')) {
        const { body } = await callTrpc(path, type, headers, of(theirs))
        expect(body).not.toContain('canary-key')
        expect(body).not.toContain('canary-password')
        expect(body).not.toMatch(/Sealed|passwordHash/)
      }
    }
  })
})
