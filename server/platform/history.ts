import type { Queryable } from '#server/db/client.ts'
import { zoneChanges } from '#server/db/schema/index.ts'
import type { AuditSource } from '#server/platform/audit.ts'

/** One change of a zone; `before` and `after` hold all that is needed to take it back. */
export type HistoryEntry = Pick<typeof zoneChanges.$inferInsert, 'zoneId' | 'subject' | 'key' | 'label'> & {
  readonly before: unknown
  readonly after: unknown
  readonly revertsId?: string | null
}

export interface HistoryOptions {
  readonly source: typeof zoneChanges.$inferInsert.source
  /** Shared by what one call changed. */
  readonly batchId?: string | null
}

/** Remembers what changed, in the transaction that writes the change into the mirror. */
export async function writeHistory(
  db: Queryable,
  by: Pick<AuditSource, 'actor'> | null,
  options: HistoryOptions,
  entries: readonly HistoryEntry[],
): Promise<void> {
  if (entries.length === 0) return
  const actor = by?.actor ?? null
  const rows = entries.map((entry) => ({
    ...entry,
    source: options.source,
    batchId: options.batchId ?? null,
    actorId: actor?.kind === 'user' ? actor.userId : null,
    actorName: actor?.name ?? null,
  }))
  for (let start = 0; start < rows.length; start += 1_000) await db.insert(zoneChanges).values(rows.slice(start, start + 1_000))
}
