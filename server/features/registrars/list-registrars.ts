import type { Ctx } from '#server/platform/context.ts'
import { requireLevel } from '#server/platform/reach.ts'
import type { Registrar } from '#shared/features/registrars/schema.ts'
import { toRegistrar } from './registrar-view.ts'
import { getShown, listShown } from './registrars.repo.ts'

/** By name: the actor's own, an administrator everybody's. */
export async function listRegistrars(
  ctx: Ctx,
  { search = '', ownerId }: { readonly search?: string | undefined; readonly ownerId?: string | undefined },
): Promise<{ registrars: Registrar[] }> {
  const { role, userId } = ctx.actor
  if (role !== 'admin' && ownerId !== undefined && ownerId !== userId) return { registrars: [] }
  const rows = await listShown(ctx.db.orm, role === 'admin' ? (ownerId ?? null) : userId, search.trim())
  return { registrars: rows.map(toRegistrar) }
}

/** @throws AppError not_found */
export async function getRegistrar(ctx: Ctx, { id }: { readonly id: string }): Promise<{ registrar: Registrar }> {
  const shown = await getShown(ctx.db.orm, id)
  await requireLevel(ctx, shown.registrar, 'own')
  return { registrar: toRegistrar(shown) }
}
