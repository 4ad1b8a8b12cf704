import { expect, test, vi } from 'vitest'
import { applyEdit } from '#server/simulators/cloudflare/control.ts'
import type { SimZone } from '#server/simulators/cloudflare/model.ts'
import { stageSync } from '#server/testing/sync-stage.ts'
import type { TestPanelOptions } from '#server/testing/panel.ts'
import { rulePhases } from '#shared/features/domains/rulesets/phases.ts'
import { postponeRules, reserveRules } from './sync.repo.ts'

const waf = 'http_request_firewall_custom'
const theirs = { description: 'Theirs', expression: '(ip.src.country eq "XX")', action: 'block' }
const hour = 3_600_000

async function stage(zones: number, options: Partial<TestPanelOptions> = {}) {
  const s = await stageSync({ world: { zones, recordsPerZone: 1 }, ...options })
  const { sql } = s.services.db
  await s.startSync()
  const accountId = await s.add(0)
  await s.settled(accountId)
  const rows = await sql<{ id: string; providerZoneId: string }[]>`select id, zone_id as provider_zone_id from zones order by name`
  const domains = rows.map(({ id, providerZoneId }) => ({ id, sim: s.simulator.state.zonesById.get(providerZoneId) as SimZone }))
  const calls = (path: string, match: object = {}) => s.simulator.journal.count({ method: 'GET', path, ...match })
  return {
    ...s,
    sql,
    accountId,
    domains,
    first: domains[0] as (typeof domains)[number],
    setOutside: (sim: SimZone, rules: readonly object[]) =>
      applyEdit(s.simulator.state, { kind: 'ruleset', zone: sim.id, phase: waf, rules: rules as Record<string, unknown>[] }),
    history: async (id: string) => (await s.person.call.history.list({ id, subject: 'rule', limit: 50 })).entries,
    lists: () => calls('/zones/{zone}/rulesets'),
    pageRules: () => calls('/zones/{zone}/pagerules'),
    phases: () => calls('/zones/{zone}/rulesets/phases/{phase}/entrypoint'),
    /** As after the interval: all rules that are scheduled are due. */
    async expire() {
      await sql`update zones set rules_due_at = now() where rules_due_at is not null`
      await sql`update accounts set details_due_at = now(), rules_next_at = null`
    },
    due: async () => (await sql<{ n: number }[]>`select count(*)::int as n from zones where rules_due_at is not null`)[0]?.n,
    /** Reads the zone list again, as the sync does every few minutes. */
    async listAgain() {
      await sql`update accounts set next_sync_at = now()`
      await s.settled(accountId)
    },
  }
}
const eventually = <T>(check: () => T | Promise<T>) => vi.waitFor(check, { timeout: 30_000, interval: 20 })

test('rules that were opened once are read again by the sync, and what others changed is in the history; the rules of other domains are not read', async () => {
  const s = await stage(3)
  const { id, sim } = s.first
  await s.person.call.rulesets.list({ id })
  s.setOutside(sim, [theirs])
  s.simulator.journal.reset()
  expect(await s.due()).toBe(1)
  await s.expire()
  await eventually(async () => expect(await s.history(id)).toHaveLength(1))
  await s.settled(s.accountId)
  expect((await s.history(id))[0]).toMatchObject({ source: 'outside', actor: null, before: null, after: { definition: theirs } })
  // One for the list, one for the page rules, one for the phase that has changed.
  expect([s.lists(), s.pageRules(), s.phases(), s.simulator.journal.count()]).toEqual([1, 1, 1, 3])
  const [row] = await s.sql<{ dueAt: Date }[]>`select rules_due_at as due_at from zones where id = ${id}`
  expect(Math.abs(new Date(row?.dueAt ?? 0).getTime() - Date.now() - 6 * hour)).toBeLessThan(60_000)
  const { rulesets } = await s.person.call.rulesets.list({ id })
  expect(rulesets.find(({ phase }) => phase === waf)?.rules).toMatchObject([{ description: 'Theirs' }])
})

test('rules without a change cost two calls, and nothing is in the history', async () => {
  const s = await stage(1)
  const { id, sim } = s.first
  s.setOutside(sim, [theirs])
  await s.person.call.rulesets.list({ id })
  s.simulator.journal.reset()
  await s.expire()
  await eventually(() => expect(s.pageRules()).toBe(1))
  await s.settled(s.accountId)
  expect([s.lists(), s.phases(), s.simulator.journal.count()]).toEqual([1, 0, 2])
  expect(await s.history(id)).toEqual([])
})

