import { isDeepStrictEqual } from 'node:util'
import { audit } from '#server/platform/audit.ts'
import type { Ctx } from '#server/platform/context.ts'
import { writeHistory } from '#server/platform/history.ts'
import type { HistoryOptions } from '#server/platform/history.ts'
import type { CallOptions, HostedRuleset, Priority } from '#server/ports/dns-host.ts'
import { AppError } from '#shared/errors/app-error.ts'
import { ruleLimit } from '#shared/features/domains/rulesets/phases.ts'
import type { RulePhase } from '#shared/features/domains/rulesets/phases.ts'
import type { OpenZone } from '../access/open-zone.ts'
import { serializeZoneChanges } from '../access/serialize-zone-changes.ts'
import { orderedAs, planMoves } from './plan-moves.policy.ts'
import { readRulesets } from './read-rulesets.ts'
import { findRulesets, lockRulesets, upsertRulesets } from './rulesets.repo.ts'
import { differencesOf, rulesetOf, toStored, toZoneRule } from './stored-rulesets.ts'
import type { RulesetDifference, StoredRule, StoredRuleset } from './stored-rulesets.ts'

type Definition = StoredRule['definition']

/** `revertsId`: the history entry that the change reverts. */
export type RuleChange = { readonly revertsId?: string | undefined } & (
  | { readonly kind: 'create'; readonly ref: string | null; readonly definition: Definition; readonly position?: number | undefined }
  | {
      readonly kind: 'update'
      readonly ruleId: string
      /** Whether the rule is the one that the change was made for; if not, it is refused. */
      readonly isExpected: (rule: StoredRule) => boolean
      /** The whole new definition; fields that it lacks are removed. */
      readonly definitionOf: (now: Definition) => Definition
    }
  | { readonly kind: 'delete'; readonly ruleId: string; readonly isExpected: (rule: StoredRule) => boolean }
  /** `position` 1 is the first rule. */
  | { readonly kind: 'move'; readonly ruleId: string; readonly position: number }
  /** The relative order of these rules; others keep their places. */
  | { readonly kind: 'order'; readonly ids: readonly string[] }
)

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

const indexOf = ({ rules }: StoredRuleset, ruleId: string): number => rules.findIndex(({ id }) => id === ruleId)

/** @throws AppError not_found, conflict with the current rule (JSON) */
function requireRule(ruleset: StoredRuleset, ruleId: string, isExpected: (rule: StoredRule) => boolean): StoredRule {
  const rule = ruleset.rules[indexOf(ruleset, ruleId)]
  if (rule === undefined) throw new AppError('not_found', { params: { ruleId } })
  if (!isExpected(rule)) throw new AppError('conflict', { params: { ruleId, rule: JSON.stringify(toZoneRule(rule)) } })
  return rule
}

/** @throws AppError rule_quota_reached */
function requireRoom({ zone, phase }: Pick<Work, 'zone' | 'phase'>, { rules }: StoredRuleset): void {
  const limit = ruleLimit(phase, zone.plan)
  if (limit !== null && rules.length >= limit) throw new AppError('rule_quota_reached', { params: { used: rules.length, limit } })
}

/** A rule without a `ref` of its own gets its id as `ref` from the provider. */
const withRef = (definition: Definition, ref: string | null) => {
  const { ref: _, ...own } = definition
  return ref === null ? own : { ...own, ref }
}

/** Whether the change has taken effect. */
function isMade(change: RuleChange, before: StoredRuleset, now: StoredRuleset): boolean {
  switch (change.kind) {
    case 'create': {
      const known = new Set(before.rules.map(({ id }) => id))
      return now.rules.some(
        (rule) => !known.has(rule.id) && (change.ref === null ? sameDefinition(rule, change.definition) : rule.ref === change.ref),
      )
    }
    case 'update': {
      const [was, is] = [before, now].map((ruleset) => ruleset.rules[indexOf(ruleset, change.ruleId)])
      return was !== undefined && is !== undefined && sameDefinition(is, change.definitionOf(was.definition))
    }
    case 'delete':
      return indexOf(now, change.ruleId) < 0
    case 'move':
      return indexOf(now, change.ruleId) === Math.min(change.position, now.rules.length) - 1
    case 'order': {
      const ids = now.rules.map(({ id }) => id)
      return isDeepStrictEqual(orderedAs(ids, change.ids), ids)
    }
  }
}
const sameDefinition = (rule: StoredRule, wanted: Definition) => isDeepStrictEqual(withRef(rule.definition, null), withRef(wanted, null))

/** Sends one change; null if it needs no call. */
async function send(
  { zone: { connection, providerZoneId: id, plan, ...zone }, phase, call }: Work,
  change: RuleChange,
  now: StoredRuleset,
) {
  const { rulesetId } = now
  if (change.kind === 'create') {
    requireRoom({ zone: { ...zone, connection, providerZoneId: id, plan }, phase }, now)
    const definition = withRef(change.definition, change.ref)
    if (rulesetId === null) return connection.createRuleset(id, phase, [definition], {}, call)
    const isLast = change.position === undefined || change.position > now.rules.length
    return connection.createRule(id, rulesetId, definition, isLast ? {} : { position: { index: change.position } }, call)
  }
  if (change.kind === 'order') {
    const present = now.rules.map((rule) => rule.id)
    let moved: HostedRuleset | null = null
    for (const { id: ruleId, after } of rulesetId === null ? [] : planMoves(present, orderedAs(present, change.ids)))
      moved = await connection.moveRule(id, rulesetId ?? '', ruleId, after === null ? { index: 1 } : { after }, {}, call)
    return moved
  }
  const rule = requireRule(now, change.ruleId, change.kind === 'move' ? () => true : change.isExpected)
  if (rulesetId === null) throw new AppError('not_found')
  switch (change.kind) {
    case 'update': {
      const definition = withRef(change.definitionOf(rule.definition), rule.ref === rule.id ? null : rule.ref)
      return sameDefinition(rule, definition) ? null : connection.updateRule(id, rulesetId, rule.id, definition, {}, call)
    }
    case 'delete':
      return connection.deleteRule(id, rulesetId, rule.id, {}, call)
    case 'move':
      return isMade(change, now, now)
        ? null
        : connection.moveRule(id, rulesetId, rule.id, { index: Math.min(change.position, now.rules.length) }, {}, call)
  }
}

