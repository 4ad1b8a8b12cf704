import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { operationKinds, startOperations } from '#server/features/operations/index.ts'
import { applyEdit } from '#server/simulators/cloudflare/control.ts'
import type { SimZone } from '#server/simulators/cloudflare/model.ts'
import { rulesetsOf } from '#server/simulators/cloudflare/ruleset-world.ts'
import { signIn } from '#server/testing/app.ts'
import type { SignedIn } from '#server/testing/app.ts'
import { insertAccount, insertZone } from '#server/testing/factories.ts'
import { createTestPanel } from '#server/testing/panel.ts'
import type { TestPanel } from '#server/testing/panel.ts'
import type { RulePhase } from '#shared/features/domains/rulesets/phases.ts'
import { profileRef } from '#shared/features/profiles/rules.ts'
import type { profileFields } from '#shared/features/profiles/schema.ts'
import { z } from 'zod'

type Given = z.input<typeof profileFields>
type Rules = NonNullable<Given['rules']>

const waf = 'http_request_firewall_custom'
const redirects = 'http_request_dynamic_redirect'
const count = 3
let panel: TestPanel
let ann: SignedIn
let accountId: string
let zoneAt = 0
/** Zones that no other test has changed. */
let zones: { id: string; sim: SimZone }[]

beforeAll(async () => {
  panel = await createTestPanel({ world: { zones: 150, accounts: 1, recordsPerZone: 2 } })
  ann = await signIn(panel.services)
  const { email, globalKey } = panel.credential(0)
  const credential = { secrets: panel.services.secrets, apiKey: globalKey }
  accountId = (await insertAccount(panel.services.db, { ownerId: ann.user.id, email }, credential)).id
})
afterAll(() => panel.close())

beforeEach(async () => {
  const free = [...panel.simulator.state.zonesById.values()].filter(({ plan }) => plan === 'free')
  const own = free.slice(zoneAt, zoneAt + count)
  zoneAt += count
  if (own.length < count) throw new Error('no zone is left')
  zones = await Promise.all(own.map(async (sim) => ({ sim, id: await insert(sim) })))
  for (const { id } of zones) await ann.call.zoneSettings.refresh({ id })
  panel.simulator.journal.reset()
})

const insert = async (sim: SimZone) =>
  (
    await insertZone(panel.services.db, {
      ownerId: ann.user.id,
      accountId,
      providerZoneId: sim.id,
      name: sim.name,
      plan: 'Free Website',
    })
  ).id

const foreign = [
  { description: 'Theirs', expression: '(ip.src.country eq "XX")', action: 'block', logging: { enabled: true } },
  { description: 'Also theirs', expression: '(http.host eq "a.example")', action: 'managed_challenge' },
]
const block = (key: string, expression = `(http.request.uri.path eq "/${key}")`): Rules[number] => ({
  key,
  phase: waf,
  description: key,
  expression,
  action: 'block',
})
/** The rule as it is at the provider. */
const made = (key: string, sim: SimZone | undefined) => {
  const { description, expression, action } = block(key)
  return { description, expression: expression.replaceAll('{{domain}}', sim?.name ?? ''), action, enabled: true }
}
const skip: Rules[number] = {
  key: 'skip',
  phase: waf,
  place: 'first',
  description: 'skip',
  expression: '(http.request.uri.path eq "/postback")',
  action: 'skip',
  actionParameters: { ruleset: 'current' },
}
const redirect: Rules[number] = {
  key: 'www',
  phase: redirects,
  description: 'www',
  expression: '(http.host eq "www.{{domain}}")',
  action: 'redirect',
  actionParameters: { from_value: { target_url: { expression: 'concat("https://{{domain}}", http.request.uri.path)' }, status_code: 301 } },
}

let profileNumber = 0
async function create(rules: Rules) {
  profileNumber += 1
  return (await ann.call.profiles.create({ name: `Rules ${profileNumber}`, settings: {}, records: [], rules })).profile
}
const setOutside = (sim: SimZone, rules: readonly object[] | null, phase: RulePhase = waf) =>
  applyEdit(panel.simulator.state, { kind: 'ruleset', zone: sim.id, phase, rules: rules as Record<string, unknown>[] })
