import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { serializeZoneChanges } from '#server/features/domains/index.ts'
import type { OpenZone } from '#server/features/domains/index.ts'
import {
  applyPhaseChanges,
  checkDefinition,
  findRulesets,
  isSameDefinition,
  lookUpRulesets,
  mergeDefinition,
  orderedAs,
  planMoves,
  readRulesets,
  rulesetOf,
} from '#server/features/domains/rulesets/index.ts'
import type { RulesetChange, StoredRuleset } from '#server/features/domains/rulesets/index.ts'
import type { Ctx } from '#server/platform/context.ts'
import type { HistoryOptions } from '#server/platform/history.ts'
import type { CallOptions } from '#server/ports/dns-host.ts'
import { AppError } from '#shared/errors/app-error.ts'
import { rulePhases } from '#shared/features/domains/rulesets/phases.ts'
import { refsOf } from '#shared/features/profiles/rules.ts'
import { variableKinds } from '#shared/features/profiles/variables.ts'
import { lookUpProfile } from './look-up-profile.ts'
import { asOthers, createRules, planPhase, planRules, seenOf, seenPhase, withOthers } from './plan-rules.policy.ts'
import type { FullPhase, WantedRule } from './plan-rules.policy.ts'
import { listProfileIdsFor } from './profiles.repo.ts'

/** The rules of a domain's plan. */
export const rulesWork = z.object({
  /** Null: all rules of profiles are removed. */
  of: z.object({ profileId: z.string(), version: z.int() }).nullable(),
  trackerHost: z.string().nullable(),
  /** The values of the profile's variables; absent in operations of earlier versions of the panel. */
  variables: z.record(z.string(), z.object({ kind: z.enum(variableKinds), values: z.array(z.string()) })).default({}),
  /** Null: they were not read yet at planning time. */
  seen: z.array(seenPhase).nullable(),
  /** Whether Cloudflare checks every rule by a dry run before anything is changed. */
  verify: z.boolean().default(false),
})
export type RulesWork = z.output<typeof rulesWork>

interface Plan extends Pick<RulesWork, 'seen'> {
  readonly wanted: readonly WantedRule[]
  readonly isKnown: (ref: string | null) => boolean
}

/** @throws AppError not_found if the profile was deleted meanwhile, validation_failed */
async function wantedBy(ctx: Ctx, zone: Pick<OpenZone, 'name'>, { of, trackerHost, variables }: RulesWork): Promise<readonly WantedRule[]> {
  if (of === null) return []
  const rules = await lookUpProfile(ctx.db).rules(`${of.profileId} ${of.version}`)
  if (rules === null) throw new AppError('not_found')
  const filled = createRules({ id: of.profileId, rules })({ domain: zone.name, trackerHost, own: variables })
  if ('refused' in filled) throw new AppError('validation_failed', { issues: [{ path: 'rules', message: filled.refused }] })
  return filled.wanted
}

interface Options extends HistoryOptions, CallOptions {
  readonly again: boolean
}

class ChangedSince extends Error {}

/** The rules of the domain, read only now, leave no room for those of the profile. */
export class RuleQuotaReached extends AppError {
  readonly fullPhases: readonly FullPhase[]

  constructor(fullPhases: readonly FullPhase[]) {
    super('rule_quota_reached')
    this.fullPhases = fullPhases
  }
}

/** @throws ChangedSince unless the phase is as planned, or already as wanted */
function changesFor(ruleset: StoredRuleset, { wanted, seen, isKnown }: Plan, again: boolean) {
  const now = asOthers(ruleset, isKnown)
  const { changes } = planPhase(
    now,
    wanted.filter(({ phase }) => phase === now.phase),
  )
  const planned = seen?.find(({ phase }) => phase === now.phase)
  if (changes.length === 0 || planned === undefined) return changes
  const { others, own } = seenOf(now)
  if (others !== planned.others || (own !== planned.own && !again)) throw new ChangedSince()
  return changes
}

/** Whether an interrupted attempt with this plan may have made the change of a rule. */
function mayHaveMade({ wanted, isKnown }: Plan, { before, after }: RulesetChange): boolean {
  const rule = after ?? before
  if (rule === null || !('ref' in rule) || !isKnown(rule.ref)) return false
  const own = wanted.find(({ ref }) => ref === rule.ref)
  if (after === null || !('definition' in after)) return own === undefined
  return own !== undefined && isSameDefinition(after.definition, mergeDefinition(after.definition, own.rule))
}
/** The same for an order: the planned moves, or the first of them, lead to it. */
function mayHaveMoved({ wanted, isKnown }: Plan, { key, before, after }: RulesetChange, rulesets: readonly StoredRuleset[]): boolean {
  const ruleset = rulesets.find(({ phase }) => phase === key)
  if (ruleset === undefined || before === null || after === null || !('value' in before) || !('value' in after)) return false
  const byId = new Map(ruleset.rules.map((rule) => [rule.id, rule]))
  // Without those that were deleted since.
  const [was, is] = [before.value.filter((id) => byId.has(id)), after.value.filter((id) => byId.has(id))]
  const earlier = asOthers({ ...ruleset, rules: was.flatMap((id) => byId.get(id) ?? []) }, isKnown)
  const { changes } = planPhase(
    earlier,
    wanted.filter(({ phase }) => phase === key),
  )
  const order = changes.find(({ kind }) => kind === 'order')
  if (order?.kind !== 'order') return false
  const moved = [...was]
  return planMoves(was, orderedAs(was, order.ids), order.fixed).some(({ id, after: previous }) => {
    moved.splice(moved.indexOf(id), 1)
    moved.splice(previous === null ? 0 : moved.indexOf(previous) + 1, 0, id)
    return isDeepStrictEqual(moved, is)
  })
}

