import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { applyEdit } from '#server/simulators/cloudflare/control.ts'
import type { SimZone } from '#server/simulators/cloudflare/model.ts'
import { signIn } from '#server/testing/app.ts'
import type { SignedIn } from '#server/testing/app.ts'
import { insertAccount, insertZone } from '#server/testing/factories.ts'
import { createFakeClock } from '#server/testing/fake-clock.ts'
import { createTestPanel } from '#server/testing/panel.ts'
import type { TestPanel } from '#server/testing/panel.ts'
import { serializeZoneChanges } from '../access/serialize-zone-changes.ts'
import { deleteExpiredRules } from './delete-expired-rules.ts'
import { deleteExpiries, upsertExpiry } from './ip-access.repo.ts'

const errorCode = (code: string) => ({ cause: { code } })
const path = '/zones/*/firewall/access_rules/rules'
const hour = 3_600_000

let panel: TestPanel
let me: SignedIn
let other: SignedIn
let accountId: string
let zoneAt = 0
/** A zone that no other test has changed. */
let id: string
let sim: SimZone
/** Of the account at the provider. */
let hostedAccount: string

beforeAll(async () => {
  panel = await createTestPanel({ world: { zones: 60, accounts: 1, recordsPerZone: 2 } })
  ;[me, other] = [await signIn(panel.services), await signIn(panel.services)]
  const { email, globalKey, accountId: at } = panel.credential(0)
  hostedAccount = at
  const credential = { secrets: panel.services.secrets, apiKey: globalKey }
  accountId = (await insertAccount(panel.services.db, { ownerId: me.user.id, email }, credential)).id
})
afterAll(() => panel.close())

beforeEach(async () => {
  const zone = [...panel.simulator.state.zonesById.values()].filter(({ plan }) => plan === 'free')[zoneAt]
  zoneAt += 1
  if (zone === undefined) throw new Error('no zone is left')
  sim = zone
  const row = { ownerId: me.user.id, accountId, providerZoneId: sim.id, name: sim.name, plan: 'Free Website' }
  id = (await insertZone(panel.services.db, row)).id
  panel.simulator.faults.clear()
  panel.simulator.state.accessRules.delete(hostedAccount)
})

/** Mode and value of each rule at the provider. */
const hosted = (at = sim.id) => (panel.simulator.state.accessRules.get(at) ?? []).map(({ mode, value }) => `${mode} ${value}`).toSorted()
const outside = (mode: 'block' | 'whitelist' | 'challenge', value: string, at = sim.id) =>
  applyEdit(panel.simulator.state, { kind: 'access-rule', at, mode, target: 'ip', value, notes: 'theirs' }) ?? ''
const add = (values: string[], more: { mode?: 'block' | 'whitelist' | 'managed_challenge'; note?: string; expiresAt?: string } = {}) =>
  me.call.ipAccess.add({ id, values, mode: 'block', ...more })
const list = async () => (await me.call.ipAccess.list({ id })).rules
const history = async () => (await me.call.history.list({ id, subject: 'ip_rule', limit: 50 })).entries
const writes = (method: string) => panel.simulator.journal.count({ method })
async function undo(...ids: string[]) {
  const { token } = await me.call.history.previewRevert({ id, ids })
  return me.call.history.revert({ id, ids, token, force: false })
}
const inAnHour = () => new Date(panel.services.clock.now() + hour).toISOString()
/** One round of the deletion of expired rules, so many milliseconds later. */
const expire = (afterMs: number, services = panel.services) =>
  deleteExpiredRules({ ...services, clock: createFakeClock(services.clock.now() + afterMs) })
const expiries = async () => (await panel.services.db.sql`select rule_id from ip_rule_expiries`).length

