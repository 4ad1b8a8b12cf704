import { audit } from '#server/platform/audit.ts'
import type { Ctx } from '#server/platform/context.ts'
import { grantsOf, publishSharesChanged, requireLevel } from '#server/platform/access-scope.ts'
import { AppError } from '#shared/errors/app-error.ts'
import { toAccessTarget } from './registrar-view.ts'
import { deleteRows, listAttached, lockRows } from './registrars.repo.ts'

/**
 * All or none; nothing changes at the registrar.
 * @throws AppError not_found, level_too_low; registrar_in_use while domains are attached, with how many and the first of them (R-REG-04)
 */
export async function removeRegistrars(ctx: Ctx, { ids }: { readonly ids: readonly string[] }): Promise<void> {
  // Resolve grants before the transaction, so that it needs no second connection.
  await grantsOf(ctx)
  await ctx.db.orm.transaction(async (tx) => {
    const wanted = [...new Set(ids)]
    const rows = await lockRows(tx, wanted)
    if (rows.length !== wanted.length) throw new AppError('not_found')
    for (const row of rows) await requireLevel(ctx, toAccessTarget(row), 'own')
    const attached = await listAttached(tx, wanted)
    if (attached.length > 0) {
      const domains = attached.reduce((sum, { count }) => sum + count, 0)
      const names = attached.flatMap(({ names: some }) => some).slice(0, 20)
      throw new AppError('registrar_in_use', { params: { domains, names: names.join(', ') } })
    }
    await publishSharesChanged(ctx, tx, { registrarIds: wanted })
    await deleteRows(tx, wanted)
    await audit(
      tx,
      ctx,
      ...rows.map(({ id, name, ownerId, type, provider }) => ({
        action: 'delete' as const,
        entityType: 'registrar' as const,
        entityId: id,
        entityName: name,
        ownerId,
        details: { type, provider },
      })),
    )
    for (const ownerId of new Set(rows.map((row) => row.ownerId))) await ctx.events.publish(tx, ownerId, 'registrars')
  })
}
