import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { applyEdit } from '#server/simulators/cloudflare/control.ts'
import type { SimZone } from '#server/simulators/cloudflare/model.ts'
import { rulesetsOf } from '#server/simulators/cloudflare/ruleset-world.ts'
import { signIn } from '#server/testing/app.ts'
import type { SignedIn } from '#server/testing/app.ts'
import { insertAccount, insertZone } from '#server/testing/factories.ts'
import { createTestPanel } from '#server/testing/panel.ts'
import type { TestPanel } from '#server/testing/panel.ts'
import type { RulePhase } from '#shared/features/domains/rulesets/phases.ts'
import { rulePhases } from '#shared/features/domains/rulesets/phases.ts'

const waf = 'http_request_firewall_custom'
let panel: TestPanel
let me: SignedIn
let other: SignedIn
let accountId: string
let zoneAt = 0
/** A zone that no other test has changed. */
let id: string
let sim: SimZone

beforeAll(async () => {
  panel = await createTestPanel({ world: { zones: 60, accounts: 1, recordsPerZone: 2 } })
  ;[me, other] = [await signIn(panel.services), await signIn(panel.services)]
  const { email, globalKey } = panel.credential(0)
  const credential = { secrets: panel.services.secrets, apiKey: globalKey }
  accountId = (await insertAccount(panel.services.db, { ownerId: me.user.id, email }, credential)).id
})
afterAll(() => panel.close())

beforeEach(async () => {
  const zone = [...panel.simulator.state.zonesById.values()].filter(({ plan }) => plan === 'free')[zoneAt]
  zoneAt += 1
  if (zone === undefined) throw new Error('no zone is left')
  sim = zone
  id = await insert(accountId)
})

const insert = async (account: string) =>
  (
    await insertZone(panel.services.db, {
      ownerId: me.user.id,
      accountId: account,
      providerZoneId: sim.id,
      name: sim.name,
      plan: 'Free Website',
    })
  ).id
const foreign = [
  { description: 'Theirs', expression: '(ip.src.country eq "XX")', action: 'block', logging: { enabled: true } },
  { description: 'Also theirs', expression: '(http.host eq "a.example")', action: 'managed_challenge' },
]
const setOutside = (rules: readonly object[] | null, phase: RulePhase = waf) =>
  applyEdit(panel.simulator.state, { kind: 'ruleset', zone: sim.id, phase, rules: rules as Record<string, unknown>[] })
const atProvider = (phase: RulePhase = waf) => rulesetsOf(panel.simulator.state, sim).get(phase)?.versions.at(-1)?.rules ?? []
const calls = (method: string) => panel.simulator.journal.count({ method })
const refresh = () => me.call.rulesets.refresh({ id })
const rulesOf = async (phase: RulePhase = waf) =>
  (await me.call.rulesets.list({ id })).rulesets.find((each) => each.phase === phase)?.rules ?? []
const rule = (description: string, expression = '(http.request.uri.path eq "/x")') => ({ description, expression, action: 'block' })
const create = (description: string, position?: number) =>
  me.call.rulesets.createRule({ id, phase: waf, rule: rule(description), ...(position === undefined ? {} : { position }) })
const names = async (phase: RulePhase = waf) => (await rulesOf(phase)).map(({ description }) => description)
const history = async () => (await me.call.history.list({ id, subject: 'rule', limit: 50 })).entries
async function undo(...ids: string[]) {
  const { token } = await me.call.history.previewRevert({ id, ids })
  return me.call.history.revert({ id, ids, token, force: false })
}

