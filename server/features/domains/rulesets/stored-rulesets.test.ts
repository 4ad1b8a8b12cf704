import { expect, test } from 'vitest'
import { differencesOf } from './stored-rulesets.ts'
import type { StoredRuleset } from './stored-rulesets.ts'

const phase = 'http_request_firewall_custom'
const ruleset = (version: string, ...descriptions: readonly string[]): StoredRuleset => ({
  phase,
  rulesetId: 'ruleset',
  version,
  problem: null,
  rules: descriptions.map((description) => {
    const id = description.slice(0, 1)
    return {
      id,
      ref: id,
      version,
      modifiedAt: null,
      definition: { ref: id, description, expression: 'ssl', action: 'block', enabled: true },
    }
  }),
})

test('a label and a name cut within a character are well-formed, because PostgreSQL refuses half of one', () => {
  const [one, other] = [60, 200].map((length, index) => `${'ab'[index] ?? ''}${'x'.repeat(length - 2)}😀 and more`)
  const changes = [
    ...differencesOf(ruleset('1'), ruleset('2', one ?? '', other ?? '')),
    ...differencesOf(ruleset('1', one ?? '', other ?? ''), ruleset('2', other ?? '', one ?? '')),
  ]
  expect(changes.map(({ subject }) => subject)).toEqual(['rule', 'rule', 'rule_order'])
  const labels = changes.flatMap(({ label, after }) => [label, ...(after !== null && 'names' in after ? after.names : [])])
  expect(labels.filter((label) => label.endsWith('\uFFFD'))).toHaveLength(2)
  expect(labels.every((label) => label.isWellFormed())).toBe(true)
})
