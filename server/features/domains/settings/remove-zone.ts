import { domainToASCII } from 'node:url'
import type { OpenZone } from '../access/open-zone.ts'
import { serializeZoneChanges } from '../access/serialize-zone-changes.ts'
import { openZone } from '../access/open-zone.ts'
import { audit } from '#server/platform/audit.ts'
import type { Ctx } from '#server/platform/context.ts'
import { WriteRefused, requireClaim } from '#server/platform/write-fence.ts'
import type { CallOptions, Priority } from '#server/ports/dns-host.ts'
import { AppError } from '#shared/errors/app-error.ts'
import { deleteZone } from './zone-settings.repo.ts'

const isGone = (error: unknown) => error instanceof AppError && error.code === 'provider_not_found'

/** A zone that no longer exists counts as deleted. */
async function deleteAtProvider({ connection, providerZoneId }: OpenZone, call: CallOptions): Promise<void> {
  try {
    await connection.deleteZone(providerZoneId, call)
  } catch (error) {
    if (isGone(error)) return
    // An earlier attempt may have deleted it.
    if (!(error instanceof WriteRefused) && !(error instanceof AppError && error.isUnclear)) throw error
    const gone = await connection.getZone(providerZoneId, call).then(
      () => false,
      (reason: unknown) => isGone(reason),
    )
    if (!gone) throw error
  }
}

/**
 * Deletes the zone at the provider, and then in the panel with its records, settings and history.
 * @throws AppError not_found, name_mismatch, provider_*
 */
export async function removeZone(
  ctx: Ctx,
  { id, name }: { readonly id: string; readonly name?: string | undefined },
  priority: Priority = 'person',
): Promise<void> {
  const zone = await openZone(ctx, id, 'manage')
  if (name !== undefined && domainToASCII(name.trim()) !== zone.name) throw new AppError('name_mismatch')
  await serializeZoneChanges(id, async () => {
    if (zone.goneAt === null) await deleteAtProvider(zone, { priority })
    await ctx.db.orm.transaction(async (tx) => {
      await requireClaim()
      if (!(await deleteZone(tx, id))) return
      await audit(tx, ctx, { action: 'delete', entityType: 'zone', entityId: id, entityName: zone.name, ownerId: zone.ownerId })
      await ctx.events.publish(tx, zone.ownerId, ['domains', 'accounts'], [zone.accountId])
    })
  })
}
