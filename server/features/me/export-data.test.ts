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
    for (const content of ['192.0.2.1', '=2+5']) await insertRecord(db, { zoneId: zone.id, content, comment: 'a "quoted", line\nbreak' })
    await insertGroup(db, { ownerId, name: `${name}-group` })
    await who.call.groups.create({ name: `${name}-made` })
  }
})
afterAll(() => t.close())

const download = async ({ headers }: Pick<SignedIn, 'headers'>) => t.app.inject({ url: '/api/me/export', headers })

test('what belongs to a person is one JSON file: each list whole, over many parts, and nothing of anybody else, of an administrator’s too', async () => {
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

test('R-PRM-04 no key, password, hash or sealed value is in it', async () => {
  const { body } = await download(ann)
  for (const secret of ['canary', 'v1.', 'sealed', 'hash', ann.token]) expect(body).not.toContain(secret)
})

test('nobody without a sign-in gets one', async () => {
  expect((await t.app.inject('/api/me/export')).statusCode).toBe(401)
})

test('a cursor that is none of ours is refused', async () => {
  for (const cursor of ['x', '1', "1 '; drop table users", `1 ${'a'.repeat(300)}`])
    await expect(ann.call.me.export({ cursor })).rejects.toMatchObject({ code: 'BAD_REQUEST' })
  await expect(ann.call.me.export({ cursor: '999 ' })).resolves.toMatchObject({ nextCursor: null })
})

test('an operator gets the same as CSV, a file a list, for the owner alone, and no cell is a formula', async () => {
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

test('every table that has an owner is in it, or stands here with a reason', async () => {
  const elsewhere: Readonly<Record<string, string>> = {
    activity: 'told by activityLogs',
    activity_count_changes: 'sums of others',
    activity_counts: 'sums of others',
    calendar_feeds: 'a secret address',
    contacts: 'sealed; shown on the page of purchases',
    monitor_settings: 'told by monitoring_settings',
    outbox: 'what was told of incidents',
    purchases: 'told by operations',
    zone_count_changes: 'sums of others',
    zone_counts: 'sums of others',
    zone_monitors: 'follows from monitoring_settings',
    zones: 'told by domains',
  }
  const rows = await t.services.db.sql<{ name: string }[]>`
    select distinct c.relname as name from pg_attribute a join pg_class c on c.oid = a.attrelid
    where a.attname = 'owner_id' and c.relkind in ('r', 'p') and not c.relispartition and c.relnamespace = 'public'::regnamespace`
  const told = new Set<string>(sectionNames)
  expect(rows.map(({ name }) => name).filter((name) => !told.has(name) && elsewhere[name] === undefined)).toEqual([])
})
