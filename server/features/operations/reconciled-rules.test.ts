import { beforeEach, describe, expect, test } from 'vitest'
import { applyEdit } from '#server/simulators/cloudflare/control.ts'
import { rulesetsOf } from '#server/simulators/cloudflare/ruleset-world.ts'
import { createOperationWorld } from '#server/testing/operation-world.ts'
import type { OperationWorld } from '#server/testing/operation-world.ts'
import type { RulePhase } from '#shared/features/domains/rulesets/phases.ts'

const waf = 'http_request_firewall_custom'
const redirects = 'http_request_dynamic_redirect'

let world: OperationWorld
beforeEach(async () => {
  world = await createOperationWorld(1, 1, { recordsPerZone: 0 })
})

const zone = () => {
  const [sim, id] = [world.sims[0], world.ids[0]]
  if (sim === undefined || id === undefined) throw new Error('there is no domain')
  return { sim, id }
}
/** The rules of a phase at Cloudflare, without what differs when a rule is created again. */
const rulesOf = (phase: RulePhase) =>
  rulesetsOf(world.panel.simulator.state, zone().sim)
    .get(phase)
    ?.versions.at(-1)
    ?.rules.map(({ fields: { ref: _ref, ...fields } }) => fields)

async function run(id: string): Promise<void> {
  const runner = await world.work()
  await world.reaches(id, 'done')
  await runner.stop()
}

/** Changes of rules reach Cloudflare, but storing them fails as if the process had died in between, until `heal`. */
async function dieBeforeStoring(): Promise<{ heal: () => Promise<unknown> }> {
  const { sql } = world.services.db
  await sql.unsafe(`
    create function die() returns trigger language plpgsql as $$ begin raise exception 'died' using errcode = '53200'; end $$;
    create trigger die before insert on zone_changes for each row
      when (new.source <> 'outside' and new.subject in ('rule', 'rule_order')) execute function die()`)
  return { heal: () => sql.unsafe('drop function if exists die() cascade') }
}

/** Runs an operation that dies after its first write, and again after it was read. */
async function crash(id: string, reader: 'sync' | 'retry'): Promise<void> {
  const { heal } = await dieBeforeStoring()
  if (reader === 'retry') {
    await run(id)
    await heal()
    return
  }
  const { journal } = world.panel.simulator
  const sent = () => ['POST', 'PUT', 'PATCH', 'DELETE'].reduce((sum, method) => sum + journal.count({ method }), 0)
  const before = sent()
  const runner = await world.work()
  await expect.poll(sent, { timeout: 30_000, interval: 5 }).toBeGreaterThan(before)
  await runner.stop()
  await world.ann.call.rulesets.refresh({ id: zone().id })
  await heal()
  await run(id)
}

/** The history of the domain's rules since the operation was previewed. */
const historyOf = async (id: string) =>
  world.services.db.sql<{ key: string; source: string; batch: string; hasBefore: boolean; hasAfter: boolean }[]>`
    select c.key, c.source, c.batch_id as batch, coalesce(jsonb_typeof(c.before) = 'object', false) as has_before,
      coalesce(jsonb_typeof(c.after) = 'object', false) as has_after
    from zone_changes c join operations o on o.id = ${id}
    where c.subject in ('rule', 'rule_order') and c.at > o.created_at order by c.key`

const readers = ['sync', 'retry'] as const

describe.each(readers)('a change of rules that were never read, whose process died before storing it and which the %s reads', (reader) => {
  test('is that of the operation exactly once: rules of a profile deleted, changed, moved and added; the undo restores them', async () => {
    const { call } = world.ann
    applyEdit(world.panel.simulator.state, {
      kind: 'ruleset',
      zone: zone().sim.id,
      phase: waf,
      rules: [{ description: 'Theirs', expression: 'ssl', action: 'block' }],
    })
    const rule = (key: string, expression = 'ssl') =>
      ({ key, phase: waf, place: 'first', description: key, expression, action: 'block' }) as const
    const { profile } = await call.profiles.create({
      name: 'Edge',
      settings: {},
      records: [],
      rules: ['a', 'b', 'c'].map((key) => rule(key)),
    })
    const request = { kind: 'profile', input: { profileId: profile.id } } as const
    await run(await world.begin(request))
    const before = rulesOf(waf)
    expect(before?.map(({ description }) => description)).toEqual(['a', 'b', 'c', 'Theirs'])
    await call.profiles.update({ id: profile.id, rules: [rule('b', 'not ssl'), rule('a'), rule('d')] })
    await world.services.db.sql`delete from zone_rulesets`

    const id = await world.begin(request)
    await crash(id, reader)
    expect(rulesOf(waf)?.map(({ description, expression }) => [description, expression])).toEqual([
      ['b', 'not ssl'],
      ['a', 'ssl'],
      ['d', 'ssl'],
      ['Theirs', 'ssl'],
    ])
    const history = await historyOf(id)
    expect(new Set(history.map(({ source, batch }) => `${source} ${batch}`))).toEqual(new Set([`operation ${id}`]))
    // One entry each: c deleted, b changed, the order, d added.
    const kinds = history.map(({ hasBefore, hasAfter }) => (hasBefore ? (hasAfter ? 'changed' : 'deleted') : 'added'))
    expect(kinds.toSorted()).toEqual(['added', 'changed', 'changed', 'deleted'])
    await run(await world.beginUndo(id))
    expect(rulesOf(waf)).toEqual(before)
  })

  test('is that of the operation exactly once: the single redirect of an earlier operation replaced; the undo restores it', async () => {
    const { call } = world.ann
    const { id: domainId } = zone()
    // The list of an account that is not known cannot be used.
    await world.services.db.sql`update accounts set provider_account_ids = '{a,b}'`
    const begin = async (url: string) => {
      const { operation } = await call.operations.previewDomainRedirects({ target: { ids: [domainId] }, url, createRecords: false })
      await call.operations.start({ id: operation.id })
      return operation.id
    }
    await run(await begin('https://first.example/'))
    const before = rulesOf(redirects)
    await world.services.db.sql`delete from zone_rulesets`

    const id = await begin('https://second.example/')
    await crash(id, reader)
    expect(JSON.stringify(rulesOf(redirects))).toContain('second.example')
    expect(await historyOf(id)).toMatchObject([{ source: 'operation', batch: id, hasBefore: true, hasAfter: true }])
    await run(await world.beginUndo(id))
    expect(rulesOf(redirects)).toEqual(before)
  })
})

