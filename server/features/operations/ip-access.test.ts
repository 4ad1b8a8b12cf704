import { describe, expect, onTestFinished, test } from 'vitest'
import { startIpRuleExpiry } from '#server/features/domains/ip-access/index.ts'
import { applyEdit } from '#server/simulators/cloudflare/control.ts'
import { createOperationWorld } from '#server/testing/operation-world.ts'

const path = '/zones/*/firewall/access_rules/rules'
const thirty = Array.from({ length: 30 }, (_, at) => `203.0.113.${at + 1}`)

async function createStage(zones = 3) {
  const world = await createOperationWorld(zones, 1)
  const { panel, ann, sims, services } = world
  const { state } = panel.simulator
  const hosted = (at: number) => (state.accessRules.get(sims[at]?.id ?? '') ?? []).map(({ mode, value }) => `${mode} ${value}`).toSorted()
  const outside = (at: number, mode: 'block' | 'whitelist', value: string, notes = 'theirs') =>
    applyEdit(state, { kind: 'access-rule', at: sims[at]?.id ?? '', mode, target: 'ip', value, notes })
  const read = async () => {
    for (const id of world.ids) await ann.call.ipAccess.refresh({ id })
  }
  const preview = (input: {
    values: string[]
    mode: 'block' | 'whitelist'
    note?: string
    expiresAt?: string
    expiresInSeconds?: number
  }) =>
    ann.call.operations.preview({
      request: { kind: 'ip_access_add', input: { note: '', expiresAt: null, expiresInSeconds: null, ...input } },
      target: { ids: [...world.ids] },
    })
  const start = async (id: string) => {
    await ann.call.operations.start({ id })
    await world.reaches(id, 'done')
    return id
  }
  const items = async (id: string) =>
    services.db.sql<{ state: string; code: string | null }[]>`
      select state, code from operation_items where operation_id = ${id} order by position`
  /** Starts an operation in a process that is killed in the middle of its calls. */
  const startAndKill = async (id: string, method: 'POST' | 'DELETE' = 'POST') => {
    const [rules, called] = method === 'POST' ? [path, 'rules'] : [`${path}/*`, 'rules/{rule}']
    const slow = panel.simulator.faults.add({ method, path: rules, effect: { kind: 'slow', delayMs: 20 } })
    await ann.call.operations.start({ id })
    const worker = await world.forkWorker()
    await world.calls(5, { method, path: `/zones/{zone}/firewall/access_rules/${called}` })
    worker.kill('SIGKILL')
    slow()
  }
  /** An operation that adds rules to domains with a rule of others; its worker was killed. */
  const killedAddition = async (more: { note?: string; expiresAt?: string }) => {
    outside(0, 'block', '203.0.113.200')
    await read()
    const { operation } = await preview({ values: thirty, mode: 'block', ...more })
    await startAndKill(operation.id)
    return operation
  }
  const entries = async (source: 'operation' | 'outside' | 'revert') =>
    (await ann.call.history.list({ id: world.ids[0] ?? '', subject: 'ip_rule', source, limit: 200 })).entries
  const expiries = async () =>
    (await services.db.sql<{ expiresAt: Date | string }[]>`select expires_at from ip_rule_expiries`).map((row) =>
      new Date(row.expiresAt).toISOString(),
    )
  const setPlan = (plan: string | null) => services.db.sql`update zones set plan = ${plan}`
  return { ...world, state, hosted, outside, read, preview, start, startAndKill, killedAddition, entries, expiries, items, setPlan }
}

