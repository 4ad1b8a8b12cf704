import type { Queryable } from '#server/db/client.ts'
import type { AuditSource } from '#server/platform/audit.ts'
import { insertAccountChanges, insertChanges } from '#server/platform/history.repo.ts'
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

const sourceOf = (by: Pick<AuditSource, 'actor'> | null, { source, batchId = null }: HistoryOptions) => ({
  source,
  batchId,
  actorId: by?.actor?.kind === 'user' ? by.actor.userId : null,
  actorName: by?.actor?.name ?? null,
})

/** Records the change in the transaction that writes it to the mirror. */
export async function writeHistory(
  db: Queryable,
  by: Pick<AuditSource, 'actor'> | null,
  options: HistoryOptions,
  entries: readonly HistoryEntry[],
): Promise<void> {
  if (entries.length === 0) return
  const rows = entries.map((entry) => ({ ...entry, ...sourceOf(by, options) }))
  for (let start = 0; start < rows.length; start += rowsPerBatch) {
    await insertChanges(db, rows.slice(start, start + rowsPerBatch))
  }
}

/** Records changes of what applies to all zones of an account. */
export async function writeAccountHistory(
  db: Queryable,
  by: Pick<AuditSource, 'actor'>,
  options: HistoryOptions,
  accountId: string,
  entries: readonly Omit<HistoryEntry, 'domainId'>[],
): Promise<void> {
  if (entries.length === 0) return
  await insertAccountChanges(
    db,
    entries.map((entry) => ({ ...entry, ...sourceOf(by, options), accountId })),
  )
}
