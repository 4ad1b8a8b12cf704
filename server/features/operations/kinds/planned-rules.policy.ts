import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import type { RulesetChange } from '#server/features/domains/rulesets/index.ts'
import { shownRule } from '#server/features/profiles/index.ts'
import type { PlannedItem } from '../planned.ts'

type Sides = Pick<PlannedItem, 'before' | 'after'>
type Side = RulesetChange['before']

/** The two sides of each rule, at the same place. */
const ruleSides = z.object({ rules: z.array(z.record(z.string(), z.unknown()).nullable()) })
function rulePairs({ before, after }: Sides) {
  const [was, is] = [before, after].map((side) => ruleSides.safeParse(side).data?.rules ?? [])
  return (is ?? []).map((rule, index) => ({ before: was?.[index] ?? null, after: rule }))
}

/** Whether a plan that shows both sides of each rule contains the change, wherever the rule is in its phase. */
export function isPlannedRuleChange(plan: Sides, { subject, key, before, after }: RulesetChange): boolean {
  const pairs = rulePairs(plan)
  // The order of a phase of which a rule moves.
  if (subject === 'rule_order')
    return pairs.some((pair) => pair.before?.['phase'] === key && pair.after !== null && pair.before['position'] !== pair.after['position'])
  const isSame = (planned: Readonly<Record<string, unknown>> | null, rule: Side) => {
    if (planned === null || rule === null) return planned === rule
    return 'definition' in rule && isDeepStrictEqual({ ...planned, position: 0 }, { ...shownRule(rule.phase, rule.definition, 0) })
  }
  return (before ?? after) !== null && pairs.some((pair) => isSame(pair.before, before) && isSame(pair.after, after))
}