describe('reading', () => {
  test('the first list reads the rules; all phases are listed in the order in which they run', async () => {
    setOutside(foreign)
    const { rulesets, readAt } = await me.call.rulesets.list({ id })
    expect(readAt).not.toBeNull()
    expect(rulesets.map(({ phase }) => phase)).toEqual(rulePhases)
    expect(rulesets.find(({ phase }) => phase === waf)).toMatchObject({
      limit: 5,
      problem: null,
      rules: [{ description: 'Theirs', isOurs: false, enabled: true, action: 'block' }, { description: 'Also theirs' }],
    })
    expect(rulesets[0]).toMatchObject({ rulesetId: null, rules: [], limit: 10 })
    expect(await history()).toEqual([])
  })

  test('a ruleset with the same version is not read again; a changed one is, and the history has the differences as outside changes', async () => {
    setOutside(foreign)
    await me.call.rulesets.list({ id })
    const before = calls('GET')
    await refresh()
    expect(calls('GET') - before).toBe(2)
    const [first, second] = await rulesOf()
    setOutside([
      { ...foreign[1], id: second?.id },
      { ...foreign[0], id: first?.id, enabled: false },
      { ...foreign[0], description: 'New' },
    ])
    await refresh()
    expect(calls('GET') - before).toBe(5)
    expect((await history()).map(({ source, subject, label }) => `${source} ${subject} ${label}`).toSorted()).toEqual([
      'outside rule New',
      'outside rule Theirs',
      `outside rule_order ${waf}`,
    ])
  })

  test("a phase that the token may not read shows the provider's refusal; the others are read", async () => {
    setOutside(foreign)
    setOutside(
      [{ ...rule('Old'), action: 'redirect', action_parameters: { from_value: { target_url: { value: 'https://a.example' } } } }],
      'http_request_dynamic_redirect',
    )
    const path = '*/entrypoint'
    const remove = panel.simulator.faults.add({ method: 'GET', path, effect: { kind: 'forbidden' }, times: 1 })
    const { rulesets } = await me.call.rulesets.list({ id })
    remove()
    const withProblem = rulesets.filter(({ problem }) => problem !== null)
    expect(withProblem).toMatchObject([{ rules: [], problem: { code: 'provider_forbidden' } }])
    expect(rulesets.flatMap(({ rules }) => rules)).not.toEqual([])
    expect((await refresh()).rulesets.filter(({ problem }) => problem !== null)).toEqual([])
    expect(await history()).toEqual([])
  })

  test('a zone of another user is not found', async () => {
    await expect(other.call.rulesets.list({ id })).rejects.toMatchObject({ cause: { code: 'not_found' } })
    await expect(other.call.rulesets.createRule({ id, phase: waf, rule: rule('x') })).rejects.toMatchObject({
      cause: { code: 'not_found' },
    })
    await expect(other.call.rulesets.checkRule({ id, phase: waf, rule: rule('x') })).rejects.toMatchObject({ cause: { code: 'not_found' } })
  })
})

