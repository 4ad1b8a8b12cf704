import { expect, test } from 'vitest'
import { followAccounts } from '#server/features/monitoring/incidents/account-incidents.ts'
import { stageSync } from '#server/testing/sync-stage.ts'
import type { SyncStage } from '#server/testing/sync-stage.ts'

interface Account extends SyncStage {
  readonly id: string
  /** Reads the zone list once more. */
  sync(): Promise<void>
  live(): Promise<number>
  disappearance(): Promise<Awaited<ReturnType<SyncStage['state']>>['disappearance']>
  /** Moves the time when the held disappearance was found back. */
  pass(minutes: number): Promise<void>
  entries(): Promise<unknown[]>
}

/** @param withDetails whether records and settings can be read, which takes long for a thousand zones */
async function account(zones: number, withDetails = true): Promise<Account> {
  const s = await stageSync({ world: { zones } })
  if (!withDetails) s.simulator.faults.add({ path: '/zones/*/*', effect: { kind: 'forbidden' } })
  await s.startSync()
  const id = await s.add(0)
  await s.settled(id)
  return {
    ...s,
    id,
    async sync() {
      await s.person.call.accounts.sync({ id })
      await s.settled(id)
    },
    live: async () => Number((await s.services.db.sql`select count(*) as n from zones where gone_at is null`)[0]?.['n']),
    disappearance: async () => (await s.state(id)).disappearance,
    pass: async (minutes) =>
      void (await s.services.db.sql`update disappearances set found_at = found_at - ${minutes} * interval '1 minute',
        confirmed_at = confirmed_at - ${minutes} * interval '1 minute'`),
    entries: async () =>
      (
        await s.services.db.sql<{ details: unknown }[]>`
        select details from activity where entity_type = 'account' and details ? 'zones' order by id`
      ).map(({ details }) => details),
  }
}

const removeZones = (s: Account, count: number) => {
  const removed = [...s.simulator.state.zonesById.values()].slice(0, count)
  for (const zone of removed) s.simulator.state.removeZone(zone.id)
  return removed
}

test.each([
  ['is empty', 0, 120],
  ['ends half way', 0.5, 60],
])('a list that %s although nothing is gone marks no domain, however often it is read', async (_what, share, missing) => {
  const s = await account(120)
  const heal = s.simulator.faults.add({ path: '/zones', effect: { kind: 'short-list', share } })
  await s.sync()
  expect(await s.live()).toBe(120)
  expect(await s.disappearance()).toMatchObject({ missing, known: 120, sampled: 20, stillThere: 20, keptAt: null })
  const listed = await s.person.call.accounts.missing({ id: s.id })
  expect([listed.missing, listed.names]).toEqual([missing, listed.names.toSorted()])
  await s.pass(60)
  await s.sync()
  expect(await s.live()).toBe(120)
  heal()
  await s.sync()
  expect(await s.disappearance()).toBeNull()
  expect(await s.live()).toBe(120)
})

test('R-ACC-07 a mass disappearance is confirmed by two more lists at least ten minutes apart, and removes nothing until a person decides', async () => {
  const s = await account(120)
  const [first] = removeZones(s, 70)
  await s.sync()
  expect(await s.disappearance()).toMatchObject({
    missing: 70,
    known: 120,
    sampled: 20,
    stillThere: 0,
    confirmations: 0,
    confirmedAt: null,
  })
  for (const [minutes, confirmations] of [
    [9, 0],
    [2, 1],
    [9, 1],
    [2, 2],
    [60, 2],
  ] as const) {
    await s.pass(minutes)
    await s.sync()
    expect(await s.live()).toBe(120)
    expect(await s.disappearance()).toMatchObject({ missing: 70, confirmations })
  }
  expect(await s.person.call.accounts.decideDisappearance({ id: s.id, decision: 'gone' })).toEqual({ gone: 70 })
  expect(await s.live()).toBe(50)
  expect((await s.entries())[1]).toEqual({ zones: 50, gone: 0, missing: 70 })
  const [zone] = await s.services.db.sql<{ id: string }[]>`select id from zones where zone_id = ${first?.id ?? ''}`
  const history = async () => (await s.person.call.history.list({ id: zone?.id ?? '', limit: 10 })).entries
  expect(await history()).toMatchObject([{ source: 'outside', key: 'listed', before: { value: true }, after: { value: false } }])
  if (first !== undefined) s.simulator.state.addZone(first)
  await s.sync()
  expect((await history())[0]).toMatchObject({ source: 'outside', key: 'listed', before: { value: false }, after: { value: true } })
})

