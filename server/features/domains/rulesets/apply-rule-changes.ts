import { isDeepStrictEqual } from 'node:util'
import type { Ctx } from '#server/platform/context.ts'
import type { HistoryOptions } from '#server/platform/history.ts'
import type { CallOptions, HostedRuleset, Priority, RulePosition } from '#server/ports/dns-host.ts'
import { AppError } from '#shared/errors/app-error.ts'
import type { RulePhase } from '#shared/features/domains/rulesets/phases.ts'
import type { OpenZone } from '../access/open-zone.ts'
import { serializeZoneChanges } from '../access/serialize-zone-changes.ts'
import { orderedAs, planMoves } from './plan-moves.policy.ts'
import { readRulesets } from './reading/index.ts'
import { isSameDefinition, isSameVersion, rulesetOf, toStored, toZoneRule, withRef } from './stored-rulesets.ts'
import type { Definition, RulesetDifference, StoredRule, StoredRuleset } from './stored-rulesets.ts'
import { lookUpRulesets, storePhase } from './store-phase.ts'

/** `revertsId`: the history entry that the change reverts. */
export type RuleChange = { readonly revertsId?: string | undefined } & (
  | {
      readonly kind: 'create'
      readonly ref: string | null
      readonly definition: Definition
      readonly position?: number | undefined
      /** The ruleset that the position refers to. */
      readonly version?: string | undefined
    }
  | {
      readonly kind: 'update'
      readonly ruleId: string
      /** Whether the rule is the one that the change was made for; if not, it is refused. */
      readonly isExpected: (rule: StoredRule) => boolean
      /** The whole new definition; fields that it lacks are removed. */
      readonly definitionOf: (now: Definition) => Definition
    }
  | { readonly kind: 'delete'; readonly ruleId: string; readonly isExpected: (rule: StoredRule) => boolean }
  /** `position` 1 is the first rule of the ruleset with this version. */
  | { readonly kind: 'move'; readonly ruleId: string; readonly position: number; readonly version?: string | undefined }
  /** The relative order of these rules, from the expected one; others keep their places. Those of `fixed` are not moved themselves. */
  | {
      readonly kind: 'order'
      readonly ids: readonly string[]
      readonly expected: readonly string[]
      readonly fixed?: ReadonlySet<string>
    }
)

type Creation = Extract<RuleChange, { kind: 'create' }>

/** What one call does. */
type Step =
  | Exclude<RuleChange, { kind: 'create' | 'move' | 'order' }>
  /** Several rules only for a zone that has no ruleset in this phase yet. */
  | { readonly kind: 'create'; readonly rules: readonly Creation[]; readonly revertsId?: string | undefined }
  | {
      readonly kind: 'place'
      readonly ruleId: string
      readonly to: RulePosition
      readonly order: readonly string[]
      readonly revertsId?: string | undefined
    }

export interface ApplyOptions extends HistoryOptions {
  readonly priority: Priority
  readonly signal?: AbortSignal
}

export interface AppliedRules {
  /** The phase after the changes. */
  readonly ruleset: StoredRuleset
  readonly done: number
  /** The first change that was refused; later ones were not sent. */
  readonly refused: { readonly index: number; readonly error: AppError } | null
}

interface Work {
  readonly zone: OpenZone
  readonly phase: RulePhase
  readonly call: CallOptions
}

const idsOf = ({ rules }: StoredRuleset): string[] => rules.map(({ id }) => id)
const conflict = (rule: StoredRule) => new AppError('conflict', { params: { ruleId: rule.id, rule: JSON.stringify(toZoneRule(rule)) } })

/** @throws AppError not_found, conflict with the current rule (JSON) */
export function requireRule({ rules }: StoredRuleset, ruleId: string, isExpected: (rule: StoredRule) => boolean = () => true): StoredRule {
  const rule = rules.find(({ id }) => id === ruleId)
  if (rule === undefined) throw new AppError('not_found', { params: { ruleId } })
  if (!isExpected(rule)) throw conflict(rule)
  return rule
}

const isCreated = (rule: StoredRule, { ref, definition }: { readonly ref: string | null; readonly definition: Definition }) =>
  ref === null ? isSameDefinition(rule.definition, definition) : rule.ref === ref

const isOutdated = (version: string | undefined, now: StoredRuleset): boolean => version !== undefined && version !== now.version

