import { afterEach, expect, test } from 'vitest'
import { writeHistory } from '#server/platform/history.ts'
import type { HostConnection, RecordInput } from '#server/ports/dns-host.ts'
import { createTestPanel } from '#server/testing/panel.ts'
import type { TestPanel, TestPanelOptions } from '#server/testing/panel.ts'
import { signIn } from '#server/testing/app.ts'
import type { SignedIn } from '#server/testing/app.ts'
import { insertAccount, insertZones } from '#server/testing/factories.ts'
import { connectAccount } from './account-credential.ts'
import { refreshPart } from './refresh-zone.ts'
import { updateGone } from '#server/features/domains/mirror/index.ts'

const open: TestPanel[] = []
afterEach(async () => {
  for (const panel of open.splice(0)) await panel.close()
})

interface Stage extends TestPanel {
  readonly person: SignedIn
  readonly connection: HostConnection
  readonly zone: { readonly id: string; readonly providerZoneId: string; readonly accountId: string; readonly connection: HostConnection }
  read(part: 'records' | 'settings'): Promise<void>
  history(): Promise<Awaited<ReturnType<SignedIn['call']['history']['list']>>['entries']>
  /** A change made outside the panel. */
  add(record: RecordInput): ReturnType<HostConnection['createRecord']>
}

const call = { priority: 'person' } as const

async function stage(options: Partial<TestPanelOptions> = {}): Promise<Stage> {
  const panel = await createTestPanel({ world: { zones: 1, recordsPerZone: 4 }, ...options })
  open.push(panel)
  const { services } = panel
  const person = await signIn(services, { role: 'user' })
  const { email, globalKey } = panel.credential(0)
  const account = await insertAccount(services.db, { ownerId: person.user.id, email }, { secrets: services.secrets, apiKey: globalKey })
  const [theirs] = panel.simulator.state.zonesById.values()
  if (theirs === undefined) throw new Error('the world has no zone')
  const [row] = await insertZones(services.db, { ownerId: person.user.id, accountId: account.id }, 1, () => ({
    providerZoneId: theirs.id,
    name: theirs.name,
  }))
  if (row === undefined) throw new Error('no zone')
  const connection = connectAccount(services, account)
  const zone = { id: row.id, providerZoneId: row.providerZoneId, accountId: account.id, connection }
  return {
    ...panel,
    person,
    connection,
    zone,
    read: (part) => refreshPart(services, zone, part, call),
    history: async () => (await person.call.history.list({ id: zone.id, limit: 200 })).entries,
    add: (record) => connection.createRecord(zone.providerZoneId, record, call),
  }
}

test('a first reading is not drift, and neither is one without differences', async () => {
  const s = await stage()
  await s.read('records')
  await s.read('settings')
  await s.read('records')
  await s.read('settings')
  expect(await s.history()).toEqual([])
})

test('a pause from outside is reported; one by the panel is not, even if an outdated listing follows', async () => {
  const s = await stage()
  const refresh = () => refreshPart(s.services, s.zone, 'zone', call)
  await refresh()
  expect(await s.history()).toEqual([])
  await s.connection.pauseZone(s.zone.providerZoneId, true, call)
  await refresh()
  const change = { source: 'outside', actor: null, subject: 'zone', key: 'paused', before: { value: false }, after: { value: true } }
  expect(await s.history()).toMatchObject([change])
  await s.person.call.zoneSettings.pause({ id: s.zone.id, paused: false })
  await refresh()
  await s.connection.pauseZone(s.zone.providerZoneId, true, call)
  await refresh()
  expect((await s.person.call.domains.full({ id: s.zone.id })).zone.paused).toBe(false)
  expect((await s.history()).map(({ source }) => source)).toEqual(['panel', 'outside'])
})

test('records added, changed and deleted outside are reported with values before and after, in one batch', async () => {
  const s = await stage()
  const kept = await s.add({ type: 'A', name: 'kept', content: '192.0.2.1', ttl: 300, comment: 'one' })
  const gone = await s.add({ type: 'TXT', name: 'gone', content: '"text; with \\"quotes\\""' })
  await s.read('records')
  const caa = await s.add({ type: 'CAA', name: 'new', data: { flags: 0, tag: 'issue', value: 'letsencrypt.org' } })
  await s.connection.editRecord(s.zone.providerZoneId, kept.recordId, { content: '192.0.2.2' }, call)
  await s.connection.deleteRecord(s.zone.providerZoneId, gone.recordId, call)
  await s.read('records')

  const entries = await s.history()
  expect(entries).toHaveLength(3)
  expect(new Set(entries.map((entry) => entry.batchId)).size).toBe(1)
  const byKey = new Map(entries.map((entry) => [entry.key, entry]))
  expect(byKey.get(kept.recordId)).toMatchObject({
    source: 'outside',
    actor: null,
    subject: 'record',
    label: `A ${kept.name}`,
    before: { id: kept.recordId, type: 'A', name: kept.name, content: '192.0.2.1', ttl: 300, comment: 'one', proxied: false, tags: [] },
    after: { content: '192.0.2.2', comment: 'one' },
  })
  expect(byKey.get(gone.recordId)).toMatchObject({
    before: { content: gone.content, modifiedAt: gone.modifiedAt?.toISOString() },
    after: null,
  })
  expect(byKey.get(caa.recordId)).toMatchObject({ before: null, after: { type: 'CAA', data: { tag: 'issue', value: 'letsencrypt.org' } } })
})

