import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import type { Database } from '#server/db/client.ts'
import { patchOf } from '#server/features/zone-settings/index.ts'
import { canonicalContent } from '#shared/features/records/rules.ts'
import type { PlannedItem } from './planned.ts'
import { adoptChanges, listOutsideChanges } from './own-changes.repo.ts'
import type { Change } from './own-changes.repo.ts'
import type { ClaimedItem, RunningOperation } from './run-items.repo.ts'

const record = z.object({ type: z.string(), name: z.string(), content: z.string() })
const records = z.array(record)
const parts = z.object({ records: records.optional(), settings: z.record(z.string(), z.unknown()).optional() })
const value = z.object({ value: z.unknown() })

/** One side of a plan: records, settings, or both. */
function sideOf(side: unknown) {
  const list = records.safeParse(side)
  if (list.success) return { records: list.data, settings: {} }
  const both = parts.safeParse(side).data
  if (both?.records !== undefined || both?.settings !== undefined) return { records: both.records ?? [], settings: both.settings ?? {} }
  return { records: [], settings: z.record(z.string(), z.unknown()).safeParse(side).data ?? {} }
}

/** Whether the change is one that the item was to make, however the provider writes it. */
export function isPlanned({ before, after }: Pick<PlannedItem, 'before' | 'after'>, change: Change, zoneName: string): boolean {
  if (change.subject === 'setting') {
    const patch = patchOf(change.key, value.safeParse(change.after).data?.value)
    const [entry] = Object.entries(patch ?? {})
    return entry !== undefined && isDeepStrictEqual(sideOf(after).settings[entry[0]], entry[1])
  }
  const found = record.safeParse(change.after ?? change.before).data
  if (change.subject !== 'record' || found === undefined) return false
  const contentOf = ({ type, content }: z.infer<typeof record>) => canonicalContent(type, content, zoneName)
  return sideOf(change.after === null ? before : after).records.some(
    (each) => each.type === found.type && each.name === found.name && contentOf(each) === contentOf(found),
  )
}

/**
 * What a try did whose worker died before it wrote it down looks like somebody else's change to whoever reads the zone next. Where it
 * is just what the item was to do, it is the operation's.
 */
export async function ownChanges(db: Database, item: ClaimedItem, operation: RunningOperation): Promise<void> {
  if (item.zone_id === null) return
  const changes = await listOutsideChanges(db, item)
  const own = changes.filter((change) => isPlanned(item.plan, change, item.name)).map(({ id }) => id)
  if (own.length > 0) await adoptChanges(db, own, operation)
}