const atProvider = (sim: SimZone, phase: RulePhase = waf) => rulesetsOf(panel.simulator.state, sim).get(phase)?.versions.at(-1)?.rules ?? []
/** The rules in the form that `setOutside` takes. */
const written = (sim: SimZone) => atProvider(sim).map(({ id, ref, fields }) => ({ ...fields, id, ref }))
const names = (sim: SimZone, phase: RulePhase = waf) => atProvider(sim, phase).map(({ fields }) => fields['description'])
const read = async () => {
  for (const { id } of zones) await ann.call.rulesets.refresh({ id })
  panel.simulator.journal.reset()
}
const writes = () => ['POST', 'PATCH', 'PUT', 'DELETE'].reduce((sum, method) => sum + panel.simulator.journal.count({ method }), 0)
const first = (): { id: string; sim: SimZone } => {
  const [zone] = zones
  if (zone === undefined) throw new Error('there are no zones')
  return zone
}

const itemsOf = (id: string) => ann.call.operations.items({ id, limit: 1_000 })
async function ended(id: string) {
  await expect.poll(async () => (await itemsOf(id)).operation.state, { timeout: 30_000, interval: 20 }).toBe('done')
  return itemsOf(id)
}
const preview = (profileId: string | null, verify = false) =>
  ann.call.operations.preview({
    request: { kind: 'profile', input: { profileId, verify } },
    target: { ids: zones.map(({ id }) => id) },
  })
async function start(id: string) {
  const runner = await startOperations(panel.services, operationKinds, { pollMs: 20 })
  onTestFinished(() => runner.stop())
  await ann.call.operations.start({ id })
  return ended(id)
}
const run = async (profileId: string | null, verify = false) => start((await preview(profileId, verify)).operation.id)
async function undo(id: string) {
  const { operation } = await ann.call.operations.previewUndo({ id })
  return start(operation.id)
}

