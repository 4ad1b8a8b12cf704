import type { Ctx } from '#server/platform/context.ts'
import { requireLevel } from '#server/platform/reach.ts'
import { AppError } from '#shared/errors/app-error.ts'
import type { Registrar } from '#shared/features/registrars/schema.ts'
import { queueSync } from './registrar-names.repo.ts'
import { toRegistrar } from './registrar-view.ts'
import { getRow, getShown } from './registrars.repo.ts'

/** The list of names is read at the next opportunity. @throws AppError not_found, registrar_manual */
export async function requestSync(ctx: Ctx, { id }: { readonly id: string }): Promise<{ registrar: Registrar }> {
  const row = await getRow(ctx.db.orm, id)
  await requireLevel(ctx, row, 'own')
  if (row.type === 'MANUAL') throw new AppError('registrar_manual')
  await queueSync(ctx.db.orm, [id], new Date(ctx.clock.now()))
  return { registrar: toRegistrar(await getShown(ctx.db.orm, id)) }
}
