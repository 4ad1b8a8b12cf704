import type { Ctx } from '#server/platform/context.ts'
import { getSharedScope } from '#server/platform/access-scope.ts'
import type { ShareLevel } from '#shared/features/sharing/schema.ts'
import type { Scope } from './scope.repo.ts'

/** The caller's own objects and those shared at this level or above; for an administrator those of all owners. `ownerId` restricts to one owner. */
export async function scopeOf(ctx: Ctx, ownerId: string | undefined, level: ShareLevel = 'view'): Promise<Scope> {
  const { role, userId } = ctx.actor
  if (role === 'admin') return ownerId === undefined ? null : { ownerId, shared: null }
  if (ownerId === userId) return { ownerId, shared: null }
  const shared = await getSharedScope(ctx, level)
  return ownerId === undefined
    ? { ownerId: userId, shared }
    : { ownerId: null, shared: shared && { ...shared, owners: shared.owners.filter((id) => id === ownerId) } }
}