describe('applying a profile with rules', () => {
  test('adds its rules with the variables filled in, and leaves the rules of others as they are', async () => {
    for (const { sim } of zones) setOutside(sim, foreign)
    await read()
    const before = zones.map(({ sim }) => atProvider(sim))
    const profile = await create([skip, block('a'), block('b'), redirect])
    const { operation } = await preview(profile.id)
    const { items } = await itemsOf(operation.id)
    expect(items[0]?.plan).toMatchObject({
      after: {
        profile: profile.name,
        rules: [{ phase: redirects, position: 1 }, { description: 'skip', position: 1 }, { position: 4 }, { position: 5 }],
      },
      // Redirects: a read and one call; custom rules: a read and a call for each rule.
      calls: 2 + 4,
      dangers: [],
    })
    panel.simulator.journal.reset()
    await start(operation.id)
    expect(panel.simulator.journal.count({})).toBe(count * 6)
    for (const [at, { sim }] of zones.entries()) {
      expect(names(sim)).toEqual(['skip', 'Theirs', 'Also theirs', 'a', 'b'])
      expect(atProvider(sim).slice(1, 3)).toEqual(before[at])
      expect(atProvider(sim)[3]).toMatchObject({ ref: profileRef(profile.id, 'a'), fields: { enabled: true } })
      expect(atProvider(sim, redirects)).toMatchObject([{ fields: { expression: `(http.host eq "www.${sim.name}")` } }])
    }
    expect(await ann.call.profiles.differing({ id: profile.id })).toEqual({ domains: count, differing: 0, unread: 0 })
    await expect(preview(profile.id)).rejects.toThrow('nothing_to_do')
  })

  test('a changed profile changes, moves, adds and removes only its own rules', async () => {
    for (const { sim } of zones) setOutside(sim, foreign)
    await read()
    const profile = await create([block('a'), block('b'), block('c')])
    await run(profile.id)
    await ann.call.profiles.update({ id: profile.id, rules: [skip, block('c'), block('a', '(http.request.uri.path eq "/new")')] })
    expect((await ann.call.profiles.get({ id: profile.id })).profile.version).toBe(2)
    expect(await ann.call.profiles.differing({ id: profile.id })).toEqual({ domains: count, differing: count, unread: 0 })
    const { rules } = (await ann.call.profiles.ofDomain({ id: first().id })).difference ?? {}
    expect(rules?.map(({ before, after }) => [before?.description, before?.position, after?.description, after?.position])).toEqual([
      ['b', 4, undefined, undefined],
      ['a', 3, 'a', 5],
      [undefined, undefined, 'skip', 1],
    ])
    const others = atProvider(first().sim).slice(0, 2)
    await run(profile.id)
    for (const { sim } of zones) expect(names(sim)).toEqual(['skip', 'Theirs', 'Also theirs', 'c', 'a'])
    expect(atProvider(first().sim).slice(1, 3)).toEqual(others)
    expect(atProvider(first().sim)[4]?.fields).toMatchObject({ expression: '(http.request.uri.path eq "/new")' })
  })

  test("another profile replaces the former one's rules; a rule added in the Rules tab stays", async () => {
    await read()
    const [one, other] = [await create([block('a'), redirect]), await create([block('b')])]
    await run(one.id)
    const { id, sim } = first()
    await ann.call.rulesets.createRule({ id, phase: waf, rule: { description: 'By hand', expression: 'ssl', action: 'block' } })
    await run(other.id)
    expect(names(sim)).toEqual(['By hand', 'b'])
    expect(names(sim, redirects)).toEqual([])
  })

  test('undo restores the exact previous rules, in their order', async () => {
    for (const { sim } of zones) setOutside(sim, foreign)
    await read()
    const profile = await create([block('a'), block('b'), redirect])
    await run(profile.id)
    const state = () => zones.map(({ sim }) => atProvider(sim).map(({ fields }) => fields))
    const before = state()
    await ann.call.profiles.update({ id: profile.id, rules: [skip, block('b'), block('a', '(http.request.uri.path eq "/new")')] })
    const { operation } = await run(profile.id)
    expect(state()).not.toEqual(before)
    const { operation: undone } = await ann.call.operations.previewUndo({ id: operation.id })
    const { items } = await itemsOf(undone.id)
    expect(items[0]?.plan.before).toMatchObject({
      rules: expect.arrayContaining([expect.objectContaining({ description: 'skip' })]) as unknown,
    })
    expect((await start(undone.id)).operation).toMatchObject({ done: count, failed: 0 })
    expect(state()).toEqual(before)
    expect(names(first().sim, redirects)).toEqual(['www'])
  })

  test('the preview of an undo lists the rules that only move, with their places', async () => {
    for (const { sim } of zones) setOutside(sim, foreign)
    await read()
    const profile = await create([block('a'), block('b')])
    await run(profile.id)
    await ann.call.profiles.update({ id: profile.id, rules: [{ ...block('a'), place: 'first' }, block('b')] })
    const { operation } = await run(profile.id)
    expect(names(first().sim)).toEqual(['a', 'Theirs', 'Also theirs', 'b'])
    const { operation: undone } = await ann.call.operations.previewUndo({ id: operation.id })
    const { items } = await itemsOf(undone.id)
    expect(items).toHaveLength(count)
    for (const { plan } of items) {
      expect(plan.before).toMatchObject({ rules: [{ description: 'a', phase: waf, position: 1 }] })
      expect(plan.after).toMatchObject({ rules: [{ description: 'a', phase: waf, position: 3 }] })
    }
    await start(undone.id)
    expect(names(first().sim)).toEqual(['Theirs', 'Also theirs', 'a', 'b'])
  })

  test('the preview of an undo has the two sides of each rule at the same place', async () => {
    await read()
    const profile = await create([block('a'), block('b')])
    await run(profile.id)
    const changed = (key: string) => block(key, `(http.request.uri.path eq "/new-${key}")`)
    await ann.call.profiles.update({ id: profile.id, rules: [changed('a'), changed('b'), block('c')] })
    const { operation } = await run(profile.id)
    const { items } = await itemsOf((await ann.call.operations.previewUndo({ id: operation.id })).operation.id)
    const sides = z.object({ rules: z.array(z.object({ description: z.string() }).nullable()) })
    const [before, after] = [sides.parse(items[0]?.plan.before).rules, sides.parse(items[0]?.plan.after).rules]
    const pairs = before.map((rule, index) => [rule?.description, after[index]?.description])
    expect(pairs).toHaveLength(3)
    expect(Object.fromEntries(pairs)).toEqual({ a: 'a', b: 'b', c: undefined })
  })

  test('undo keeps what others have changed meanwhile', async () => {
    for (const { sim } of zones) setOutside(sim, foreign)
    await read()
    const { operation } = await run((await create([block('a')])).id)
    const { sim } = first()
    setOutside(sim, [...written(sim), { description: 'Newer', expression: 'ssl', action: 'block' }])
    const kept = atProvider(sim).filter(({ fields }) => fields['description'] !== 'a')
    await undo(operation.id)
    expect(atProvider(sim)).toEqual(kept)
  })

  test('a domain whose rules somebody has changed after the preview is held back and reported', async () => {
    for (const { sim } of zones) setOutside(sim, foreign)
    await read()
    const { operation } = await preview((await create([block('a')])).id)
    const { sim } = first()
    setOutside(sim, [...written(sim), { description: 'Newer', expression: 'ssl', action: 'block' }])
    const before = atProvider(sim)
    const { items } = await start(operation.id)
    expect(items.find(({ domain }) => domain === sim.name)).toMatchObject({ state: 'skipped', code: 'changed_since' })
    expect(items.filter(({ state }) => state === 'done')).toHaveLength(count - 1)
    expect(atProvider(sim)).toEqual(before)
  })

  test('a domain whose rules were never read is compared when it runs', async () => {
    for (const { sim } of zones) setOutside(sim, foreign)
    panel.simulator.journal.reset()
    const profile = await create([block('a'), redirect])
    const { operation, dangers } = await preview(profile.id)
    expect(dangers).toEqual({ rules_unread: count })
    expect(panel.simulator.journal.count({})).toBe(0)
    expect((await start(operation.id)).operation).toMatchObject({ done: count, failed: 0 })
    for (const { sim } of zones) expect(names(sim)).toEqual(['Theirs', 'Also theirs', 'a'])
  })

  test('domains whose rules were never read are counted as not compared, and not as equal', async () => {
    const { profile } = await ann.call.profiles.create({ name: 'Later with rules', settings: { minTlsVersion: '1.3' }, records: [] })
    await run(profile.id)
    await ann.call.profiles.update({ id: profile.id, rules: [block('a')] })
    expect(await ann.call.profiles.differing({ id: profile.id })).toEqual({ domains: count, differing: 0, unread: count })
    await read()
    expect(await ann.call.profiles.differing({ id: profile.id })).toEqual({ domains: count, differing: count, unread: 0 })
  })

  test('a refresh of the domain finds what others have done to the rules of the profile', async () => {
    await read()
    const profile = await create([block('a')])
    await run(profile.id)
    const { id, sim } = first()
    setOutside(sim, [{ ...written(sim)[0], enabled: false }])
    expect(await ann.call.profiles.differing({ id: profile.id })).toMatchObject({ differing: 0 })
    await ann.call.zoneSettings.refresh({ id })
    expect(await ann.call.profiles.differing({ id: profile.id })).toMatchObject({ differing: 1 })
    const [entry] = (await ann.call.history.list({ id, subject: 'rule', limit: 1 })).entries
    expect(entry).toMatchObject({ source: 'outside', label: 'a' })
  })

  test('the planned version is applied, even if the profile was changed after the preview', async () => {
    await read()
    const profile = await create([block('a')])
    const { operation } = await preview(profile.id)
    await ann.call.profiles.update({ id: profile.id, rules: [block('b')] })
    await ann.call.profiles.update({ id: profile.id, rules: [block('c')] })
    await start(operation.id)
    for (const { sim } of zones) expect(names(sim)).toEqual(['a'])
    expect((await ann.call.profiles.ofDomain({ id: first().id })).profile).toMatchObject({ version: 1, currentVersion: 3 })
    expect(await ann.call.profiles.differing({ id: profile.id })).toEqual({ domains: count, differing: count, unread: 0 })
  })

  test('rules that Cloudflare refused to show are a warning', async () => {
    panel.simulator.faults.add({
      path: `/zones/${first().sim.id}/rulesets/phases/${waf}/entrypoint`,
      times: 1,
      effect: { kind: 'forbidden' },
    })
    setOutside(first().sim, foreign)
    await read()
    expect((await preview((await create([block('a')])).id)).dangers).toMatchObject({ rules_forbidden: 1 })
  })

  test('a rule of the profile that somebody has described at length is a difference', async () => {
    await read()
    const profile = await create([block('a')])
    await run(profile.id)
    const { id, sim } = first()
    setOutside(sim, [{ ...written(sim)[0], description: 'x'.repeat(600) }])
    await read()
    expect((await ann.call.profiles.ofDomain({ id })).difference?.rules).toHaveLength(1)
  })

  test('a rule of others that skips those of the profile is a warning', async () => {
    setOutside(first().sim, [{ ...foreign[0], action: 'skip', action_parameters: { ruleset: 'current' } }])
    await read()
    expect((await preview((await create([block('a')])).id)).dangers).toEqual({ rules_skipped: 1 })
    expect((await preview((await create([{ ...block('a'), place: 'first' }])).id)).dangers).toEqual({})
  })
})

