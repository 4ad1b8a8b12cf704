import { isDeepStrictEqual } from 'node:util'
import { updateDetailsWanted } from '#server/features/sync/index.ts'
import { audit } from '#server/platform/audit.ts'
import { grantsOf } from '#server/platform/access-scope.ts'
import type { Ctx } from '#server/platform/context.ts'
import { AppError } from '#shared/errors/app-error.ts'
import type { MissingDecision } from '#shared/features/domains/records/schema.ts'
import { requireZone } from '../access/open-zone.ts'
import { keepMissingRecords, lockMissingRecords, removeMissingRecords } from '../mirror/missing-records.repo.ts'

/**
 * The user decides whether records that Cloudflare no longer lists are removed from the panel or kept.
 * @throws AppError not_found, level_too_low; nothing_to_do if none is missing any more; conflict if it has changed since it was shown
 */
export async function decideMissing(ctx: Ctx, { id, decision, shown }: MissingDecision): Promise<{ gone: number }> {
  // Loaded before the transaction, so that it needs no second connection.
  await grantsOf(ctx)
  const { ownerId, accountId } = await requireZone(ctx, id, 'operate')
  const decided = await ctx.db.orm.transaction(async (tx) => {
    const [held] = await lockMissingRecords(tx, [id])
    if (held === undefined) throw new AppError('nothing_to_do')
    const { foundAt, missing, keptAt } = held
    if (shown !== undefined && !isDeepStrictEqual(shown, { foundAt, missing, keptAt })) throw new AppError('conflict')
    if (decision === 'keep') await keepMissingRecords(tx, [id], ctx.actor.name)
    const gone = decision === 'gone' ? await removeMissingRecords(tx, [id]) : 0
    await audit(tx, ctx, {
      action: 'update',
      entityType: 'zone',
      entityId: id,
      entityName: held.name,
      ownerId,
      details: { part: 'records', ...(decision === 'gone' ? { gone } : { missing: 'kept' }) },
    })
    await ctx.events.publish(tx, ownerId, 'domains', [accountId])
    return { gone }
  })
  // Afterwards, because others lock accounts before zones.
  if (decided.gone > 0) await updateDetailsWanted(ctx.db.orm, [accountId])
  return decided
}
