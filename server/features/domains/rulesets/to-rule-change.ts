import type { z } from 'zod'
import { AppError } from '#shared/errors/app-error.ts'
import { rulesetCatalog } from '#shared/features/domains/rulesets/phases.ts'
import type { RulePhase } from '#shared/features/domains/rulesets/phases.ts'
import type { ruleChange } from '#shared/features/domains/rulesets/schema.ts'
import type { RuleChange } from './apply-rule-changes.ts'
import { newRef } from './check-definition.ts'
import { mergeDefinition } from './stored-rulesets.ts'
import type { StoredRule } from './stored-rulesets.ts'

/** A change of one rule as a person asks for it. */
export type GivenRuleChange = z.output<typeof ruleChange>

/** @throws AppError validation_failed for an action that the phase does not have */
export function requireAction(phase: RulePhase, action: string | undefined): void {
  const actions: readonly string[] = rulesetCatalog[phase].actions
  if (action === undefined || actions.includes(action)) return
  throw new AppError('validation_failed', {
    issues: [{ path: 'rule.action', message: 'invalid_choice', params: { values: actions.join(', ') } }],
  })
}

const hasVersion = (version: string | undefined) => (rule: StoredRule) => version === undefined || rule.version === version

/** @throws AppError validation_failed; an update also when its definition is computed */
export function toRuleChange(given: GivenRuleChange): Exclude<RuleChange, { kind: 'order' }> {
  switch (given.kind) {
    case 'create': {
      const { phase, rule, position, version } = given
      requireAction(phase, rule.action)
      return { kind: 'create', ref: newRef(), definition: mergeDefinition(null, rule), position, version }
    }
    case 'update': {
      const { phase, ruleId, version, rule } = given
      return {
        kind: 'update',
        ruleId,
        isExpected: hasVersion(version),
        definitionOf: (now) => {
          // A rule with another action keeps it.
          if (rule.action !== now.action) requireAction(phase, rule.action)
          return mergeDefinition(now, rule)
        },
      }
    }
    case 'move':
      return { kind: 'move', ruleId: given.ruleId, position: given.position, version: given.version }
    case 'delete':
      return { kind: 'delete', ruleId: given.ruleId, isExpected: hasVersion(given.version) }
  }
}