test.each([
  ['read', true],
  ['never read', false],
])(
  'rules added before a process died stay those of its operation although somebody read them before the retry: rules that were %s at the preview',
  async (_what, isRead) => {
    if (isRead) await read()
    const profile = await create([block('a'), block('b')])
    const { operation } = await preview(profile.id)
    const { db } = panel.services
    await db.sql`update operation_items set attempts = 1, started_at = now() where operation_id = ${operation.id}`
    const [half, whole] = zones
    // Read as it was before the process wrote.
    await read()
    setOutside(half?.sim as SimZone, [{ ...made('a', half?.sim), ref: profileRef(profile.id, 'a') }])
    setOutside(whole?.sim as SimZone, [
      { ...made('a', whole?.sim), ref: profileRef(profile.id, 'a') },
      { ...made('b', whole?.sim), ref: profileRef(profile.id, 'b') },
      { ...made('Theirs', whole?.sim), ref: 'theirs' },
    ])
    await read()
    const { items } = await start(operation.id)
    expect(items.map(({ state }) => state)).toEqual(['done', 'done', 'done'])
    for (const { id, sim } of zones) {
      const { entries } = await ann.call.history.list({ id, subject: 'rule', limit: 50 })
      const own = entries.filter(({ batchId }) => batchId === operation.id)
      expect(own.map(({ label }) => label).toSorted()).toEqual(['a', 'b'])
      expect(entries.filter(({ source }) => source === 'outside').map(({ label }) => label)).toEqual(sim === whole?.sim ? ['Theirs'] : [])
    }
    await undo(operation.id)
    expect(zones.map(({ sim }) => names(sim))).toEqual(zones.map(({ sim }) => (sim === whole?.sim ? ['Theirs'] : [])))
  },
)