test('the drift of a domain from a profile with rules is found without a person: also if its rules were never read', async () => {
  const s = await stage(2)
  const { id, sim } = s.first
  const rule = { key: 'a', phase: waf, description: 'a', expression: '(http.request.uri.path eq "/a")', action: 'block' } as const
  const { profile } = await s.person.call.profiles.create({ name: 'Shop', settings: {}, records: [], rules: [rule] })
  await s.sql`insert into zone_profiles (zone_id, profile_id, version) values (${id}, ${profile.id}, 1)`
  expect((await s.person.call.profiles.ofDomain({ id })).difference).toMatchObject({ areRulesRead: false })
  s.simulator.journal.reset()
  await s.listAgain()
  expect(await s.due()).toBe(1)
  expect(s.lists()).toBe(1)
  expect((await s.person.call.profiles.ofDomain({ id })).difference).toMatchObject({ areRulesRead: true, rules: [{ before: null }] })
  expect(await s.person.call.profiles.differing({ id: profile.id })).toEqual({ domains: 1, differing: 1, unread: 0 })
  s.setOutside(sim, [{ ...theirs, ref: 'x' }])
  await s.expire()
  await eventually(async () => expect(await s.history(id)).toHaveLength(1))
})

test('a budget limits how many rules one run reads, and the next run waits accordingly; records and settings do not wait', async () => {
  const s = await stage(12)
  // A twentieth of it are eight calls, which is four domains without changes.
  const callBudget = { limit: 160, windowMs: 300_000 }
  Object.assign(s.services, { callBudget })
  for (const { id } of s.domains) await s.person.call.rulesets.list({ id })
  s.simulator.journal.reset()
  await s.expire()
  await eventually(() => expect(s.pageRules()).toBe(4))
  await s.settled(s.accountId)
  expect([s.lists(), s.simulator.journal.count()]).toEqual([4, 8])
  const [account] = await s.sql<{ nextAt: Date; dueAt: Date }[]>`select rules_next_at as next_at, details_due_at as due_at from accounts`
  const waits = new Date(account?.nextAt ?? 0).getTime() - Date.now()
  expect(Math.abs(waits - callBudget.windowMs)).toBeLessThan(60_000)
  expect(account?.dueAt).toEqual(account?.nextAt)
  await s.sql`update zones set settings_due_at = now() where id = ${s.first.id}`
  await s.sql`update accounts set details_due_at = now()`
  await s.settled(s.accountId)
  expect(s.lists()).toBe(4)
  const [first] = await s.sql<{ due: Date | null }[]>`select settings_due_at as due from zones where id = ${s.first.id}`
  expect(first?.due).toBeNull()
})

test('accounts of one Cloudflare user share the pause, because they share its budget', async () => {
  const s = await stage(2)
  await addSibling(s)
  await s.person.call.rulesets.list({ id: s.first.id })
  await s.expire()
  await eventually(async () => {
    const waiting = await s.sql<{ n: number }[]>`select count(*)::int as n from accounts where rules_next_at > now()`
    expect(waiting[0]?.n).toBe(2)
  })
})

/** Another account of the same Cloudflare user. */
const addSibling = (s: Awaited<ReturnType<typeof stage>>) => s.sql`
  insert into accounts (owner_id, email, kind, api_key_sealed, credential_hash, provider_user_id, next_sync_at)
  select owner_id, email, 'api_token', api_key_sealed, 'another', provider_user_id, now() + interval '1 day' from accounts`

