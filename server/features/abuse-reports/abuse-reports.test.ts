import { afterAll, beforeAll, expect, test } from 'vitest'
import { followAccounts } from '#server/features/monitoring/incidents/account-incidents.ts'
import type { HostedAbuseReport } from '#server/ports/dns-host.ts'
import { signIn } from '#server/testing/app.ts'
import type { SignedIn } from '#server/testing/app.ts'
import { insertAccount, insertGroup, insertZone } from '#server/testing/factories.ts'
import { createTestServices } from '#server/testing/services.ts'
import type { TestServices } from '#server/testing/services.ts'
import { forgetOldReports, reportsKeptDays } from './forget-old-reports.ts'
import { storeAbuseReports } from './index.ts'

const hourMs = 3_600_000

const report = (id: string, given: Partial<HostedAbuseReport> = {}): HostedAbuseReport => ({
  reportId: id,
  reportedAt: new Date(Date.now() - hourMs),
  domain: 'shop.example',
  kind: 'phishing',
  status: 'in_review',
  justification: 'It copies a bank',
  originalWork: null,
  submitter: { name: 'Bank', company: null, email: 'abuse@bank.example', telephone: null },
  urls: ['https://shop.example/login'],
  acceptedUrls: 0,
  active: 0,
  pending: 0,
  inReview: 0,
  hostNotified: false,
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
  domainId = (await insertZone(services.db, { ownerId, accountId, name: 'shop.example' })).id
  const at = (hours: number) => new Date(Date.now() - hours * hourMs)
  await storeAbuseReports(services.db.orm, { id: accountId, ownerId }, [
    report('a', { reportedAt: at(5), domain: 'login.shop.example' }),
    report('b', { reportedAt: at(4), kind: 'copyright', status: 'accepted', active: 1 }),
  ])
  await storeAbuseReports(services.db.orm, { id: otherId, ownerId }, [
    report('c', { reportedAt: at(3), domain: 'xn--e1afmkfd.example', kind: 'threat' }),
  ])
  await services.db.sql`
    insert into shares (owner_id, account_id, grantee_id, level) values (${ownerId}, ${accountId}, ${bob.user.id}, 'view')`
})
afterAll(() => test_.close())

const reportsOf = ({ abuseReports }: { readonly abuseReports: readonly { readonly reportId: string }[] }) =>
  abuseReports.map(({ reportId }) => reportId)
const idOf = async (reportId: string) => {
  const found = (await ann.call.abuseReports.list({})).abuseReports.find((each) => each.reportId === reportId)
  if (found === undefined) throw new Error(`no report ${reportId}`)
  return found.id
}
const refused = (code: string) => ({ cause: { code } })

test('abuse reports are listed newest first, page by page, and filters combine', async () => {
  const listed = await ann.call.abuseReports.list({})
  expect(reportsOf(listed)).toEqual(['c', 'b', 'a'])
  expect(listed.abuseReports[0]).toMatchObject({
    account: { id: otherId, name: 'Other' },
    domain: { id: null, name: 'xn--e1afmkfd.example', displayName: 'пример.example' },
    kind: 'threat',
    state: 'open',
    assignee: null,
  })
  expect(listed.abuseReports[2]).toMatchObject({ domain: { id: domainId, name: 'login.shop.example' } })
  const first = await ann.call.abuseReports.list({ limit: 2 })
  expect(reportsOf(first)).toEqual(['c', 'b'])
  expect(reportsOf(await ann.call.abuseReports.list({ limit: 2, cursor: first.nextCursor ?? '' }))).toEqual(['a'])
  const found = async (input: Parameters<typeof ann.call.abuseReports.list>[0]) => reportsOf(await ann.call.abuseReports.list(input))
  expect(await found({ kind: 'threat' })).toEqual(['c'])
  expect(await found({ accountId })).toEqual(['b', 'a'])
  expect(await found({ domainId })).toEqual(['b', 'a'])
  expect(await found({ search: 'пример' })).toEqual(['c'])
  // Of labels that are not ASCII, only whole ones are found.
  expect(await found({ search: 'ПРИМЕР.exa' })).toEqual(['c'])
  expect(await found({ search: 'прим' })).toEqual([])
  expect(await found({ search: '123' })).toEqual([])
  expect(await found({ search: 'Login.Shop' })).toEqual(['a'])
  expect(await found({ search: 'login.', kind: 'phishing', state: 'open' })).toEqual(['a'])
  expect(await found({ state: 'done' })).toEqual([])
  await expect(ann.call.abuseReports.list({ cursor: 'x' })).rejects.toMatchObject(refused('validation_failed'))
})