describe('a domain', () => {
  test('gets rules for addresses, networks, AS numbers and countries; they are listed, in the history and in the activity log', async () => {
    const answer = await add(['203.0.113.7', '2001:DB8:0::1', '198.51.100.0/24', 'as64500', '203.0.113.7/32'], { note: 'bots' })
    expect(answer).toMatchObject({ added: 4, unchanged: 0, conflicts: [] })
    expect(hosted()).toEqual([
      'block 198.51.100.0/24',
      'block 2001:0db8:0000:0000:0000:0000:0000:0001',
      'block 203.0.113.7',
      'block AS64500',
    ])
    expect((await list()).map(({ value }) => value).toSorted()).toEqual(['198.51.100.0/24', '2001:db8::1', '203.0.113.7', 'AS64500'])
    expect(await list()).toMatchObject(Array.from({ length: 4 }, () => ({ mode: 'block', note: 'bots', expiresAt: null })))
    expect(await me.call.ipAccess.refresh({ id })).toMatchObject({ rules: { length: 4 } })
    const entries = await history()
    expect(entries).toHaveLength(4)
    expect(entries).toMatchObject(Array.from({ length: 4 }, () => ({ source: 'panel', before: null, actor: { id: me.user.id } })))
    const [entry] = (await me.call.activity.list({ entityType: 'zone', limit: 1 })).activityLogs
    expect(entry).toMatchObject({ action: 'update', details: { part: 'ip_access', created: 4, updated: 0, deleted: 0 } })
  })

  test('keeps the rules of others: the same one is not sent again, and one of another mode is reported and kept', async () => {
    const [same, kept] = [outside('block', '203.0.113.1'), outside('whitelist', '203.0.113.2')]
    const answer = await add(['203.0.113.1', '203.0.113.2', '203.0.113.3'])
    expect(answer).toMatchObject({ added: 1, unchanged: 1, conflicts: [{ value: '203.0.113.2', mode: 'whitelist' }] })
    expect(hosted()).toEqual(['block 203.0.113.1', 'block 203.0.113.3', 'whitelist 203.0.113.2'])
    expect((await list()).map((rule) => rule.id)).toEqual(expect.arrayContaining([same, kept]))
    const entries = await history()
    await undo(...entries.map((entry) => entry.id))
    expect(hosted()).toEqual(['block 203.0.113.1', 'whitelist 203.0.113.2'])
  })

  test('reports a refusal in the provider’s words with its values; the others are added and recorded', async () => {
    await expect(add(['203.0.113.7', 'KP', '203.0.113.8', 'IR'])).rejects.toMatchObject({
      cause: {
        code: 'provider_rejected',
        provider: { code: '10015', message: expect.stringMatching(/^KP, IR: .*not_entitled.*Enterprise plan$/) as string },
      },
    })
    expect(hosted()).toEqual(['block 203.0.113.7', 'block 203.0.113.8'])
    expect((await list()).map(({ value }) => value).toSorted()).toEqual(['203.0.113.7', '203.0.113.8'])
    expect((await history()).map(({ label }) => label).toSorted()).toEqual(['block 203.0.113.7', 'block 203.0.113.8'])
    expect(await add(['KP'], { mode: 'managed_challenge' })).toMatchObject({ added: 1 })
  })

  test('a creation whose answer is lost is found and not sent twice', async () => {
    panel.simulator.faults.add({ method: 'POST', path, times: 1, effect: { kind: 'cut-body' } })
    const before = writes('POST')
    expect(await add(['203.0.113.7', '203.0.113.8'])).toMatchObject({ added: 2 })
    expect(hosted()).toEqual(['block 203.0.113.7', 'block 203.0.113.8'])
    expect(writes('POST') - before).toBe(2)
    expect(await history()).toHaveLength(2)
  })

  test('a rule gets another mode and note, is deleted, and is restored by an undo with its note', async () => {
    const [rule] = (await add(['203.0.113.7'], { note: 'bots' })).rules
    const ruleId = rule?.id ?? ''
    const changed = await me.call.ipAccess.update({ id, ruleId, mode: 'challenge' })
    expect(changed.rules).toMatchObject([{ id: ruleId, mode: 'challenge', note: 'bots' }])
    expect((await me.call.ipAccess.delete({ id, ruleId })).rules).toEqual([])
    expect(hosted()).toEqual([])
    const [deletion] = await history()
    expect(await undo(deletion?.id ?? '')).toMatchObject({ done: 1, failed: [] })
    expect(await list()).toMatchObject([{ mode: 'challenge', value: '203.0.113.7', note: 'bots' }])
    await expect(me.call.ipAccess.delete({ id, ruleId })).rejects.toMatchObject(errorCode('not_found'))
    await expect(me.call.ipAccess.update({ id, ruleId, note: '' })).rejects.toMatchObject(errorCode('not_found'))
  })

  test('the answer to a change names its entries in the history', async () => {
    const added = await add(['203.0.113.7', '203.0.113.8'])
    const ruleId = added.rules.find(({ value }) => value === '203.0.113.7')?.id ?? ''
    const updated = await me.call.ipAccess.update({ id, ruleId, mode: 'whitelist' })
    const deleted = await me.call.ipAccess.delete({ id, ruleId })
    const batches = [deleted, updated, added, added].map(({ batchId }) => batchId)
    expect((await history()).map(({ batchId }) => batchId)).toEqual(batches)
    expect(new Set(batches).size).toBe(3)
  })

  test('a refused rule in the middle of an undo is reported for its entry, and the rules after it are restored', async () => {
    for (const value of ['203.0.113.7', '203.0.113.8']) outside('block', value)
    applyEdit(panel.simulator.state, { kind: 'access-rule', at: sim.id, mode: 'block', target: 'country', value: 'KP', notes: '' })
    outside('block', '203.0.113.9')
    const { rules } = await me.call.ipAccess.refresh({ id })
    for (const value of ['203.0.113.9', 'KP', '203.0.113.8', '203.0.113.7']) {
      await me.call.ipAccess.delete({ id, ruleId: rules.find((rule) => rule.value === value)?.id ?? '' })
    }
    const entries = await history()
    const refused = entries.find(({ label }) => label === 'block KP')
    const answer = await undo(...entries.filter(({ after }) => after === null).map((entry) => entry.id))
    expect(answer).toMatchObject({ done: 3, failed: [{ entryId: refused?.id, code: 'provider_rejected' }] })
    expect(answer.failed[0]?.message).toContain('not_entitled')
    expect(hosted()).toEqual(['block 203.0.113.7', 'block 203.0.113.8', 'block 203.0.113.9'])
  })

  test('an undo holds back from the same rule that somebody else added after ours was deleted, unless it is forced', async () => {
    await add(['203.0.113.7', '203.0.113.8'], { note: 'bots' })
    const entries = await history()
    const ours = panel.simulator.state.accessRules.get(sim.id) ?? []
    panel.simulator.state.accessRules.set(
      sim.id,
      ours.filter(({ value }) => value !== '203.0.113.7'),
    )
    applyEdit(panel.simulator.state, { kind: 'access-rule', at: sim.id, mode: 'block', target: 'ip', value: '203.0.113.7', notes: 'bots' })
    await me.call.ipAccess.refresh({ id })
    const ids = entries.map((entry) => entry.id)
    const { token, steps } = await me.call.history.previewRevert({ id, ids })
    expect(Object.fromEntries(steps.map(({ label, state }) => [label, state]))).toEqual({
      'block 203.0.113.7': 'changed_since',
      'block 203.0.113.8': 'will_change',
    })
    await me.call.history.revert({ id, ids, token, force: false })
    expect(hosted()).toEqual(['block 203.0.113.7'])
    const again = await me.call.history.previewRevert({ id, ids })
    expect(again.steps.find(({ label }) => label === 'block 203.0.113.7')).toMatchObject({ state: 'changed_since' })
    await me.call.history.revert({ id, ids, token: again.token, force: true })
    expect(hosted()).toEqual([])
  })

  test('an undo deletes a rule that another undo has restored in between, which has another id', async () => {
    const [rule] = (await add(['203.0.113.7'])).rules
    const [creation] = await history()
    let ruleId = rule?.id ?? ''
    for (const round of [1, 2]) {
      await me.call.ipAccess.delete({ id, ruleId })
      const [deletion] = await history()
      await undo(deletion?.id ?? '')
      const [restored] = await list()
      expect([round, restored?.id]).not.toEqual([round, ruleId])
      ruleId = restored?.id ?? ''
    }
    await undo(creation?.id ?? '')
    expect(hosted()).toEqual([])
  })

  test('an outage in the middle of an addition ends it: what follows is not sent', async () => {
    const before = writes('POST')
    const down = panel.simulator.faults.add({ method: 'POST', path, effect: { kind: 'revoked-key' } })
    await expect(add(['203.0.113.7', '203.0.113.8', '203.0.113.9'])).rejects.toMatchObject(errorCode('provider_auth'))
    down()
    expect(writes('POST') - before).toBe(1)
    expect(hosted()).toEqual([])
  })

  test('changes at the provider are outside changes in the history', async () => {
    await add(['203.0.113.7'])
    outside('block', '203.0.113.9')
    await me.call.ipAccess.refresh({ id })
    expect((await history())[0]).toMatchObject({ source: 'outside', label: 'block 203.0.113.9', actor: null })
  })

  test('values that Cloudflare does not accept, and a time in the past, are refused before anything is sent', async () => {
    const before = writes('POST')
    await expect(add(['203.0.112.0/22'])).rejects.toMatchObject({ code: 'BAD_REQUEST' })
    await expect(add([])).rejects.toMatchObject({ code: 'BAD_REQUEST' })
    await expect(add(['203.0.113.7'], { expiresAt: '2020-01-01T00:00:00Z' })).rejects.toMatchObject(errorCode('ip_access_expired'))
    expect(writes('POST')).toBe(before)
  })

  test('of somebody else is not found', async () => {
    const [rule] = (await add(['203.0.113.7'])).rules
    const { ipAccess } = other.call
    const notFound = errorCode('not_found')
    const one = { id, ruleId: rule?.id ?? '' }
    await expect(ipAccess.list({ id })).rejects.toMatchObject(notFound)
    await expect(ipAccess.add({ id, values: ['203.0.113.8'], mode: 'block' })).rejects.toMatchObject(notFound)
    await expect(ipAccess.update({ ...one, note: 'x' })).rejects.toMatchObject(notFound)
    await expect(ipAccess.delete(one)).rejects.toMatchObject(notFound)
    await expect(ipAccess.listOfAccount({ id: accountId })).rejects.toMatchObject(notFound)
    await expect(ipAccess.addToAccount({ id: accountId, values: ['203.0.113.8'], mode: 'block' })).rejects.toMatchObject(notFound)
    expect(hosted()).toEqual(['block 203.0.113.7'])
  })
})

