import { readFile, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { createTestApp, signIn } from '#server/testing/app.ts'
import type { SignedIn, TestApp } from '#server/testing/app.ts'
import { insertAccount, insertGroup, insertRecord, insertZone } from '#server/testing/factories.ts'
import { temporaryFolder } from '#server/testing/process.ts'
import { seedZones } from '#server/testing/seed-zones.ts'
import { contextOf } from '#server/testing/services.ts'
import { exportDataTo } from './export-data.ts'
import { sectionNames } from './export-data.repo.ts'

type Row = Readonly<Record<string, unknown>>
type Exported = Readonly<Record<string, Row[]>> & { readonly profile: Row; readonly activityLogs: Row[] }

let t: TestApp
let ann: SignedIn
let bob: SignedIn
beforeAll(async () => {
  t = await createTestApp()
  ann = await signIn(t.services)
  bob = await signIn(t.services, { role: 'admin' })
  const { db, secrets } = t.services
  await seedZones(db, { ownerId: ann.user.id, count: 4_100, accounts: 3 })
  for (const [who, name] of [
    [ann, 'ours'],
    [bob, 'theirs'],
  ] as const) {
    const ownerId = who.user.id
    const account = await insertAccount(
      db,
      { ownerId, name: `${name}-account` },
      { secrets, apiKey: 'canary-key', password: 'canary-password' },
    )
    const zone = await insertZone(db, { ownerId, accountId: account.id, name: `${name}.example` })
    for (const content of ['192.0.2.1', '=2+5']) await insertRecord(db, { domainId: zone.id, content, comment: 'a "quoted", line\nbreak' })
    await insertGroup(db, { ownerId, name: `${name}-group` })
    await who.call.groups.create({ name: `${name}-made` })
  }
})
afterAll(() => t.close())

const download = async ({ headers }: Pick<SignedIn, 'headers'>) => t.app.inject({ url: '/api/me/export', headers })

test('a person’s data is exported as one JSON file with complete lists and nothing of other people, also for an administrator', async () => {
  const answer = await download(ann)
  expect(answer.headers).toMatchObject({
    'content-disposition': 'attachment; filename="zonedeck-export.json"',
    'content-type': 'application/json; charset=utf-8',
  })
  const mine = answer.json<Exported>()
  expect(Object.keys(mine)).toEqual(['format', 'formatVersion', 'version', 'exportedAt', 'profile', ...sectionNames, 'activityLogs'])
  expect(mine.profile).toMatchObject({ email: ann.user.email })
  expect(mine['domains']).toHaveLength(4_101)
  expect(new Set(mine['domains']?.map(({ id }) => id)).size).toBe(4_101)
  expect(mine['accounts']).toHaveLength(4)
  expect(mine['records']).toMatchObject([{ content: expect.any(String) as unknown }, { comment: 'a "quoted", line\nbreak' }])
  expect(mine.activityLogs).toMatchObject([{ action: 'create', entityName: 'ours-made' }])
  expect(answer.body).not.toContain('theirs')
  const theirs = (await download(bob)).json<Exported>()
  expect(theirs['domains']?.map(({ name }) => name)).toEqual(['theirs.example'])
  expect(JSON.stringify(theirs)).not.toContain('ours')
})

test('R-PRM-04 the export contains no key, password, hash or encrypted value', async () => {
  const { body } = await download(ann)
  for (const secret of ['canary', 'v1.', 'sealed', 'hash', ann.token]) expect(body).not.toContain(secret)
})

const anna = {
  name: 'Anna',
  firstName: 'Anna',
  lastName: 'Kareva',
  organization: null,
  email: 'anna@contact.example',
  phone: '+79150000000',
  address: 'Tverskaya 1',
  city: 'Moscow',
  region: 'Moscow',
  postalCode: '125009',
  country: 'RU',
}

test('R-PRM-04 contacts and alert channels are exported as their owner sees them, without signing secrets; a contact encrypted with another key does not stop the export', async () => {
  const eve = await signIn(t.services)
  const { contact } = await eve.call.buying.contacts.create({ ...anna, extra: { taxNumber: '77' } })
  const url = 'https://hooks.example/eve'
  const { channel, secret } = await eve.call.alerts.createChannel({ kind: 'webhook', name: 'hook', url })
  const answer = await download(eve)
  const mine = answer.json<Exported>()
  expect(mine['contacts']).toEqual([
    {
      id: contact.id,
      name: 'Anna',
      is_default: contact.isDefault,
      created_at: expect.any(String) as unknown,
      updated_at: expect.any(String) as unknown,
      first_name: 'Anna',
      last_name: 'Kareva',
      organization: null,
      email: anna.email,
      phone: anna.phone,
      address: anna.address,
      city: 'Moscow',
      region: 'Moscow',
      postal_code: '125009',
      country: 'RU',
      extra: { taxNumber: '77' },
    },
  ])
  expect(mine['alert_channels']).toMatchObject([{ id: channel.id, kind: 'webhook', webhook_host: 'hooks.example' }])
  expect(mine['sign_ins']).toHaveLength(1)
  for (const hidden of [String(secret), 'v1.', 'sealed', eve.token]) expect(answer.body).not.toContain(hidden)
  for (const other of [ann, bob]) expect((await download(other)).body).not.toContain(anna.email)

  const { path, remove } = await temporaryFolder()
  onTestFinished(remove)
  await exportDataTo(contextOf(t.services, eve.actor), join(path, 'eve'))
  expect(await readFile(join(path, 'eve', 'contacts.csv'), 'utf8')).toContain('Kareva')

  await t.services.db.sql`update contacts set details_sealed = 'v1.other' where id = ${contact.id}`
  const later = (await download(eve)).json<Exported>()
  expect(later['contacts']).toMatchObject([{ id: contact.id, name: 'Anna', first_name: null, extra: null }])
  expect(later['alert_channels']).toHaveLength(1)
})

test('an unauthenticated request is refused', async () => {
  expect((await t.app.inject('/api/me/export')).statusCode).toBe(401)
})

test('an invalid cursor is refused', async () => {
  for (const cursor of ['x', '1', "1 '; drop table users", `1 ${'a'.repeat(300)}`])
    await expect(ann.call.me.export({ cursor })).rejects.toMatchObject({ code: 'BAD_REQUEST' })
  await expect(ann.call.me.export({ cursor: '999 ' })).resolves.toMatchObject({ nextCursor: null })
})

test('an operator gets the same data as CSV, one file per list, readable by the owner only, and no cell is a formula', async () => {
  const { path, remove } = await temporaryFolder()
  onTestFinished(remove)
  const folder = join(path, 'ann')
  const files = await exportDataTo(contextOf(t.services, ann.actor), folder)
  expect(files).toEqual(
    expect.arrayContaining([
      { file: 'domains.csv', rows: 4_101 },
      { file: 'records.csv', rows: 2 },
      { file: 'accounts.csv', rows: 4 },
    ]),
  )
  expect((await readdir(folder)).length).toBe(files.length + 1)
  for (const file of await readdir(folder)) expect((await stat(join(folder, file))).mode & 0o777).toBe(0o600)
  const records = await readFile(join(folder, 'records.csv'), 'utf8')
  expect(records).toContain("'=2+5")
  expect(records.split('\r\n')[0]).toContain('domain_id,record_id,type,name,content')
  expect(await readFile(join(folder, 'activity-logs.csv'), 'utf8')).toContain('ours-made')
  await expect(exportDataTo(contextOf(t.services, ann.actor), folder)).rejects.toThrow('EEXIST')
})

test('every table with personal data is exported or listed here with a reason', async () => {
  const elsewhere: Readonly<Record<string, string>> = {
    account_changes: 'exported as account_history',
    activity: 'told by activityLogs',
    activity_count_changes: 'sums of others',
    calendar_feeds: 'the hash of a secret address, and nothing else',
    challenges: 'sign-ins under way',
    change_feeds: 'how far a log has been read; the changes are exported as provider_changes',
    check_days: 'measurements, told by the domain',
    check_hours: 'measurements, told by the domain',
    disappearances: 'what a list lacks for the moment',
    dns_records: 'told by records',
    idempotency_keys: 'answers of a day',
    ip_rule_expiries: 'exported as ip_access_expiries',
    monitor_overrides: 'told by group_monitoring',
    monitor_settings: 'told by monitoring_settings',
    operation_items: 'what each changed is told by domain_history',
    outbox: 'what was told of incidents',
    record_disappearances: 'what a reading lacks for the moment, with missing_records',
    recovery_codes: 'sign somebody in',
    redirect_lists: 'read from the provider at any time',
    origin_certificates: 'exported as domain_origin_certificates',
    report_feeds: 'how far reports have been read; they are exported as abuse_reports',
    sessions: 'told by sign_ins',
    totp: 'signs somebody in',
    tracker_domains: 'the mirror of a tracker',
    zone_changes: 'told by domain_history',
    zone_count_changes: 'sums of others',
    zone_counts: 'sums of others',
    zone_ip_rules: 'exported as domain_ip_access',
    zone_monitors: 'told by monitored_domains',
    zone_profile_values: 'exported as domain_profile_values',
    zone_profiles: 'told by domain_profiles',
    zone_rulesets: 'exported as domain_rules',
    zone_settings: 'told by domain_settings',
    zone_ssl: 'read from the provider at any time',
    zone_traffic: 'read from the provider at any time',
    traffic_totals: 'sums of zone_traffic',
    zone_views: 'what a region sees now',
    zones: 'told by domains',
  }
  const rows = await t.services.db.sql<{ name: string }[]>`
    select distinct c.relname as name from pg_attribute a join pg_class c on c.oid = a.attrelid
    where a.attname in ('owner_id', 'user_id', 'zone_id', 'group_id', 'account_id', 'registrar_id', 'tracker_id', 'operation_id', 'report_id')
      and c.relkind in ('r', 'p') and not c.relispartition and c.relnamespace = 'public'::regnamespace`
  const listed = new Set<string>(sectionNames)
  const names = rows.map(({ name }) => name)
  expect(names.filter((name) => !listed.has(name) && elsewhere[name] === undefined)).toEqual([])
  expect(Object.keys(elsewhere).filter((name) => !names.includes(name))).toEqual([])
})
