import { randomUUID } from 'node:crypto'
import type { z } from 'zod'
import { findProfilesOfRules } from '#server/features/profiles/index.ts'
import type { Ctx } from '#server/platform/context.ts'
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
import { checkDefinition } from './check-definition.ts'
import type { CheckedRule } from './check-definition.ts'
import { mergeDefinition, toZoneRuleset } from './stored-rulesets.ts'
import { requireAction, toRuleChange } from './to-rule-change.ts'
import type { GivenRuleChange } from './to-rule-change.ts'

type Answer = z.output<typeof rulesetAnswer>

async function changeOne(ctx: Ctx, id: string, given: GivenRuleChange): Promise<Answer> {
  const change = toRuleChange(given)
  const zone = await openZone(ctx, id)
  const batchId = randomUUID()
  const { ruleset, refused } = await applyRuleChanges(ctx, zone, given.phase, [change], { priority: 'person', source: 'panel', batchId })
  if (refused !== null) throw refused.error
  return { ruleset: toZoneRuleset(ruleset, zone.plan, await findProfilesOfRules(ctx, zone.ownerId)), batchId }
}

/** @throws AppError not_found, conflict, rule_quota_reached, validation_failed, provider_* */
export const createRule = (ctx: Ctx, { id, ...rule }: z.output<typeof createRuleInput>): Promise<Answer> =>
  changeOne(ctx, id, { kind: 'create', ...rule })

/** @throws AppError not_found, conflict with the current rule (JSON), validation_failed, provider_* */
export const updateRule = (ctx: Ctx, { id, ...rule }: z.output<typeof updateRuleInput>): Promise<Answer> =>
  changeOne(ctx, id, { kind: 'update', ...rule })

/** @throws AppError not_found, conflict with the current rule (JSON), provider_* */
export const moveRule = (ctx: Ctx, { id, ...rule }: z.output<typeof moveRuleInput>): Promise<Answer> =>
  changeOne(ctx, id, { kind: 'move', ...rule })

/** @throws AppError not_found, conflict with the current rule (JSON), provider_* */
export const deleteRule = (ctx: Ctx, { id, ...rule }: z.output<typeof deleteRuleInput>): Promise<Answer> =>
  changeOne(ctx, id, { kind: 'delete', ...rule })

/**
 * Lets the provider check a new rule without creating it.
 * @throws AppError not_found, validation_failed, provider_*
 */
export async function checkRule(ctx: Ctx, { id, phase, rule }: z.output<typeof checkRuleInput>): Promise<CheckedRule> {
  requireAction(phase, rule.action)
  const zone = await openZone(ctx, id)
  return serializeZoneChanges(id, async () => {
    const ruleset = await zone.connection.getRuleset(zone.providerZoneId, phase, { priority: 'person' })
    return checkDefinition(ctx, zone, { phase, rulesetId: ruleset?.id ?? null, rule: mergeDefinition(null, rule) }, { priority: 'person' })
  })
}