test('of runs that begin together for accounts of one Cloudflare user, only one gets the share of the rules', async () => {
  const s = await stage(1)
  await addSibling(s)
  await s.sql`update accounts set rules_next_at = null`
  const rows = await s.sql<{ id: string; providerUserId: string | null }[]>`select id, provider_user_id from accounts`
  expect(rows).toHaveLength(2)
  const reserved = await Promise.all([...rows, ...rows].map((row) => reserveRules(s.services.db, row, 300)))
  expect(reserved.filter((until) => until !== null)).toHaveLength(1)
  // One that was added since then has to wait too.
  await s.sql`update accounts set rules_next_at = null where credential_hash = 'another'`
  const added = await Promise.all(rows.map((row) => reserveRules(s.services.db, row, 300)))
  expect(added).toEqual([null, null])
  expect(await s.sql`select from accounts where rules_next_at > now()`).toHaveLength(2)
  // Both wait for the same time, after which one of them gets the share.
  expect(await s.sql`select distinct rules_next_at from accounts`).toHaveLength(1)
  const [first] = rows
  if (first === undefined) throw new Error('there is no account')
  await s.sql`update accounts set rules_next_at = null`
  const until = await reserveRules(s.services.db, first, 300)
  await s.sql`update accounts set rules_next_at = rules_next_at + interval '1 minute' where credential_hash = 'another'`
  await postponeRules(s.services.db, first, until ?? new Date(), 10)
  expect(await s.sql`select distinct rules_next_at from accounts`).toHaveLength(1)
})

test('the share is reserved before the first reading, so that it stays so if the process is killed', async () => {
  const s = await stage(1)
  await s.person.call.rulesets.list({ id: s.first.id })
  s.simulator.faults.add({ path: '/zones/*/rulesets', effect: { kind: 'slow', delayMs: 2_000 } })
  await s.expire()
  await eventually(async () => {
    const rows =
      await s.sql`select from accounts a join zones z on z.account_id = a.id where a.rules_next_at > now() and z.rules_due_at <= now()`
    expect(rows).toHaveLength(1)
  })
  await s.settled(s.accountId)
})

test('an outage ends the reading of rules for a minute, and its domains are tried again within minutes', async () => {
  const s = await stage(40)
  Object.assign(s.services, { callBudget: { limit: 12_000, windowMs: 300_000 } })
  s.simulator.faults.add({ path: '/zones/*/rulesets', effect: { kind: 'server-error', status: 500 } })
  await s.sql`update zones set rules_due_at = now()`
  await s.expire()
  const tried = () =>
    s.sql<{ soon: boolean }[]>`select rules_due_at < now() + interval '10 minutes' as soon from zones where rules_due_at > now()`
  await eventually(async () => expect((await tried()).length).toBeGreaterThanOrEqual(20))
  await s.settled(s.accountId)
  const rows = await tried()
  expect(rows.length).toBeLessThan(40)
  expect(rows.every(({ soon }) => soon)).toBe(true)
})

test('a revoked key ends the reading of rules at the first refusal', async () => {
  const s = await stage(40)
  s.simulator.faults.add({ path: '/zones/*/rulesets', effect: { kind: 'revoked-key' } })
  await s.sql`update zones set rules_due_at = now()`
  s.simulator.journal.reset()
  await s.expire()
  await eventually(() => expect(s.lists()).toBeGreaterThan(0))
  await s.settled(s.accountId)
  // Those that were read at the same time.
  expect(s.lists()).toBeLessThanOrEqual(10)
})

test('rules that cannot be read are tried again after the interval, and do not count as a refusal of the account', async () => {
  const s = await stage(1)
  const { id } = s.first
  await s.person.call.rulesets.list({ id })
  s.simulator.faults.add({ path: '/zones/*/rulesets', effect: { kind: 'forbidden' } })
  await s.expire()
  await eventually(async () => {
    const rows = await s.sql<{ n: number }[]>`select count(*)::int as n from zones where rules_due_at > now() + interval '5 hours'`
    expect(rows[0]?.n).toBe(1)
  })
  await s.settled(s.accountId)
  expect((await s.state(s.accountId)).sync.refused).toBeNull()
})

test('the rules of a domain that is gone are no longer read; when it is back, they are', async () => {
  const s = await stage(2)
  const { id, sim } = s.first
  await s.person.call.rulesets.list({ id })
  await s.sql`update zones set gone_at = now(), rules_due_at = null where id = ${id}`
  await s.listAgain()
  expect(s.simulator.state.zonesById.has(sim.id)).toBe(true)
  expect(await s.due()).toBe(1)
  await s.expire()
  const before = s.lists()
  await eventually(() => expect(s.lists()).toBe(before + 1))
})

test('the list of phases is what a first reading may cost at most', () => {
  // Two calls and one for each phase: decision 22 states this number.
  expect(2 + rulePhases.length).toBe(11)
})
