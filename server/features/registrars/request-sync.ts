import { audit } from '#server/platform/audit.ts'
import type { Ctx } from '#server/platform/context.ts'
import { requireLevel } from '#server/platform/reach.ts'
import { AppError } from '#shared/errors/app-error.ts'
import type { Registrar } from '#shared/features/registrars/schema.ts'
import { queueSync } from './registrar-names.repo.ts'
import { toRegistrar } from './registrar-view.ts'
import { getShown, lockRows } from './registrars.repo.ts'
import { tellRegistrars } from './tell-registrars.ts'

/** The list of names is read at the next opportunity. @throws AppError not_found, registrar_manual */
export async function requestSync(ctx: Ctx, { id }: { readonly id: string }): Promise<{ registrar: Registrar }> {
  return ctx.db.orm.transaction(async (tx) => {
    const [row] = await lockRows(tx, [id])
    if (row === undefined) throw new AppError('not_found')
    await requireLevel(ctx, row, 'own')
    if (row.type === 'MANUAL') throw new AppError('registrar_manual')
    await queueSync(tx, [id], new Date(ctx.clock.now()))
    await audit(tx, ctx, {
      action: 'sync',
      entityType: 'registrar',
      entityId: id,
      entityName: row.name,
      ownerId: row.ownerId,
      details: { asked: true },
    })
    await tellRegistrars(ctx, tx, row.ownerId)
    return { registrar: toRegistrar(await getShown(tx, id)) }
  })
}