test('an order that others changed during an interrupted operation, and their rules, stay theirs', async () => {
  const { call } = world.ann
  const theirs = ['One', 'Two'].map((description) => ({ ref: `other_${description}`, description, expression: 'ssl', action: 'block' }))
  const { sim, id: domainId } = zone()
  const { state } = world.panel.simulator
  const set = (rules: readonly Record<string, unknown>[]) =>
    applyEdit(state, { kind: 'ruleset', zone: sim.id, phase: waf, rules: [...rules] })
  set(theirs)
  await call.rulesets.refresh({ id: domainId })
  const { profile } = await call.profiles.create({
    name: 'Edge',
    settings: {},
    records: [],
    rules: [{ key: 'a', phase: waf, place: 'last', description: 'a', expression: 'ssl', action: 'block' }],
  })
  const id = await world.begin({ kind: 'profile', input: { profileId: profile.id } })
  const { heal } = await dieBeforeStoring()
  const runner = await world.work()
  await expect.poll(() => rulesOf(waf)?.length, { timeout: 30_000, interval: 5 }).toBe(3)
  await runner.stop()
  await heal()
  const now = rulesetsOf(state, sim).get(waf)?.versions.at(-1)?.rules ?? []
  const written = now.map(({ id: ruleId, ref, fields }) => ({ ...fields, id: ruleId, ref }))
  set(written.toSorted((one, other) => (one.ref < other.ref ? 1 : -1)))
  await call.rulesets.refresh({ id: domainId })
  await run(id)
  const rows = await world.services.db.sql<{ subject: string; source: string }[]>`
    select subject, source from zone_changes where subject in ('rule', 'rule_order') order by subject::text`
  expect(rows).toEqual([
    { subject: 'rule', source: 'operation' },
    { subject: 'rule_order', source: 'outside' },
  ])
})

test("an order of the profile's rules that the operation did not plan is not its change", async () => {
  const { call } = world.ann
  const { sim, id: domainId } = zone()
  const { state } = world.panel.simulator
  await call.rulesets.refresh({ id: domainId })
  const { profile } = await call.profiles.create({
    name: 'Edge',
    settings: {},
    records: [],
    rules: ['a', 'b'].map((key) => ({ key, phase: waf, place: 'last', description: key, expression: 'ssl', action: 'block' })),
  })
  const id = await world.begin({ kind: 'profile', input: { profileId: profile.id } })
  const { heal } = await dieBeforeStoring()
  const runner = await world.work()
  await expect.poll(() => rulesOf(waf)?.length, { timeout: 30_000, interval: 5 }).toBe(2)
  await runner.stop()
  const now = rulesetsOf(state, sim).get(waf)?.versions.at(-1)?.rules ?? []
  const written = now.map(({ id: ruleId, ref, fields }) => ({ ...fields, id: ruleId, ref }))
  await call.rulesets.refresh({ id: domainId })
  applyEdit(state, { kind: 'ruleset', zone: sim.id, phase: waf, rules: written.toReversed() })
  await call.rulesets.refresh({ id: domainId })
  await heal()
  await run(id)
  const rows = await world.services.db.sql<{ subject: string; source: string }[]>`
    select distinct subject, source from zone_changes where subject in ('rule', 'rule_order') order by 1, 2`
  expect(rows).toContainEqual({ subject: 'rule_order', source: 'outside' })
})
