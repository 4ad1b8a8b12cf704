import { audit } from '#server/platform/audit.ts'
import type { Ctx } from '#server/platform/context.ts'
import { grantsOf, requireLevel } from '#server/platform/access-scope.ts'
import { AppError } from '#shared/errors/app-error.ts'
import type { Registrar } from '#shared/features/registrars/schema.ts'
import { queueSync } from './names/registrar-names.repo.ts'
import { toAccessTarget, toRegistrar } from './registrar-view.ts'
import { getShown, lockRows } from './registrars.repo.ts'

/** Schedules a reading of the name list. @throws AppError not_found, level_too_low, registrar_manual */
export async function requestSync(ctx: Ctx, { id }: { readonly id: string }): Promise<{ registrar: Registrar }> {
  // Resolve grants before the transaction, so that it needs no second connection.
  await grantsOf(ctx)
  return ctx.db.orm.transaction(async (tx) => {
    const [row] = await lockRows(tx, [id])
    if (row === undefined) throw new AppError('not_found')
    await requireLevel(ctx, toAccessTarget(row), 'operate')
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
    await ctx.events.publish(tx, row.ownerId, 'registrars')
    return { registrar: await toRegistrar(ctx, await getShown(tx, id)) }
  })
}