describe('an account', () => {
  test('gets rules for all its domains in one call each; they are listed, changed and deleted, and are in the activity log', async () => {
    const { ipAccess } = me.call
    outside('whitelist', '203.0.113.9', hostedAccount)
    const before = writes('POST')
    const answer = await ipAccess.addToAccount({ id: accountId, values: ['203.0.113.7', '203.0.113.9'], mode: 'block', note: 'bots' })
    expect(answer).toMatchObject({ added: 1, conflicts: [{ value: '203.0.113.9', mode: 'whitelist' }] })
    expect(writes('POST') - before).toBe(1)
    const [entry] = (await me.call.activity.list({ entityType: 'account', limit: 1 })).activityLogs
    expect(entry).toMatchObject({ details: { part: 'ip_access', created: 1, rules: ['block 203.0.113.7'] } })
    const rule = (await ipAccess.listOfAccount({ id: accountId })).rules.find(({ value }) => value === '203.0.113.7')
    const ruleId = rule?.id ?? ''
    await ipAccess.updateOfAccount({ id: accountId, ruleId, mode: 'challenge' })
    expect(hosted(hostedAccount)).toEqual(['challenge 203.0.113.7', 'whitelist 203.0.113.9'])
    expect((await ipAccess.deleteOfAccount({ id: accountId, ruleId })).rules).toMatchObject([{ value: '203.0.113.9' }])
    await expect(ipAccess.deleteOfAccount({ id: accountId, ruleId })).rejects.toMatchObject(errorCode('not_found'))
    // The rules of its domains are others.
    expect(await list()).toEqual([])
  })

  describe('has a history of the changes that the panel made', () => {
    const entries = async (limit = 50) => (await me.call.history.listOfAccount({ id: accountId, limit })).entries
    const addToAccount = (values: string[], more: { mode?: 'block' | 'whitelist'; note?: string; expiresAt?: string } = {}) =>
      me.call.ipAccess.addToAccount({ id: accountId, values, mode: 'block', ...more })
    const preview = (...ids: string[]) => me.call.history.previewRevertOfAccount({ id: accountId, ids })
    async function revert(ids: readonly string[], force = false) {
      const { token } = await preview(...ids)
      return me.call.history.revertOfAccount({ id: accountId, ids: [...ids], token, force })
    }
    const ofValue = async (value: string) => (await entries()).filter(({ label }) => label.endsWith(` ${value}`))

    test('by value, person and call; what others change is not in it', async () => {
      outside('block', '203.0.113.20', hostedAccount)
      const { rules } = await addToAccount(['203.0.113.21', '203.0.113.22'], { note: 'bots' })
      const [one, two] = await entries(2)
      expect(one).toMatchObject({
        source: 'panel',
        actor: { id: me.user.id },
        subject: 'ip_rule',
        before: null,
        after: { note: 'bots' },
      })
      expect(one?.batchId).toBe(two?.batchId)
      const ruleId = rules.find(({ value }) => value === '203.0.113.21')?.id ?? ''
      await me.call.ipAccess.updateOfAccount({ id: accountId, ruleId, mode: 'whitelist' })
      expect(await entries(1)).toMatchObject([{ before: { mode: 'block' }, after: { mode: 'whitelist' } }])
      expect(await ofValue('203.0.113.20')).toEqual([])
      const { nextCursor } = await me.call.history.listOfAccount({ id: accountId, limit: 1 })
      expect((await me.call.history.listOfAccount({ id: accountId, limit: 2, cursor: nextCursor ?? '' })).entries).toMatchObject([
        { id: one?.id },
        { id: two?.id },
      ])
      await expect(other.call.history.listOfAccount({ id: accountId })).rejects.toMatchObject(errorCode('not_found'))
    })

    test('the answer to a change names its entries, so that an undo takes back no other change', async () => {
      const ofBatch = async (batchId: string) => (await me.call.history.listOfAccount({ id: accountId, batchId })).entries
      const added = await addToAccount(['203.0.113.25', '203.0.113.26'])
      const ruleId = added.rules.find(({ value }) => value === '203.0.113.25')?.id ?? ''
      const updated = await me.call.ipAccess.updateOfAccount({ id: accountId, ruleId, mode: 'whitelist' })
      const deleted = await me.call.ipAccess.deleteOfAccount({ id: accountId, ruleId })
      await addToAccount(['203.0.113.27'])
      expect(await ofBatch(added.batchId)).toMatchObject([{ before: null }, { before: null }])
      expect(await ofBatch(updated.batchId)).toMatchObject([{ key: ruleId, before: { mode: 'block' }, after: { mode: 'whitelist' } }])
      const own = await ofBatch(deleted.batchId)
      expect(own).toMatchObject([{ key: ruleId, after: null }])
      expect(await revert(own.map((entry) => entry.id))).toEqual({ done: 1, failed: [] })
      expect(hosted(hostedAccount)).toEqual(['block 203.0.113.26', 'block 203.0.113.27', 'whitelist 203.0.113.25'])
    })

    test('an addition, a change and a deletion are undone exactly, with note and expiry, and the undo can be undone', async () => {
      outside('whitelist', '203.0.113.30', hostedAccount)
      const expiresAt = inAnHour()
      const { rules } = await addToAccount(['203.0.113.31', '203.0.113.32'], { note: 'bots', expiresAt })
      const [rule] = rules.filter(({ value }) => value === '203.0.113.31')
      await me.call.ipAccess.updateOfAccount({ id: accountId, ruleId: rule?.id ?? '', mode: 'whitelist', note: 'friend' })
      const [update] = await ofValue('203.0.113.31')
      expect(await preview(update?.id ?? '')).toMatchObject({ steps: [{ state: 'will_change', reason: null }], calls: 2 })
      expect(await revert([update?.id ?? ''])).toEqual({ done: 1, failed: [] })
      expect(hosted(hostedAccount)).toEqual(['block 203.0.113.31', 'block 203.0.113.32', 'whitelist 203.0.113.30'])
      await me.call.ipAccess.deleteOfAccount({ id: accountId, ruleId: rule?.id ?? '' })
      const [deletion] = await ofValue('203.0.113.31')
      expect(await revert([deletion?.id ?? ''])).toEqual({ done: 1, failed: [] })
      const restored = (await me.call.ipAccess.listOfAccount({ id: accountId })).rules.find(({ value }) => value === '203.0.113.31')
      expect(restored).toMatchObject({ mode: 'block', note: 'bots', expiresAt })
      expect((await ofValue('203.0.113.31')).find(({ id: of }) => of === deletion?.id)?.revertedById).not.toBeNull()
      // The rule that the undo created again is the one of the first entries.
      const additions = (await entries()).filter(({ before, source }) => before === null && source === 'panel')
      expect(await revert(additions.slice(0, 2).map((each) => each.id))).toEqual({ done: 2, failed: [] })
      expect(hosted(hostedAccount)).toEqual(['whitelist 203.0.113.30'])
      const [log] = (await me.call.activity.list({ entityType: 'account', limit: 1 })).activityLogs
      expect(log).toMatchObject({ details: { part: 'ip_access', source: 'revert', deleted: 2 } })
      const undone = (await entries()).filter(({ source }) => source === 'revert').slice(0, 2)
      expect(await revert(undone.map((each) => each.id))).toEqual({ done: 2, failed: [] })
      expect(hosted(hostedAccount)).toEqual(['block 203.0.113.31', 'block 203.0.113.32', 'whitelist 203.0.113.30'])
    })

    test('what somebody else has changed since is kept, unless it is forced, and an outdated preview sends nothing', async () => {
      await addToAccount(['203.0.113.41'])
      const [addition] = await ofValue('203.0.113.41')
      const ids = [addition?.id ?? '']
      const { token } = await preview(...ids)
      const { accessRules } = panel.simulator.state
      accessRules.set(
        hostedAccount,
        (accessRules.get(hostedAccount) ?? []).map((rule) => ({ ...rule, mode: 'whitelist' })),
      )
      await expect(me.call.history.revertOfAccount({ id: accountId, ids, token })).rejects.toMatchObject(errorCode('conflict'))
      expect((await preview(...ids)).steps).toMatchObject([{ state: 'changed_since' }])
      expect(await revert(ids)).toEqual({ done: 0, failed: [] })
      expect(hosted(hostedAccount)).toEqual(['whitelist 203.0.113.41'])
      expect(await revert(ids, true)).toEqual({ done: 1, failed: [] })
      expect(hosted(hostedAccount)).toEqual([])
    })

    test('a refusal is reported by entry', async () => {
      const { rules } = await addToAccount(['203.0.113.51', '203.0.113.52'])
      for (const rule of rules) await me.call.ipAccess.deleteOfAccount({ id: accountId, ruleId: rule.id })
      const deletions = (await entries(2)).map((each) => each.id)
      panel.simulator.faults.add({
        method: 'POST',
        path: '/accounts/*/firewall/access_rules/rules',
        times: 1,
        effect: { kind: 'success-false' },
      })
      const { done, failed } = await revert(deletions)
      expect({ done, failed }).toMatchObject({ done: 1, failed: [{ code: 'provider_rejected' }] })
      expect(hosted(hostedAccount)).toHaveLength(1)
    })
  })
})

