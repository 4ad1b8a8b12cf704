import type { Queryable } from '#server/db/client.ts'
import type { AuditSource } from '#server/platform/audit.ts'
import { deleteTakenForOutside, insertChanges } from '#server/platform/history.repo.ts'
import type { HistoryRow } from '#server/platform/history.repo.ts'

/** One change of a zone; `before` and `after` contain everything needed to revert it. */
export type HistoryEntry = Pick<HistoryRow, 'domainId' | 'subject' | 'key' | 'label'> & {
  readonly before: unknown
  readonly after: unknown
  readonly revertsId?: string | null
}

export interface HistoryOptions {
  readonly source: HistoryRow['source']
  /** Shared by all changes of one call. */
  readonly batchId?: string | null
}

const rowsPerBatch = 1_000

/** Records the change in the transaction that writes it to the mirror. */
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
  for (let start = 0; start < rows.length; start += rowsPerBatch) {
    const some = rows.slice(start, start + rowsPerBatch)
    await deleteTakenForOutside(db, some)
    await insertChanges(db, some)
  }
}