const readPhase = async ({ zone, phase, call }: Work) => toStored(phase, await zone.connection.getRuleset(zone.providerZoneId, phase, call))

/** Makes one change; if its answer is lost, reads whether it took effect, so that nothing is sent twice. */
async function make(work: Work, change: RuleChange, now: StoredRuleset): Promise<StoredRuleset> {
  try {
    const answer = await send(work, change, now)
    return answer === null ? now : toStored(work.phase, answer)
  } catch (error) {
    if (!(error instanceof AppError) || !error.isUnclear) throw error
    const later = await readPhase(work).catch(() => null)
    if (later === null || !isMade(change, now, later)) throw error
    return later
  }
}

/** Whether this difference is what the change did; anything else happened at the provider meanwhile. */
function isOwn(change: RuleChange, { subject, key, before, after }: RulesetDifference): boolean {
  if (change.kind === 'move' || change.kind === 'order') return subject === 'rule_order'
  if (subject !== 'rule') return false
  return change.kind === 'create'
    ? before === null && after !== null && 'ref' in after && (change.ref === null || after.ref === change.ref)
    : key === change.ruleId
}

interface Entry extends RulesetDifference {
  readonly revertsId?: string | null
}

const maxReported = 20

/** Writes the phase, the history, the activity log and the change event in one transaction. */
async function keep(
  ctx: Ctx,
  { zone, phase }: Work,
  ruleset: StoredRuleset,
  own: readonly Entry[],
  outside: readonly Entry[],
  options: HistoryOptions,
) {
  await ctx.db.orm.transaction(async (tx) => {
    const mirror = await lockRulesets(tx, zone.id)
    if (mirror === null) throw new AppError('not_found')
    const rulesets = mirror.rulesets.map((each) => (each.phase === phase ? ruleset : each))
    await upsertRulesets(tx, zone.id, { ...mirror, rulesets, readAt: new Date(Math.max(ctx.clock.now(), mirror.readAt.getTime() + 1)) })
    const ofZone = (entries: readonly Entry[]) => entries.map((entry) => ({ domainId: zone.id, ...entry }))
    await writeHistory(tx, null, { source: 'outside' }, ofZone(outside))
    await writeHistory(tx, ctx, { source: options.source, batchId: options.batchId ?? null }, ofZone(own))
    if (own.length > 0) {
      const count = (matches: (entry: Entry) => boolean) => own.filter(matches).length
      await audit(tx, ctx, {
        action: 'update',
        entityType: 'zone',
        entityId: zone.id,
        entityName: zone.name,
        ownerId: zone.ownerId,
        details: {
          part: 'rules',
          source: options.source,
          created: count(({ before }) => before === null),
          updated: count(({ before, after }) => before !== null && after !== null),
          deleted: count(({ after }) => after === null),
          // Enough to find them; the history has all of them.
          rules: own.slice(0, maxReported).map(({ label }) => label),
        },
      })
    }
    if (own.length + outside.length > 0) await ctx.events.publish(tx, zone.ownerId, 'domains', [zone.accountId])
  })
}

/**
 * Changes rules of one phase of a zone, one call each, after reading the phase: foreign rules are never sent, and a rule that was changed at
 * the provider in the meantime is refused. The first refusal ends it; earlier changes are in the mirror and the history when this returns.
 * Calls `serializeZoneChanges` itself.
 * @throws AppError provider_* if the phase cannot be read: nothing was sent
 */
export function applyRuleChanges(
  ctx: Ctx,
  zone: OpenZone,
  phase: RulePhase,
  changes: readonly RuleChange[],
  { priority, signal, ...options }: ApplyOptions,
): Promise<AppliedRules> {
  return serializeZoneChanges(zone.id, async () => {
    const call: CallOptions = { priority, ...(signal === undefined ? {} : { signal }) }
    const work: Work = { zone, phase, call }
    const mirror = (await findRulesets(ctx.db.orm, zone.id)) ?? (await readRulesets(ctx, zone, call))
    let ruleset = await readPhase(work)
    const outside: Entry[] = differencesOf(rulesetOf(mirror, phase), ruleset)
    const own: Entry[] = []
    let refused: AppliedRules['refused'] = null
    let done = 0
    for (const [index, change] of changes.entries()) {
      let next: StoredRuleset
      try {
        next = await make(work, change, ruleset)
      } catch (error) {
        if (!(error instanceof AppError)) throw error
        refused = { index, error }
        break
      }
      for (const difference of differencesOf(ruleset, next)) {
        if (isOwn(change, difference)) own.push({ ...difference, revertsId: change.revertsId ?? null })
        else outside.push(difference)
      }
      ruleset = next
      done += 1
    }
    await keep(ctx, work, ruleset, own, outside, options)
    return { ruleset, done, refused }
  })
}
