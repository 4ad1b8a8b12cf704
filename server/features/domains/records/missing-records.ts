import type { z } from 'zod'
import { listMissingNames, takeHeld, wakeSync } from '#server/features/sync/index.ts'
import { audit } from '#server/platform/audit.ts'
import type { Ctx } from '#server/platform/context.ts'
import { AppError } from '#shared/errors/app-error.ts'
import { mostMissingNames } from '#shared/features/sync/disappearances/schema.ts'
import type { missingNames } from '#shared/features/sync/disappearances/schema.ts'
import { openZone } from '../access/open-zone.ts'
import { removeRecords } from '../mirror/index.ts'

/**
 * The records of a domain that Cloudflare no longer lists and that are kept until a person decides.
 * @throws AppError not_found
 */
export async function listMissingRecords(ctx: Ctx, id: string): Promise<z.infer<typeof missingNames>> {
  const zone = await openZone(ctx, id, 'view')
  return listMissingNames(ctx.db.orm, { kind: 'zone', id: zone.id }, mostMissingNames)
}

/**
 * The user accepts that records which Cloudflare no longer lists were deleted: they are removed, and are in the history as outside changes.
 * @returns the number of records
 * @throws AppError not_found, level_too_low; nothing_to_do if none is missing any more
 */
export async function acceptMissingRecords(ctx: Ctx, id: string): Promise<{ gone: number }> {
  const zone = await openZone(ctx, id)
  return ctx.db.orm.transaction(async (tx) => {
    const keys = await takeHeld(tx, { kind: 'zone', id: zone.id })
    if (keys === null) throw new AppError('nothing_to_do')
    const gone = await removeRecords(tx, zone.id, keys)
    await audit(tx, ctx, {
      action: 'update',
      entityType: 'zone',
      entityId: zone.id,
      entityName: zone.name,
      ownerId: zone.ownerId,
      details: { part: 'records', gone },
    })
    await ctx.events.publish(tx, zone.ownerId, 'domains', [zone.accountId])
    await wakeSync(tx)
    return { gone }
  })
}