/** @throws AppError not_found, conflict: nothing was sent */
export function stepsOf(change: RuleChange, now: StoredRuleset): Step[] {
  const present = idsOf(now)
  if (change.kind === 'order') {
    const { ids, expected, fixed, revertsId } = change
    const isChanged = !isDeepStrictEqual(orderedAs(present, expected), present)
    if (isChanged) throw new AppError('conflict')
    const order = orderedAs(present, ids)
    return planMoves(present, order, fixed).map(({ id, after }) => ({
      kind: 'place',
      ruleId: id,
      to: after === null ? { index: 1 } : { after },
      order,
      revertsId,
    }))
  }
  if (change.kind === 'create') {
    if (change.position !== undefined && isOutdated(change.version, now)) throw new AppError('conflict')
    return [{ kind: 'create', rules: [change], revertsId: change.revertsId }]
  }
  if (change.kind !== 'move') return [change]
  const { ruleId, position, version, revertsId } = change
  const rule = requireRule(now, ruleId)
  if (isOutdated(version, now)) throw conflict(rule)
  const index = Math.min(position, present.length)
  if (present[index - 1] === ruleId) return []
  const order = present.filter((id) => id !== ruleId).toSpliced(index - 1, 0, ruleId)
  return [{ kind: 'place', ruleId, to: { index }, order, revertsId }]
}

/** Whether the step has taken effect. */
function isMade(step: Step, before: StoredRuleset, now: StoredRuleset): boolean {
  switch (step.kind) {
    case 'create': {
      const known = new Set(idsOf(before))
      return step.rules.every((given) => now.rules.some((rule) => !known.has(rule.id) && isCreated(rule, given)))
    }
    case 'update': {
      const [was, is] = [before, now].map(({ rules }) => rules.find(({ id }) => id === step.ruleId))
      return was !== undefined && is !== undefined && isSameDefinition(is.definition, step.definitionOf(was.definition))
    }
    case 'delete':
      return !idsOf(now).includes(step.ruleId)
    case 'place': {
      const before = (order: readonly string[]) => order[order.indexOf(step.ruleId) - 1]
      return before(idsOf(now)) === before(step.order)
    }
  }
}

/** Sends one step; null if it needs no call. */
async function send(
  { zone: { connection, providerZoneId }, phase, call }: Work,
  step: Step,
  now: StoredRuleset,
): Promise<HostedRuleset | null> {
  const { rulesetId } = now
  if (step.kind === 'create') {
    const duplicate = now.rules.find((rule) => step.rules.some((given) => isCreated(rule, given)))
    if (duplicate !== undefined) throw conflict(duplicate)
    const definitions = step.rules.map(({ definition, ref }) => withRef(definition, ref))
    const [definition] = definitions
    if (rulesetId === null || definition === undefined) return connection.createRuleset(providerZoneId, phase, definitions, {}, call)
    const position = step.rules[0]?.position
    const isLast = position === undefined || position > now.rules.length
    return connection.createRule(providerZoneId, rulesetId, definition, isLast ? {} : { position: { index: position } }, call)
  }
  const rule = requireRule(now, step.ruleId, step.kind === 'place' ? undefined : step.isExpected)
  if (rulesetId === null) throw new AppError('not_found')
  if (step.kind === 'delete') return connection.deleteRule(providerZoneId, rulesetId, rule.id, {}, call)
  if (step.kind === 'place') return connection.moveRule(providerZoneId, rulesetId, rule.id, step.to, {}, call)
  const definition = withRef(step.definitionOf(rule.definition), rule.ref === rule.id ? null : rule.ref)
  return isSameDefinition(rule.definition, definition)
    ? null
    : connection.updateRule(providerZoneId, rulesetId, rule.id, definition, {}, call)
}

/** @throws AppError provider_* */
export const readPhase = async ({ zone, phase, call }: Work): Promise<StoredRuleset> =>
  toStored(phase, await zone.connection.getRuleset(zone.providerZoneId, phase, call))

/** Makes one step; if its answer is lost, reads whether it took effect, so that nothing is sent twice. */
async function make(work: Work, step: Step, now: StoredRuleset): Promise<StoredRuleset> {
  try {
    const answer = await send(work, step, now)
    return answer === null ? now : toStored(work.phase, answer)
  } catch (error) {
    if (!(error instanceof AppError) || !error.isUnclear) throw error
    const later = await readPhase(work).catch(() => null)
    if (later === null || !isMade(step, now, later)) throw error
    return later
  }
}