describe('changing', () => {
  test('a rule is added, changed, moved and deleted; rules of others stay byte for byte', async () => {
    setOutside(foreign)
    const theirs = JSON.stringify(atProvider())
    await create('Ours')
    await create('First', 1)
    expect(await names()).toEqual(['First', 'Theirs', 'Also theirs', 'Ours'])
    const ours = (await rulesOf()).find(({ description }) => description === 'Ours')
    expect(ours).toMatchObject({ isOurs: true, enabled: true })
    const target = { id, phase: waf, ruleId: ours?.id ?? '' } as const
    await me.call.rulesets.updateRule({ ...target, rule: { enabled: false } })
    expect((await rulesOf()).find(({ id: each }) => each === ours?.id)).toMatchObject({
      description: 'Ours',
      enabled: false,
      ref: ours?.ref,
    })
    await me.call.rulesets.moveRule({ ...target, position: 1 })
    expect(await names()).toEqual(['Ours', 'First', 'Theirs', 'Also theirs'])
    await me.call.rulesets.deleteRule(target)
    expect(await names()).toEqual(['First', 'Theirs', 'Also theirs'])
    expect(JSON.stringify(atProvider().slice(1))).toBe(theirs)
    expect((await history()).map(({ subject, source }) => [subject, source])).toEqual([
      ['rule', 'panel'],
      ['rule_order', 'panel'],
      ['rule', 'panel'],
      ['rule', 'panel'],
      ['rule', 'panel'],
    ])
  })

  test('the answer to a change names its entries in the history, without what others changed before it; a save without a change has none', async () => {
    await refresh()
    setOutside(foreign)
    const { batchId, ruleset } = await create('Ours')
    const entries = await history()
    expect(entries.filter((entry) => entry.batchId === batchId)).toMatchObject([{ source: 'panel', after: { position: 3 } }])
    expect(entries).toHaveLength(3)
    const ruleId = ruleset.rules[2]?.id ?? ''
    await me.call.rulesets.updateRule({ id, phase: waf, ruleId, rule: rule('Ours') })
    const moved = await me.call.rulesets.moveRule({ id, phase: waf, ruleId, position: 1 })
    const deleted = await me.call.rulesets.deleteRule({ id, phase: waf, ruleId })
    const later = (await history()).slice(0, -3)
    expect(later.map((entry) => entry.batchId)).toEqual([deleted.batchId, moved.batchId])
  })

  test('the fields of a rule that the panel does not know survive a change of another field', async () => {
    setOutside(foreign)
    const [theirs] = (await me.call.rulesets.list({ id })).rulesets.find(({ phase }) => phase === waf)?.rules ?? []
    await me.call.rulesets.updateRule({ id, phase: waf, ruleId: theirs?.id ?? '', rule: { enabled: false } })
    expect(atProvider()[0]?.fields).toMatchObject({ ...foreign[0], enabled: false })
  })

  test('a rule that was changed at Cloudflare in the meantime is refused with its current state, and nothing is sent', async () => {
    setOutside(foreign)
    const [theirs, second] = (await refresh()).rulesets.find(({ phase }) => phase === waf)?.rules ?? []
    setOutside([
      { ...foreign[0], id: theirs?.id, enabled: false },
      { ...foreign[1], id: second?.id },
    ])
    const target = { id, phase: waf, ruleId: theirs?.id ?? '', version: theirs?.version ?? '' } as const
    const writes = calls('PATCH') + calls('DELETE')
    const refused = await me.call.rulesets.updateRule({ ...target, rule: { description: 'Mine' } }).catch((error: unknown) => error)
    expect(refused).toMatchObject({ cause: { code: 'conflict' } })
    expect(JSON.parse((refused as { cause: { params: { rule: string } } }).cause.params.rule)).toMatchObject({ enabled: false })
    await expect(me.call.rulesets.deleteRule(target)).rejects.toMatchObject({ cause: { code: 'conflict' } })
    expect(calls('PATCH') + calls('DELETE')).toBe(writes)
    expect((await history())[0]).toMatchObject({ source: 'outside', label: 'Theirs' })
  })

  test('a position that refers to an outdated list of rules is refused as a conflict, and nothing is sent', async () => {
    setOutside(foreign)
    const seen = (await refresh()).rulesets.find(({ phase }) => phase === waf)
    const [theirs, second] = seen?.rules ?? []
    const version = seen?.version ?? ''
    setOutside([
      { ...foreign[1], id: second?.id },
      { ...foreign[0], id: theirs?.id },
    ])
    const writes = calls('PATCH') + calls('POST')
    const move = { id, phase: waf, ruleId: theirs?.id ?? '', position: 2, version } as const
    await expect(me.call.rulesets.moveRule(move)).rejects.toMatchObject({ cause: { code: 'conflict' } })
    const added = { id, phase: waf, rule: rule('Ours'), version } as const
    await expect(me.call.rulesets.createRule({ ...added, position: 1 })).rejects.toMatchObject({ cause: { code: 'conflict' } })
    expect(calls('PATCH') + calls('POST')).toBe(writes)
    // The last position is the same in every list.
    await me.call.rulesets.createRule(added)
    expect(await names()).toEqual(['Also theirs', 'Theirs', 'Ours'])
    const now = (await me.call.rulesets.list({ id })).rulesets.find(({ phase }) => phase === waf)?.version ?? ''
    await me.call.rulesets.moveRule({ ...move, position: 1, version: now })
    expect(await names()).toEqual(['Theirs', 'Also theirs', 'Ours'])
  })

  test("above the plan's limit Cloudflare refuses, and its words are kept", async () => {
    for (const name of ['a', 'b', 'c', 'd', 'e']) await create(name)
    await expect(create('f')).rejects.toMatchObject({ cause: { code: 'rule_quota_reached', provider: { code: '50001' } } })
    expect(await names()).toHaveLength(5)
  })

  test('a revert that would exceed the limit of the plan says so before it is sent', async () => {
    for (const name of ['a', 'b', 'c', 'd', 'e']) await create(name)
    const [first] = await rulesOf(waf)
    await me.call.rulesets.deleteRule({ id, phase: waf, ruleId: first?.id ?? '' })
    const [deletion] = await history()
    const reasonOf = async () =>
      (await me.call.history.previewRevert({ id, ids: [deletion?.id ?? ''] })).steps.map(({ state, reason }) => [state, reason])
    expect(await reasonOf()).toEqual([['will_change', 'new_id']])
    await create('f')
    expect(await reasonOf()).toEqual([['will_change', 'limit_reached']])
    const [creation] = await history()
    const both = await me.call.history.previewRevert({ id, ids: [deletion?.id ?? '', creation?.id ?? ''] })
    expect(both.steps.map(({ reason }) => reason)).toEqual([null, 'new_id'])
  })

  test('an action that the phase lacks is refused by the panel; an expression by Cloudflare, in its own words', async () => {
    await expect(me.call.rulesets.createRule({ id, phase: waf, rule: { ...rule('x'), action: 'redirect' } })).rejects.toMatchObject({
      cause: { code: 'validation_failed' },
    })
    const wrong = me.call.rulesets.createRule({ id, phase: waf, rule: { ...rule('x'), expression: '(no.such.field eq 1)' } })
    await expect(wrong).rejects.toMatchObject({
      cause: { code: 'provider_rejected', provider: { message: expect.stringContaining('no.such.field') as string } },
    })
    await expect(
      me.call.rulesets.createRule({ id, phase: waf, rule: { ...rule('x'), expression: 'a'.repeat(4_097) } }),
    ).rejects.toMatchObject({
      code: 'BAD_REQUEST',
    })
    expect(await names()).toEqual([])
  })

  test('a lost answer is looked up: the rule is created once', async () => {
    await me.call.rulesets.list({ id })
    const remove = panel.simulator.faults.add({ method: 'POST', effect: { kind: 'error-after-write' }, times: 1 })
    await create('Once')
    remove()
    expect(atProvider().map(({ fields }) => fields['description'])).toEqual(['Once'])
    expect(await names()).toEqual(['Once'])
    expect((await history()).map(({ source }) => source)).toEqual(['panel'])
  })
})