describe('adding rules to many domains', () => {
  test('is previewed per domain, run, and undone exactly: rules of others stay', async () => {
    const stage = await createStage()
    const { hosted, outside, read, preview, start, work, beginUndo, reaches, panel, ann } = stage
    outside(0, 'block', '203.0.113.7')
    outside(1, 'whitelist', '203.0.113.8')
    outside(2, 'block', '203.0.113.7')
    outside(2, 'block', '203.0.113.8')
    await read()
    const { operation, dangers } = await preview({ values: ['203.0.113.7', '203.0.113.8'], mode: 'block', note: 'bots' })
    expect(operation).toMatchObject({ kind: 'ip_access_add', total: 2, subject: '203.0.113.7 +1' })
    expect(Object.keys(dangers)).toEqual(['ip_access_conflict'])
    const { items } = await ann.call.operations.items({ id: operation.id })
    const shown = items.filter(({ state }) => state === 'pending').map(({ plan }) => plan.after)
    expect(shown).toHaveLength(2)
    expect(shown).toEqual(
      expect.arrayContaining([
        { ipAccess: [{ mode: 'block', value: '203.0.113.8', note: 'bots' }] },
        { ipAccess: [{ mode: 'block', value: '203.0.113.7', note: 'bots' }] },
      ]),
    )
    expect(panel.simulator.journal.count({ method: 'POST' })).toBe(0)
    await work()
    await start(operation.id)
    expect(hosted(0)).toEqual(['block 203.0.113.7', 'block 203.0.113.8'])
    expect(hosted(1)).toEqual(['block 203.0.113.7', 'whitelist 203.0.113.8'])
    await reaches(await beginUndo(operation.id), 'done')
    expect(hosted(0)).toEqual(['block 203.0.113.7'])
    expect(hosted(1)).toEqual(['whitelist 203.0.113.8'])
    expect(hosted(2)).toHaveLength(2)
  })

  test('says which domains their plan refuses, and holds back what got another rule since the preview', async () => {
    const { hosted, outside, read, preview, start, work, items, setPlan, services, ids } = await createStage(2)
    await setPlan('Free Website')
    await services.db.sql`update zones set plan = 'Enterprise Website' where id = ${ids[0] ?? ''}`
    await read()
    const { operation, dangers } = await preview({ values: ['KP', '203.0.113.7', '203.0.113.9'], mode: 'block' })
    expect(operation).toMatchObject({ total: 2, skipped: 0 })
    expect(dangers).toMatchObject({ ip_access_plan: 1 })
    const only = await preview({ values: ['KP'], mode: 'block' })
    expect(only.operation).toMatchObject({ total: 2, skipped: 1 })
    expect(await items(only.operation.id)).toContainEqual({ state: 'skipped', code: 'ip_access_plan' })
    for (const at of [0, 1]) outside(at, 'whitelist', '203.0.113.9')
    await services.db.sql`update zones set plan = 'Free Website'`
    await work()
    await start(operation.id)
    const states = await items(operation.id)
    // Cloudflare knows the plan of the first zone better than the panel.
    expect(states).toContainEqual({ state: 'failed', code: 'provider_rejected' })
    expect(states).toContainEqual({ state: 'done', code: 'ip_access_held_back' })
    expect([0, 1].flatMap(hosted).filter((rule) => rule === 'whitelist 203.0.113.9')).toHaveLength(2)
  })

  test('sends the other values if Cloudflare refuses one; the domain can be retried, and the undo removes what was added', async () => {
    const { hosted, read, preview, work, reaches, beginUndo, items, services, ann, state, sims } = await createStage(1)
    await read()
    const [sim] = sims
    if (sim === undefined) throw new Error('there is no zone')
    sim.plan = 'free'
    await services.db.sql`update zones set plan = null`
    const { operation } = await preview({ values: ['203.0.113.7', 'KP', 'IR', '203.0.113.8'], mode: 'block' })
    await work()
    await ann.call.operations.start({ id: operation.id })
    await reaches(operation.id, 'done')
    expect(hosted(0)).toEqual(['block 203.0.113.7', 'block 203.0.113.8'])
    const shown = await ann.call.operations.items({ id: operation.id })
    expect(shown.operation).toMatchObject({ done: 0, failed: 1, partlyDone: true })
    expect(shown.items).toMatchObject([{ state: 'failed', code: 'provider_rejected', providerCode: '10015' }])
    expect(shown.items[0]?.message).toMatch(/^KP, IR: .*not_entitled/)
    sim.plan = 'enterprise'
    await ann.call.operations.retryFailed({ id: operation.id })
    await reaches(operation.id, 'done')
    expect(await items(operation.id)).toMatchObject([{ state: 'done' }])
    expect(hosted(0)).toEqual(['block 203.0.113.7', 'block 203.0.113.8', 'block IR', 'block KP'])
    state.accessRules.set(
      sim.id,
      (state.accessRules.get(sim.id) ?? []).filter(({ target }) => target !== 'country'),
    )
    await reaches(await beginUndo(operation.id), 'done')
    expect(hosted(0)).toEqual([])
  })

  test('of domains whose rules were never read warns, and reads them before it adds', async () => {
    const { hosted, outside, preview, start, work } = await createStage(1)
    outside(0, 'whitelist', '203.0.113.7')
    const { operation, dangers } = await preview({ values: ['203.0.113.7', '203.0.113.8'], mode: 'block' })
    expect(Object.keys(dangers)).toEqual(['ip_access_unread'])
    await work()
    await start(operation.id)
    expect(hosted(0)).toEqual(['block 203.0.113.8', 'whitelist 203.0.113.7'])
  })

  test('survives a killed worker: nothing is added twice, all is in the history, and the undo removes all', async () => {
    const { hosted, killedAddition, entries, work, reaches, beginUndo } = await createStage(1)
    const operation = await killedAddition({ note: 'bots' })
    await work()
    await reaches(operation.id, 'done')
    expect(hosted(0)).toHaveLength(31)
    expect(await entries('operation')).toHaveLength(30)
    expect(await entries('outside')).toHaveLength(0)
    await reaches(await beginUndo(operation.id), 'done')
    expect(hosted(0)).toEqual(['block 203.0.113.200'])
  })

  test('takes what a killed attempt added as its own, also if somebody read the rules in between: with its expiry, and undone', async () => {
    const { hosted, outside, read, killedAddition, entries, expiries, work, reaches, beginUndo } = await createStage(1)
    const expiresAt = new Date(Date.now() + 3_600_000).toISOString()
    const operation = await killedAddition({ expiresAt })
    outside(0, 'block', '203.0.113.201')
    await read()
    expect((await entries('outside')).length).toBeGreaterThan(5)
    await work()
    await reaches(operation.id, 'done')
    expect(await entries('operation')).toHaveLength(30)
    expect(await entries('outside')).toMatchObject([{ label: 'block 203.0.113.201' }])
    expect(await expiries()).toEqual(thirty.map(() => expiresAt))
    await reaches(await beginUndo(operation.id), 'done')
    expect(hosted(0)).toEqual(['block 203.0.113.200', 'block 203.0.113.201'])
  })

  test('whose worker is killed and which goes on after the expiry leaves no temporary rules', async () => {
    const { hosted, killedAddition, work, reaches, services, items } = await createStage(1)
    const operation = await killedAddition({ expiresAt: new Date(Date.now() + 3_600_000).toISOString() })
    const past = JSON.stringify(new Date(Date.now() - 1_000).toISOString())
    await services.db.sql`update operations set input = jsonb_set(input, '{expiresAt}', ${past}::text::jsonb) where id = ${operation.id}`
    await work()
    await reaches(operation.id, 'done')
    expect(await items(operation.id)).toMatchObject([{ state: 'skipped', code: 'ip_access_expired' }])
    expect(hosted(0).length).toBeGreaterThan(5)
    onTestFinished(startIpRuleExpiry(services))
    await expect.poll(() => hosted(0), { timeout: 20_000 }).toEqual(['block 203.0.113.200'])
  })

  test('with an expiry that has passed before it runs is skipped', async () => {
    const { preview, start, work, items, hosted, services } = await createStage(1)
    const { operation } = await preview({
      values: ['203.0.113.7'],
      mode: 'block',
      expiresAt: new Date(Date.now() + 3_600_000).toISOString(),
    })
    const past = JSON.stringify(new Date(Date.now() - 1_000).toISOString())
    await services.db.sql`update operations set input = jsonb_set(input, '{expiresAt}', ${past}::text::jsonb) where id = ${operation.id}`
    await work()
    await start(operation.id)
    expect(await items(operation.id)).toMatchObject([{ state: 'skipped', code: 'ip_access_expired' }])
    expect(hosted(0)).toEqual([])
  })
})