test('only people with access to the account or the domain see its reports, and only those who operate it edit them', async () => {
  const id = await idOf('b')
  expect(reportsOf(await bob.call.abuseReports.list({}))).toEqual(['b', 'a'])
  expect(reportsOf(await carl.call.abuseReports.list({}))).toEqual([])
  await expect(carl.call.abuseReports.list({ accountId })).rejects.toMatchObject(refused('not_found'))
  await expect(carl.call.abuseReports.list({ domainId })).rejects.toMatchObject(refused('not_found'))
  await expect(carl.call.abuseReports.get({ id })).rejects.toMatchObject(refused('not_found'))
  await expect(carl.call.abuseReports.update({ id, state: 'done' })).rejects.toMatchObject(refused('not_found'))
  // Who reported it is shown only to those who work on it.
  expect((await bob.call.abuseReports.get({ id })).abuseReport.details).toMatchObject({
    submitter: null,
    justification: 'It copies a bank',
  })
  await expect(bob.call.abuseReports.update({ id, state: 'done' })).rejects.toMatchObject(refused('level_too_low'))
  expect((await ann.call.abuseReports.get({ id })).abuseReport.details).toMatchObject({ submitter: { name: 'Bank' } })
})

test('people note how far they are, who takes care of it, until when, and why, and the activity log has it', async () => {
  const { sql } = test_.services.db
  const id = await idOf('b')
  const { assignees } = (await ann.call.abuseReports.get({ id })).abuseReport.details
  expect(assignees.map((each) => each.id)).toEqual([ann.user.id])
  await expect(ann.call.abuseReports.update({ id, assigneeId: carl.user.id })).rejects.toMatchObject(refused('validation_failed'))
  // A year that the database does not know.
  await expect(ann.call.abuseReports.update({ id, dueOn: '0000-01-01' })).rejects.toThrow('invalid_day')
  const { abuseReport } = await ann.call.abuseReports.update({
    id,
    state: 'in_work',
    assigneeId: ann.user.id,
    dueOn: '2026-12-01',
    note: ' asked the designer ',
  })
  expect(abuseReport).toMatchObject({
    state: 'in_work',
    assignee: { id: ann.user.id },
    dueOn: '2026-12-01',
    note: 'asked the designer',
  })
  // A reading does not change it.
  await storeAbuseReports(test_.services.db.orm, { id: accountId, ownerId: ann.user.id }, [report('b', { status: 'accepted' })])
  expect((await ann.call.abuseReports.list({ state: 'in_work' })).abuseReports).toMatchObject([
    { status: 'accepted', note: 'asked the designer' },
  ])
  await ann.call.abuseReports.update({ id, assigneeId: null, note: null })
  // What is the same is not a change.
  await ann.call.abuseReports.update({ id, state: 'in_work' })
  const log = await sql<{ details: Record<string, unknown> }[]>`
    select details from activity where entity_id = ${domainId} and details ? 'abuseReport' order by id`
  expect(log).toMatchObject([
    { details: { abuseReport: 'b', abuseState: { from: 'open', to: 'in_work' }, comment: { from: null, to: 'asked the designer' } } },
    { details: { comment: { from: 'asked the designer', to: null } } },
  ])
})

