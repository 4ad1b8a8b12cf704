import { afterAll, beforeAll, expect, test } from 'vitest'
import type { HostedChange } from '#server/ports/dns-host.ts'
import { signIn } from '#server/testing/app.ts'
import type { SignedIn } from '#server/testing/app.ts'
import { insertAccount, insertZone } from '#server/testing/factories.ts'
import { createTestServices } from '#server/testing/services.ts'
import type { TestServices } from '#server/testing/services.ts'
import type { ProviderZoneId } from '#shared/ids.ts'
import { changesKeptDays, forgetOldChanges } from './forget-old-changes.ts'
import { storeChanges } from './store-changes.repo.ts'

const hour = 3_600_000
const startMs = Date.UTC(2026, 10, 20)
const providerZoneId = 'a'.repeat(32) as ProviderZoneId

const change = (n: number, given: Partial<HostedChange> = {}): HostedChange => ({
  changeId: `change-${n}`,
  changedAt: new Date(startMs + n * hour),
  kind: 'records',
  action: 'update',
  actor: { type: 'user', email: 'colleague@example.com', tokenId: null, tokenName: null, via: 'dash', address: '198.51.100.7' },
  isOwn: false,
  product: 'dns_records',
  subject: 'www.shop.example',
  zone: { providerZoneId, name: 'shop.example' },
  ...given,
})

let test_: TestServices
let ann: SignedIn
let bob: SignedIn
let carl: SignedIn
let accountId: string
let otherId: string
let domainId: string

beforeAll(async () => {
  test_ = await createTestServices()
  const { services } = test_
  ;[ann, bob, carl] = await Promise.all([signIn(services), signIn(services), signIn(services)])
  const ownerId = ann.user.id
  accountId = (await insertAccount(services.db, { ownerId, email: 'shop@example.com' })).id
  otherId = (await insertAccount(services.db, { ownerId, name: 'Other' })).id
  domainId = (await insertZone(services.db, { ownerId, accountId, name: 'shop.example', providerZoneId })).id
  await storeChanges(services.db.orm, { id: accountId, ownerId }, [
    change(1),
    change(2, { isOwn: true, actor: { ...change(2).actor, email: 'shop@example.com', via: 'api_key' } }),
    change(3, { kind: 'settings', product: 'settings', subject: 'ssl' }),
    change(4, { kind: 'account', zone: null, actor: { ...change(4).actor, email: null, tokenName: 'deploy' } }),
  ])
  await storeChanges(services.db.orm, { id: otherId, ownerId }, [
    change(5, { zone: { providerZoneId: 'b'.repeat(32), name: 'gone.example' } }),
  ])
  await services.db.sql`
    insert into shares (owner_id, account_id, grantee_id, level) values (${ownerId}, ${accountId}, ${bob.user.id}, 'view')`
})
afterAll(() => test_.close())

const hours = (listed: { readonly changes: readonly { readonly at: string }[] }) =>
  listed.changes.map(({ at }) => (Date.parse(at) - startMs) / hour)

test('changes at the provider are listed with who, what, where and when, newest first', async () => {
  const listed = await ann.call.providerChanges.list({})
  expect(hours(listed)).toEqual([5, 4, 3, 2, 1])
  expect(listed.changes[4]).toMatchObject({
    account: { id: accountId, name: 'shop@example.com' },
    domain: { id: domainId, name: 'shop.example' },
    kind: 'records',
    action: 'update',
    actor: { name: 'colleague@example.com', via: 'dash', tokenName: null, address: '198.51.100.7' },
    product: 'dns_records',
    subject: 'www.shop.example',
    isOwn: false,
  })
  expect(listed.changes[0]).toMatchObject({ account: { name: 'Other' }, domain: { id: null, name: 'gone.example' } })
  expect(listed.changes[1]).toMatchObject({ domain: null, actor: { name: 'deploy', tokenName: 'deploy' } })
})

test('every filter selects exactly its changes', async () => {
  const list = async (filter: Parameters<SignedIn['call']['providerChanges']['list']>[0]) =>
    hours(await ann.call.providerChanges.list(filter))
  expect(await list({ accountId })).toEqual([4, 3, 2, 1])
  expect(await list({ domainId })).toEqual([3, 2, 1])
  expect(await list({ kind: 'settings' })).toEqual([3])
  expect(await list({ actor: 'deploy' })).toEqual([4])
  expect(await list({ outside: true })).toEqual([5, 4, 3, 1])
  const at = (n: number) => new Date(startMs + n * hour).toISOString()
  expect(await list({ since: at(2), before: at(4) })).toEqual([3, 2])
  expect(await list({ domainId, outside: true, kind: 'records' })).toEqual([1])
})

test('pages follow each other without gaps, also while changes arrive', async () => {
  const first = await ann.call.providerChanges.list({ limit: 2 })
  await storeChanges(test_.services.db.orm, { id: accountId, ownerId: ann.user.id }, [change(9), change(9)])
  const second = await ann.call.providerChanges.list({ limit: 2, ...(first.nextCursor === null ? {} : { cursor: first.nextCursor }) })
  const third = await ann.call.providerChanges.list({ limit: 2, ...(second.nextCursor === null ? {} : { cursor: second.nextCursor }) })
  expect([first, second, third].flatMap(hours)).toEqual([5, 4, 3, 2, 1])
  expect(third.nextCursor).toBeNull()
  await test_.services.db.sql`delete from provider_changes where change_id = 'change-9'`
  await expect(ann.call.providerChanges.list({ cursor: 'x' })).rejects.toMatchObject({ cause: { code: 'validation_failed' } })
})

test('changes of other people are invisible; whom the account is shared with sees them without addresses', async () => {
  expect((await carl.call.providerChanges.list({})).changes).toEqual([])
  for (const filter of [{ accountId }, { domainId }]) {
    await expect(carl.call.providerChanges.list(filter)).rejects.toMatchObject({ cause: { code: 'not_found' } })
  }
  const shared = await bob.call.providerChanges.list({})
  expect(hours(shared)).toEqual([4, 3, 2, 1])
  expect(new Set(shared.changes.map(({ actor }) => actor.address))).toEqual(new Set([null]))
  expect(hours(await bob.call.providerChanges.list({ domainId }))).toEqual([3, 2, 1])
  await expect(bob.call.providerChanges.list({ accountId: otherId })).rejects.toMatchObject({ cause: { code: 'not_found' } })
})

test('changes older than the retention period are deleted, the others stay', async () => {
  const old = new Date(Date.now() - (changesKeptDays + 1) * 24 * hour)
  const recent = new Date(Date.now() - (changesKeptDays - 1) * 24 * hour)
  await storeChanges(test_.services.db.orm, { id: otherId, ownerId: ann.user.id }, [
    change(20, { changedAt: old }),
    change(21, { changedAt: recent }),
  ])
  await forgetOldChanges(test_.services, new AbortController().signal)
  const rows = await test_.services.db.sql<
    { changeId: string }[]
  >`select change_id from provider_changes where change_id in ('change-20', 'change-21')`
  expect(rows.map(({ changeId }) => changeId)).toEqual(['change-21'])
})