test('a setting changed outside is reported once', async () => {
  const s = await stage()
  await s.connection.editSetting(s.zone.providerZoneId, 'ssl', 'full', call)
  await s.read('settings')
  await s.connection.editSetting(s.zone.providerZoneId, 'ssl', 'strict', call)
  await s.read('settings')
  await s.read('settings')
  expect(await s.history()).toMatchObject([
    { source: 'outside', subject: 'setting', key: 'ssl', label: 'ssl', before: { value: 'full' }, after: { value: 'strict' } },
  ])
})

test('changes of the provider’s metadata are not drift', async () => {
  const s = await stage()
  const record = await s.add({ type: 'A', name: 'same', content: '192.0.2.1' })
  await s.read('records')
  await s.services.db.sql`update dns_records set modified_at = modified_at - interval '1 day' where record_id = ${record.recordId}`
  await s.read('records')
  expect(await s.history()).toEqual([])
})

test('rewriting a whole zone outside adds at most 500 entries per reading', async () => {
  const s = await stage({ world: { zones: 1, recordsPerZone: 800, plain: true } })
  await s.read('records')
  await s.services.db.sql`update dns_records set ttl = 7200`
  await s.read('records')
  const [row] = await s.services.db.sql<{ n: number }[]>`select count(*)::int as n from zone_changes`
  expect(row?.n).toBe(500)
})

/** Runs a callback once, after records have been read and before they are written. */
async function stageWithMeanwhile() {
  let next: (() => Promise<unknown>) | null = null
  const s = await stage({
    around: (host) => ({
      ...host,
      connect: (credential, userId) => {
        const connection = host.connect(credential, userId)
        return {
          ...connection,
          async listRecords(providerZoneId, options) {
            const records = await connection.listRecords(providerZoneId, options)
            const work = next
            next = null
            await work?.()
            return records
          },
        }
      },
    }),
  })
  const having = async (content: string) => (await s.services.db.sql`select 1 from dns_records where content = ${content}`).length
  return { ...s, having, meanwhile: (work: () => Promise<unknown>) => (next = work) }
}

test('a reading overtaken by a change of the panel is discarded, neither undoing the change nor reporting drift', async () => {
  const s = await stageWithMeanwhile()
  const { services, zone, person } = s
  await s.read('records')
  await services.db.sql`update zones set records_due_at = now()`
  s.meanwhile(async () => {
    const record = await s.add({ type: 'A', name: 'mine', content: '192.0.2.9' })
    await services.db.sql`
      insert into dns_records (zone_id, record_id, type, name, content, ttl, modified_at)
      values (${zone.id}, ${record.recordId}, 'A', ${record.name}, '192.0.2.9', 1, ${record.modifiedAt?.toISOString() ?? null})`
    await writeHistory(services.db.orm, person, { source: 'panel' }, [
      { domainId: zone.id, subject: 'record', key: record.recordId, label: 'A mine', before: null, after: { id: record.recordId } },
    ])
  })
  await s.read('records')
  expect(await s.having('192.0.2.9')).toBe(1)
  expect((await services.db.sql`select 1 from zones where records_due_at is not null`).length).toBe(1)
  await s.read('records')
  expect(await s.having('192.0.2.9')).toBe(1)
  expect((await services.db.sql`select 1 from zones where records_due_at is not null`).length).toBe(0)
  expect((await s.history()).map((entry) => entry.source)).toEqual(['panel'])
})

test('a change of the panel that a reading saw first is attributed to the panel once it is stored', async () => {
  const s = await stage()
  await s.read('records')
  const record = await s.add({ type: 'A', name: 'mine', content: '192.0.2.9' })
  await s.add({ type: 'A', name: 'theirs', content: '192.0.2.10' })
  await s.read('records')
  const seen = (await s.history()).find((entry) => entry.key === record.recordId)
  expect(seen?.source).toBe('outside')

  await writeHistory(s.services.db.orm, s.person, { source: 'panel' }, [
    { domainId: s.zone.id, subject: 'record', key: record.recordId, label: 'A mine', before: null, after: seen?.after },
  ])
  const entries = await s.history()
  expect(entries.filter((entry) => entry.key === record.recordId).map((entry) => entry.source)).toEqual(['panel'])
  expect(entries.map((entry) => entry.source).toSorted()).toEqual(['outside', 'panel'])
})

