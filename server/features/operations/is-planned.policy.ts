import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { patchOf } from '#server/features/domains/index.ts'
import { shownRule } from '#server/features/profiles/index.ts'
import { comparableContent } from '#shared/features/domains/records/rules.ts'
import { isOwnRule } from '#shared/features/domains/rulesets/phases.ts'
import { loggedRule } from '#shared/features/domains/rulesets/schema.ts'
import { profileRef } from '#shared/features/profiles/rules.ts'
import type { PlannedItem } from './planned.ts'
import type { Change } from './own-changes.repo.ts'

const record = z.object({ type: z.string(), name: z.string(), content: z.string(), priority: z.number().nullish() })
const records = z.array(record)
const ipRule = z.object({ mode: z.string().nullable(), value: z.string(), note: z.string().optional() })
const ipRules = z.object({ ipAccess: z.array(ipRule) })
const parts = z.object({ records: records.optional(), settings: z.record(z.string(), z.unknown()).optional() })
const value = z.object({ value: z.unknown() })

/** One side of a plan: records, settings or both. */
function sideOf(side: unknown) {
  const list = records.safeParse(side)
  if (list.success) return { records: list.data, settings: {} }
  const both = parts.safeParse(side).data
  if (both?.records !== undefined || both?.settings !== undefined) return { records: both.records ?? [], settings: both.settings ?? {} }
  return { records: [], settings: z.record(z.string(), z.unknown()).safeParse(side).data ?? {} }
}

type Sides = Pick<PlannedItem, 'before' | 'after' | 'work'>

/** Whether a change is one that the item planned, regardless of how the provider formats it. */
export function isPlanned({ before, after, work }: Sides, change: Change, zoneName: string): boolean {
  if (change.subject === 'setting') {
    const patch = patchOf(change.key, value.safeParse(change.after).data?.value)
    const [entry] = Object.entries(patch ?? {})
    return entry !== undefined && isDeepStrictEqual(sideOf(after).settings[entry[0]], entry[1])
  }
  if (change.subject === 'ip_rule') return isPlannedIpRule({ before, after }, change)
  if (change.subject === 'rule') return isPlannedRule({ before, after, work }, change)
  if (change.subject === 'rule_order') return isPlannedOrder({ before, after }, change)
  const found = record.safeParse(change.after ?? change.before).data
  if (change.subject !== 'record' || found === undefined) return false
  const contentOf = ({ type, content }: z.infer<typeof record>) => comparableContent(type, content, zoneName)
  return sideOf(change.after === null ? before : after).records.some(
    (each) =>
      each.type === found.type &&
      each.name === found.name &&
      (each.priority == null || found.priority == null || each.priority === found.priority) &&
      contentOf(each) === contentOf(found),
  )
}

/**
 * Operations add and delete rules. The plan of a deletion has no mode if a rule of any mode is meant, and no note if the rules were not read.
 */
function isPlannedIpRule({ before, after }: Pick<PlannedItem, 'before' | 'after'>, change: Change): boolean {
  const found = ipRule.safeParse(change.after ?? change.before).data
  if (found === undefined || (change.before !== null && change.after !== null)) return false
  const rulesOf = (side: unknown) => (ipRules.safeParse(side).data?.ipAccess ?? []).filter((rule) => rule.value === found.value)
  const [without, having] = change.after === null ? [after, before] : [before, after]
  // A value on both sides has a rule that the operation keeps.
  if (rulesOf(without).length > 0) return false
  return rulesOf(having).some(({ mode, note }) => (mode === null || mode === found.mode) && (note === undefined || note === found.note))
}

/** The two sides of each rule, at the same place. */
const ruleSides = z.object({ rules: z.array(z.record(z.string(), z.unknown()).nullable()) })
function rulePairs({ before, after }: Sides) {
  const [was, is] = [before, after].map((side) => ruleSides.safeParse(side).data?.rules ?? [])
  return (is ?? []).map((rule, index) => ({ before: was?.[index] ?? null, after: rule }))
}

/** The rules of a profile that were not read before they are applied. */
const unreadRules = z.object({ rules: z.object({ of: z.object({ profileId: z.string() }), seen: z.null() }) })

/** Others do not create rules with a `ref` of the panel; those that an undo creates again have any. */
function isPlannedRule({ before, after, work }: Sides, change: Change): boolean {
  const [was, is] = [change.before, change.after].map((side) => loggedRule.safeParse(side).data ?? null)
  const ref = (is ?? was)?.ref ?? null
  const unread = unreadRules.safeParse(work).data
  if (unread !== undefined) return was === null && is !== null && ref?.startsWith(profileRef(unread.rules.of.profileId, '')) === true
  const isSame = (planned: Readonly<Record<string, unknown>> | null, rule: typeof is = null) => {
    if (planned === null || rule === null) return planned === rule
    return isDeepStrictEqual({ ...planned, position: 0 }, { ...shownRule(rule.phase, rule.definition, 0) })
  }
  const isUndo = Array.isArray(work)
  if (was === null && !isUndo && !isOwnRule({ ref })) return false
  return (was ?? is) !== null && rulePairs({ before, after }).some((pair) => isSame(pair.before, was) && isSame(pair.after, is))
}

/** The order of a phase of which a rule moves. */
const isPlannedOrder = ({ before, after }: Sides, { key }: Change): boolean =>
  rulePairs({ before, after }).some(
    (pair) => pair.before?.['phase'] === key && pair.after !== null && pair.before['position'] !== pair.after['position'],
  )
