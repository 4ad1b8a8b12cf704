import { z } from 'zod'
import { listBatch } from '#server/features/domains/history/index.ts'
import type { BatchEntry } from '#server/features/domains/history/index.ts'
import { listDomainSettings, patchOf } from '#server/features/domains/index.ts'
import { listMissingByZone } from '#server/features/domains/mirror/index.ts'
import { listRulesetMirrors, orderedAs, planMoves, rulesetOf } from '#server/features/domains/rulesets/index.ts'
import type { RulesetMirror } from '#server/features/domains/rulesets/index.ts'
import { shownRule } from '#server/features/profiles/index.ts'
import { planBound } from '#server/features/trackers/index.ts'
import type { Ctx } from '#server/platform/context.ts'
import { loggedIpRule } from '#shared/features/domains/ip-access/schema.ts'
import { loggedRule, rulePhase } from '#shared/features/domains/rulesets/schema.ts'
import { securityStateOf, unknownState, warningsOf } from '#shared/features/domains/settings/rules.ts'
import type { ShownRule } from '#shared/features/profiles/schema.ts'
import type { Planned } from '../operation-kind.ts'
import type { PlanZone } from '../planned.ts'

const value = z.object({ value: z.unknown() })
const named = z.object({ value: z.object({ name: z.string() }).nullable() })

function toShownRule(side: unknown): ShownRule | null {
  const rule = side === null ? undefined : loggedRule.safeParse(side).data
  return rule === undefined ? null : shownRule(rule.phase, rule.definition, rule.position)
}

/** One side of these history entries in the form of a profile's plan; for repeated changes of the same key the first entry counts. */
function sideOf(entries: readonly BatchEntry[], side: 'before' | 'after') {
  const firsts = [...new Map(entries.toReversed().map((entry) => [`${entry.subject} ${entry.key}`, entry])).values()].toReversed()
  const own = (key: string) => {
    const entry = firsts.find((each) => each.subject === 'zone' && each.key === key)
    return entry === undefined ? {} : { [key]: named.safeParse(entry[side]).data?.value?.name ?? null }
  }
  return {
    ...own('group'),
    ...own('profile'),
    ...own('registrar'),
    ...own('tracker'),
    settings: Object.assign(
      {},
      ...firsts
        .filter(({ subject }) => subject === 'setting')
        .map((entry) => patchOf(entry.key, value.safeParse(entry[side]).data?.value) ?? { [entry.key]: null }),
    ) as Readonly<Record<string, unknown>>,
    records: firsts.filter(({ subject }) => subject === 'record').flatMap((entry) => entry[side] ?? []),
    ipAccess: firsts.filter(({ subject }) => subject === 'ip_rule').flatMap((entry) => loggedIpRule.safeParse(entry[side]).data ?? []),
  }
}

const orderSide = z.object({ value: z.array(z.string()) })

/** Both sides of each rule that these entries, newest first, change or move. The rules that only move are read from the mirror. */
function rulePairs(entries: readonly BatchEntry[], mirror: RulesetMirror | undefined) {
  const changed = [...Map.groupBy(entries, ({ subject, key }) => `${subject} ${key}`).values()].flatMap((some) => {
    const [newest, oldest] = [some[0], some.at(-1)]
    return newest === undefined || oldest === undefined ? [] : [{ ...oldest, after: newest.after }]
  })
  const rules = changed.filter(({ subject }) => subject === 'rule')
  const listed = new Set(rules.map(({ key }) => key))
  const deleted = new Set(rules.filter(({ before }) => before === null).map(({ key }) => key))
  const moved = changed.flatMap(({ subject, key, before }) => {
    const [phase, order] = [rulePhase.safeParse(key).data, orderSide.safeParse(before).data]
    if (subject !== 'rule_order' || phase === undefined || order === undefined || mirror === undefined) return []
    const present = rulesetOf(mirror, phase).rules
    const ids = present.map(({ id }) => id).filter((id) => !deleted.has(id))
    const target = orderedAs(ids, order.value)
    return planMoves(ids, target).flatMap(({ id }) => {
      const rule = present.find((each) => each.id === id)
      if (rule === undefined || listed.has(id)) return []
      const at = (position: number) => shownRule(phase, rule.definition, position)
      return [{ before: at(present.indexOf(rule) + 1), after: at(target.indexOf(id) + 1) }]
    })
  })
  return [...rules.map(({ before, after }) => ({ before: toShownRule(after), after: toShownRule(before) })), ...moved]
}

/**
 * What an operation has changed in domains, undone from their histories; one plan per domain, in order.
 * @param isUndone which of the changes; all of them if it is absent
 */
export async function planHistoryUndo(
  ctx: Ctx,
  zones: readonly PlanZone[],
  undoOf: string,
  isUndone: (entry: BatchEntry) => boolean = () => true,
): Promise<Planned[]> {
  const entries = await listBatch(
    ctx.db.orm,
    undoOf,
    zones.map(({ id }) => id),
  )
  const bound = await planBound(ctx, zones, false)
  const missing = await listMissingByZone(
    ctx.db.orm,
    [...entries].flatMap(([id, some]) => (some.some(({ subject }) => subject === 'record') ? [id] : [])),
  )
  const mirrors = await listRulesetMirrors(
    ctx.db.orm,
    [...entries].flatMap(([id, some]) => (some.some(({ subject }) => subject === 'rule_order') ? [id] : [])),
  )
  const settingsNow = await listDomainSettings(
    ctx,
    [...entries].flatMap(([id, some]) => (some.some(({ subject }) => subject === 'setting') ? [id] : [])),
  )
  return zones.map(({ id, trackerBound }, index) => {
    const theirs = entries.get(id)?.filter((entry) => entry.revertedById === null && isUndone(entry)) ?? []
    if (theirs.length === 0) return { refused: 'nothing_to_take_back' }
    const held = new Set(missing.get(id)?.map((record) => record.id))
    if (theirs.some(({ subject, key }) => subject === 'record' && held.has(key))) return { refused: 'records_missing' }
    const count = (wanted: BatchEntry['subject']) => theirs.filter(({ subject }) => subject === wanted).length
    const pairs = rulePairs(theirs, mirrors.get(id))
    const phases = new Set<string>([
      ...pairs.flatMap((pair) => (pair.before ?? pair.after)?.phase ?? []),
      ...theirs.flatMap(({ subject, key }) => (subject === 'rule_order' ? [key] : [])),
    ])
    const others = theirs.filter(({ subject }) => subject !== 'rule' && subject !== 'rule_order')
    const before = { ...sideOf(others, 'after'), rules: pairs.map((pair) => pair.before) }
    const binding = bound[index]
    // A binding is undone by unbinding in the tracker.
    const unbinds = 'tracker' in before && before.tracker !== null && binding !== undefined && !('refused' in binding) && !binding.gone
    const after = { ...sideOf(others.toReversed(), 'before'), rules: pairs.map((pair) => pair.after) }
    const now = settingsNow.get(id)
    const state = now === undefined ? unknownState : securityStateOf(now, trackerBound)
    return {
      before,
      after,
      dangers: [...(unbinds ? binding.dangers : []), ...warningsOf(state, after.settings).map(({ code }) => code)],
      calls:
        count('setting') +
        // Each phase is read before its rules are changed.
        count('rule') +
        count('rule_order') +
        phases.size +
        (count('record') > 0 ? 1 : 0) +
        (count('ip_rule') > 0 ? count('ip_rule') + 1 : 0) +
        (theirs.some(({ key }) => key === 'tracker') ? 1 : 0),
      work: theirs.map((entry) => entry.id),
    }
  })
}
