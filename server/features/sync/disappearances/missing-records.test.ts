import { expect, test } from 'vitest'
import { openZone } from '#server/features/domains/index.ts'
import { followAccounts } from '#server/features/monitoring/incidents/account-incidents.ts'
import { writableRecords } from '#server/simulators/cloudflare/records.ts'
import type { SimRecord } from '#server/simulators/cloudflare/model.ts'
import { contextOf } from '#server/testing/services.ts'
import { stageSync } from '#server/testing/sync-stage.ts'
import type { SyncStage } from '#server/testing/sync-stage.ts'
import { refreshPart } from '../refresh-zone.ts'

interface Domain {
  readonly id: string
  readonly name: string
  /** Deletes this many of its records at the provider; returns how to add them again. */
  lose(count: number): () => void
  /** Records in the panel: listed, and missing. */
  counts(): Promise<readonly [number, number]>
  missing(): Promise<Awaited<ReturnType<SyncStage['person']['call']['records']['list']>>['missing']>
}

interface Stage extends SyncStage {
  readonly accountId: string
  readonly domains: readonly Domain[]
  /** A sync reads the records of all domains once more. */
  sync(): Promise<void>
  /** Moves the time when missing records were found back. */
  pass(minutes: number): Promise<void>
}

async function stage(zones: number, recordsPerZone = 40): Promise<Stage> {
  const s = await stageSync({ world: { zones, recordsPerZone } })
  await s.startSync()
  const accountId = await s.add(0)
  await s.settled(accountId)
  const { sql } = s.services.db
  const rows = await sql<
    { id: string; providerZoneId: string; name: string }[]
  >`select id, zone_id as provider_zone_id, name from zones order by name`
  const { state } = s.simulator
  const domains = rows.map(({ id, name, providerZoneId }): Domain => {
    const missing = async () => (await s.person.call.records.list({ id })).missing
    return {
      id,
      name,
      lose(count) {
        const zone = state.zonesById.get(providerZoneId)
        if (zone === undefined) throw new Error('no zone')
        const records = writableRecords(state, zone)
        const lost: SimRecord[] = [...records.values()].slice(-count)
        for (const record of lost) records.delete(record.id)
        return () => {
          for (const record of lost) records.set(record.id, record)
        }
      },
      missing,
      counts: async () => {
        const list = await s.person.call.records.list({ id })
        return [list.records.length, list.missing?.records.length ?? 0]
      },
    }
  })
  return {
    ...s,
    accountId,
    domains,
    async sync() {
      await sql`update zones set records_due_at = now()`
      await s.person.call.accounts.sync({ id: accountId })
      await s.settled(accountId)
    },
    pass: async (minutes) =>
      void (await sql`update record_disappearances set found_at = found_at - ${minutes} * interval '1 minute',
        confirmed_at = confirmed_at - ${minutes} * interval '1 minute'`),
  }
}

/** The only domain of a stage. */
function only({ domains: [domain] }: Stage): Domain {
  if (domain === undefined) throw new Error('no domain')
  return domain
}
const history = async (s: Stage, { id }: Domain) => (await s.person.call.history.list({ id, limit: 200 })).entries

test.each([
  ['five of forty', 40, 5, 0],
  ['six of forty', 40, 6, 6],
  ['all of forty', 40, 40, 40],
  ['all of five', 5, 5, 0],
  ['all of six', 6, 6, 6],
  ['eight of four hundred', 400, 8, 0],
  ['nine of four hundred', 400, 9, 9],
])('of records that are no longer listed, %s: %i stored, %i lost, %i held', async (_what, stored, lost, held) => {
  const s = await stage(1, stored)
  const domain = only(s)
  domain.lose(lost)
  await s.sync()
  expect(await domain.counts()).toEqual([stored - lost, held])
  expect(await history(s, domain)).toHaveLength(held > 0 ? 0 : lost)
})