test.each([
  ['the only domain', 1, 1, true],
  ['all of two', 2, 2, true],
  ['five of ten', 10, 5, false],
  ['six of ten', 10, 6, true],
  ['ten of five hundred', 500, 10, false],
  ['eleven of five hundred', 500, 11, true],
])('missing %s: %i known, %i missing, a person decides: %s', async (_what, known, missing, decides) => {
  const s = await account(known, known < 100)
  removeZones(s, missing)
  await s.sync()
  expect(await s.live()).toBe(decides ? known : known - missing)
  expect((await s.disappearance())?.missing ?? 0).toBe(decides ? missing : 0)
})

test('zones missing only from a later list restart the confirmation, and a person who kept the others is asked again', async () => {
  const s = await account(120)
  removeZones(s, 40)
  await s.sync()
  await s.pass(11)
  await s.sync()
  expect(await s.disappearance()).toMatchObject({ missing: 40, confirmations: 1 })
  await s.person.call.accounts.decideDisappearance({ id: s.id, decision: 'keep' })
  removeZones(s, 30)
  await s.sync()
  expect(await s.disappearance()).toMatchObject({ missing: 70, confirmations: 0, keptAt: null })
  expect(await s.live()).toBe(120)
})

test('a list contradicted by single look-ups does not count for a later one', async () => {
  const s = await account(60)
  const heal = s.simulator.faults.add({ path: '/zones', effect: { kind: 'short-list', share: 0 } })
  await s.sync()
  await s.pass(60)
  heal()
  removeZones(s, 30)
  await s.sync()
  expect(await s.disappearance()).toMatchObject({ missing: 30, stillThere: 0, confirmations: 0 })
  await s.pass(11)
  await s.sync()
  expect(await s.disappearance()).toMatchObject({ missing: 30, confirmations: 1 })
  expect(await s.live()).toBe(60)
})

test('a user confirms that they are gone, and they are marked immediately', async () => {
  const s = await account(60)
  removeZones(s, 30)
  await s.sync()
  expect(await s.person.call.accounts.decideDisappearance({ id: s.id, decision: 'gone' })).toEqual({ gone: 30 })
  expect(await s.live()).toBe(30)
  expect(await s.disappearance()).toBeNull()
  await expect(s.person.call.accounts.decideDisappearance({ id: s.id, decision: 'gone' })).rejects.toThrow('nothing_to_do')
})

test('a decision about something else than was shown is refused', async () => {
  const s = await account(60)
  removeZones(s, 30)
  await s.sync()
  const { foundAt = '', missing = 0 } = (await s.disappearance()) ?? {}
  removeZones(s, 10)
  await s.sync()
  for (const decision of ['gone', 'keep'] as const) {
    await expect(s.person.call.accounts.decideDisappearance({ id: s.id, decision, shown: { foundAt, missing } })).rejects.toThrow(
      'conflict',
    )
  }
  expect(await s.live()).toBe(60)
  const now = (await s.disappearance()) ?? { foundAt, missing }
  const shown = { foundAt: now.foundAt, missing: now.missing }
  expect(await s.person.call.accounts.decideDisappearance({ id: s.id, decision: 'gone', shown })).toEqual({ gone: 40 })
})

test('a user keeps them, and no later list removes them until they are listed again', async () => {
  const s = await account(60)
  const removed = removeZones(s, 30)
  await s.sync()
  await s.person.call.accounts.decideDisappearance({ id: s.id, decision: 'keep' })
  await s.pass(60)
  await s.sync()
  expect(await s.live()).toBe(60)
  expect(await s.disappearance()).toMatchObject({ missing: 30, keptBy: expect.any(String) as unknown })
  // The list is as complete as it can be.
  expect(Date.parse((await s.state(s.id)).sync.syncedAt ?? '')).toBeGreaterThan(Date.parse((await s.disappearance())?.keptAt ?? ''))
  for (const zone of removed) s.simulator.state.addZone(zone)
  await s.sync()
  expect(await s.disappearance()).toBeNull()
})

