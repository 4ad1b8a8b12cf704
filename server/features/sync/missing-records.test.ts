import { afterEach, expect, test } from 'vitest'
import { followAccounts } from '#server/features/monitoring/incidents/account-incidents.ts'
import type { HostConnection } from '#server/ports/dns-host.ts'
import { signIn } from '#server/testing/app.ts'
import type { SignedIn } from '#server/testing/app.ts'
import { insertAccount, insertZones } from '#server/testing/factories.ts'
import { createTestPanel } from '#server/testing/panel.ts'
import type { TestPanel } from '#server/testing/panel.ts'
import { connectAccount } from './account-credential.ts'
import { refreshPart } from './refresh-zone.ts'

let open: TestPanel | null = null
afterEach(async () => {
  await open?.close()
  open = null
})

const call = { priority: 'sync' } as const

interface Stage extends TestPanel {
  readonly person: SignedIn
  readonly id: string
  readonly connection: HostConnection
  /** Reads the records as a sync does. */
  read(): Promise<void>
  stored(): Promise<number>
  disappearance(): Promise<Awaited<ReturnType<SignedIn['call']['domains']['full']>>['zone']['recordsDisappearance']>
  /** Deletes records outside the panel. */
  remove(count: number): Promise<void>
  pass(minutes: number): Promise<void>
}

/** A domain with this many records, which have been read. */
async function stage(records: number): Promise<Stage> {
  const panel = await createTestPanel({ world: { zones: 1, recordsPerZone: records } })
  open = panel
  const { services } = panel
  const person = await signIn(services, { role: 'user' })
  const { email, globalKey } = panel.credential(0)
  const account = await insertAccount(services.db, { ownerId: person.user.id, email }, { secrets: services.secrets, apiKey: globalKey })
  const [theirs] = panel.simulator.state.zonesById.values()
  const [row] = await insertZones(services.db, { ownerId: person.user.id, accountId: account.id }, 1, () => ({
    providerZoneId: theirs?.id ?? '',
    name: theirs?.name ?? '',
  }))
  if (row === undefined) throw new Error('no zone')
  const { id, providerZoneId } = row
  const connection = connectAccount(services, account)
  const zone = { id, providerZoneId, accountId: account.id, connection }
  const read = () => refreshPart(services, zone, 'records', call)
  const stored = async () => (await person.call.records.list({ id })).records.length
  await read()
  expect(await stored()).toBe(records)
  return {
    ...panel,
    person,
    id,
    connection,
    read,
    stored,
    disappearance: async () => (await person.call.domains.full({ id })).zone.recordsDisappearance,
    async remove(count) {
      const all = await connection.listRecords(providerZoneId, call)
      for (const { recordId } of all.slice(0, count)) await connection.deleteRecord(providerZoneId, recordId, call)
    },
    pass: async (minutes) =>
      void (await services.db.sql`
        update disappearances set found_at = found_at - ${minutes} * interval '1 minute', confirmed_at = confirmed_at - ${minutes} * interval '1 minute'`),
  }
}

test.each([
  [20, 5, false],
  [20, 6, true],
  [3, 3, true],
  [3, 2, false],
])('of %i records, %i are missing at Cloudflare: a person decides: %s', async (known, missing, decides) => {
  const s = await stage(known)
  await s.remove(missing)
  await s.read()
  expect(await s.stored()).toBe(decides ? known : known - missing)
  expect((await s.disappearance())?.missing ?? 0).toBe(decides ? missing : 0)
  expect((await s.person.call.history.list({ id: s.id, limit: 100 })).entries).toHaveLength(decides ? 0 : missing)
})

test('many missing records stay until a person accepts their deletion, which the history then has as a change from outside', async () => {
  const s = await stage(30)
  await s.remove(12)
  await s.read()
  for (const confirmations of [0, 1, 2, 2]) {
    expect(await s.disappearance()).toMatchObject({ missing: 12, known: 30, sampled: 12, stillThere: 0, confirmations })
    expect(await s.stored()).toBe(30)
    await s.pass(11)
    await s.read()
  }
  const missing = await s.person.call.records.missing({ id: s.id })
  expect([missing.missing, missing.names]).toEqual([12, missing.names.toSorted()])
  expect(await s.person.call.records.acceptMissing({ id: s.id })).toEqual({ gone: 12 })
  expect([await s.stored(), await s.disappearance()]).toEqual([18, null])
  const { entries } = await s.person.call.history.list({ id: s.id, limit: 100 })
  expect(entries).toHaveLength(12)
  expect(new Set(entries.map(({ source, after, batchId }) => [source, after, batchId].join()))).toHaveProperty('size', 1)
  expect(entries[0]).toMatchObject({ source: 'outside', subject: 'record', after: null })
  // The next reading finds nothing else.
  await s.read()
  expect((await s.person.call.history.list({ id: s.id, limit: 100 })).entries).toHaveLength(12)
  expect((await s.person.call.domains.full({ id: s.id })).zone._count.dnsRecords).toBe(18)
  await expect(s.person.call.records.acceptMissing({ id: s.id })).rejects.toThrow('nothing_to_do')
})

test('an incomplete list that single look-ups contradict removes nothing, is no incident, and ends with the next complete one', async () => {
  const s = await stage(30)
  const heal = s.simulator.faults.add({ path: '/zones/*/dns_records', method: 'GET', effect: { kind: 'short-list', share: 0.2 } })
  await s.read()
  expect(await s.stored()).toBe(30)
  expect(await s.disappearance()).toMatchObject({ missing: 24, sampled: 20, stillThere: 20 })
  await s.services.db.sql`insert into monitor_settings (owner_id, options, notices, enabled) values (${s.person.user.id}, '{}', '{}', true)`
  await followAccounts(s.services)
  expect(await s.services.db.sql`select 1 from incidents`).toEqual([])
  heal()
  await s.read()
  expect([await s.stored(), await s.disappearance()]).toEqual([30, null])
})

test('records deleted by the panel itself are not missing', async () => {
  const s = await stage(20)
  const { records } = await s.person.call.records.list({ id: s.id })
  await s.person.call.records.change({ id: s.id, deletes: records.slice(0, 15).map(({ id }) => id), creates: [], updates: [] })
  await s.read()
  expect([await s.stored(), await s.disappearance()]).toEqual([5, null])
})

test('missing records are one critical incident of their account until they are decided on', async () => {
  const s = await stage(20)
  const { sql } = s.services.db
  await sql`insert into monitor_settings (owner_id, options, notices, enabled) values (${s.person.user.id}, '{}', '{}', true)`
  const incidents = async () => {
    await followAccounts(s.services)
    return sql`select health, cause, reasons -> 0 -> 'params' as params, closed_at is not null as closed from incidents order by id`
  }
  await s.remove(20)
  await s.read()
  const opened = { health: 'critical', cause: 'code:records_unlisted', params: { missing: 20, domains: 1 } }
  expect(await incidents()).toEqual([{ ...opened, closed: false }])
  expect(await incidents()).toHaveLength(1)
  await s.person.call.records.acceptMissing({ id: s.id })
  expect(await incidents()).toEqual([{ ...opened, closed: true }])
})
