import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { patchOf } from '#server/features/domains/index.ts'
import { comparableContent } from '#shared/features/domains/records/rules.ts'
import type { PlannedItem } from './planned.ts'
import type { Change } from './own-changes.repo.ts'

const record = z.object({ type: z.string(), name: z.string(), content: z.string(), priority: z.number().nullish() })
const records = z.array(record)
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

/** Whether a change is one that the item planned, regardless of how the provider formats it. */
export function isPlanned({ before, after }: Pick<PlannedItem, 'before' | 'after'>, change: Change, zoneName: string): boolean {
  if (change.subject === 'setting') {
    const patch = patchOf(change.key, value.safeParse(change.after).data?.value)
    const [entry] = Object.entries(patch ?? {})
    return entry !== undefined && isDeepStrictEqual(sideOf(after).settings[entry[0]], entry[1])
  }
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