describe('a duration', () => {
  const hour = 3_600_000
  const expiriesOf = async ({ services }: Awaited<ReturnType<typeof createStage>>) =>
    Object.fromEntries(
      (
        await services.db.sql<{ value: string; expiresAt: Date | string }[]>`
          select r.value ->> 'value' as value, e.expires_at from ip_rule_expiries e
          join zone_ip_rules z on z.zone_id = e.zone_id cross join jsonb_array_elements(z.rules) r (value)
          where r.value ->> 'id' = e.rule_id`
      ).map((row) => [row.value, new Date(row.expiresAt).getTime()]),
    )

  test('counts from the creation of each rule, not from the preview or the start of the domain', async () => {
    const stage = await createStage(1)
    const { preview, start, work, items, read, panel, state, sims } = stage
    await read()
    const values = ['203.0.113.7', '203.0.113.8', '203.0.113.9', '203.0.113.10']
    const { operation } = await preview({ values, mode: 'block', expiresInSeconds: 3_600 })
    panel.simulator.faults.add({ method: 'POST', path, effect: { kind: 'slow', delayMs: 400 } })
    await work()
    await start(operation.id)
    expect(await items(operation.id)).toMatchObject([{ state: 'done', code: null }])
    const known = await expiriesOf(stage)
    const made = state.accessRules.get(sims[0]?.id ?? '') ?? []
    expect(made.map(({ value }) => value)).toEqual(values)
    // The answer, from which it counts, arrives 0.4 s after the creation; the last rule is created 1.2 s after the first.
    for (const { value, createdOnMs } of made) expect(Math.abs((known[value] ?? 0) - createdOnMs - hour)).toBeLessThan(800)
  })

  test('extends a rule that would end sooner, also one that ended later at the time of the preview; a retry counts from its own start', async () => {
    const stage = await createStage(1)
    const { preview, start, work, services, ann, ids, panel, reaches } = stage
    const id = ids[0] ?? ''
    await ann.call.ipAccess.add({ id, values: ['203.0.113.7'], mode: 'block', expiresInSeconds: 2 * 3_600 })
    const { operation } = await preview({ values: ['203.0.113.7', '203.0.113.8', '203.0.113.9'], mode: 'block', expiresInSeconds: 3_600 })
    // Meanwhile most of its time has passed.
    await services.db.sql`update ip_rule_expiries set expires_at = now() + interval '5 minutes'`
    const refusal = panel.simulator.faults.add({ method: 'POST', path, times: 1, effect: { kind: 'success-false' } })
    await work()
    await start(operation.id)
    refusal()
    const first = await expiriesOf(stage)
    expect(Object.keys(first).toSorted()).toEqual(['203.0.113.7', '203.0.113.9'])
    for (const expiresAt of Object.values(first)) expect(expiresAt).toBeGreaterThan(Date.now() + hour - 60_000)
    await ann.call.operations.retryFailed({ id: operation.id })
    await reaches(operation.id, 'done')
    const { '203.0.113.8': added, ...others } = await expiriesOf(stage)
    expect(added).toBeGreaterThan(Date.now() + hour - 60_000)
    for (const [value, expiresAt] of Object.entries(first)) expect(others[value]).toBeGreaterThanOrEqual(expiresAt)
  })

  test('a rule that somebody else added after the operation failed stays theirs when it is tried again', async () => {
    const stage = await createStage(1)
    const { preview, start, work, services, ann, ids, panel, reaches, state, sims } = stage
    const id = ids[0] ?? ''
    const { operation } = await preview({ values: ['203.0.113.9'], mode: 'block', expiresInSeconds: 60 })
    const refusal = panel.simulator.faults.add({ method: 'POST', path, times: 1, effect: { kind: 'success-false' } })
    await work()
    await start(operation.id)
    refusal()
    applyEdit(state, { kind: 'access-rule', at: sims[0]?.id ?? '', mode: 'block', target: 'ip', value: '203.0.113.9', notes: '' })
    await ann.call.ipAccess.refresh({ id })
    await services.db.sql`update operation_items set started_at = started_at - interval '1 day' where operation_id = ${operation.id}`
    await services.db.sql`update zone_changes set at = at - interval '1 hour' where zone_id = ${id}`
    await ann.call.operations.retryFailed({ id: operation.id })
    await reaches(operation.id, 'done')
    expect(await expiriesOf(stage)).toEqual({})
    const [theirs] = (await ann.call.history.list({ id, subject: 'ip_rule', limit: 5 })).entries
    expect(theirs).toMatchObject({ source: 'outside' })
  })

  test('of rules that a killed attempt created counts from their creation, and a time and a duration together are refused', async () => {
    const stage = await createStage(1)
    const { read, preview, startAndKill, work, reaches, state, sims } = stage
    await read()
    await expect(
      preview({ values: thirty, mode: 'block', expiresInSeconds: 3_600, expiresAt: new Date(Date.now() + hour).toISOString() }),
    ).rejects.toMatchObject({ cause: { issues: [{ path: 'expiresInSeconds', message: 'ip_access_two_expiries' }] } })
    const { operation } = await preview({ values: thirty, mode: 'block', expiresInSeconds: 3_600 })
    await startAndKill(operation.id)
    const made = new Map((state.accessRules.get(sims[0]?.id ?? '') ?? []).map(({ value, createdOnMs }) => [value, createdOnMs]))
    await work()
    await reaches(operation.id, 'done')
    const known = await expiriesOf(stage)
    expect(Object.keys(known)).toHaveLength(30)
    expect(made.size).toBeGreaterThan(4)
    // The provider reports seconds or milliseconds.
    for (const [value, createdOnMs] of made) expect(Math.abs((known[value] ?? 0) - createdOnMs - hour)).toBeLessThanOrEqual(1_000)
  })
})

