import type { Ctx } from '#server/platform/context.ts'
import { listSharedIds, requireLevel } from '#server/platform/access-scope.ts'
import type { Registrar } from '#shared/features/registrars/schema.ts'
import { toAccessTarget, toRegistrar } from './registrar-view.ts'
import { getShown, listShown } from './registrars.repo.ts'
import type { RegistrarScope } from './registrars.repo.ts'

/** The registrars that the actor sees: their own and shared ones; for an administrator those of all owners, or of `ownerId` if given. */
export async function scopeOf(ctx: Ctx, ownerId?: string): Promise<RegistrarScope> {
  const { role, userId } = ctx.actor
  return role === 'admin'
    ? { ownerId: ownerId ?? null, sharedIds: [] }
    : { ownerId: userId, sharedIds: await listSharedIds(ctx, 'registrars') }
}

/** By name: the actor's own and shared ones; for an administrator those of all owners. */
export async function listRegistrars(
  ctx: Ctx,
  { search = '', ownerId }: { readonly search?: string | undefined; readonly ownerId?: string | undefined },
): Promise<{ registrars: Registrar[] }> {
  const rows = await listShown(ctx.db.orm, await scopeOf(ctx, ownerId), search.trim())
  const wanted = rows.filter(({ registrar }) => ownerId === undefined || registrar.ownerId === ownerId)
  return { registrars: await Promise.all(wanted.map((row) => toRegistrar(ctx, row))) }
}

/** @throws AppError not_found */
export async function getRegistrar(ctx: Ctx, { id }: { readonly id: string }): Promise<{ registrar: Registrar }> {
  const shown = await getShown(ctx.db.orm, id)
  await requireLevel(ctx, toAccessTarget(shown.registrar), 'view')
  return { registrar: await toRegistrar(ctx, shown) }
}