test('new abuse reports are one incident of the account, reported again when more arrive, until a person works on all', async () => {
  const { services } = test_
  const ownerId = ann.user.id
  await services.db.sql`insert into monitor_settings (owner_id, options, notices, enabled) values (${ownerId}, '{}', '{}', true)`
  const account = { id: (await insertAccount(services.db, { ownerId, email: 'reported@example.com' })).id, ownerId }
  const incidents = async () => {
    await followAccounts(services)
    const rows = await services.db.sql<{ reasons: { params: unknown }[]; taken: boolean; closed: boolean; quiet: boolean }[]>`
      select reasons, open_taken_at is not null as taken, closed_at is not null as closed, close_taken_at is not null as quiet
      from incidents where account_id = ${account.id} and cause = 'code:abuse_reported' order by id`
    return rows.map(({ reasons, ...row }) => ({ ...row, reasons: reasons.map(({ params }) => params) }))
  }
  const store = (...reports: HostedAbuseReport[]) => storeAbuseReports(services.db.orm, account, reports)
  // It was reported before the account was added to the panel.
  await store(report('before'))
  expect(await incidents()).toEqual([])
  const now = { reportedAt: new Date(Date.now() + 1_000) }
  await store(report('one', { ...now, domain: 'b.example' }), report('two', { ...now, domain: 'a.example' }))
  const open = { taken: false, closed: false, quiet: false }
  const newest = expect.any(String) as unknown
  const two = { kind: 'phishing', reports: 2, newest, names: 'a.example, b.example' }
  expect(await incidents()).toEqual([{ ...open, reasons: [two] }])
  const [incident] = await services.db.sql<{ id: string }[]>`select id from incidents where account_id = ${account.id}`
  expect(await ann.call.alerts.mute({ id: incident?.id ?? '', minutes: 5 })).toMatchObject({ incident: { muted: 0 } })
  await services.db.sql`update incidents set open_taken_at = now() where account_id = ${account.id}`
  expect(await incidents()).toEqual([{ ...open, taken: true, reasons: [two] }])
  // More of the same kind are reported once an hour, so that a flood of reports sends few messages.
  await store(report('three', { ...now, domain: 'a.example' }))
  expect(await incidents()).toEqual([{ ...open, taken: true, reasons: [two] }])
  const hourPasses = () =>
    services.db.sql`update incidents set open_taken_at = now() - interval '61 minutes' where account_id = ${account.id}`
  await hourPasses()
  expect(await incidents()).toEqual([{ ...open, reasons: [{ ...two, reports: 3 }] }])
  // One was closed while another arrived: the number stays.
  await hourPasses()
  await ann.call.abuseReports.update({ id: await idOf('three'), state: 'done' })
  await store(report('four', { ...now, domain: 'a.example' }))
  expect(await incidents()).toEqual([{ ...open, reasons: [{ ...two, reports: 3 }] }])
  // Those of another kind are reported immediately.
  await services.db.sql`update incidents set open_taken_at = now() where account_id = ${account.id}`
  await store(report('five', { reportedAt: new Date(Date.now() + 5_000), kind: 'copyright', domain: 'c.example' }))
  expect(await incidents()).toMatchObject([{ ...open, reasons: [{ kind: 'copyright' }, { kind: 'phishing' }] }])
  await services.db.sql`update incidents set open_taken_at = now() where account_id = ${account.id}`
  await ann.call.abuseReports.update({ id: await idOf('five'), state: 'done' })
  await ann.call.abuseReports.update({ id: await idOf('one'), state: 'in_work' })
  expect(await incidents()).toEqual([{ ...open, taken: true, reasons: [{ ...two, names: 'a.example' }] }])
  for (const id of ['two', 'four']) await ann.call.abuseReports.update({ id: await idOf(id), state: 'done' })
  expect(await incidents()).toMatchObject([{ taken: true, closed: true, quiet: true }])
})