describe('expiry', () => {
  test('deletes exactly the expired rules, once, and records it in the history and the activity log', async () => {
    outside('block', '203.0.113.1')
    await add(['203.0.113.7', '203.0.113.8'], { expiresAt: inAnHour() })
    await add(['203.0.113.9'])
    expect((await list()).filter(({ expiresAt }) => expiresAt !== null)).toHaveLength(2)
    expect(await expire(hour - 60_000)).toBe(0)
    const before = writes('DELETE')
    // Each rule is claimed by one of them.
    const [one, other] = await Promise.all([expire(hour + 1), expire(hour + 1)])
    expect(one + other).toBe(2)
    expect(await expire(3 * hour)).toBe(0)
    expect(writes('DELETE') - before).toBe(2)
    expect(hosted()).toEqual(['block 203.0.113.1', 'block 203.0.113.9'])
    expect((await list()).map(({ value }) => value).toSorted()).toEqual(['203.0.113.1', '203.0.113.9'])
    const deletions = (await history()).filter(({ after }) => after === null)
    expect(deletions).toMatchObject([
      { actor: { id: null, name: 'expiry' }, source: 'panel' },
      { actor: { id: null, name: 'expiry' }, source: 'panel' },
    ])
    const logged = (await me.call.activity.list({ entityType: 'zone', limit: 50 })).activityLogs.filter(
      ({ actor }) => actor.kind === 'system',
    )
    expect(logged.map(({ details }) => details)).toMatchObject(
      one === 1 ? [{ part: 'ip_access', deleted: 1 }, { deleted: 1 }] : [{ part: 'ip_access', deleted: 2 }],
    )
    // Restored, it would be deleted again immediately.
    await panel.services.db
      .sql`update zone_changes set before = jsonb_set(before, '{expiresAt}', '"2026-01-01T00:00:00.000Z"') where before is not null`
    const { steps } = await me.call.history.previewRevert({ id, ids: deletions.map((each) => each.id) })
    expect(steps).toMatchObject([
      { state: 'impossible', reason: 'expired' },
      { state: 'impossible', reason: 'expired' },
    ])
  })

  test('of a rule of an account deletes it', async () => {
    await me.call.ipAccess.addToAccount({ id: accountId, values: ['203.0.113.7'], mode: 'block', expiresAt: inAnHour() })
    expect((await me.call.ipAccess.listOfAccount({ id: accountId })).rules).toHaveLength(1)
    expect(await expire(2 * hour)).toBe(1)
    expect(hosted(hostedAccount)).toEqual([])
  })

  test('is tried again later if the provider is away, and keeps a rule that somebody gave another mode', async () => {
    await add(['203.0.113.7', '203.0.113.8'], { expiresAt: inAnHour() })
    panel.simulator.faults.add({ path, effect: { kind: 'forbidden' } })
    expect(await expire(2 * hour)).toBe(2)
    expect(hosted()).toHaveLength(2)
    expect(await expire(2 * hour + 1_000)).toBe(0)
    panel.simulator.faults.clear()
    const rules = panel.simulator.state.accessRules.get(sim.id) ?? []
    panel.simulator.state.accessRules.set(
      sim.id,
      rules.map((rule) => (rule.value === '203.0.113.8' ? { ...rule, mode: 'whitelist' } : rule)),
    )
    expect(await expire(3 * hour)).toBe(2)
    expect(hosted()).toEqual(['whitelist 203.0.113.8'])
    expect(await expiries()).toBe(0)
  })

  test('keeps rules that a person extends or makes permanent while a round is under way, also if the provider refuses', async () => {
    const { rules } = await add(['203.0.113.7', '203.0.113.8', '203.0.113.9'], { expiresAt: inAnHour() })
    const [longer, permanent] = rules
    if (longer === undefined || permanent === undefined) throw new Error('no rules')
    const place = { accountId, domainId: id }
    const { orm, sql } = panel.services.db
    const later = new Date(panel.services.clock.now() + 9 * hour)
    const claimed = async () => (await sql`select 1 from ip_rule_expiries where tries > 0`).length
    /** A round that has claimed the rules, and meanwhile another process stores a change. */
    async function race(afterMs: number, change: () => Promise<unknown>) {
      const { round } = await serializeZoneChanges(id, async () => {
        const started = expire(afterMs)
        await expect.poll(claimed).toBeGreaterThan(0)
        await change()
        return { round: started }
      })
      return round
    }
    panel.simulator.faults.add({ path, effect: { kind: 'forbidden' } })
    expect(await race(2 * hour, () => upsertExpiry(orm, place, longer, later))).toBe(3)
    expect(await sql`select 1 from ip_rule_expiries where rule_id = ${longer.id} and next_try_at = expires_at`).toHaveLength(1)
    panel.simulator.faults.clear()
    await sql`update ip_rule_expiries set tries = 0`
    expect(await race(3 * hour, () => deleteExpiries(orm, place, [permanent.id]))).toBe(2)
    expect(hosted()).toEqual([longer, permanent].map(({ value }) => `block ${value}`).toSorted())
    await sql`update ip_rule_expiries set tries = 0, next_try_at = now(), expires_at = now() where rule_id = ${longer.id}`
    expect(await race(4 * hour, () => upsertExpiry(orm, place, longer, later))).toBe(1)
    expect(hosted()).toHaveLength(2)
    expect(await expire(10 * hour)).toBe(1)
    expect(hosted()).toEqual([`block ${permanent.value}`])
  })

  test('of a rule that is added again is extended or removed, never shortened', async () => {
    await add(['203.0.113.7', '203.0.113.8'], { expiresAt: inAnHour() })
    const later = new Date(panel.services.clock.now() + 5 * hour).toISOString()
    const before = writes('POST')
    expect(await add(['203.0.113.7'])).toMatchObject({ added: 1, unchanged: 0 })
    expect(await add(['203.0.113.8'], { expiresAt: later })).toMatchObject({ added: 1, unchanged: 0 })
    expect(await add(['203.0.113.7', '203.0.113.8'], { expiresAt: inAnHour() })).toMatchObject({ added: 0, unchanged: 2 })
    expect(writes('POST')).toBe(before)
    const known = Object.fromEntries((await list()).map(({ value, expiresAt }) => [value, expiresAt]))
    expect(known).toEqual({ '203.0.113.7': null, '203.0.113.8': later })
    await expire(2 * hour)
    expect(hosted()).toHaveLength(2)
    await expire(6 * hour)
    expect(hosted()).toEqual(['block 203.0.113.7'])
  })

  test('of a domain that is gone for a time is kept', async () => {
    await add(['203.0.113.7'], { expiresAt: inAnHour() })
    await panel.services.db.sql`update zones set gone_at = now() where id = ${id}`
    expect(await expire(2 * hour)).toBe(1)
    expect(await expiries()).toBe(1)
    await panel.services.db.sql`update zones set gone_at = null where id = ${id}`
    expect(await expire(3 * hour)).toBe(1)
    expect(hosted()).toEqual([])
  })

  test('is changed and removed, and ends with the rule', async () => {
    const [rule] = (await add(['203.0.113.7'], { expiresAt: inAnHour() })).rules
    const ruleId = rule?.id ?? ''
    const later = new Date(panel.services.clock.now() + 5 * hour).toISOString()
    expect((await me.call.ipAccess.update({ id, ruleId, expiresAt: later })).rules).toMatchObject([{ expiresAt: later }])
    expect(await expire(2 * hour)).toBe(0)
    expect((await me.call.ipAccess.update({ id, ruleId, expiresAt: null })).rules).toMatchObject([{ expiresAt: null }])
    expect(await expiries()).toBe(0)
    await me.call.ipAccess.update({ id, ruleId, expiresAt: later })
    await me.call.ipAccess.delete({ id, ruleId })
    expect(await expiries()).toBe(0)
    const [deletion] = await history()
    await undo(deletion?.id ?? '')
    expect(await list()).toMatchObject([{ value: '203.0.113.7', expiresAt: later }])
  })
})
