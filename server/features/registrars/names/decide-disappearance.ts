import type { z } from 'zod'
import { keepHeld, listMissingNames, lockHeld, takeHeld } from '#server/features/sync/index.ts'
import { audit } from '#server/platform/audit.ts'
import type { Ctx } from '#server/platform/context.ts'
import { grantsOf, requireLevel } from '#server/platform/access-scope.ts'
import { AppError } from '#shared/errors/app-error.ts'
import { mostMissingNames } from '#shared/features/sync/disappearances/schema.ts'
import type { DisappearanceDecision, missingNames } from '#shared/features/sync/disappearances/schema.ts'
import { toAccessTarget } from '../registrar-view.ts'
import { getRow, lockRows, updateFindings } from '../registrars.repo.ts'
import { countNames } from './registrar-names.repo.ts'
import { markGone } from './write-names.ts'

/** Names that a registrar no longer lists and that are kept until confirmed missing. @throws AppError not_found */
export async function listMissing(ctx: Ctx, { id }: { readonly id: string }): Promise<z.infer<typeof missingNames>> {
  await requireLevel(ctx, toAccessTarget(await getRow(ctx.db.orm, id)), 'view')
  return listMissingNames(ctx.db.orm, { kind: 'registrar', id }, mostMissingNames)
}

/**
 * Records a person's decision whether names that a registrar no longer lists are gone or kept.
 * @throws AppError not_found, level_too_low; nothing_to_do when nothing is missing any more; conflict when it has changed since it was shown
 */
export async function decideDisappearance(ctx: Ctx, { id, decision, shown }: DisappearanceDecision): Promise<{ gone: number }> {
  // Resolve grants before the transaction, so that it needs no second connection.
  await grantsOf(ctx)
  return ctx.db.orm.transaction(async (tx) => {
    const [row] = await lockRows(tx, [id])
    if (row === undefined) throw new AppError('not_found')
    await requireLevel(ctx, toAccessTarget(row), 'operate')
    const subject = { kind: 'registrar', id } as const
    await lockHeld(tx, subject, shown)
    if (decision === 'keep') await keepHeld(tx, subject, ctx.actor.name)
    const keys = decision === 'gone' ? ((await takeHeld(tx, subject)) ?? []) : []
    const gone = await markGone(tx, id, keys, new Date(ctx.clock.now()))
    await updateFindings(tx, row, { namesCount: await countNames(tx, id) })
    await audit(tx, ctx, {
      action: 'update',
      entityType: 'registrar',
      entityId: id,
      entityName: row.name,
      ownerId: row.ownerId,
      details: decision === 'gone' ? { gone } : { missing: 'kept' },
    })
    await ctx.events.publish(tx, row.ownerId, 'registrars')
    await ctx.events.publish(tx, row.ownerId, 'domains')
    return { gone }
  })
}