/** Whether this difference is what the step did; anything else happened at the provider meanwhile. */
function isOwn(step: Step, { subject, key, before, after }: RulesetDifference): boolean {
  if (step.kind === 'place') return subject === 'rule_order'
  if (subject !== 'rule') return false
  if (step.kind !== 'create') return key === step.ruleId
  return before === null && after !== null && 'ref' in after && step.rules.some(({ ref }) => ref === null || after.ref === ref)
}

/** The creations from this change on that one call can make; a revert has a history entry of its own. */
function creationsAt(changes: readonly RuleChange[], start: number): Creation[] {
  const creations: Creation[] = []
  for (const change of changes.slice(start)) {
    if (change.kind !== 'create' || change.revertsId !== undefined) break
    creations.push(change)
  }
  return creations
}

type Changes = readonly RuleChange[] | ((now: StoredRuleset) => readonly RuleChange[])
interface PhaseChanges {
  readonly phase: RulePhase
  /** A function computes them from the phase as it is now. */
  readonly changes: Changes
}

/** Carries out the changes of one phase until the first refusal. */
async function applyToPhase(
  ctx: Ctx,
  work: Work,
  read: StoredRuleset,
  all: readonly RuleChange[],
  options: HistoryOptions,
): Promise<AppliedRules> {
  let ruleset = read
  let done = 0
  for (let change = all[0]; change !== undefined; change = all[done]) {
    const creations = ruleset.rulesetId === null ? creationsAt(all, done) : []
    try {
      const steps: Step[] = creations.length > 1 ? [{ kind: 'create', rules: creations }] : stepsOf(change, ruleset)
      for (const step of steps) {
        const next = await make(work, step, ruleset)
        await storePhase(
          ctx,
          {
            zone: work.zone,
            before: ruleset,
            after: next,
            isOwn: (difference) => isOwn(step, difference),
            revertsId: step.revertsId ?? null,
          },
          options,
        )
        ruleset = next
      }
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      return { ruleset, done, refused: { index: done, error } }
    }
    done += Math.max(1, creations.length)
  }
  return { ruleset, done, refused: null }
}

/**
 * Changes rules of some phases of a zone, one call each, after reading all of these phases: other rules are not sent, and a rule that was
 * changed at the provider in the meantime is refused. Each call is in the mirror and the history before the next one; the first refusal ends
 * it. The rules of a phase that has no ruleset yet are created by one call. Calls `serializeZoneChanges` itself.
 * @param check runs after the phases were read, before anything is sent
 * @returns one result per phase; none after a refusal
 * @throws AppError provider_* if a phase cannot be read, and errors of `check`: nothing was sent
 */
export function applyPhaseChanges(
  ctx: Ctx,
  zone: OpenZone,
  parts: readonly PhaseChanges[],
  { priority, signal, ...options }: ApplyOptions,
  check: (rulesets: readonly StoredRuleset[]) => Promise<void> = () => Promise.resolve(),
): Promise<AppliedRules[]> {
  return serializeZoneChanges(zone.id, async () => {
    const call: CallOptions = { priority, ...(signal === undefined ? {} : { signal }) }
    const mirror = (await lookUpRulesets(ctx.db, zone.id)) ?? (await readRulesets(ctx, zone, call))
    const planned: { work: Work; ruleset: StoredRuleset; changes: readonly RuleChange[] }[] = []
    for (const { phase, changes } of parts) {
      const work: Work = { zone, phase, call }
      const ruleset = await readPhase(work)
      if (!isSameVersion(rulesetOf(mirror, phase), ruleset))
        await storePhase(ctx, { zone, before: ruleset, after: ruleset, isOwn: () => false, revertsId: null }, options)
      planned.push({ work, ruleset, changes: typeof changes === 'function' ? changes(ruleset) : changes })
    }
    await check(planned.map(({ ruleset }) => ruleset))
    const applied: AppliedRules[] = []
    for (const { work, ruleset, changes } of planned) {
      const result = await applyToPhase(ctx, work, ruleset, changes, options)
      applied.push(result)
      if (result.refused !== null) break
    }
    return applied
  })
}

/** Like `applyPhaseChanges`, for one phase. */
export async function applyRuleChanges(
  ctx: Ctx,
  zone: OpenZone,
  phase: RulePhase,
  changes: Changes,
  options: ApplyOptions,
): Promise<AppliedRules> {
  const [applied] = await applyPhaseChanges(ctx, zone, [{ phase, changes }], options)
  if (applied === undefined) throw new Error('one phase has one result')
  return applied
}
