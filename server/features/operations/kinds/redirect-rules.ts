import { z } from 'zod'
import { openZone } from '#server/features/domains/index.ts'
import { applyRuleChanges, isSameDefinition } from '#server/features/domains/rulesets/index.ts'
import type { Definition, RuleChange, RulesetChange, StoredRuleset } from '#server/features/domains/rulesets/index.ts'
import { shownRule } from '#server/features/profiles/index.ts'
import type { DomainRulePlan } from '#server/features/redirects/index.ts'
import type { Ctx } from '#server/platform/context.ts'
import { AppError } from '#shared/errors/app-error.ts'
import { ruleLimit } from '#shared/features/domains/rulesets/phases.ts'
import { loggedRule } from '#shared/features/domains/rulesets/schema.ts'
import { domainRuleRef, findDomainRule, redirectPhase } from '#shared/features/redirects/own-list.ts'
import type { Outcome, RunItem } from '../operation-kind.ts'
import type { PlannedItem } from '../planned.ts'

const { definition } = loggedRule.shape
/** `isRead`: whether the rules of the domain were read at planning time. */
export const domainRuleWork = z.object({
  rule: z.object({ before: definition.nullable(), after: definition, isRead: z.boolean() }),
})
type RuleWork = z.infer<typeof domainRuleWork>

/** Reading the phase, and the call. */
const callsPerRule = 2

/** The single redirect of a domain, as it is shown and run. */
export function draftDomainRule({ before, after, position, reading }: DomainRulePlan): PlannedItem {
  const side = (rule: Definition | null) => ({
    settings: {},
    records: [],
    rules: [rule === null ? null : shownRule(redirectPhase, rule, position)],
  })
  return {
    before: side(before),
    after: side(after),
    dangers: reading === 'read' ? [] : [reading === 'unread' ? 'rules_unread' : 'rules_forbidden'],
    calls: callsPerRule,
    work: { rule: { before, after, isRead: reading === 'read' } } satisfies RuleWork,
  }
}

/** Why nothing is sent. */
class Skipped extends Error {
  readonly code: 'changed_since' | 'rule_quota_reached'
  constructor(code: Skipped['code']) {
    super(code)
    this.code = code
  }
}

/** @throws Skipped unless the rule is as planned, or already as wanted */
function changesFor({ rules }: StoredRuleset, { before, after, isRead }: RuleWork['rule'], limit: number | null): RuleChange[] {
  const own = findDomainRule(rules)
  if (own !== undefined && isSameDefinition(own.definition, after)) return []
  const isPlanned = own === undefined ? before === null : before !== null && isSameDefinition(own.definition, before)
  if (isRead && !isPlanned) throw new Skipped('changed_since')
  if (own !== undefined)
    return [
      {
        kind: 'update',
        ruleId: own.id,
        isExpected: (rule) => isSameDefinition(rule.definition, own.definition),
        definitionOf: () => after,
      },
    ]
  if (limit !== null && rules.length >= limit) throw new Skipped('rule_quota_reached')
  return [{ kind: 'create', ref: domainRuleRef, definition: after }]
}

/** Whether an interrupted attempt made the change. */
export const isOwnRuleChange = ({ rule }: RuleWork, { after }: RulesetChange): boolean =>
  after !== null && 'definition' in after && after.ref === domainRuleRef && isSameDefinition(after.definition, rule.after)

/** Adds the rule after those of others, or replaces the one of an earlier change. Safe to repeat. */
export async function applyDomainRule(ctx: Ctx, item: RunItem, { rule }: RuleWork, signal: AbortSignal): Promise<Outcome> {
  const { domainId, operationId } = item
  if (domainId === null) throw new AppError('not_found')
  const zone = await openZone(ctx, domainId)
  const limit = ruleLimit(redirectPhase, zone.plan)
  try {
    const { refused } = await applyRuleChanges(ctx, zone, redirectPhase, (now) => changesFor(now, rule, limit), {
      priority: 'bulk',
      signal,
      source: 'operation',
      batchId: operationId,
    })
    if (refused !== null) throw refused.error
  } catch (error) {
    if (error instanceof Skipped) return { state: 'skipped', code: error.code }
    if (error instanceof AppError && error.code === 'conflict') return { state: 'skipped', code: 'changed_since' }
    if (error instanceof AppError && error.code === 'rule_quota_reached') return { state: 'skipped', code: error.code }
    throw error
  }
  return { state: 'done' }
}
