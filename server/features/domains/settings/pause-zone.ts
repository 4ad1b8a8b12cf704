import type { Ctx } from '#server/platform/context.ts'
import { requireClaim } from '#server/platform/write-fence.ts'
import { AppError } from '#shared/errors/app-error.ts'
import type { Domain } from '#shared/features/domains/schema.ts'
import { serializeZoneChanges } from '../access/serialize-zone-changes.ts'
import { openZone } from '../access/open-zone.ts'
import { getDomain } from '../get-domain.ts'
import { recordZoneChange } from './record-zone-change.ts'
import type { ZoneChangeOptions } from './record-zone-change.ts'
import { updatePaused } from './zone-settings.repo.ts'

/**
 * Pauses or resumes a zone. While paused, the provider only answers DNS without proxy and protection.
 * @throws AppError not_found, provider_*
 */
export async function pauseZone(
  ctx: Ctx,
  { id, paused }: { readonly id: string; readonly paused: boolean },
  history?: ZoneChangeOptions,
): Promise<{ zone: Domain }> {
  const zone = await openZone(ctx, id)
  await serializeZoneChanges(id, async () => {
    const answer = await zone.connection.pauseZone(zone.providerZoneId, paused, { priority: 'person' })
    await ctx.db.orm.transaction(async (tx) => {
      await requireClaim()
      const before = await updatePaused(tx, id, answer.paused)
      if (before === undefined) throw new AppError('not_found')
      await recordZoneChange(ctx, tx, zone, { key: 'paused', before, after: answer.paused }, history)
    })
  })
  return getDomain(ctx, id)
}
