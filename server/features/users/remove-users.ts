import type { z } from 'zod'
import { interruptSync } from '#server/features/sync/index.ts'
import { audit } from '#server/platform/audit.ts'
import type { Ctx } from '#server/platform/context.ts'
import { requireRecentAuth } from '#server/platform/recent-auth.ts'
import { publishSharesChanged } from '#server/platform/access-scope.ts'
import { AppError } from '#shared/errors/app-error.ts'
import type { usersDeletion } from '#shared/features/users/schema.ts'
import { deleteUsers, hasOtherAdmin, listBelongings, lockWithAdmins } from './users.repo.ts'

/**
 * What would be deleted from the panel with these users.
 * @throws AppError not_found
 */
export async function previewDeletion(ctx: Ctx, { ids }: { readonly ids: readonly string[] }): Promise<z.infer<typeof usersDeletion>> {
  return { users: await listBelongings(ctx.db.orm, ids) }
}

/**
 * Deletes users with all their data in the panel; at the providers everything stays. All or none.
 * @throws AppError not_found, own_user, last_admin, confirmation_needed, session_only
 */
export async function removeUsers(ctx: Ctx, input: { readonly ids: readonly string[] }): Promise<z.infer<typeof usersDeletion>> {
  requireRecentAuth(ctx)
  const ids = new Set(input.ids.map((id) => id.toLowerCase()))
  if (ids.has(ctx.actor.userId)) throw new AppError('own_user')
  return ctx.db.orm.transaction(async (tx) => {
    const locked = await lockWithAdmins(tx, [...ids])
    const belongings = await listBelongings(tx, [...ids])
    // Two administrators may delete each other concurrently.
    if (!hasOtherAdmin(locked, ids)) throw new AppError('last_admin')
    await publishSharesChanged(ctx, tx, { userIds: [...ids] })
    await deleteUsers(tx, [...ids])
    await audit(
      tx,
      ctx,
      ...belongings.map(({ id, email, username: _username, ...counts }) => ({
        action: 'delete' as const,
        entityType: 'user' as const,
        entityId: id,
        entityName: email,
        // The deleted person's own entries are deleted too; the entry of the deletion stays.
        ownerId: ctx.actor.userId,
        details: Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0)),
      })),
    )
    await interruptSync(tx)
    for (const id of ids) await ctx.events.publish(tx, id, ['accounts', 'domains', 'users'])
    return { users: belongings }
  })
}
