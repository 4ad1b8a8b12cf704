import { pauseOperationsOf } from '#server/features/operations/index.ts'
import { forgetChallenges } from '#server/features/two-factor/index.ts'
import type { Actor } from '#server/platform/actor.ts'
import { audit } from '#server/platform/audit.ts'
import type { Ctx } from '#server/platform/context.ts'
import { requireRecentAuth } from '#server/platform/recent-auth.ts'
import { AppError } from '#shared/errors/app-error.ts'
import type { Disabling, ManagedUser } from '#shared/features/users/schema.ts'
import { endAccess } from './end-access.ts'
import { toManagedUser } from './list-users.ts'
import { countAccess, getShown, hasOtherAdmin, lockWithAdmins, updateUserRow } from './users.repo.ts'

/**
 * What would end when the person is disabled.
 * @throws AppError not_found
 */
export const previewDisabling = (ctx: Ctx, { id }: { readonly id: string }): Promise<Disabling> => countAccess(ctx.db.orm, id)

/**
 * Blocks sign-in and all access of the person: sessions, API tokens and the calendar URL end, and operations pause. Their resources stay,
 * are synced and monitored; shares given to others remain.
 * @throws AppError not_found, own_user, last_admin, confirmation_needed, session_only
 */
export async function disableUser(ctx: Ctx, { id }: { readonly id: string }): Promise<{ user: ManagedUser }> {
  requireRecentAuth(ctx)
  if (id.toLowerCase() === ctx.actor.userId) throw new AppError('own_user')
  return setDisabled(ctx, id, true)
}

/**
 * Permits sign-in again; ended sessions and tokens are not restored.
 * @throws AppError not_found, confirmation_needed, session_only
 */
export async function enableUser(ctx: Ctx, { id }: { readonly id: string }): Promise<{ user: ManagedUser }> {
  requireRecentAuth(ctx)
  return setDisabled(ctx, id, false)
}

/**
 * The same for operators.
 * @throws AppError not_found, last_admin
 */
export async function setDisabled(ctx: Ctx<Actor>, id: string, disabled: boolean): Promise<{ user: ManagedUser }> {
  return ctx.db.orm.transaction(async (tx) => {
    const locked = await lockWithAdmins(tx, [id])
    const row = locked.find((each) => each.id === id.toLowerCase())
    if (row === undefined) throw new AppError('not_found')
    if (disabled === (row.disabledAt === null)) {
      if (disabled && !hasOtherAdmin(locked, new Set([row.id]))) throw new AppError('last_admin')
      await updateUserRow(tx, row.id, { disabledAt: disabled ? new Date(ctx.clock.now()) : null })
      await audit(tx, ctx, {
        action: 'update',
        entityType: 'user',
        entityId: row.id,
        entityName: row.email,
        ownerId: row.id,
        details: { disabled: { from: !disabled, to: disabled } },
      })
      if (disabled) {
        await endAccess(ctx, tx, row.id, { tokens: true })
        await forgetChallenges(tx, row.id)
        await pauseOperationsOf(ctx, tx, row.id)
      }
      await ctx.events.publish(tx, row.id, 'users')
    }
    return { user: toManagedUser(await getShown(tx, row.id)) }
  })
}