test('the reports of a domain that was removed and added again are listed once, with the access of the present domain', async () => {
  const { services } = test_
  const { sql } = services.db
  const owner = await signIn(services)
  const ownerId = owner.user.id
  const account = { id: (await insertAccount(services.db, { ownerId })).id, ownerId }
  const [before, after] = [
    await insertGroup(services.db, { ownerId, name: 'before' }),
    await insertGroup(services.db, { ownerId, name: 'after' }),
  ]
  const zone = { ownerId, accountId: account.id, name: 'again.example' }
  const removed = await insertZone(services.db, zone)
  const present = await insertZone(services.db, zone)
  const again = await insertZone(services.db, zone)
  await sql`update zones set group_id = ${before.id}, gone_at = now() where id in (${removed.id}, ${again.id})`
  await sql`update zones set group_id = ${after.id} where id = ${present.id}`
  await sql`insert into shares (owner_id, group_id, grantee_id, level) values (${ownerId}, ${before.id}, ${bob.user.id}, 'operate'),
    (${ownerId}, ${after.id}, ${carl.user.id}, 'operate')`
  await storeAbuseReports(services.db.orm, account, [report('again', { domain: 'www.again.example.' })])
  const listed = await owner.call.abuseReports.list({})
  expect(listed.abuseReports).toMatchObject([{ reportId: 'again', domain: { id: present.id, name: 'www.again.example' } }])
  expect(reportsOf(await owner.call.abuseReports.list({ domainId: present.id }))).toEqual(['again'])
  const id = listed.abuseReports[0]?.id ?? ''
  expect(reportsOf(await carl.call.abuseReports.list({ domainId: present.id }))).toEqual(['again'])
  await expect(bob.call.abuseReports.get({ id })).rejects.toMatchObject(refused('not_found'))
  expect(reportsOf(await bob.call.abuseReports.list({ domainId: removed.id }))).toEqual([])

  // Who has the domain without its account does not see who else has access to the account.
  const assignees = async (who: SignedIn) => (await who.call.abuseReports.get({ id })).abuseReport.details.assignees.map((each) => each.id)
  await sql`insert into shares (owner_id, account_id, grantee_id, level) values (${ownerId}, ${account.id}, ${ann.user.id}, 'operate')`
  expect(await assignees(owner)).toEqual([ownerId, ann.user.id])
  expect(await assignees(carl)).toEqual([carl.user.id])
  await expect(carl.call.abuseReports.update({ id, assigneeId: ann.user.id })).rejects.toMatchObject(refused('validation_failed'))
  await owner.call.abuseReports.update({ id, assigneeId: ann.user.id })
  expect((await assignees(carl)).toSorted()).toEqual([carl.user.id, ann.user.id].toSorted())
  await sql`update shares set level = 'view' where grantee_id in (${ann.user.id}, ${carl.user.id})`
  expect(await assignees(ann)).toEqual([])
})

test('a reading finds the domain of a report that was added after it', async () => {
  const { services } = test_
  const owner = await signIn(services)
  const account = { id: (await insertAccount(services.db, { ownerId: owner.user.id })).id, ownerId: owner.user.id }
  const store = () => storeAbuseReports(services.db.orm, account, [report('early', { domain: 'login.late.example' })])
  await store()
  const zone = await insertZone(services.db, { ownerId: owner.user.id, accountId: account.id, name: 'late.example' })
  await store()
  expect((await owner.call.abuseReports.list({})).abuseReports).toMatchObject([{ domain: { id: zone.id } }])
})

test('abuse reports older than the retention period are deleted, the others stay', async () => {
  const { services } = test_
  const owner = await signIn(services)
  const account = { id: (await insertAccount(services.db, { ownerId: owner.user.id })).id, ownerId: owner.user.id }
  const at = (days: number) => new Date(Date.now() - days * 24 * hourMs)
  await storeAbuseReports(services.db.orm, account, [
    report('old', { reportedAt: at(reportsKeptDays + 1) }),
    report('recent', { reportedAt: at(reportsKeptDays - 1) }),
  ])
  await forgetOldReports(services, new AbortController().signal)
  expect(reportsOf(await owner.call.abuseReports.list({}))).toEqual(['recent'])
})