test('R-ACC-07 missing records are kept and confirmed by two more readings at least ten minutes apart, until a person removes them', async () => {
  const s = await stage(1)
  const domain = only(s)
  domain.lose(30)
  await s.sync()
  expect(await domain.missing()).toMatchObject({ missing: 30, known: 40, confirmations: 0, confirmedAt: null, keptAt: null })
  for (const [minutes, confirmations] of [
    [9, 0],
    [2, 1],
    [9, 1],
    [2, 2],
    [60, 2],
  ] as const) {
    await s.pass(minutes)
    await s.sync()
    expect(await domain.missing()).toMatchObject({ missing: 30, confirmations })
  }
  const { foundAt = '', keptAt = null } = (await domain.missing()) ?? {}
  const { decideMissing } = s.person.call.records
  await expect(decideMissing({ id: domain.id, decision: 'gone', shown: { foundAt, missing: 29, keptAt } })).rejects.toThrow('conflict')
  expect(await decideMissing({ id: domain.id, decision: 'gone', shown: { foundAt, missing: 30, keptAt } })).toEqual({ gone: 30 })
  expect(await domain.counts()).toEqual([10, 0])
  const entries = await history(s, domain)
  expect(entries).toHaveLength(30)
  expect(entries[0]).toMatchObject({ source: 'outside', subject: 'record', before: { id: expect.any(String) as unknown }, after: null })
  expect(new Set(entries.map(({ batchId }) => batchId)).size).toBe(1)
  await expect(decideMissing({ id: domain.id, decision: 'gone' })).rejects.toThrow('nothing_to_do')
})

test('a first missing reading is followed by another after ten minutes without anything else being due', async () => {
  const s = await stage(1)
  only(s).lose(30)
  await s.sync()
  const [due] = await s.services.db.sql`
    select round(extract(epoch from z.records_due_at - now()) / 60)::int as zone, a.details_due_at = z.records_due_at as same
    from zones z join accounts a on a.id = z.account_id`
  expect(due).toEqual({ zone: 10, same: true })
})

test('a zone with missing records is read again every six hours once they are confirmed or kept, and immediately after they are removed', async () => {
  const s = await stage(1)
  const domain = only(s)
  const restore = domain.lose(30)
  await s.sync()
  const dueIn = async () => {
    const [row] = await s.services.db.sql<{ minutes: number }[]>`
      select round(extract(epoch from records_due_at - now()) / 60)::int as minutes from zones`
    return row?.minutes
  }
  for (const minutes of [10, 360]) {
    await s.pass(11)
    await s.sync()
    expect(await dueIn()).toBe(minutes)
  }
  const { decideMissing } = s.person.call.records
  await decideMissing({ id: domain.id, decision: 'keep' })
  await s.sync()
  expect(await dueIn()).toBe(360)
  restore()
  await decideMissing({ id: domain.id, decision: 'gone' })
  await expect.poll(domain.counts, { timeout: 10_000 }).toEqual([40, 0])
})

test('a short answer removes nothing, and the next complete one ends it without a trace in the history', async () => {
  const s = await stage(1)
  const domain = only(s)
  const heal = s.simulator.faults.add({ path: '/zones/*/dns_records', effect: { kind: 'short-list', share: 0 } })
  await s.person.call.records.refresh({ id: domain.id })
  expect(await domain.counts()).toEqual([0, 40])
  heal()
  await s.person.call.records.refresh({ id: domain.id })
  expect(await domain.counts()).toEqual([40, 0])
  expect(await history(s, domain)).toEqual([])
  expect((await s.state(s.accountId)).missingRecords).toBeNull()
})

test('a record that comes back with another value is a change of it, not a new record', async () => {
  const s = await stage(1)
  const domain = only(s)
  const restore = domain.lose(30)
  await s.sync()
  restore()
  const [zone] = s.simulator.state.zonesById.values()
  if (zone === undefined) throw new Error('no zone')
  const records = writableRecords(s.simulator.state, zone)
  const [last] = [...records.values()].slice(-1)
  if (last === undefined) throw new Error('no record')
  records.set(last.id, { ...last, ttl: 300 })
  await s.sync()
  expect(await domain.counts()).toEqual([40, 0])
  expect(await history(s, domain)).toMatchObject([{ key: last.id, before: { ttl: last.ttl }, after: { ttl: 300 } }])
})

test('kept records stay whatever later readings lack, and a further loss asks again about all of them', async () => {
  const s = await stage(1)
  const domain = only(s)
  domain.lose(20)
  await s.sync()
  await s.person.call.records.decideMissing({ id: domain.id, decision: 'keep' })
  await s.pass(60)
  await s.sync()
  expect(await domain.missing()).toMatchObject({ missing: 20, confirmations: 0, keptBy: expect.any(String) as unknown })
  domain.lose(10)
  await s.sync()
  expect(await domain.missing()).toMatchObject({ missing: 30, known: 40, keptAt: null })
})