describe('deleting rules from many domains', () => {
  test('deletes those with the values and the mode, and the undo restores exactly them', async () => {
    const { hosted, outside, read, ann, ids, start, work, beginUndo, reaches, state, sims } = await createStage(2)
    outside(0, 'block', '203.0.113.7', 'first')
    outside(0, 'block', '203.0.113.8')
    outside(1, 'whitelist', '203.0.113.7')
    await read()
    const request = { kind: 'ip_access_delete' as const, input: { values: ['203.0.113.7'], mode: 'block' as const } }
    const { operation } = await ann.call.operations.preview({ request, target: { ids: [...ids] } })
    expect(operation.total).toBe(1)
    await work()
    await start(operation.id)
    expect([hosted(0), hosted(1)]).toEqual([['block 203.0.113.8'], ['whitelist 203.0.113.7']])
    await reaches(await beginUndo(operation.id), 'done')
    expect(hosted(0)).toEqual(['block 203.0.113.7', 'block 203.0.113.8'])
    expect(state.accessRules.get(sims[0]?.id ?? '')?.find(({ value }) => value === '203.0.113.7')).toMatchObject({ notes: 'first' })
  })

  test('an undo whose worker is killed restores the rules with their expiry, also if somebody read them in between', async () => {
    const { hosted, ann, ids, start, startAndKill, entries, expiries, work, reaches } = await createStage(1)
    const id = ids[0] ?? ''
    const expiresAt = new Date(Date.now() + 3_600_000).toISOString()
    await ann.call.ipAccess.add({ id, values: thirty, mode: 'block', expiresAt })
    const request = { kind: 'ip_access_delete' as const, input: { values: thirty, mode: null } }
    const { operation } = await ann.call.operations.preview({ request, target: { ids: [id] } })
    const runner = await work()
    await start(operation.id)
    await runner.stop()
    expect(hosted(0)).toEqual([])
    const undo = (await ann.call.operations.previewUndo({ id: operation.id })).operation.id
    await startAndKill(undo)
    await ann.call.ipAccess.refresh({ id })
    await work()
    await reaches(undo, 'done')
    expect(hosted(0)).toHaveLength(30)
    expect(await entries('revert')).toHaveLength(30)
    expect(await entries('outside')).toEqual([])
    expect(await expiries()).toEqual(thirty.map(() => expiresAt))
  })

  test('an undo whose worker is killed deletes what was added, and every deletion refers to its entry, also if somebody read in between', async () => {
    const { hosted, ann, ids, preview, start, startAndKill, entries, work, reaches } = await createStage(1)
    const id = ids[0] ?? ''
    const { operation } = await preview({ values: thirty, mode: 'block' })
    const runner = await work()
    await start(operation.id)
    await runner.stop()
    const undo = (await ann.call.operations.previewUndo({ id: operation.id })).operation.id
    await startAndKill(undo, 'DELETE')
    await ann.call.ipAccess.refresh({ id })
    expect((await entries('outside')).length).toBeGreaterThan(4)
    await work()
    await reaches(undo, 'done')
    expect(hosted(0)).toEqual([])
    expect(await entries('outside')).toEqual([])
    const reverts = new Set((await entries('revert')).map((entry) => entry.revertsId))
    const added = await entries('operation')
    expect(added).toHaveLength(30)
    expect(added.filter((entry) => !reverts.has(entry.id))).toEqual([])
  })

  test('a killed deletion takes as its own only what it was to delete: a rule that somebody else gave another mode and deleted stays theirs', async () => {
    const { hosted, outside, read, ann, ids, startAndKill, entries, work, reaches, beginUndo, state, sims } = await createStage(1)
    const [sim] = sims
    const last = '203.0.113.30'
    for (const value of thirty) outside(0, 'block', value)
    await read()
    const request = { kind: 'ip_access_delete' as const, input: { values: thirty, mode: 'block' as const } }
    const { operation } = await ann.call.operations.preview({ request, target: { ids: [...ids] } })
    await startAndKill(operation.id, 'DELETE')
    const theirs = () => state.accessRules.get(sim?.id ?? '') ?? []
    state.accessRules.set(
      sim?.id ?? '',
      theirs().map((rule) => (rule.value === last ? { ...rule, mode: 'whitelist' } : rule)),
    )
    await read()
    state.accessRules.set(
      sim?.id ?? '',
      theirs().filter(({ value }) => value !== last),
    )
    await read()
    await work()
    await reaches(operation.id, 'done')
    expect(hosted(0)).toEqual([])
    expect(await entries('operation')).toHaveLength(29)
    expect(await entries('outside')).toMatchObject([
      { before: { mode: 'whitelist', value: last }, after: null },
      { before: { mode: 'block', value: last }, after: { mode: 'whitelist' } },
    ])
    await reaches(await beginUndo(operation.id), 'done')
    expect(hosted(0)).toEqual(
      thirty
        .filter((value) => value !== last)
        .map((value) => `block ${value}`)
        .toSorted(),
    )
  })
})
