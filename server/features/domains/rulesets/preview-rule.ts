import type { z } from 'zod'
import type { Ctx } from '#server/platform/context.ts'
import { ruleLimit } from '#shared/features/domains/rulesets/phases.ts'
import type { ruleQuota } from '#shared/features/domains/rulesets/schema.ts'
import { openZone } from '../access/open-zone.ts'
import { serializeZoneChanges } from '../access/serialize-zone-changes.ts'
import { readPhase, requireRule, stepsOf } from './apply-rule-changes.ts'
import type { RuleChange } from './apply-rule-changes.ts'
import { checkDefinition } from './check-definition.ts'
import type { CheckedRule } from './check-definition.ts'
import { isSameDefinition } from './stored-rulesets.ts'
import type { Definition, StoredRuleset } from './stored-rulesets.ts'
import { toRuleChange } from './to-rule-change.ts'
import type { GivenRuleChange } from './to-rule-change.ts'

const call = { priority: 'person' } as const

/** A rule in its place; `position` 1 is the first one. */
interface PlacedRule {
  readonly definition: Definition
  readonly position: number
}

export interface PreviewedRule {
  readonly before: PlacedRule | null
  readonly after: PlacedRule | null
  readonly calls: number
  readonly unchanged: boolean
  /** `rule_quota_reached`, or `provider_rejected` with Cloudflare's words in `check`. */
  readonly refused: string | null
  readonly check: CheckedRule | null
  readonly quota: z.infer<typeof ruleQuota>
}

/** @throws AppError not_found, conflict, validation_failed */
function sidesOf(change: ReturnType<typeof toRuleChange>, now: StoredRuleset): Pick<PreviewedRule, 'before' | 'after'> {
  if (change.kind === 'create') {
    stepsOf(change, now)
    const last = now.rules.length + 1
    return { before: null, after: { definition: change.definition, position: Math.min(change.position ?? last, last) } }
  }
  const rule = requireRule(now, change.ruleId, change.kind === 'move' ? undefined : change.isExpected)
  const before = { definition: rule.definition, position: now.rules.indexOf(rule) + 1 }
  if (change.kind === 'delete') return { before, after: null }
  if (change.kind === 'update') return { before, after: { ...before, definition: change.definitionOf(rule.definition) } }
  return {
    before,
    after: stepsOf(change, now).length === 0 ? before : { ...before, position: Math.min(change.position, now.rules.length) },
  }
}

const isWritten = ({ kind }: RuleChange) => kind === 'create' || kind === 'update'
/** A token that may only read sends no dry run, because that is a write at Cloudflare. */
const mayCheck = ({ via }: Ctx['actor']) => via?.kind !== 'token' || via.scope === 'write'

/**
 * What a change of one rule would do to the rules as they are at Cloudflare, which checks a new definition by a dry run. Nothing is changed or
 * stored.
 * @throws AppError as the change itself, other than a refusal of the rule
 */
export async function previewRule(ctx: Ctx, id: string, given: GivenRuleChange): Promise<PreviewedRule> {
  const { phase } = given
  const change = toRuleChange(given)
  const zone = await openZone(ctx, id)
  return serializeZoneChanges(zone.id, async (): Promise<PreviewedRule> => {
    const now = await readPhase({ zone, phase, call })
    const { before, after } = sidesOf(change, now)
    const rules = now.rules.length + (before === null ? 1 : 0) - (after === null ? 1 : 0)
    const limit = ruleLimit(phase, zone.plan)
    const preview = { before, after, calls: 2, unchanged: false, refused: null, check: null, quota: { phase, rules, limit } }
    const isSame = before !== null && after !== null && before.position === after.position
    if (isSame && isSameDefinition(before.definition, after.definition)) return { ...preview, calls: 0, unchanged: true }
    if (change.kind === 'create' && limit !== null && rules > limit) return { ...preview, calls: 0, refused: 'rule_quota_reached' }
    if (after === null || !isWritten(change) || !mayCheck(ctx.actor)) return preview
    const check = await checkDefinition(ctx, zone, { phase, rulesetId: now.rulesetId, rule: after.definition }, call)
    // The dry run is that of a new rule, which a change of one does not need room for.
    const isFull = change.kind === 'create' && check.reason === 'limit_reached'
    const refused = check.result === 'refused' ? 'provider_rejected' : isFull ? 'rule_quota_reached' : null
    return { ...preview, calls: refused === null ? preview.calls : 0, refused, check }
  })
}
