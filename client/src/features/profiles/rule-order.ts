import { rulePhases } from '#shared/features/domains/rulesets/phases.ts'
import type { ProfileRule } from '#shared/features/profiles/schema.ts'

type Placed = Pick<ProfileRule, 'phase' | 'place'>
const places: readonly ProfileRule['place'][] = ['first', 'last']

/** By phase, then those before the domain's rules and those after them: the order in which Cloudflare runs them. */
export const inOrder = <Rule extends Placed>(rules: readonly Rule[]): Rule[] =>
  rules.toSorted(
    (one, other) =>
      rulePhases.indexOf(one.phase) - rulePhases.indexOf(other.phase) || places.indexOf(one.place) - places.indexOf(other.place),
  )

/**
 * A step up or down in the order of the phase; null if there is none. Between the rules before the domain's and those after them the step is
 * over the rules of the domain.
 */
export function stepped<Rule extends Placed>(rules: readonly Rule[], index: number, step: -1 | 1): Rule[] | null {
  const rule = rules[index]
  if (rule === undefined) return null
  const beside = rules[index + step]
  if (beside?.phase === rule.phase && beside.place === rule.place) return rules.with(index, beside).with(index + step, rule)
  const place = step === -1 ? 'first' : 'last'
  return rule.place === place ? null : rules.with(index, { ...rule, place })
}

/**
 * The rules after one was dragged to another index of its phase. It then is before or after the rules of the domain like those beside it; where
 * both are possible, as it was.
 */
export function dragged<Rule extends Placed>(rules: readonly Rule[], from: number, to: number): readonly Rule[] {
  const rule = rules[from]
  if (rule === undefined) return rules
  const others = rules.toSpliced(from, 1)
  const placeAt = (index: number) => (others[index]?.phase === rule.phase ? others[index].place : null)
  const place = placeAt(to - 1) === 'last' ? 'last' : placeAt(to) === 'first' ? 'first' : rule.place
  return others.toSpliced(to, 0, { ...rule, place })
}

const keyLength = 8
/** A key that no rule of the profile has. */
export function newKey(rules: readonly Pick<ProfileRule, 'key'>[]): string {
  const taken = new Set(rules.map(({ key }) => key))
  for (;;) {
    const key = Math.random()
      .toString(36)
      .slice(2, 2 + keyLength)
    if (key !== '' && !taken.has(key)) return key
  }
}