test('what somebody has decided to keep is not removed by a person who saw the state before', async () => {
  const s = await stage(1)
  const domain = only(s)
  domain.lose(30)
  await s.sync()
  const { call } = s.person
  const { foundAt = '', missing = 0, keptAt = null } = (await domain.missing()) ?? {}
  const { sql } = s.services.db
  const { decided } = await sql.begin(async (tx) => {
    await tx`select from zones for update`
    const decision = call.accounts.decideMissingRecords({ id: s.accountId, decision: 'gone' })
    await expect
      .poll(() => sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`, { timeout: 10_000 })
      .toHaveLength(1)
    await tx`update record_disappearances set kept_at = now(), kept_by = 'Ann'`
    return { decided: decision }
  })
  expect(await decided).toEqual({ domains: 0, gone: 0 })
  await expect(call.records.decideMissing({ id: domain.id, decision: 'gone', shown: { foundAt, missing, keptAt } })).rejects.toThrow(
    'conflict',
  )
  expect(await domain.counts()).toEqual([10, 30])
})

test('the account’s domains are decided about together or individually, each with all of its history', async () => {
  const s = await stage(3, 600)
  for (const domain of s.domains) domain.lose(550)
  await s.sync()
  const { call } = s.person
  const id = s.accountId
  const [first, second, third] = s.domains
  expect((await s.state(id)).missingRecords).toMatchObject({ domains: 3, missing: 1_650, known: 1_800 })
  const listed = await call.accounts.missingRecords({ id })
  expect([listed.total, listed.domains.map(({ name, missing }) => [name, missing])]).toEqual([3, s.domains.map(({ name }) => [name, 550])])
  const domainIds = [first?.id ?? '']
  await expect(
    call.accounts.decideMissingRecords({ id, decision: 'gone', domainIds, shown: { domains: 3, missing: 1_650 } }),
  ).rejects.toThrow('conflict')
  expect(await call.accounts.decideMissingRecords({ id, decision: 'gone', domainIds, shown: { domains: 1, missing: 550 } })).toEqual({
    domains: 1,
    gone: 550,
  })
  const [written] = await s.services.db.sql`select count(*)::int as n from zone_changes where zone_id = ${first?.id ?? ''}`
  expect(written).toEqual({ n: 550 })
  if (second === undefined) throw new Error('no domain')
  await call.records.decideMissing({ id: second.id, decision: 'keep' })
  expect((await s.state(id)).missingRecords).toMatchObject({ domains: 1, missing: 550 })
  expect((await call.accounts.missingRecords({ id })).domains.map(({ name }) => name)).toEqual([third?.name])
  expect(await call.accounts.decideMissingRecords({ id, decision: 'gone' })).toEqual({ domains: 1, gone: 550 })
  expect(await third?.counts()).toEqual([50, 0])
  // Somebody has decided about it individually.
  expect(await second.counts()).toEqual([50, 550])
  expect((await s.state(id)).missingRecords).toBeNull()
})

test('a decision about many domains is stored in several transactions, each with its entry in the activity log', async () => {
  const s = await stage(201, 1)
  const { sql } = s.services.db
  await sql`insert into record_disappearances (zone_id, missing, known) select id, 1, 6 from zones`
  await sql`insert into missing_records (zone_id, record_id, record) select zone_id, record_id, to_jsonb(r) from dns_records r`
  await sql`delete from dns_records`
  const decided = await s.person.call.accounts.decideMissingRecords({
    id: s.accountId,
    decision: 'gone',
    shown: { domains: 201, missing: 201 },
  })
  expect(decided).toEqual({ domains: 201, gone: 201 })
  expect(await sql`select count(*)::int as n from missing_records`).toEqual([{ n: 0 }])
  const entries =
    await sql`select (details ->> 'gone')::int as gone from activity where entity_type = 'account' and details ? 'records' order by id`
  expect(entries).toEqual([{ gone: 200 }, { gone: 1 }])
})

test('R-MON-04 all domains of an account with missing records are one incident, which names the first and follows the others', async () => {
  const s = await stage(5)
  const { sql } = s.services.db
  await sql`insert into monitor_settings (owner_id, options, notices, enabled) values (${s.person.user.id}, '{}', '{}', true)`
  const incidents = async () => {
    await followAccounts(s.services)
    return sql`select name, cause, reasons -> 0 -> 'params' as params, closed_at is not null as closed,
      jsonb_array_length(timeline) as entries from incidents order by id`
  }
  const restores = s.domains.slice(0, 2).map((domain) => domain.lose(30))
  await s.sync()
  const names = s.domains.map(({ name }) => name)
  const opened = { name: (await s.state(s.accountId)).email, cause: 'code:records_unlisted', closed: false }
  const two = { missing: 60, known: 80, domains: 2, names: names.slice(0, 2).join(', ') }
  expect(await incidents()).toEqual([{ ...opened, params: two, entries: 1 }])
  expect(await incidents()).toEqual([{ ...opened, params: two, entries: 1 }])
  restores.push(...s.domains.slice(2).map((domain) => domain.lose(30)))
  await s.sync()
  const five = { missing: 150, known: 200, domains: 5, names: `${names.slice(0, 3).join(', ')}, …` }
  expect(await incidents()).toEqual([{ ...opened, params: five, entries: 2 }])
  // The incident keeps the name that it was reported with.
  await sql`update accounts set email = 'renamed-' || email`
  expect(await incidents()).toEqual([{ ...opened, params: five, entries: 2 }])
  await sql`update accounts set email = ${opened.name}`
  for (const restore of restores) restore()
  await s.sync()
  expect(await incidents()).toEqual([{ ...opened, params: five, entries: 3, closed: true }])
})

test('records of a domain that is gone are no incident, and nobody is asked about them', async () => {
  const s = await stage(1)
  const domain = only(s)
  domain.lose(30)
  await s.sync()
  await s.services.db.sql`update zones set gone_at = now()`
  expect((await s.state(s.accountId)).missingRecords).toBeNull()
  expect(await domain.missing()).toBeNull()
  await expect(s.person.call.records.decideMissing({ id: domain.id, decision: 'keep' })).rejects.toThrow('nothing_to_do')
})

test('the panel’s own deletion is never missing: neither if its answer was lost, nor if it took effect later', async () => {
  const s = await stage(1)
  const domain = only(s)
  const { call } = s.person
  const ids = (await call.records.list({ id: domain.id })).records.map(({ id }) => id)
  // No answer, and the records cannot be read either.
  const { faults } = s.simulator
  faults.add({ method: 'POST', path: '/zones/*/dns_records/batch', times: 1, effect: { kind: 'cut-body' } })
  const heal = faults.add({ method: 'GET', path: '/zones/*/dns_records', effect: { kind: 'server-error', status: 502 } })
  await expect(call.records.change({ id: domain.id, deletes: ids.slice(0, 20) })).rejects.toThrow('provider_unreadable')
  heal()
  await s.sync()
  expect(await domain.counts()).toEqual([20, 0])

  // The provider deletes after the panel has stopped waiting and has still found them.
  faults.add({ method: 'POST', path: '/zones/*/dns_records/batch', times: 1, effect: { kind: 'server-error', status: 502 } })
  await expect(call.records.change({ id: domain.id, deletes: ids.slice(20) })).rejects.toThrow('provider_')
  expect(await s.services.db.sql`select records_due_at <= now() as due from zones`).toEqual([{ due: true }])
  await s.sync()
  expect(await domain.counts()).toEqual([20, 0])
  // Then they are known not to be deleted.
  const [next] = await s.services.db.sql`
    select max(r.deletion_sent_at) + interval '61 minutes' = z.records_due_at as due from zones z join dns_records r on r.zone_id = z.id group by z.id`
  expect(next).toEqual({ due: true })
  domain.lose(20)
  await s.sync()
  expect(await domain.counts()).toEqual([0, 0])
})

test('records whose deletion was refused, or held back because another was, are missing if they disappear', async () => {
  const s = await stage(1, 300)
  const domain = only(s)
  const { call } = s.person
  const ids = (await call.records.list({ id: domain.id })).records.map(({ id }) => id)
  s.simulator.faults.add({ method: 'POST', path: '/zones/*/dns_records/batch', times: 1, effect: { kind: 'forbidden' } })
  await expect(call.records.change({ id: domain.id, deletes: ids })).rejects.toThrow('provider_forbidden')
  domain.lose(250)
  await s.sync()
  expect(await domain.counts()).toEqual([50, 250])
})

test('records that are listed more than an hour after the panel tried to delete them are missing if they disappear', async () => {
  const s = await stage(1)
  const domain = only(s)
  await s.services.db.sql`update dns_records set deletion_sent_at = now() - interval '61 minutes'`
  domain.lose(30)
  await s.sync()
  expect(await domain.counts()).toEqual([10, 30])
})

test('every reading holds what it lacks: of operations, and of the preview of an import', async () => {
  const s = await stage(1)
  const domain = only(s)
  domain.lose(20)
  const zone = await openZone(contextOf(s.services, s.person.actor), domain.id)
  await refreshPart(s.services, zone, 'records', { priority: 'bulk' })
  expect(await domain.counts()).toEqual([20, 20])
  domain.lose(10)
  await s.services.db.sql`update zones set records_read_at = now() - interval '5 minutes'`
  await s.person.call.records.previewImport({ id: domain.id, text: 'new 300 IN A 192.0.2.1' })
  expect(await domain.counts()).toEqual([10, 30])
})

test('a loss of few records is held too while nobody has decided about the missing ones, and does not start again', async () => {
  const s = await stage(1)
  const domain = only(s)
  domain.lose(30)
  await s.sync()
  await s.pass(11)
  await s.sync()
  const { foundAt, confirmedAt } = (await domain.missing()) ?? {}
  domain.lose(2)
  await s.sync()
  expect(await domain.missing()).toMatchObject({ missing: 32, known: 40, foundAt, confirmations: 1, confirmedAt })
  expect(await history(s, domain)).toEqual([])
  await s.person.call.records.decideMissing({ id: domain.id, decision: 'keep' })
  domain.lose(2)
  await s.sync()
  expect(await domain.counts()).toEqual([6, 32])
})

test('records that are created again with other ids are not missing, and end that they are', async () => {
  const s = await stage(1)
  const domain = only(s)
  const [zone] = s.simulator.state.zonesById.values()
  if (zone === undefined) throw new Error('no zone')
  const records = writableRecords(s.simulator.state, zone)
  const recreate = (all: readonly SimRecord[], mark: string) => {
    for (const record of all) records.delete(record.id)
    for (const record of all) records.set(`${mark}${record.id}`.slice(0, 32), { ...record, id: `${mark}${record.id}`.slice(0, 32) })
  }
  recreate([...records.values()], 'a')
  await s.sync()
  expect(await domain.counts()).toEqual([40, 0])
  expect(await history(s, domain)).toHaveLength(80)

  const all = [...records.values()]
  domain.lose(40)
  await s.sync()
  expect(await domain.counts()).toEqual([0, 40])
  recreate(all, 'b')
  await s.sync()
  expect(await domain.counts()).toEqual([40, 0])
  expect(await history(s, domain)).toHaveLength(160)
})

test('a missing record that is listed again is not taken for a creation with a lost answer', async () => {
  const s = await stage(1)
  const domain = only(s)
  const restore = domain.lose(30)
  await s.sync()
  const { call } = s.person
  const record = (await domain.missing())?.records.find(({ type, priority }) => type === 'A' && priority === null)
  if (record === undefined) throw new Error('no record')
  restore()
  s.simulator.faults.add({ method: 'POST', path: '/zones/*/dns_records', times: 1, effect: { kind: 'server-error', status: 502 } })
  const { name, content, ttl, proxied } = record
  await expect(call.records.create({ id: domain.id, type: 'A', name, content, ttl, proxied })).rejects.toThrow('provider_')
})

test('a record that the panel has changed or deleted is not missing, although a reading in between lacked it', async () => {
  const s = await stage(1)
  const domain = only(s)
  const { call } = s.person
  const { sql } = s.services.db
  const [first, second] = (await call.records.list({ id: domain.id })).records.filter(({ type }) => type === 'A')
  if (first === undefined || second === undefined) throw new Error('no records')
  // As stored by a reading between the look-up and the answer.
  await sql`insert into record_disappearances (zone_id, missing, known) values (${domain.id}, 2, 40)`
  await sql`insert into missing_records (zone_id, record_id, record)
    select zone_id, record_id, to_jsonb(r) from dns_records r where record_id in (${first.id}, ${second.id})`
  await call.records.update({ id: domain.id, recordId: first.id, comment: 'changed' })
  expect(await domain.missing()).toMatchObject({ missing: 1, records: [{ id: second.id }] })
  await call.records.remove({ id: domain.id, recordId: second.id })
  expect(await domain.missing()).toBeNull()
  expect(await domain.counts()).toEqual([39, 0])
})
