import { randomUUID } from 'node:crypto'
import type { z } from 'zod'
import type { Ctx } from '#server/platform/context.ts'
import type { CallOptions, HostedRuleset } from '#server/ports/dns-host.ts'
import { AppError } from '#shared/errors/app-error.ts'
import { ownRefPrefix } from '#shared/features/domains/rulesets/phases.ts'
import type { RulePhase } from '#shared/features/domains/rulesets/phases.ts'
import type { checkRuleOutput } from '#shared/features/domains/rulesets/schema.ts'
import type { OpenZone } from '../access/open-zone.ts'
import type { Definition } from './stored-rulesets.ts'

export type CheckedRule = z.output<typeof checkRuleOutput>

export const newRef = (): string => `${ownRefPrefix}${randomUUID().replaceAll('-', '')}`

/**
 * Lets the provider check a rule by a dry run of its creation: one call. Call it inside `serializeZoneChanges`.
 * @throws AppError provider_*, other than a refusal of the rule
 */
export async function checkDefinition(
  ctx: Ctx,
  { connection, providerZoneId, id }: OpenZone,
  { phase, rulesetId, rule }: { readonly phase: RulePhase; readonly rulesetId: string | null; readonly rule: Definition },
  call: CallOptions,
): Promise<CheckedRule> {
  const ref = newRef()
  // Disabled: should the provider ignore the dry run, no request is affected.
  const definition = { ...rule, enabled: false, ref }

  /** Deletes the rule of an ignored dry run. */
  async function clean(written: HostedRuleset | null): Promise<void> {
    const made = written?.rules.find((each) => each.ref === ref)
    if (written === null || made === undefined) return
    ctx.log.warn({ zone: id, phase, rule: made.id }, 'the provider ignored a dry run; the rule is deleted')
    await connection.deleteRule(providerZoneId, written.id, made.id, {}, call)
  }

  try {
    const written =
      rulesetId === null
        ? await connection.createRuleset(providerZoneId, phase, [definition], { dryRun: true }, call)
        : await connection.createRule(providerZoneId, rulesetId, definition, { dryRun: true }, call)
    if (written === null) return { result: 'accepted', message: null, reason: null }
    await clean(written)
    return { result: 'unverified', message: null, reason: 'unsupported' }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    if (error.isUnclear) await clean(await connection.getRuleset(providerZoneId, phase, call))
    if (error.code === 'rule_quota_reached') return { result: 'unverified', message: null, reason: 'limit_reached' }
    if (error.code !== 'provider_rejected') throw error
    return { result: 'refused', message: error.provider?.message ?? null, reason: null }
  }
}
