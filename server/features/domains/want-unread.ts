import { wantDetails } from '#server/features/sync/index.ts'
import type { Ctx } from '#server/platform/context.ts'
import type { DomainRow } from './list/domain-row.repo.ts'

/** Has those of the rows read first whose records or settings are not known yet. Nothing to do, and nothing asked, for the others. */
export async function wantUnread(ctx: Ctx, rows: readonly DomainRow[]): Promise<void> {
  const unread = rows.filter((row) => row.unread)
  if (unread.length > 0)
    await wantDetails(
      ctx.db.orm,
      unread.map((row) => row.id),
    )
}
