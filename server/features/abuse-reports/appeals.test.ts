import { expect, test, vi } from 'vitest'
import { wakeSync } from '#server/features/sync/index.ts'
import { signIn } from '#server/testing/app.ts'
import { insertGroup } from '#server/testing/factories.ts'
import { stageSync } from '#server/testing/sync-stage.ts'
import { listMitigationsDue, updateMitigations } from './index.ts'

const eventually = <T>(check: () => T | Promise<T>) => vi.waitFor(check, { timeout: 30_000, interval: 20 })
const path = '/accounts/{account}/abuse-reports/{report}/mitigations/appeal'
const reason = 'removed' as const

/** A report with two mitigations has been read. */
async function stage() {
  const s = await stageSync({ world: { zones: 2, recordsPerZone: 1 }, sync: { intervalSeconds: { least: 3_600, most: 3_600 } } })
  const { sql } = s.services.db
  await s.startSync()
  const accountId = await s.add(0)
  await s.settled(accountId)
  const [zone] = [...s.simulator.state.zonesById.values()]
  s.simulator.state.abuse.add(
    { id: s.credential(0).accountId },
    { domain: zone?.name ?? '' },
    { mitigations: [{ id: 'first' }, { id: 'second', status: 'pending' }, { id: 'over', status: 'removed' }] },
  )
  await sql`update report_feeds set due_at = now()`
  await wakeSync(s.services.db.orm)
  await eventually(async () => expect(await sql`select from abuse_reports where mitigations_read_at is not null`).toHaveLength(1))
  const [row] = await sql<{ id: string }[]>`select id from abuse_reports`
  const id = row?.id ?? ''
  return {
    ...s,
    sql,
    id,
    accountId,
    call: s.person.call.abuseReports,
    details: async () => (await s.person.call.abuseReports.get({ id })).abuseReport.details,
    sent: () => s.simulator.journal.count({ method: 'POST', path }),
  }
}
const refused = (code: string) => ({ cause: { code } })

test('an appeal is sent once, is listed with who sent it, and its mitigations are in review', async () => {
  const s = await stage()
  const { abuseReport } = await s.call.appeal({ id: s.id, mitigationIds: ['first', 'first'], reason })
  expect(abuseReport.details.appeals).toMatchObject([{ mitigationIds: ['first'], reason, state: 'sent', message: null }])
  expect(abuseReport.details.mitigations.map(({ id, status }) => [id, status])).toEqual([
    ['first', 'in_review'],
    ['second', 'pending'],
    ['over', 'removed'],
  ])
  expect(abuseReport.mitigations).toEqual({ active: 0, pending: 1, inReview: 1 })
  expect(s.sent()).toBe(1)
  // What is over, in review or unknown is not sent.
  for (const mitigation of ['first', 'over', 'none']) {
    await expect(s.call.appeal({ id: s.id, mitigationIds: [mitigation], reason })).rejects.toMatchObject(refused('validation_failed'))
  }
  expect(s.sent()).toBe(1)
})

test('an appeal whose answer is lost is not sent again: its outcome is unknown until a person decides', async () => {
  const s = await stage()
  s.simulator.faults.add({ method: 'POST', path: '/accounts/*/abuse-reports/*/mitigations/appeal', effect: { kind: 'reset' }, times: 1 })
  await expect(s.call.appeal({ id: s.id, mitigationIds: ['first'], reason })).rejects.toThrow('provider_')
  expect((await s.details()).appeals).toMatchObject([{ state: 'unknown' }])
  expect(s.sent()).toBe(1)
  await s.call.appeal({ id: s.id, mitigationIds: ['first'], reason })
  expect((await s.details()).appeals.map(({ state }) => state)).toEqual(['sent', 'unknown'])
  expect(s.sent()).toBe(2)
})

test('an appeal that Cloudflare refuses is listed with its message, and one of a process that died is unknown', async () => {
  const s = await stage()
  s.simulator.faults.add({ method: 'POST', path: '/accounts/*/abuse-reports/*/mitigations/appeal', effect: { kind: 'forbidden' } })
  await expect(s.call.appeal({ id: s.id, mitigationIds: ['first'], reason })).rejects.toMatchObject(refused('provider_forbidden'))
  expect((await s.details()).appeals).toMatchObject([{ state: 'refused', message: 'Authentication error' }])
  s.simulator.faults.clear()
  await s.sql`update abuse_appeals set state = 'sending'`
  await expect(s.call.appeal({ id: s.id, mitigationIds: ['first'], reason })).rejects.toMatchObject(refused('conflict'))
  await s.sql`update abuse_appeals set sent_at = now() - interval '6 minutes'`
  expect((await s.details()).appeals).toMatchObject([{ state: 'unknown' }])
})

test('the mitigations are read again after an appeal, also after a refused one, and a reading that began before it changes nothing', async () => {
  const s = await stage()
  const { orm } = s.services.db
  const due = () => listMitigationsDue(orm, s.accountId, 10)
  await s.sql`update abuse_reports set mitigations_due = true`
  const [before] = await due()
  if (before === undefined) throw new Error('nothing is due')
  await s.call.appeal({ id: s.id, mitigationIds: ['first'], reason })
  await updateMitigations(orm, before, [])
  expect((await s.details()).mitigations[0]).toMatchObject({ id: 'first', status: 'in_review' })
  expect(await due()).toHaveLength(1)
  s.simulator.faults.add({ method: 'POST', path: '/accounts/*/abuse-reports/*/mitigations/appeal', effect: { kind: 'forbidden' } })
  await s.sql`update abuse_reports set mitigations_due = false`
  await expect(s.call.appeal({ id: s.id, mitigationIds: ['second'], reason })).rejects.toMatchObject(refused('provider_forbidden'))
  expect(await due()).toHaveLength(1)
})

test('who operates only the domain appeals for it, but not for the account, and the account at Cloudflare is the one with the domains', async () => {
  const s = await stage()
  const { db } = s.services
  const grantee = await signIn(s.services)
  const ownerId = s.person.user.id
  const group = await insertGroup(db, { ownerId, name: 'group' })
  await s.sql`update zones set group_id = ${group.id}`
  await s.sql`insert into shares (owner_id, group_id, grantee_id, level) values (${ownerId}, ${group.id}, ${grantee.user.id}, 'operate')`
  // The credential has access to another account, which has no domains.
  await s.sql`update accounts set provider_account_ids = provider_account_ids || 'f00df00df00df00df00df00df00df00d'::text`
  await s.sql`update abuse_reports set mitigations = jsonb_set(mitigations, '{1,entityType}', '"account"')`
  const { appeal } = grantee.call.abuseReports
  await expect(appeal({ id: s.id, mitigationIds: ['first', 'second'], reason })).rejects.toMatchObject(refused('level_too_low'))
  expect(s.sent()).toBe(0)
  const { abuseReport } = await appeal({ id: s.id, mitigationIds: ['first'], reason })
  expect(abuseReport.details.appeals).toMatchObject([{ state: 'sent' }])
})
