import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { patchOf } from '#server/features/domains/index.ts'
import { comparableContent } from '#shared/features/domains/records/rules.ts'
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

type Sides = Pick<PlannedItem, 'before' | 'after'>

/** Whether a change of a record, a setting or IP access is one that the item planned, regardless of how the provider formats it. */
export function isPlanned({ before, after }: Sides, change: Change, zoneName: string): boolean {
  if (change.subject === 'setting') {
    const patch = patchOf(change.key, value.safeParse(change.after).data?.value)
    const [entry] = Object.entries(patch ?? {})
    return entry !== undefined && isDeepStrictEqual(sideOf(after).settings[entry[0]], entry[1])
  }
  if (change.subject === 'ip_rule') return isPlannedIpRule({ before, after }, change)
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
function isPlannedIpRule({ before, after }: Sides, change: Change): boolean {
  const found = ipRule.safeParse(change.after ?? change.before).data
  if (found === undefined || (change.before !== null && change.after !== null)) return false
  const rulesOf = (side: unknown) => (ipRules.safeParse(side).data?.ipAccess ?? []).filter((rule) => rule.value === found.value)
  const [without, having] = change.after === null ? [after, before] : [before, after]
  // A value on both sides has a rule that the operation keeps.
  if (rulesOf(without).length > 0) return false
  return rulesOf(having).some(({ mode, note }) => (mode === null || mode === found.mode) && (note === undefined || note === found.note))
}