describe('rules of a deleted profile', () => {
  test('are marked as such, stay when another profile is applied, and are deleted like any other rule', async () => {
    for (const { sim } of zones) setOutside(sim, foreign)
    await read()
    const profile = await create([block('a')])
    await run(profile.id)
    const { id, sim } = first()
    const shown = async () => {
      const { rulesets } = await ann.call.rulesets.list({ id })
      const ofPhase = rulesets.find(({ phase }) => phase === waf)
      const rules = ofPhase?.rules ?? []
      const marks = rules.map(({ description, profile: of, isOfDeletedProfile }) => [description, of?.id ?? null, isOfDeletedProfile])
      return { marks, last: rules.at(-1), version: ofPhase?.version ?? null, rulesetId: ofPhase?.rulesetId ?? null }
    }
    expect((await shown()).marks).toEqual([
      ['Theirs', null, false],
      ['Also theirs', null, false],
      ['a', profile.id, false],
    ])
    await ann.call.profiles.remove({ id: profile.id })
    expect((await shown()).marks.at(-1)).toEqual(['a', null, true])
    const next = await create([block('b')])
    await run(next.id)
    expect((await shown()).marks).toEqual([
      ['Theirs', null, false],
      ['Also theirs', null, false],
      ['a', null, true],
      ['b', next.id, false],
    ])
    const rule = (await ann.call.rulesets.list({ id })).rulesets
      .find(({ phase }) => phase === waf)
      ?.rules.find(({ isOfDeletedProfile }) => isOfDeletedProfile)
    await ann.call.rulesets.deleteRule({ id, phase: waf, ruleId: rule?.id ?? '', version: rule?.version ?? '' })
    expect(names(sim)).toEqual(['Theirs', 'Also theirs', 'b'])
  })
})

