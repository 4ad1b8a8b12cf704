import { audit } from '#server/platform/audit.ts'
import type { Ctx } from '#server/platform/context.ts'
import { requireRecentAuth } from '#server/platform/recent-auth.ts'
import { grantsOf, requireLevel } from '#server/platform/access-scope.ts'
import type { TrackerSecret } from '#shared/features/trackers/schema.ts'
import { openKey } from './tracker-key.ts'
import { toAccessTarget } from './tracker-view.ts'
import { lockRow } from './trackers.repo.ts'

/**
 * The only way a tracker's key leaves the server, and only for its owner or an administrator; each access is logged.
 * @throws AppError not_found, level_too_low, confirmation_needed, session_only for a token
 */
export async function revealTracker(ctx: Ctx, { id }: { readonly id: string }): Promise<TrackerSecret> {
  // Resolve grants before the transaction, so that it needs no second connection.
  await grantsOf(ctx)
  return ctx.db.orm.transaction(async (tx) => {
    const row = await lockRow(tx, id)
    await requireLevel(ctx, toAccessTarget(row), 'own')
    // Check permission first, so that an unauthorized user is not asked to authenticate again.
    requireRecentAuth(ctx)
    await audit(tx, ctx, { action: 'reveal', entityType: 'tracker', entityId: id, entityName: row.name, ownerId: row.ownerId })
    return { apiKey: openKey(ctx.secrets, row) }
  })
}
