import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { followAccounts } from '#server/features/monitoring/incidents/account-incidents.ts'
import type { HostedChange } from '#server/ports/dns-host.ts'
import { signIn } from '#server/testing/app.ts'
import type { SignedIn } from '#server/testing/app.ts'
import { insertAccount, insertGroup, insertRecord, insertZone } from '#server/testing/factories.ts'
import { createTestServices } from '#server/testing/services.ts'
import type { TestServices } from '#server/testing/services.ts'
import { mostCounted, mostEntries } from '#shared/features/provider-changes/names.ts'
import type { ProviderZoneId } from '#shared/ids.ts'
import { insertRule, lockRules } from './allowed-changes.repo.ts'
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
  critical: null,
  deletions: 0,
  unproxied: [],
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
    domain: { id: domainId, name: 'shop.example', displayName: 'shop.example' },
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
  expect([await list({ domainId, accountId }), await list({ domainId, accountId: otherId })]).toEqual([[3, 2, 1], []])
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

test('authors are listed once each, by name, of changes that the person may see', async () => {
  const of = async ({ call }: SignedIn) => (await call.providerChanges.actors()).actors
  await storeChanges(test_.services.db.orm, { id: otherId, ownerId: ann.user.id }, [
    change(10, { actor: { ...change(10).actor, email: 'another@example.com' } }),
  ])
  expect(await of(ann)).toEqual(['another@example.com', 'colleague@example.com', 'deploy', 'shop@example.com'])
  expect(await of(bob)).toEqual(['colleague@example.com', 'deploy', 'shop@example.com'])
  expect(await of(carl)).toEqual([])
  expect(await of(await signIn(test_.services, { role: 'admin' }))).toEqual([
    'another@example.com',
    'colleague@example.com',
    'deploy',
    'shop@example.com',
  ])
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

/** An account with one domain. */
async function stage(email: string) {
  const { db } = test_.services
  const ownerId = ann.user.id
  const account = await insertAccount(db, { ownerId, email })
  const zone = await insertZone(db, { ownerId, accountId: account.id, name: `${email.split('@')[0]}.example`, providerZoneId: randomId() })
  const of = { id: account.id, ownerId }
  return {
    ...of,
    email,
    domainId: zone.id,
    at: { providerZoneId: zone.providerZoneId, name: zone.name },
    store: (...changes: HostedChange[]) => storeChanges(db.orm, of, changes),
    critical: async () => {
      const { changes } = await ann.call.providerChanges.list({ accountId: account.id, critical: true })
      return new Map(changes.map(({ subject, critical }) => [subject, critical]))
    },
  }
}
const randomId = () => randomBytes(16).toString('hex') as ProviderZoneId

test('a record that others no longer proxy is critical only if it was proxied, also if the panel has read the change already', async () => {
  const s = await stage('proxied@example.com')
  const { db } = test_.services
  const known = (recordId: string, proxied: boolean) => insertRecord(db, { domainId: s.domainId, recordId, proxied })
  await Promise.all([known('was', true), known('never', false), known('read', false), known('back', true)])
  const history = (key: string, proxied: boolean, at: number) => db.sql`
    insert into zone_changes (zone_id, at, source, subject, key, label, before, after)
    values (${s.domainId}, ${new Date(startMs + at * hour).toISOString()}, 'outside', 'record', ${key}, 'A', ${JSON.stringify({ proxied })}::text::jsonb, '{}')`
  await history('read', true, 2)
  // Its next change after this one was from not proxied to proxied.
  await history('back', false, 2)
  const off = (id: string, given: Partial<HostedChange> = {}) =>
    change(1, { changeId: `off-${id}`, zone: s.at, subject: id, unproxied: [id], ...given })
  await s.store(
    ...['was', 'never', 'read', 'back', 'unknown'].map((id) => off(id)),
    off('was', { changeId: 'own', subject: 'own', isOwn: true }),
    off('batch', { unproxied: ['never', 'was'] }),
    off('elsewhere', { unproxied: ['was'], zone: { providerZoneId: randomId(), name: 'x.example' } }),
  )
  expect(await s.critical()).toEqual(new Map(['was', 'read', 'batch'].map((id) => [id, 'proxied_off'])))
})

test('many deletions of records by one person within minutes are critical, those of several or over hours are not', async () => {
  const s = await stage('deleted@example.com')
  const minute = hour / 60
  const deletion = (n: number, by: string, everyMs: number, given: Partial<HostedChange> = {}) =>
    change(0, {
      changeId: `${by}-${n}`,
      changedAt: new Date(startMs + n * everyMs),
      action: 'delete',
      deletions: 1,
      subject: by,
      zone: s.at,
      actor: { ...change(0).actor, email: by },
      ...given,
    })
  const times = (count: number, of: (n: number) => HostedChange) => Array.from({ length: count }, (_, n) => of(n))
  await s.store(...times(40, (n) => deletion(n, 'slow@example.com', minute)))
  await s.store(...times(19, (n) => deletion(n, 'few@example.com', 1_000)))
  await s.store(...times(40, (n) => deletion(n, 'panel@example.com', 1_000, { isOwn: true })))
  // In two readings.
  await s.store(...times(15, (n) => deletion(n, 'many@example.com', 1_000)))
  expect(await s.critical()).toEqual(new Map())
  await s.store(...times(30, (n) => deletion(n, 'many@example.com', 1_000)))
  await s.store(deletion(0, 'batch@example.com', 1_000, { action: 'create', deletions: 12 }))
  await s.store(deletion(1, 'batch@example.com', 1_000, { action: 'create', deletions: 12 }))
  expect(await s.critical()).toEqual(
    new Map([
      ['many@example.com', 'mass_deletion'],
      ['batch@example.com', 'mass_deletion'],
    ]),
  )
  // The first ones too.
  const { changes } = await ann.call.providerChanges.list({ accountId: s.id, critical: true, limit: 200 })
  expect(changes).toHaveLength(30 + 2)
  // What was reviewed does not make the next one critical.
  await ann.call.providerChanges.review({ ids: changes.map(({ id }) => id) })
  await s.store(deletion(31, 'many@example.com', 1_000))
  expect((await ann.call.providerChanges.list({ accountId: s.id, critical: true, unreviewed: true })).changes).toEqual([])
})

test('what was reviewed leaves the list of open changes, and what arrives later is in it', async () => {
  const s = await stage('reviewed@example.com')
  const open = async () => (await ann.call.providerChanges.list({ accountId: s.id, unreviewed: true })).changes
  const made = (id: string, given: Partial<HostedChange> = {}) => change(1, { changeId: id, subject: id, zone: s.at, ...given })
  await s.store(made('one'), made('two'), made('three'), made('own', { isOwn: true }))
  const [first, ...others] = await open()
  expect(new Set([first, ...others].map((each) => each?.subject))).toEqual(new Set(['one', 'two', 'three']))
  const ids = [first?.id ?? '']
  expect(await ann.call.providerChanges.review({ ids })).toEqual({ reviewed: 1 })
  expect(await ann.call.providerChanges.review({ ids })).toEqual({ reviewed: 0 })
  expect(await open()).toHaveLength(2)
  const { readUntil } = await ann.call.providerChanges.list({ accountId: s.id })
  await s.store(made('late'))
  await test_.services.db
    .sql`update provider_changes set read_at = read_at + interval '1 minute' where account_id = ${s.id} and subject = 'late'`
  expect(await ann.call.providerChanges.review({ accountId: s.id, readUntil })).toEqual({ reviewed: 2 })
  expect((await open()).map(({ subject }) => subject)).toEqual(['late'])
  const all = await ann.call.providerChanges.list({ accountId: s.id })
  const left = all.changes.filter(({ reviewedAt }) => reviewedAt === null)
  expect(new Set(left.map(({ subject }) => subject))).toEqual(new Set(['late', 'own']))
  const log = await test_.services.db.sql`
    select details from activity where entity_id = ${s.id} and details ? 'reviewed' order by id`
  expect(log.map(({ details }) => details as unknown)).toEqual([{ reviewed: 1 }, { reviewed: 2 }])
})

test('nobody reviews the changes of other people, and whom an account is shared with needs the level for it', async () => {
  const { db } = test_.services
  const s = await stage('shared@example.com')
  await s.store(change(1, { changeId: 'shared', zone: s.at }))
  const [only] = (await ann.call.providerChanges.list({ accountId: s.id })).changes
  const ids = [only?.id ?? '']
  const readUntil = '2099-01-01T00:00:00.000Z'
  const refused = (code: string) => ({ cause: { code } })
  await expect(carl.call.providerChanges.review({ ids })).rejects.toMatchObject(refused('not_found'))
  await expect(carl.call.providerChanges.review({ accountId: s.id, readUntil })).rejects.toMatchObject(refused('not_found'))
  expect(await carl.call.providerChanges.review({ readUntil })).toEqual({ reviewed: 0 })
  const share = (level: string) => db.sql`
    insert into shares (owner_id, account_id, grantee_id, level) values (${ann.user.id}, ${s.id}, ${carl.user.id}, ${level})
    on conflict do nothing`
  await share('view')
  await expect(carl.call.providerChanges.review({ ids })).rejects.toMatchObject(refused('level_too_low'))
  await expect(carl.call.providerChanges.review({ accountId: s.id, readUntil })).rejects.toMatchObject(refused('level_too_low'))
  expect(await carl.call.providerChanges.review({ readUntil })).toEqual({ reviewed: 0 })
  await db.sql`update shares set level = 'operate' where account_id = ${s.id} and grantee_id = ${carl.user.id}`
  expect(await carl.call.providerChanges.review({ readUntil })).toEqual({ reviewed: 1 })
  await expect(ann.call.providerChanges.review({})).rejects.toThrow('changes_target')
  await expect(ann.call.providerChanges.review({ ids, readUntil })).rejects.toThrow('changes_target')
})

test('critical changes are one incident of the account, reported again when they go on, until all are reviewed', async () => {
  const { services } = test_
  const s = await stage('critical@example.com')
  await services.db.sql`update accounts set created_at = now() - interval '30 days' where id = ${s.id}`
  await services.db.sql`insert into monitor_settings (owner_id, options, notices, enabled) values (${ann.user.id}, '{}', '{}', true)`
  const now = Date.now()
  const made = (id: string, given: Partial<HostedChange>) =>
    change(0, { changeId: id, changedAt: new Date(now - 60_000), zone: s.at, ...given })
  const incidents = async () => {
    await followAccounts(services)
    const rows = await services.db.sql<{ reasons: { params: unknown }[]; taken: boolean; closed: boolean; quiet: boolean }[]>`
      select reasons, open_taken_at is not null as taken, closed_at is not null as closed, close_taken_at is not null as quiet
      from incidents where account_id = ${s.id} and cause = 'code:changed_outside' order by id`
    return rows.map(({ reasons, ...row }) => ({ ...row, reasons: reasons.map(({ params }) => params) }))
  }
  const report = () => services.db.sql`update incidents set open_taken_at = now() where account_id = ${s.id}`
  await s.store(made('own', { critical: 'zone_removed', isOwn: true }), made('harmless', {}))
  await s.store(made('old', { critical: 'zone_removed', changedAt: new Date(now - 8 * 24 * hour) }))
  expect(await incidents()).toEqual([])
  // What was changed before the account was added to the panel.
  const later = await stage('later@example.com')
  await later.store(made('before', { critical: 'zone_removed', zone: later.at }))
  await followAccounts(services)
  expect(await services.db.sql`select from incidents where account_id = ${later.id}`).toEqual([])

  await s.store(made('removed', { critical: 'zone_removed' }))
  const removed = { kind: 'zone_removed', actor: 'colleague@example.com', changes: 1, names: s.at.name }
  const open = { taken: false, closed: false, quiet: false }
  expect(await incidents()).toEqual([{ ...open, reasons: [removed] }])
  // Its domains stay watched: muting them would not hold it back.
  const [incident] = await services.db.sql<{ id: string }[]>`select id from incidents where account_id = ${s.id}`
  expect(await ann.call.alerts.mute({ id: incident?.id ?? '', minutes: 5 })).toMatchObject({ incident: { muted: 0 } })
  await report()
  // More of the same within the hour is not reported again.
  await s.store(made('removed-2', { critical: 'zone_removed' }))
  const more = { ...removed, changes: 2 }
  expect(await incidents()).toEqual([{ ...open, taken: true, reasons: [removed] }])
  await s.store(
    made('token', { critical: 'token_created', zone: null, subject: 'deploy', actor: { ...change(0).actor, email: 'new@example.com' } }),
  )
  const token = { kind: 'token_created', actor: 'new@example.com', changes: 1, names: 'deploy' }
  expect(await incidents()).toEqual([{ ...open, reasons: [more, token] }])
  await services.db.sql`update incidents set open_taken_at = now() - interval '61 minutes' where account_id = ${s.id}`
  await s.store(made('removed-3', { critical: 'zone_removed' }))
  const third = { ...removed, changes: 3 }
  expect(await incidents()).toEqual([{ ...open, reasons: [third, token] }])
  await report()

  const critical = (await ann.call.providerChanges.list({ accountId: s.id, critical: true, unreviewed: true })).changes
  await ann.call.providerChanges.review({ ids: critical.filter((each) => each.critical === 'token_created').map(({ id }) => id) })
  expect(await incidents()).toEqual([{ ...open, taken: true, reasons: [third] }])
  await ann.call.providerChanges.review({ ids: critical.map(({ id }) => id) })
  expect(await incidents()).toEqual([{ taken: true, closed: true, quiet: true, reasons: [third] }])
})

test('what a rule allows needs no review and opens no incident, before and after it, until the rule is deleted', async () => {
  const { services } = test_
  const s = await stage('allowed@example.com')
  await services.db.sql`update accounts set created_at = now() - interval '30 days' where id = ${s.id}`
  const by = (email: string) => ({ ...change(0).actor, email })
  const made = (id: string, given: Partial<HostedChange> = {}) =>
    change(0, { changeId: id, changedAt: new Date(Date.now() - 60_000), subject: id, zone: s.at, actor: by('ci@example.com'), ...given })
  const open = async () => {
    const { changes } = await ann.call.providerChanges.list({ accountId: s.id, unreviewed: true })
    return changes.map(({ subject }) => subject ?? '').toSorted()
  }
  const isReported = async () => {
    await followAccounts(services)
    const rows = await services.db.sql`select from incidents where account_id = ${s.id} and closed_at is null`
    return rows.length > 0
  }
  await s.store(
    made('records'),
    made('critical', { critical: 'name_servers' }),
    made('settings', { kind: 'settings' }),
    made('by another', { actor: by('another@example.com') }),
    made('own', { isOwn: true }),
  )
  expect(await isReported()).toBe(true)
  const rule = { actor: 'ci@example.com', kind: 'records', accountId: s.id } as const
  expect(await ann.call.providerChanges.countAllowed(rule)).toEqual({ changes: 2 })
  const { allowedChange, reviewed } = await ann.call.providerChanges.allow({ ...rule, reason: 'Deployments' })
  expect(reviewed).toBe(2)
  expect(allowedChange).toMatchObject({ ...rule, groupId: null, accountName: s.email, reason: 'Deployments', ownerId: ann.user.id })
  expect(await open()).toEqual(['by another', 'settings'])
  expect(await isReported()).toBe(false)

  // Deletions that are allowed are no mass deletion.
  const deletions = Array.from({ length: 30 }, (_, n) => made(`deleted-${n}`, { action: 'delete', deletions: 1 }))
  await s.store(made('later', { critical: 'dnssec_off' }), made('by another later', { actor: by('another@example.com') }), ...deletions)
  expect(await open()).toEqual(['by another', 'by another later', 'settings'])
  expect(await isReported()).toBe(false)
  const { changes } = await ann.call.providerChanges.list({ accountId: s.id, critical: true })
  const later = changes.find(({ subject }) => subject === 'later')
  expect([later?.isAllowed, later?.reviewedAt === null]).toEqual([true, false])
  expect(changes.filter(({ critical }) => critical === 'mass_deletion')).toEqual([])
  const own = (await ann.call.providerChanges.list({ accountId: s.id })).changes.find(({ subject }) => subject === 'own')
  expect([own?.isAllowed, own?.reviewedAt]).toEqual([false, null])

  await ann.call.providerChanges.disallow({ id: allowedChange.id })
  await s.store(made('after'))
  expect(await open()).toEqual(['after', 'by another', 'by another later', 'settings'])
})

test('a rule is limited to its kind, account and group, and one for everything covers all accounts of its owner only', async () => {
  const { db } = test_.services
  const [s, elsewhere] = [await stage('scope@example.com'), await stage('elsewhere@example.com')]
  const group = await insertGroup(db, { ownerId: ann.user.id })
  await db.sql`update zones set group_id = ${group.id} where id = ${s.domainId}`
  const actor = 'scoped@example.com'
  const by = { actor: { ...change(0).actor, email: actor } }
  let stored = 0
  const storeAll = async () => {
    stored += 1
    await s.store(change(1, { changeId: `records-${stored}`, subject: 'records', zone: s.at, ...by }))
    await s.store(change(1, { changeId: `rules-${stored}`, subject: 'rules', kind: 'rules', zone: s.at, ...by }))
    await s.store(change(1, { changeId: `account-${stored}`, subject: 'account', kind: 'account', zone: null, ...by }))
    await elsewhere.store(change(1, { changeId: `elsewhere-${stored}`, subject: 'elsewhere', zone: elsewhere.at, ...by }))
  }
  const allowed = async (rule: Omit<Parameters<SignedIn['call']['providerChanges']['allow']>[0], 'actor'>) => {
    await db.sql`delete from provider_changes where actor = ${actor}`
    await storeAll()
    const { changes: matching } = await ann.call.providerChanges.countAllowed({ actor, ...rule })
    const { allowedChange, reviewed } = await ann.call.providerChanges.allow({ actor, ...rule })
    await storeAll()
    const { changes } = await ann.call.providerChanges.list({ actor })
    await ann.call.providerChanges.disallow({ id: allowedChange.id })
    const subjects = changes.filter(({ isAllowed }) => isAllowed).map(({ subject }) => subject ?? '')
    expect([reviewed, subjects.length]).toEqual([matching, matching * 2])
    return [...new Set(subjects)].toSorted()
  }
  expect(await allowed({})).toEqual(['account', 'elsewhere', 'records', 'rules'])
  expect(await allowed({ kind: 'records' })).toEqual(['elsewhere', 'records'])
  expect(await allowed({ accountId: s.id })).toEqual(['account', 'records', 'rules'])
  expect(await allowed({ groupId: group.id })).toEqual(['records', 'rules'])
  expect(await allowed({ groupId: group.id, kind: 'rules' })).toEqual(['rules'])
  // Of another owner.
  const { allowedChange } = await carl.call.providerChanges.allow({ actor })
  await storeAll()
  const { changes } = await ann.call.providerChanges.list({ actor, unreviewed: true })
  expect(changes).toHaveLength(10)
  await carl.call.providerChanges.disallow({ id: allowedChange.id })
  await expect(ann.call.providerChanges.allow({ actor, accountId: s.id, groupId: group.id })).rejects.toThrow('allowed_target')
  // Changes without a known author have nobody in common.
  await expect(ann.call.providerChanges.allow({ actor: 'unknown', accountId: s.id })).rejects.toThrow('unknown_author')
})

test('only who manages an account or a group creates, sees and deletes its rules', async () => {
  const { db } = test_.services
  const s = await stage('managed@example.com')
  const group = await insertGroup(db, { ownerId: ann.user.id })
  const dora = await signIn(test_.services)
  const refused = (code: string) => ({ cause: { code } })
  const targets = [{ accountId: s.id }, { groupId: group.id }]
  const actor = 'ci@example.com'
  const { allowedChange } = await ann.call.providerChanges.allow({ actor, accountId: s.id })
  const attempts = (target: (typeof targets)[number]) => [
    () => dora.call.providerChanges.allow({ actor, ...target }),
    () => dora.call.providerChanges.countAllowed({ actor, ...target }),
    () => dora.call.providerChanges.disallow({ id: allowedChange.id }),
  ]
  for (const target of targets) for (const attempt of attempts(target)) await expect(attempt()).rejects.toMatchObject(refused('not_found'))
  const share = { owner_id: ann.user.id, grantee_id: dora.user.id, level: 'operate' }
  await db.sql`insert into shares ${db.sql([
    { ...share, account_id: s.id, group_id: null },
    { ...share, account_id: null, group_id: group.id },
  ])}`
  for (const target of targets)
    for (const attempt of attempts(target)) await expect(attempt()).rejects.toMatchObject(refused('level_too_low'))
  expect(await dora.call.providerChanges.listAllowed()).toEqual({ allowedChanges: [] })
  await db.sql`update shares set level = 'manage' where grantee_id = ${dora.user.id}`
  const ofGroup = await dora.call.providerChanges.allow({ actor, groupId: group.id, reason: 'By CI' })
  const ids = async ({ call }: SignedIn) => (await call.providerChanges.listAllowed()).allowedChanges.map(({ id }) => id)
  expect(await ids(dora)).toEqual([ofGroup.allowedChange.id, allowedChange.id])
  const seen = (await ann.call.providerChanges.listAllowed()).allowedChanges[0]
  expect(seen).toMatchObject({ groupName: group.name, reason: 'By CI', createdBy: ofGroup.allowedChange.createdBy })
  expect(seen?.createdBy).toContain(dora.user.username)
  await dora.call.providerChanges.disallow({ id: allowedChange.id })
  await db.sql`delete from groups where id = ${group.id}`
  expect(await ids(dora)).toEqual([])
})

test('unreviewed changes by others are counted for those who may review them, up to a limit', async () => {
  const { db } = test_.services
  const [owner, operator, viewer] = await Promise.all([signIn(test_.services), signIn(test_.services), signIn(test_.services)])
  const ownerId = owner.user.id
  const [one, two] = [
    await insertAccount(db, { ownerId, email: 'one@count.example' }),
    await insertAccount(db, { ownerId, email: 'two@count.example' }),
  ]
  const count = async ({ call }: SignedIn) => (await call.providerChanges.unreviewed()).changes
  expect(await count(owner)).toBe(0)
  await storeChanges(db.orm, { id: one.id, ownerId }, [change(1), change(2), change(3, { isOwn: true })])
  await storeChanges(db.orm, { id: two.id, ownerId }, [change(4)])
  await db.sql`insert into shares (owner_id, account_id, grantee_id, level) values
    (${ownerId}, ${one.id}, ${operator.user.id}, 'operate'), (${ownerId}, ${one.id}, ${viewer.user.id}, 'view')`
  expect([await count(owner), await count(operator), await count(viewer)]).toEqual([3, 2, 0])
  const [first] = (await owner.call.providerChanges.list({ accountId: one.id, unreviewed: true })).changes
  await owner.call.providerChanges.review({ ids: [first?.id ?? ''] })
  expect([await count(owner), await count(operator)]).toEqual([2, 1])
  const many = Array.from({ length: mostCounted + 1 }, (_, n) => change(5, { changeId: `many-${n}` }))
  await storeChanges(db.orm, { id: one.id, ownerId }, many)
  expect([await count(owner), await count(operator)]).toEqual([mostCounted, mostCounted])
  // An administrator sees them, and marks only their own as reviewed.
  expect(await count(await signIn(test_.services, { role: 'admin' }))).toBe(0)
})

/** An account whose domain has a history; times are minutes after its changes, which the panel learns of after one. */
async function stageHistory(email: string) {
  const s = await stage(email)
  const { sql } = test_.services.db
  const minutesAfter = (minutes: number) => new Date(startMs + minutes * 60_000).toISOString()
  return {
    ...s,
    minutesAfter,
    async make(id: string, given: Partial<HostedChange> = {}) {
      await s.store(change(0, { changeId: id, subject: id, zone: s.at, ...given }))
      const [row] = await sql<{ id: string }[]>`
        update provider_changes set read_at = ${minutesAfter(1)} where account_id = ${s.id} and change_id = ${id} returning id`
      return { id: row?.id ?? '' }
    },
    async write(
      key: string,
      minutes: number,
      given: { subject?: string; source?: string; before?: object | null; after?: object | null } = {},
    ) {
      const { subject = 'record', source = 'outside', before = { name: 'x' }, after = { name: 'y' } } = given
      const json = (value: object | null) => (value === null ? null : JSON.stringify(value))
      const [row] = await sql<{ id: string }[]>`
        insert into zone_changes (zone_id, at, source, subject, key, label, before, after)
        values (${s.domainId}, ${minutesAfter(minutes)}, ${source}, ${subject}, ${key}, ${key}, ${json(before)}::text::jsonb, ${json(after)}::text::jsonb) returning id`
      return row?.id ?? ''
    },
    readAt: (minutes: number | null) =>
      sql`update zones set records_read_at = ${minutes === null ? null : minutesAfter(minutes)}, records_due_at = null where id = ${s.domainId}`,
  }
}
const keysOf = (found: { readonly entries: readonly { readonly key: string }[] }) => found.entries.map(({ key }) => key).toSorted()

test('a change shows what the next reading of its domain found, by record, name or setting, and nothing of other changes', async () => {
  const s = await stageHistory('entries@example.com')
  const entries = async (id: string, given: Partial<HostedChange> = {}) => ann.call.providerChanges.entries(await s.make(id, given))
  const name = (host: string) => ({ name: `${host}.${s.at.name}` })
  await s.write('record-1', -1)
  await s.write('record-1', 1, { source: 'panel' })
  const second = await s.write('record-1', 2, { before: { content: '192.0.2.1' }, after: { content: '192.0.2.2' } })
  await s.write('record-2', 2)
  await s.write('new', 2, { before: null, after: name('www') })
  await s.write('same name', 2, { before: name('www'), after: name('www') })
  await s.write('record-1', 30)
  await s.write('late', 62)
  const found = await entries('record-1')
  expect(found).toMatchObject({ domainId: s.domainId, hasMore: false, refusal: null })
  expect(found.entries).toMatchObject([{ id: second, before: { content: '192.0.2.1' }, after: { content: '192.0.2.2' } }])
  expect(keysOf(await entries('by name', { subject: 'WWW', action: 'create' }))).toEqual(['new'])
  expect(keysOf(await entries('by full name', { subject: `www.${s.at.name}.` }))).toEqual(['new', 'same name'])
  expect(keysOf(await entries('batch', { subject: 'batch', action: 'create' }))).toEqual(['new', 'record-1', 'record-2', 'same name'])
  expect(keysOf(await entries('unnamed', { subject: null }))).toEqual(['new', 'record-1', 'record-2', 'same name'])
  expect(keysOf(await entries('late'))).toEqual([])

  const [setting, rule] = [{ subject: 'setting' }, { subject: 'rule' }]
  for (const key of ['ssl', 'dnssec', 'fight_mode']) await s.write(key, 2, setting)
  const settings = { kind: 'settings' } as const
  expect(keysOf(await entries('ssl', settings))).toEqual(['ssl'])
  expect(keysOf(await entries('ds', { ...settings, product: 'dnssec', subject: null }))).toEqual(['dnssec'])
  expect(keysOf(await entries('bots', { ...settings, product: 'bot_management', subject: null }))).toEqual(['dnssec', 'fight_mode', 'ssl'])
  for (const key of ['rule-1', 'rule-2']) await s.write(key, 2, rule)
  await s.write('http_request_dynamic_redirect', 2, { subject: 'rule_order' })
  expect(keysOf(await entries('rule-2', { kind: 'rules' }))).toEqual(['rule-2'])
  expect(keysOf(await entries('default', { kind: 'rules' }))).toEqual(['http_request_dynamic_redirect', 'rule-1', 'rule-2'])
  await s.write('paused', 2, { subject: 'zone' })
  await s.write('registrar', 2, { subject: 'zone' })
  expect(keysOf(await entries('zone', { kind: 'zone' }))).toEqual(['paused'])

  await test_.services.db.sql`
    insert into zone_changes (zone_id, at, source, subject, key, label)
    select ${s.domainId}, ${s.minutesAfter(2)}, 'outside', 'record', 'many-' || n, 'A' from generate_series(1, ${mostEntries}) n`
  const many = await entries('many', { subject: 'batch' })
  expect([many.entries.length, many.hasMore]).toEqual([mostEntries, true])
})

test('a change that cannot be reverted says why', async () => {
  const s = await stageHistory('refused@example.com')
  const { sql } = test_.services.db
  const refusal = async (id: { id: string }, person = ann) => (await person.call.providerChanges.entries(id)).refusal
  const one = await s.make('record-1')
  expect(await refusal(await s.make('own', { isOwn: true }))).toBe('by_panel')
  expect(await refusal(await s.make('account', { kind: 'account', zone: null }))).toBe('not_recorded')
  expect(await refusal(await s.make('certificate', { kind: 'other' }))).toBe('not_recorded')
  expect(await refusal(await s.make('elsewhere', { zone: { providerZoneId: randomId(), name: 'x.example' } }))).toBe('not_in_panel')
  await s.readAt(null)
  expect(await refusal(one)).toBe('not_read')
  await s.readAt(-1)
  expect(await refusal(one)).toBe('not_read')
  // Perhaps shortly before the change arrived there: it is read again.
  await s.readAt(0.5)
  await sql`update zones set records_due_at = now() where id = ${s.domainId}`
  expect(await refusal(one)).toBe('not_read')
  await s.readAt(2)
  expect(await refusal(one)).toBe('nothing_found')

  const entry = await s.write('record-1', 2)
  expect(await refusal(one)).toBe(null)
  const dora = await signIn(test_.services)
  await expect(refusal(one, dora)).rejects.toMatchObject({ cause: { code: 'not_found' } })
  await sql`insert into shares (owner_id, account_id, grantee_id, level) values (${ann.user.id}, ${s.id}, ${dora.user.id}, 'view')`
  expect(await refusal(one, dora)).toBe('level_too_low')
  await sql`update shares set level = 'operate' where grantee_id = ${dora.user.id}`
  expect(await refusal(one, dora)).toBe(null)
  // The domain was moved to an account that is not shared with her.
  await sql`update zones set account_id = ${otherId} where id = ${s.domainId}`
  expect(await dora.call.providerChanges.entries(one)).toEqual({ domainId: null, entries: [], hasMore: false, refusal: 'not_in_panel' })
  const group = await insertGroup(test_.services.db, { ownerId: ann.user.id })
  await sql`update zones set group_id = ${group.id} where id = ${s.domainId}`
  await sql`update shares set account_id = null, group_id = ${group.id} where grantee_id = ${dora.user.id}`
  expect(keysOf(await dora.call.providerChanges.entries(one))).toEqual(['record-1'])

  await sql`
    insert into zone_changes (zone_id, at, source, subject, key, label, before, after, reverts_id)
    values (${s.domainId}, ${s.minutesAfter(5)}, 'revert', 'record', 'record-1', 'A', '{}', '{}', ${entry})`
  expect(await refusal(one)).toBe('reverted')
  await expect(ann.call.providerChanges.entries({ id: otherId })).rejects.toMatchObject({ cause: { code: 'not_found' } })
})

test('a rule created while changes are being stored misses none, and none is stored without a rule that is being created', async () => {
  const s = await stage('locked@example.com')
  const { orm, sql } = test_.services.db
  const actor = 'locked@example.com'
  const made = (id: string) => change(1, { changeId: id, subject: id, zone: s.at, actor: { ...change(1).actor, email: actor } })
  const waits = () =>
    vi.waitFor(
      async () => {
        const waiting = await sql`
          select from pg_locks where locktype = 'advisory' and not granted and database = (select oid from pg_database where datname = current_database())`
        expect(waiting).toHaveLength(1)
      },
      { timeout: 30_000 },
    )
  /** Starts `then` in another connection while the transaction of `first` is open, and ends the transaction when `then` waits for it. */
  const during = async <T>(first: (tx: Parameters<typeof insertRule>[0]) => Promise<unknown>, then: () => Promise<T>): Promise<T> => {
    const started = await orm.transaction(async (tx) => {
      await first(tx)
      const other = then()
      await waits()
      return { other }
    })
    return started.other
  }
  const { allowedChange, reviewed } = await during(
    (tx) => storeChanges(tx, s, [made('being stored')]),
    () => ann.call.providerChanges.allow({ actor, accountId: s.id }),
  )
  expect(reviewed).toBe(1)
  await ann.call.providerChanges.disallow({ id: allowedChange.id })
  await during(
    async (tx) => {
      await lockRules(tx, s.ownerId, 'exclusive')
      await insertRule(tx, { ownerId: s.ownerId, actor, accountId: s.id, reason: '' })
    },
    () => s.store(made('stored after')),
  )
  const { changes } = await ann.call.providerChanges.list({ accountId: s.id })
  expect(new Map(changes.map(({ subject, isAllowed }) => [subject, isAllowed]))).toEqual(
    new Map([
      ['being stored', true],
      ['stored after', true],
    ]),
  )
})