describe('what cannot work', () => {
  test('more rules than the plan of the domain includes are refused before anything is sent', async () => {
    setOutside(first().sim, foreign)
    await read()
    const { operation } = await preview((await create(['a', 'b', 'c', 'd'].map((key) => block(key)))).id)
    const { items } = await itemsOf(operation.id)
    expect(items.find(({ domain }) => domain === first().sim.name)).toMatchObject({
      state: 'skipped',
      code: 'rule_quota_reached',
      plan: { after: { fullPhases: [{ phase: 'http_request_firewall_custom', rules: foreign.length + 4, limit: 5 }] } },
    })
    expect(operation).toMatchObject({ total: count, skipped: 1 })
    expect(panel.simulator.journal.count({})).toBe(0)
  })

  test('rules that are first read when the profile is applied and leave no room name the phase; after one was deleted, retry succeeds', async () => {
    const { sim } = first()
    setOutside(sim, foreign)
    const profile = await create(['a', 'b', 'c', 'd'].map((key) => block(key)))
    const { operation, items } = await run(profile.id)
    const theirs = (all: typeof items) => all.find(({ domain }) => domain === sim.name)
    expect(theirs(items)).toMatchObject({
      state: 'failed',
      code: 'rule_quota_reached',
      plan: { after: { fullPhases: [{ phase: waf, rules: foreign.length + 4, limit: 5 }] } },
    })
    setOutside(sim, foreign.slice(0, 1))
    await ann.call.operations.retryFailed({ id: operation.id })
    const retried = theirs((await ended(operation.id)).items)
    expect(retried).toMatchObject({ state: 'done', plan: { after: { profile: profile.name } } })
    expect(names(sim)).toEqual(['Theirs', 'a', 'b', 'c', 'd'])
  })

  test('a variable without a value is refused', async () => {
    await read()
    const { operation } = await preview((await create([block('a', '(http.host eq "{{tracker_host}}")')])).id)
    expect((await itemsOf(operation.id)).items.map(({ code }) => code)).toEqual(zones.map(() => 'variable_missing'))
  })

  test('a domain that no longer has room for the rules of its profile says why it is not compared', async () => {
    await read()
    const profile = await create([block('a')])
    await run(profile.id)
    await ann.call.profiles.update({ id: profile.id, rules: ['a', 'b', 'c', 'd', 'e', 'f'].map((key) => block(key)) })
    expect(await ann.call.profiles.ofDomain({ id: first().id })).toMatchObject({
      difference: null,
      problem: 'rule_quota_reached',
      fullPhases: [{ phase: 'http_request_firewall_custom', rules: 6, limit: 5 }],
    })
  })

  test("Cloudflare's check refuses a domain before anything of it is changed, in its own words", async () => {
    await read()
    const profile = await create([block('a'), block('b', '(http.unknown.field eq "x")')])
    const { items } = await run(profile.id, true)
    expect(items[0]).toMatchObject({ state: 'failed', code: 'provider_rejected' })
    expect(items[0]?.message).toContain('b: ')
    for (const { sim } of zones) expect(names(sim)).toEqual([])
  })

  test('a refusal without a check leaves the rules before it, and retry continues', async () => {
    await read()
    const profile = await create([block('a'), redirect])
    panel.simulator.journal.reset()
    const { operation } = await preview(profile.id)
    expect((await start(operation.id)).operation).toMatchObject({ done: count })
    expect(writes()).toBe(count * 2)
  })

  test.each<[string, Rules, object]>([
    ['the same key twice', [block('a'), block('a')], { path: ['rules', 1, 'key'], message: 'rule_key_taken' }],
    ['an action of another phase', [{ ...block('a'), action: 'redirect' }], { path: ['rules', 0, 'action'], message: 'invalid_choice' }],
    ['an invalid target', [{ ...redirect, actionParameters: { from_value: { target_url: { value: 'x' } } } }], { message: 'invalid_url' }],
    [
      'a variable that does not exist',
      [block('a', '(http.host eq "{{domian}}")')],
      { path: ['rules', 0, 'expression'], message: 'unknown_variable' },
    ],
    ['an expression that is too long', [block('a', 'x'.repeat(4_097))], { path: ['rules', 0, 'expression'], message: 'too_long' }],
  ])('%s is refused with its field', async (_name, rules, issue) => {
    await expect(create(rules)).rejects.toMatchObject({ cause: { issues: [expect.objectContaining(issue)] } })
  })
})