/** The plan says which phases are written; if the rules were unread, it can be any. */
function mayHaveTouched({ seen }: RulesWork, { subject, key, before, after }: RulesetChange): boolean {
  const rule = after ?? before
  const phase = subject === 'rule_order' ? key : rule !== null && 'phase' in rule ? rule.phase : null
  return seen === null || seen.some((each) => each.phase === phase)
}

/** Those of these changes that an interrupted attempt with this plan made, but could not store. */
export async function findOwnRuleChanges(
  ctx: Ctx,
  zone: Pick<OpenZone, 'id' | 'name'>,
  work: RulesWork,
  changes: readonly RulesetChange[],
): Promise<readonly RulesetChange[]> {
  if (work.seen?.length === 0) return []
  const isKnown = refsOf(await listProfileIdsFor(ctx.db.orm, [zone.id]))
  const plan: Plan = { seen: work.seen, wanted: await wantedBy(ctx, zone, work), isKnown }
  const mirror = await findRulesets(ctx.db.orm, zone.id)
  const rulesets = rulePhases.map((phase) => rulesetOf(mirror ?? { rulesets: [] }, phase))
  return changes.filter(
    (change) =>
      mayHaveTouched(work, change) && (change.subject === 'rule' ? mayHaveMade(plan, change) : mayHaveMoved(plan, change, rulesets)),
  )
}

/**
 * Lets the provider check each rule that will be written.
 * @throws AppError provider_rejected in the provider's words for the first rule that it refuses
 */
async function verifyRules(
  ctx: Ctx,
  zone: OpenZone,
  rulesets: readonly StoredRuleset[],
  { wanted, isKnown }: Plan,
  call: CallOptions,
): Promise<void> {
  for (const ruleset of rulesets) {
    const own = wanted.filter(({ phase }) => phase === ruleset.phase)
    const { changes } = planPhase(asOthers(ruleset, isKnown), own)
    for (const { phase, ref, rule } of own) {
      const present = ruleset.rules.find((each) => each.ref === ref)
      const isWritten = changes.some(
        (change) => (change.kind === 'create' && change.ref === ref) || (change.kind === 'update' && change.ruleId === present?.id),
      )
      if (!isWritten) continue
      const { result, message } = await checkDefinition(
        ctx,
        zone,
        { phase, rulesetId: ruleset.rulesetId, rule: mergeDefinition(null, rule) },
        call,
      )
      if (result === 'refused') {
        const words = [rule.description, message].filter((part) => part !== null && part !== '').join(': ')
        throw new AppError('provider_rejected', { provider: { message: words } })
      }
    }
  }
}

/**
 * The phases that change in a domain whose rules were not read at planning time.
 * @throws AppError provider_*, RuleQuotaReached
 */
async function listChangingPhases(
  ctx: Ctx,
  zone: OpenZone,
  plan: Plan,
  { again, call }: { readonly again: boolean; readonly call: CallOptions },
): Promise<readonly StoredRuleset[]> {
  // Rules that had no room may have been deleted since the last attempt.
  const known = again ? null : await lookUpRulesets(ctx.db, zone.id)
  const mirror = known ?? (await serializeZoneChanges(zone.id, () => readRulesets(ctx, zone, call)))
  const planned = planRules(withOthers(mirror, plan.isKnown), plan.wanted, zone.plan)
  if ('refused' in planned) throw new RuleQuotaReached(planned.after.fullPhases)
  return mirror.rulesets.filter((now) => changesFor(now, plan, again).length > 0)
}

/**
 * Gives a domain the rules of its plan. Safe to call again. False, and nothing is sent, if somebody else has changed a phase since it was
 * planned.
 * @throws AppError provider_*, RuleQuotaReached
 */
export async function applyRules(ctx: Ctx, zone: OpenZone, work: RulesWork, { again, ...options }: Options): Promise<boolean> {
  const { priority, signal } = options
  const call = { priority, ...(signal === undefined ? {} : { signal }) }
  if (work.seen?.length === 0) return true
  const isKnown = refsOf(await lookUpProfile(ctx.db).ids(zone.ownerId))
  const plan: Plan = { seen: work.seen, wanted: await wantedBy(ctx, zone, work), isKnown }
  const phases = work.seen ?? (await listChangingPhases(ctx, zone, plan, { again, call }))
  try {
    const applied = await applyPhaseChanges(
      ctx,
      zone,
      phases.map(({ phase }) => ({ phase, changes: (now) => changesFor(now, plan, again) })),
      options,
      async (rulesets) => {
        if (work.verify) await verifyRules(ctx, zone, rulesets, plan, call)
      },
    )
    const refused = applied.at(-1)?.refused ?? null
    if (refused !== null) throw refused.error
  } catch (error) {
    if (error instanceof ChangedSince || (error instanceof AppError && error.code === 'conflict')) return false
    throw error
  }
  return true
}