test('a record replaced by the panel is attributed to the panel too, even if a reading saw a deletion and a creation', async () => {
  const s = await stage()
  const old = await s.add({ type: 'A', name: 'mine', content: '192.0.2.9' })
  await s.read('records')
  await s.connection.deleteRecord(s.zone.providerZoneId, old.recordId, call)
  const next = await s.add({ type: 'TXT', name: 'mine', content: '"words"' })
  await s.read('records')
  const seen = await s.history()
  expect(seen.map(({ source }) => source)).toEqual(['outside', 'outside'])

  await writeHistory(s.services.db.orm, s.person, { source: 'panel' }, [
    {
      domainId: s.zone.id,
      subject: 'record',
      key: next.recordId,
      label: 'TXT mine',
      before: seen.find(({ key }) => key === old.recordId)?.before,
      after: seen.find(({ key }) => key === next.recordId)?.after,
    },
  ])
  expect((await s.history()).map(({ source }) => source)).toEqual(['panel'])
})

test('of two overlapping readings, the one that began later wins', async () => {
  const s = await stageWithMeanwhile()
  await s.read('records')
  s.meanwhile(async () => {
    await s.add({ type: 'A', name: 'late', content: '192.0.2.11' })
    await s.read('records')
  })
  await s.read('records')
  expect(await s.history()).toMatchObject([{ source: 'outside', after: { content: '192.0.2.11' } }])
  expect(await s.having('192.0.2.11')).toBe(1)
})

test('R-LOG-01 a zone that is re-delegated, moved to another Cloudflare account or deleted there gets one history entry', async () => {
  const s = await stage()
  const refresh = () => refreshPart(s.services, s.zone, 'zone', call)
  await refresh()
  await s.services.db.sql`delete from zone_changes`
  const theirs = s.simulator.state.zonesById.get(s.zone.providerZoneId)
  if (theirs === undefined) throw new Error('the world has no such zone')
  const before = [...theirs.nameServers]
  const change = (key: string, from: unknown, to: unknown) => ({
    source: 'outside',
    subject: 'zone',
    key,
    before: { value: from },
    after: { value: to },
  })

  theirs.status = 'moved'
  await refresh()
  theirs.nameServers = before.toReversed()
  await refresh()
  theirs.nameServers = ['ada.ns.cloudflare.com', 'bob.ns.cloudflare.com']
  await refresh()
  await refresh()
  expect(await s.history()).toMatchObject([
    change('name_servers', before.toReversed(), ['ada.ns.cloudflare.com', 'bob.ns.cloudflare.com']),
    change('status', 'active', 'moved'),
  ])
  await s.services.db.sql`delete from zone_changes`

  const [row] = await s.services.db.sql<{ id: string; name: string }[]>`
    select provider_account_id as id, details #>> '{account,name}' as name from zones`
  await s.services.db.sql`update zones set provider_account_id = 'before', details = jsonb_set(details, '{account,name}', '"Before"')`
  await refresh()
  expect(await s.history()).toMatchObject([
    change('cloudflare_account', { id: 'before', name: 'Before' }, { id: row?.id, name: row?.name }),
  ])
  await s.services.db.sql`delete from zone_changes`

  s.simulator.state.removeZone(s.zone.providerZoneId)
  await s.person.call.zoneSettings.refresh({ id: s.zone.id })
  expect(await s.history()).toMatchObject([change('listed', true, false)])
})

test('R-LOG-01 a domain that moved between accounts has both events in the history of both its zones', async () => {
  const s = await stage()
  const { ownerId } = await insertAccount(s.services.db, { ownerId: s.person.user.id, email: 'new@example.com' })
  const [other] = await s.services.db.sql<{ id: string }[]>`select id from accounts where email = 'new@example.com'`
  const [zone] = await s.services.db.sql<{ name: string; accountEmail: string }[]>`select name, account_email from zones`
  const [moved] = await insertZones(s.services.db, { ownerId, accountId: other?.id ?? '' }, 1, () => ({ name: zone?.name ?? '' }))
  await updateGone(s.services.db.orm, s.zone.accountId, [s.zone.providerZoneId])
  const entry = { source: 'outside', key: 'account', before: { value: zone?.accountEmail }, after: { value: 'new@example.com' } }
  expect((await s.history()).map(({ key }) => key).toSorted()).toEqual(['account', 'listed'])
  expect(await s.history()).toContainEqual(expect.objectContaining(entry))
  expect((await s.person.call.history.list({ id: moved?.id ?? '' })).entries).toMatchObject([entry])

  // It comes back as a zone of its own after the first one was removed.
  await s.services.db.sql`delete from zone_changes`
  await updateGone(s.services.db.orm, other?.id ?? '', [moved?.providerZoneId ?? ''])
  await s.services.db.sql`delete from zone_changes`
  const theirs = s.simulator.state.zonesById.get(s.zone.providerZoneId)
  if (theirs === undefined) throw new Error('the world has no such zone')
  await s.services.db.sql`update zones set zone_id = 'another' where id = ${s.zone.id}`
  await refreshPart(s.services, s.zone, 'zone', call)
  const [back] = await s.services.db.sql<{ id: string }[]>`select id from zones where zone_id = ${s.zone.providerZoneId}`
  expect((await s.person.call.history.list({ id: back?.id ?? '' })).entries).toMatchObject([
    { key: 'account', before: { value: 'new@example.com' }, after: { value: zone?.accountEmail } },
  ])
})
