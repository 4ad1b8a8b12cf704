import { expect, test } from 'vitest'
import { applyEdit } from '#server/simulators/cloudflare/control.ts'
import { countStatements } from '#server/testing/count-statements.ts'
import { createOperationWorld } from '#server/testing/operation-world.ts'

const waf = 'http_request_firewall_custom'
const redirect = (key: string) => ({
  key,
  phase: 'http_request_dynamic_redirect' as const,
  expression: `http.host eq "${key}.{{domain}}"`,
  action: 'redirect',
  actionParameters: { from_value: { target_url: { value: 'https://example.com/' }, status_code: 301 } },
})
const rules = [
  ...Array.from({ length: 5 }, (_, at) => ({
    key: `block-${at}`,
    phase: waf as typeof waf,
    description: `Block ${at}`,
    expression: `(http.host eq "{{domain}}" and http.request.uri.path contains "/${at}/")`,
    action: 'block',
  })),
  redirect('www'),
  redirect('old'),
  {
    key: 'cache',
    phase: 'http_request_cache_settings' as const,
    expression: 'ssl',
    action: 'set_cache_settings',
    actionParameters: { cache: true },
  },
]

const zones = 40
/** About twice as many as usual; without batches of several domains there are more than 70. */
const most = 50

test('a profile of eight rules is applied to domains with foreign rules by few statements for each', async () => {
  const { panel, services, sims, ids, ann, begin, work, reaches } = await createOperationWorld(zones, 1)
  for (const sim of sims) {
    sim.plan = 'pro'
    applyEdit(panel.simulator.state, {
      kind: 'ruleset',
      zone: sim.id,
      phase: waf,
      rules: [{ description: 'Theirs', expression: 'ssl', action: 'block' }],
    })
  }
  await services.db.sql`update zones set plan = 'Pro Website'`
  for (const id of ids) await ann.call.rulesets.refresh({ id })
  const { profile } = await ann.call.profiles.create({ name: 'Edge', settings: {}, records: [], rules })
  const id = await begin({ kind: 'profile', input: { profileId: profile.id } })
  const counts = countStatements(services.db)
  await work()
  await reaches(id, 'done')
  const { operation } = await ann.call.operations.items({ id, limit: 1 })
  expect(operation).toMatchObject({ total: zones, done: zones })
  const sum = counts.values().reduce((before, count) => before + count, 0)
  expect(sum / zones).toBeLessThanOrEqual(most)
})