describe('checking without creating', () => {
  const check = (expression: string) => me.call.rulesets.checkRule({ id, phase: waf, rule: { ...rule('x'), expression } })

  test('Cloudflare accepts or refuses, and nothing is written', async () => {
    expect(await check('(http.host eq "a")')).toEqual({ result: 'accepted', message: null, reason: null })
    expect(await check('(no.such.field eq 1)')).toMatchObject({
      result: 'refused',
      message: expect.stringContaining('no.such.field') as string,
    })
    expect(atProvider()).toEqual([])
    for (const name of ['a', 'b', 'c', 'd', 'e']) await create(name)
    expect(await check('(http.host eq "a")')).toMatchObject({ result: 'unverified', reason: 'limit_reached' })
  })

  test('a dry run that the provider ignores leaves no rule', async () => {
    setOutside(foreign)
    await refresh()
    panel.simulator.state.ignoresDryRun = true
    try {
      expect(await check('(http.host eq "a")')).toEqual({ result: 'unverified', message: null, reason: 'unsupported' })
    } finally {
      panel.simulator.state.ignoresDryRun = false
    }
    expect(atProvider().map(({ fields }) => fields['description'])).toEqual(['Theirs', 'Also theirs'])
  })
})

describe('undo', () => {
  test('an added, a changed, a deleted and a moved rule are reverted together, with calls for these rules only', async () => {
    setOutside(foreign)
    await create('Kept')
    const before = await names()
    const kept = (await rulesOf()).find(({ description }) => description === 'Kept')?.id ?? ''
    const gone = (await rulesOf())[1]?.id ?? ''
    const theirs = JSON.stringify(atProvider()[0])
    await create('Added')
    await me.call.rulesets.updateRule({ id, phase: waf, ruleId: kept, rule: { expression: '(http.host eq "b")', enabled: false } })
    await me.call.rulesets.deleteRule({ id, phase: waf, ruleId: gone })
    await me.call.rulesets.moveRule({ id, phase: waf, ruleId: kept, position: 1 })
    const ids = (await history()).slice(0, 4).map((entry) => entry.id)
    const { steps } = await me.call.history.previewRevert({ id, ids })
    expect(steps.map(({ state, reason }) => [state, reason])).toEqual([
      ['will_change', null],
      ['will_change', 'new_id'],
      ['will_change', null],
      ['will_change', null],
    ])
    expect(await undo(...ids)).toEqual({ done: 4, failed: [] })
    expect(await names()).toEqual(before)
    expect((await rulesOf()).find(({ id: each }) => each === kept)).toMatchObject({
      enabled: true,
      expression: rule('').expression,
      isOurs: true,
    })
    expect(JSON.stringify(atProvider()[0])).toBe(theirs)
    expect((await me.call.history.previewRevert({ id, ids })).steps.map(({ state }) => state)).toEqual([
      'already',
      'already',
      'already',
      'already',
    ])
  })

  test('a rule that was changed since is left, unless it is forced', async () => {
    await create('Ours')
    const ours = (await rulesOf())[0]?.id ?? ''
    await me.call.rulesets.updateRule({ id, phase: waf, ruleId: ours, rule: { enabled: false } })
    const [changed] = await history()
    setOutside([{ ...rule('Renamed'), id: ours }])
    await refresh()
    const ids = [changed?.id ?? '']
    const { steps, token } = await me.call.history.previewRevert({ id, ids })
    expect(steps).toMatchObject([{ state: 'changed_since' }])
    expect(await me.call.history.revert({ id, ids, token, force: false })).toEqual({ done: 0, failed: [] })
    expect(await names()).toEqual(['Renamed'])
    expect(await me.call.history.revert({ id, ids, token, force: true })).toEqual({ done: 1, failed: [] })
    expect(await names()).toEqual(['Ours'])
  })

  test('a rule of another program with the same content is not taken for ours', async () => {
    await create('Ours')
    const [ours] = await rulesOf()
    await me.call.rulesets.deleteRule({ id, phase: waf, ruleId: ours?.id ?? '' })
    setOutside([rule('Ours')])
    await refresh()
    const created = (await history()).find(({ before, source }) => before === null && source === 'panel')?.id ?? ''
    expect((await me.call.history.previewRevert({ id, ids: [created] })).steps).toMatchObject([{ state: 'already' }])
    expect(await names()).toEqual(['Ours'])
  })

  test('an order that was changed since, unknown to the mirror, is not overwritten', async () => {
    for (const name of ['a', 'b', 'c']) await create(name)
    const [a, b, c] = await rulesOf()
    await me.call.rulesets.moveRule({ id, phase: waf, ruleId: c?.id ?? '', position: 1 })
    const [moved] = await history()
    const kept = (each: typeof a) => ({ ...rule(each?.description ?? ''), id: each?.id, ref: each?.ref })
    setOutside([b, c, a].map(kept))
    const writes = calls('PATCH')
    expect(await undo(moved?.id ?? '')).toMatchObject({ done: 0, failed: [{ code: 'conflict' }] })
    expect(calls('PATCH')).toBe(writes)
    expect(atProvider().map(({ fields }) => fields['description'])).toEqual(['b', 'c', 'a'])
  })

  test('a deleted rule that exists again is not created a second time', async () => {
    setOutside(foreign)
    const [theirs] = (await refresh()).rulesets.find(({ phase }) => phase === waf)?.rules ?? []
    await me.call.rulesets.deleteRule({ id, phase: waf, ruleId: theirs?.id ?? '' })
    const [deleted] = await history()
    setOutside(foreign)
    expect(await undo(deleted?.id ?? '')).toMatchObject({ done: 0, failed: [{ code: 'conflict' }] })
    expect(atProvider()).toHaveLength(2)
  })

  test('rules that disappeared together come back in their order', async () => {
    setOutside(['a', 'b', 'c', 'd'].map((name) => rule(name)))
    const before = (await refresh()).rulesets.find(({ phase }) => phase === waf)?.rules ?? []
    setOutside([{ ...rule('d'), id: before[3]?.id }])
    await refresh()
    const ids = (await history()).map((entry) => entry.id)
    expect(await undo(...ids)).toMatchObject({ failed: [] })
    expect(await names()).toEqual(['a', 'b', 'c', 'd'])
  })

  test('what was sent before a refusal is in the mirror and the history', async () => {
    for (const name of ['a', 'b', 'c', 'd']) await create(name)
    const [a, b, c, d] = (await rulesOf()).map((each) => each.id)
    await me.call.rulesets.moveRule({ id, phase: waf, ruleId: a ?? '', position: 4 })
    await me.call.rulesets.moveRule({ id, phase: waf, ruleId: b ?? '', position: 4 })
    const ids = (await history()).slice(0, 2).map((entry) => entry.id)
    const remove = panel.simulator.faults.add({ method: 'PATCH', effect: { kind: 'forbidden' } })
    expect((await undo(...ids)).failed).not.toEqual([])
    remove()
    expect((await rulesOf()).map((each) => each.id)).toEqual([c, d, a, b])
    await refresh()
    expect((await history()).filter(({ source }) => source === 'outside')).toEqual([])
  })
})

test('a rule of another program may be longer than the panel permits', async () => {
  setOutside([
    {
      ...rule('x'.repeat(600)),
      action_parameters: { response: { content: 'y'.repeat(25_000), content_type: 'text/html', status_code: 403 } },
    },
  ])
  const [theirs] = (await refresh()).rulesets.find(({ phase }) => phase === waf)?.rules ?? []
  expect(theirs?.description).toHaveLength(600)
  expect(JSON.stringify(theirs?.actionParameters)).toContain('yyyy')
})
