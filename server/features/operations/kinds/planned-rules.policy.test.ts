import { expect, test } from 'vitest'
import { isPlannedRuleChange } from './planned-rules.policy.ts'

const phase = 'http_request_firewall_custom'
const shown = (expression: string, position = 1) => ({
  phase,
  position,
  description: 'Bots',
  expression,
  enabled: true,
  action: 'block',
  actionParameters: null,
  ratelimit: null,
})
const logged = (expression: string, ref: string | null = 'zonedeck_0123456789ab_bots') => ({
  phase: phase as typeof phase,
  position: 7,
  id: 'r1',
  ref,
  definition: { description: 'Bots', expression, enabled: true, action: 'block' },
})
const plan = (before: object | null, after: object | null) => ({
  before: { rules: [null, before] },
  after: { rules: [shown('another'), after] },
})
type Side = ReturnType<typeof logged> | null
const change = (before: Side, after: Side) => ({ subject: 'rule' as const, key: 'r1', before, after })

test.each([
  [null, 'ssl'],
  ['ssl', null],
  ['ssl', 'not ssl'],
] as const)('a change from %s to %s is planned if both sides are, wherever the rule is and whatever its reference', (before, after) => {
  const planned = (side: string | null) => (side === null ? null : shown(side))
  for (const ref of ['zonedeck_0123456789ab_bots', 'r1', null]) {
    const side = (expression: string | null) => (expression === null ? null : logged(expression, ref))
    const made = change(side(before), side(after))
    expect(isPlannedRuleChange(plan(planned(before), planned(after)), made)).toBe(true)
    expect(isPlannedRuleChange(plan(planned(after), planned(before)), made)).toBe(false)
    expect(isPlannedRuleChange(plan(null, null), made)).toBe(false)
  }
})

test('another rule is not planned, and nothing is', () => {
  expect(isPlannedRuleChange(plan(null, shown('ssl')), change(null, logged('ssl and ssl')))).toBe(false)
  expect(isPlannedRuleChange(plan(null, shown('ssl')), change(null, null))).toBe(false)
})

test('an order is planned if a rule of that phase moves', () => {
  const order = (key: string) => ({
    subject: 'rule_order' as const,
    key,
    before: { value: [], names: [] },
    after: { value: [], names: [] },
  })
  expect(isPlannedRuleChange(plan(shown('ssl', 1), shown('ssl', 2)), order(phase))).toBe(true)
  expect(isPlannedRuleChange(plan(shown('ssl', 1), shown('ssl', 2)), order('http_ratelimit'))).toBe(false)
  expect(isPlannedRuleChange(plan(shown('ssl', 1), shown('not ssl', 1)), order(phase))).toBe(false)
  expect(isPlannedRuleChange(plan(shown('ssl', 1), null), order(phase))).toBe(false)
})