test('what was held stays held, however little of it is still missing', async () => {
  const s = await account(60)
  const removed = removeZones(s, 30)
  await s.sync()
  await s.person.call.accounts.decideDisappearance({ id: s.id, decision: 'keep' })
  for (const zone of removed.slice(1)) s.simulator.state.addZone(zone)
  await s.sync()
  expect(await s.disappearance()).toMatchObject({ missing: 1, keptBy: expect.any(String) as unknown })
  // One that was never held is gone as usual.
  const [other] = [...s.simulator.state.zonesById.values()].slice(-1)
  s.simulator.state.removeZone(other?.id ?? '')
  await s.sync()
  expect([await s.live(), (await s.disappearance())?.missing]).toEqual([59, 1])
})

test('missing zones below the mass limit are marked after two lists, unless single look-ups find them', async () => {
  const s = await account(1_250, false)
  const heal = s.simulator.faults.add({ path: '/zones', effect: { kind: 'short-list', share: 0.98 } })
  await s.sync()
  expect(await s.live()).toBe(1_250)
  expect(await s.disappearance()).toBeNull()
  heal()
  removeZones(s, 25)
  s.simulator.journal.reset()
  await s.sync()
  expect(await s.live()).toBe(1_225)
  expect(s.simulator.journal.count({ path: '/zones/{zone}' })).toBe(20)
})

test('a list truncated once is complete when read again, and nothing is missing', async () => {
  const s = await account(120)
  // Both pages of the list.
  s.simulator.faults.add({ path: '/zones', effect: { kind: 'short-list', share: 0.5 }, times: 2 })
  s.simulator.journal.reset()
  await s.sync()
  expect([await s.live(), await s.disappearance()]).toEqual([120, null])
  // Two pages, then three, and no zone was looked up individually.
  expect([s.simulator.journal.count({ path: '/zones' }), s.simulator.journal.count({ path: '/zones/{zone}' })]).toEqual([5, 0])
})

test('a disappearance is a critical incident of its account until it has ended', async () => {
  const s = await account(60)
  const { sql } = s.services.db
  await sql`insert into monitor_settings (owner_id, options, notices, enabled) values (${s.person.user.id}, '{}', '{}', true)`
  const incidents = async () => {
    await followAccounts(s.services)
    return sql`select name, health, cause, reasons -> 0 -> 'params' as params, closed_at is not null as closed, close_taken_at from incidents order by id`
  }
  const removed = removeZones(s, 30)
  await s.sync()
  await followAccounts(s.services)
  const { email } = await s.state(s.id)
  const opened = {
    name: email,
    health: 'critical',
    cause: 'code:domains_unlisted',
    params: { missing: 30, known: 60 },
    closeTakenAt: null,
  }
  expect(await incidents()).toEqual([{ ...opened, closed: false }])
  for (const zone of removed) s.simulator.state.addZone(zone)
  await s.sync()
  expect(await incidents()).toEqual([{ ...opened, closed: true }])
})

test('R-ACC-07 refreshing a held domain does not mark it as gone, and says that a person has to decide', async () => {
  const s = await account(12)
  const [removed] = removeZones(s, 8)
  await s.sync()
  const [row] = await s.services.db.sql<{ id: string }[]>`select id from zones where zone_id = ${removed?.id ?? ''}`
  const refresh = () => s.person.call.zoneSettings.refresh({ id: row?.id ?? '' })
  const { zone, problems } = await refresh()
  expect(problems).toEqual([{ part: 'zone', code: 'disappearance_undecided', message: null }])
  expect(zone.gone).toBe(false)
  expect(await s.live()).toBe(12)
  await s.person.call.accounts.decideDisappearance({ id: s.id, decision: 'keep' })
  const kept = await refresh()
  expect([kept.problems, kept.zone.gone]).toEqual([[{ part: 'zone', code: 'disappearance_kept', message: null }], false])
  await s.person.call.accounts.decideDisappearance({ id: s.id, decision: 'gone' })
  expect((await refresh()).zone.gone).toBe(true)
})
