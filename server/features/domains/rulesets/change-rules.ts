import { randomUUID } from 'node:crypto'
import type { z } from 'zod'
import type { Ctx } from '#server/platform/context.ts'
import type { HostedRuleset } from '#server/ports/dns-host.ts'
import { AppError } from '#shared/errors/app-error.ts'
import { ownRefPrefix, rulesetCatalog } from '#shared/features/domains/rulesets/phases.ts'
import type { RulePhase } from '#shared/features/domains/rulesets/phases.ts'
import type {
  checkRuleInput,
  checkRuleOutput,
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
import { toZoneRuleset } from './stored-rulesets.ts'
import type { StoredRule } from './stored-rulesets.ts'

type Answer = z.output<typeof rulesetAnswer>
type Definition = StoredRule['definition']
type Fields = z.output<typeof updateRuleInput>['rule']

/** @throws AppError validation_failed for an action that the phase does not have */
function requireAction(phase: RulePhase, action: string | undefined): void {
  const actions: readonly string[] = rulesetCatalog[phase].actions
  if (action === undefined || actions.includes(action)) return
  throw new AppError('validation_failed', {
    issues: [{ path: 'rule.action', message: 'invalid_choice', params: { values: actions.join(', ') } }],
  })
}

/** The given fields over those of the current definition; the provider's other fields stay. */
function merged(now: Definition | null, fields: Fields): Definition {
  const { description, expression, enabled, action, actionParameters, ratelimit } = fields
  const whole = {
    ...(now ?? { description: '', expression: '', enabled: true, action: '' }),
    ...(description === undefined ? {} : { description }),
    ...(expression === undefined ? {} : { expression }),
    ...(enabled === undefined ? {} : { enabled }),
    ...(action === undefined ? {} : { action }),
    ...(actionParameters === undefined ? {} : { action_parameters: actionParameters }),
    ...(ratelimit === undefined ? {} : { ratelimit }),
  }
  const { action_parameters: parameters, ratelimit: limits, ...others } = whole
  return {
    ...others,
    ...(parameters === undefined || parameters === null ? {} : { action_parameters: parameters }),
    ...(limits === undefined || limits === null ? {} : { ratelimit: limits }),
  }
}

async function changeOne(ctx: Ctx, id: string, phase: RulePhase, change: RuleChange): Promise<Answer> {
  const zone = await openZone(ctx, id)
  const { ruleset, refused } = await applyRuleChanges(ctx, zone, phase, [change], { priority: 'person', source: 'panel' })
  if (refused !== null) throw refused.error
  return { ruleset: toZoneRuleset(ruleset, zone.plan) }
}

const hasVersion = (version: string | undefined) => (rule: StoredRule) => version === undefined || rule.version === version
const newRef = () => `${ownRefPrefix}${randomUUID().replaceAll('-', '')}`

/** @throws AppError not_found, conflict, rule_quota_reached, validation_failed, provider_* */
export async function createRule(ctx: Ctx, { id, phase, rule, position, version }: z.output<typeof createRuleInput>): Promise<Answer> {
  requireAction(phase, rule.action)
  return changeOne(ctx, id, phase, { kind: 'create', ref: newRef(), definition: merged(null, rule), position, version })
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
      return merged(now, rule)
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
export async function checkRule(ctx: Ctx, { id, phase, rule }: z.output<typeof checkRuleInput>): Promise<z.output<typeof checkRuleOutput>> {
  requireAction(phase, rule.action)
  const zone = await openZone(ctx, id)
  const { connection, providerZoneId } = zone
  const call = { priority: 'person' } as const
  const read = () => connection.getRuleset(providerZoneId, phase, call)
  const ref = newRef()
  // Disabled: should the provider ignore the dry run, no request is affected.
  const definition = { ...merged(null, { ...rule, enabled: false }), ref }

  /** Deletes the rule of an ignored dry run. */
  async function clean(written: HostedRuleset | null): Promise<void> {
    const made = written?.rules.find((each) => each.ref === ref)
    if (written === null || made === undefined) return
    ctx.log.warn({ zone: id, phase, rule: made.id }, 'the provider ignored a dry run; the rule is deleted')
    await connection.deleteRule(providerZoneId, written.id, made.id, {}, call)
  }

  return serializeZoneChanges(id, async () => {
    const ruleset = await read()
    try {
      const written =
        ruleset === null
          ? await connection.createRuleset(providerZoneId, phase, [definition], { dryRun: true }, call)
          : await connection.createRule(providerZoneId, ruleset.id, definition, { dryRun: true }, call)
      if (written === null) return { result: 'accepted', message: null, reason: null }
      await clean(written)
      return { result: 'unverified', message: null, reason: 'unsupported' }
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      if (error.isUnclear) await clean(await read())
      if (error.code === 'rule_quota_reached') return { result: 'unverified', message: null, reason: 'limit_reached' }
      if (error.code !== 'provider_rejected') throw error
      return { result: 'refused', message: error.provider?.message ?? null, reason: null }
    }
  })
}