describe('records and settings beside the rules', () => {
  const record = { type: 'A', name: 'edge', content: '198.51.100.9' } as const
  const whole = async (rules: Rules) => {
    profileNumber += 1
    const settings = { minTlsVersion: '1.3' } as const
    return (await ann.call.profiles.create({ name: `Whole ${profileNumber}`, settings, records: [record], rules })).profile
  }
  const refreshAll = async () => {
    for (const { id } of zones) await ann.call.zoneSettings.refresh({ id })
    await read()
  }

  test('a rule that Cloudflare refuses in its check leaves the domain as it is', async () => {
    await refreshAll()
    const profile = await whole([block('b', '(http.unknown.field eq "x")')])
    const { items } = await run(profile.id, true)
    expect(items.map(({ state, code }) => [state, code])).toEqual(zones.map(() => ['failed', 'provider_rejected']))
    const dryRuns = panel.simulator.journal.recent().filter(({ url }) => url.includes('dry_run')).length
    expect(writes()).toBe(dryRuns)
  })

  test('rules that somebody has changed hold the whole domain back', async () => {
    await refreshAll()
    const { operation } = await preview((await whole([block('a'), redirect])).id)
    const { sim } = first()
    setOutside(sim, foreign)
    panel.simulator.journal.reset()
    const { items } = await start(operation.id)
    expect(items.find(({ domain }) => domain === sim.name)).toMatchObject({ state: 'skipped', code: 'changed_since' })
    expect(names(sim, redirects)).toEqual([])
    expect(panel.simulator.state.changesOf(sim).settings.get('min_tls_version')?.value).not.toBe('1.3')
  })

  test('what was done before a domain was held back can be undone', async () => {
    const { id, sim } = first()
    const { state } = panel.simulator
    const edge = { type: 'A', name: `edge.${sim.name}`, content: '192.0.2.1' }
    const recordId = applyEdit(state, { kind: 'create-record', zone: sim.id, record: edge })
    await refreshAll()
    const { operation } = await preview((await whole([block('a')])).id)
    await ann.call.records.update({ id, recordId: String(recordId), content: '192.0.2.2' })
    const { items } = await start(operation.id)
    expect(items.find(({ domain }) => domain === sim.name)).toMatchObject({ state: 'skipped', code: 'changed_since' })
    expect(names(sim)).toEqual(['a'])
    await undo(operation.id)
    expect(names(sim)).toEqual([])
    expect((await ann.call.profiles.ofDomain({ id })).profile).toBeNull()
  })
})

describe('detaching', () => {
  test('removes them too if the mirror was lost', async () => {
    await read()
    await run((await create([block('a')])).id)
    const { id, sim } = first()
    await panel.services.db.sql`delete from zone_rulesets where zone_id = ${id}`
    expect((await preview(null)).dangers).toEqual({ rules_unread: 1 })
    await run(null)
    expect(names(sim)).toEqual([])
  })

  test('removes the rules of the profile only, and can be undone', async () => {
    for (const { sim } of zones) setOutside(sim, foreign)
    await read()
    const profile = await create([block('a'), redirect])
    await run(profile.id)
    const { operation } = await run(null)
    for (const { sim } of zones) expect([names(sim), names(sim, redirects)]).toEqual([['Theirs', 'Also theirs'], []])
    expect((await ann.call.profiles.ofDomain({ id: first().id })).profile).toBeNull()
    await undo(operation.id)
    for (const { sim } of zones) expect([names(sim), names(sim, redirects)]).toEqual([['Theirs', 'Also theirs', 'a'], ['www']])
    expect((await ann.call.profiles.ofDomain({ id: first().id })).profile?.name).toBe(profile.name)
  })
})
