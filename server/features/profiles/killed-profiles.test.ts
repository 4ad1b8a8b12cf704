import { once } from 'node:events'
import { expect, test } from 'vitest'
import { applyEdit } from '#server/simulators/cloudflare/control.ts'
import { rulesetsOf } from '#server/simulators/cloudflare/ruleset-world.ts'
import type { SimZone } from '#server/simulators/cloudflare/model.ts'
import { between, randomFrom } from '#server/simulators/random.ts'
import { createOperationWorld } from '#server/testing/operation-world.ts'

const waf = 'http_request_firewall_custom'
const zones = 60
/** Starting a process takes most of the time, so there are few; each direction gets half of them. */
const kills = 6

test('workers killed at any moment while rules are applied and undone lose nothing and repeat nothing; rules of others stay identical', async () => {
  const world = await createOperationWorld(zones, 3, { latencyMs: 5 })
  const { panel, ann, ids, sims } = world
  const { state } = panel.simulator
  const foreign = ['Theirs', 'Also theirs'].map((description) => ({
    description,
    expression: `(http.host eq "a.example")`,
    action: 'block',
  }))
  for (const sim of sims) applyEdit(state, { kind: 'ruleset', zone: sim.id, phase: waf, rules: foreign })
  const rulesOf = (sim: SimZone) => rulesetsOf(state, sim).get(waf)?.versions.at(-1)?.rules ?? []
  const before = sims.map(rulesOf)
  const { profile } = await ann.call.profiles.create({
    name: 'Edge',
    settings: {},
    records: [],
    rules: ['first', 'last'].map((key) => ({
      key,
      phase: waf,
      place: key === 'first' ? 'first' : 'last',
      description: key,
      expression: '(http.host eq "{{domain}}")',
      action: 'block',
    })),
  })
  const random = randomFrom(20261127)
  async function killed(id: string) {
    for (let kill = 0; kill < kills / 2; kill += 1) {
      const worker = await world.forkWorker()
      await world.calls(between(random, 1, 12))
      worker.kill('SIGKILL')
      await once(worker, 'exit')
    }
    const runner = await world.work()
    await world.reaches(id, 'done')
    await runner.stop()
    const { operation } = await ann.call.operations.items({ id, limit: 1 })
    expect(operation).toMatchObject({ total: zones, done: zones, failed: 0, skipped: 0 })
  }

  const applied = await world.begin({ kind: 'profile', input: { profileId: profile.id } })
  await killed(applied)
  for (const [at, sim] of sims.entries()) {
    const rules = rulesOf(sim)
    expect(rules.map(({ fields }) => fields['description'])).toEqual(['first', 'Theirs', 'Also theirs', 'last'])
    expect(rules.slice(1, 3)).toEqual(before[at])
  }
  const [mirror] = await world.services.db.sql<{ n: number }[]>`
    select count(*)::int as n from zone_changes where subject = 'rule' and batch_id = ${applied}`
  expect(mirror?.n).toBe(zones * 2)

  await killed(await world.beginUndo(applied))
  expect(sims.map(rulesOf)).toEqual(before)
  expect((await ann.call.profiles.ofDomain({ id: ids[0] ?? '' })).profile).toBeNull()
}, 300_000)
