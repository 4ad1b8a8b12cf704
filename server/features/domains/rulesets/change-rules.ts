import type { z } from 'zod'
import { findProfilesOfRules } from '#server/features/profiles/index.ts'
import type { Ctx } from '#server/platform/context.ts'
import { AppError } from '#shared/errors/app-error.ts'
import { rulesetCatalog } from '#shared/features/domains/rulesets/phases.ts'
import type { RulePhase } from '#shared/features/domains/rulesets/phases.ts'
import type {
  checkRuleInput,
  createRuleInput,
  deleteRuleInput,
  moveRuleInput,
  rulesetAnswer,
  updateRuleInput,
} from '#shared/features/domains/rulesets/schema.ts'
import { openZone } from '../access/open-zone.ts'
import { serializeZoneChanges } from '../access/serialize-zone-changes.ts'
import { applyRuleChanges } from './apply-rule-changes.ts'
import type { RuleChange } from './apply-rule-changes.ts'
import { checkDefinition, newRef } from './check-definition.ts'
import type { CheckedRule } from './check-definition.ts'
import { mergeDefinition, toZoneRuleset } from './stored-rulesets.ts'
import type { StoredRule } from './stored-rulesets.ts'

type Answer = z.output<typeof rulesetAnswer>

/** @throws AppError validation_failed for an action that the phase does not have */
function requireAction(phase: RulePhase, action: string | undefined): void {
  const actions: readonly string[] = rulesetCatalog[phase].actions
  if (action === undefined || actions.includes(action)) return
  throw new AppError('validation_failed', {
    issues: [{ path: 'rule.action', message: 'invalid_choice', params: { values: actions.join(', ') } }],
  })
}

async function changeOne(ctx: Ctx, id: string, phase: RulePhase, change: RuleChange): Promise<Answer> {
  const zone = await openZone(ctx, id)
  const { ruleset, refused } = await applyRuleChanges(ctx, zone, phase, [change], { priority: 'person', source: 'panel' })
  if (refused !== null) throw refused.error
  return { ruleset: toZoneRuleset(ruleset, zone.plan, await findProfilesOfRules(ctx, zone.ownerId)) }
}

const hasVersion = (version: string | undefined) => (rule: StoredRule) => version === undefined || rule.version === version

/** @throws AppError not_found, conflict, rule_quota_reached, validation_failed, provider_* */
export async function createRule(ctx: Ctx, { id, phase, rule, position, version }: z.output<typeof createRuleInput>): Promise<Answer> {
  requireAction(phase, rule.action)
  return changeOne(ctx, id, phase, { kind: 'create', ref: newRef(), definition: mergeDefinition(null, rule), position, version })
}

/** @throws AppError not_found, conflict with the current rule (JSON), validation_failed, provider_* */
export async function updateRule(ctx: Ctx, { id, phase, ruleId, version, rule }: z.output<typeof updateRuleInput>): Promise<Answer> {
  return changeOne(ctx, id, phase, {
    kind: 'update',
    ruleId,
    isExpected: hasVersion(version),
    definitionOf: (now) => {
      // A rule with another action keeps it.
      if (rule.action !== now.action) requireAction(phase, rule.action)
      return mergeDefinition(now, rule)
    },
  })
}

/** @throws AppError not_found, conflict with the current rule (JSON), provider_* */
export const moveRule = (ctx: Ctx, { id, phase, ruleId, position, version }: z.output<typeof moveRuleInput>): Promise<Answer> =>
  changeOne(ctx, id, phase, { kind: 'move', ruleId, position, version })

/** @throws AppError not_found, conflict with the current rule (JSON), provider_* */
export const deleteRule = (ctx: Ctx, { id, phase, ruleId, version }: z.output<typeof deleteRuleInput>): Promise<Answer> =>
  changeOne(ctx, id, phase, { kind: 'delete', ruleId, isExpected: hasVersion(version) })

/**
 * Lets the provider check a new rule without creating it.
 * @throws AppError not_found, validation_failed, provider_*
 */
export async function checkRule(ctx: Ctx, { id, phase, rule }: z.output<typeof checkRuleInput>): Promise<CheckedRule> {
  requireAction(phase, rule.action)
  const zone = await openZone(ctx, id)
  return serializeZoneChanges(id, async () => {
    const ruleset = await zone.connection.getRuleset(zone.providerZoneId, phase, { priority: 'person' })
    return checkDefinition(ctx, zone, { phase, rulesetId: ruleset?.id ?? null, rule }, { priority: 'person' })
  })
}
