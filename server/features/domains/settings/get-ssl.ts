import type { OpenZone } from '../access/open-zone.ts'
import { serializeZoneChanges } from '../access/serialize-zone-changes.ts'
import { openZone } from '../access/open-zone.ts'
import type { Ctx } from '#server/platform/context.ts'
import type { CallOptions } from '#server/ports/dns-host.ts'
import { AppError } from '#shared/errors/app-error.ts'
import type { SslState } from '#shared/features/domains/settings/schema.ts'
import { applySettings } from './apply-settings.ts'
import { toCertificate, toVerifications } from './ssl-words.ts'
import { findSsl, upsertSsl } from './zone-settings.repo.ts'

const unread: SslState = { universalEnabled: null, certificates: [], verification: [], readAt: null }

/**
 * Reads the certificates from the provider into the mirror.
 * @throws AppError of the provider
 */
export async function refreshSsl(ctx: Ctx, zone: OpenZone, call: CallOptions): Promise<void> {
  const { connection, zoneId } = zone
  const [universalEnabled, packs, verifications] = await Promise.all([
    connection.getUniversalSsl(zoneId, call),
    connection.listCertificatePacks(zoneId, call),
    // While a certificate is on its way only; without any there is nothing to verify, and that may be reported as an error.
    connection.listVerifications(zoneId, call).catch((error: unknown) => {
      if (error instanceof AppError && (error.code === 'provider_not_found' || error.code === 'provider_rejected')) return []
      throw error
    }),
  ])
  const certificates = packs.map((pack) => toCertificate(pack, ctx.clock.now()))
  await ctx.db.orm.transaction(async (tx) => {
    await upsertSsl(tx, zone.id, { universalEnabled, certificates, verification: toVerifications(verifications, certificates) })
    await ctx.events.publish(tx, zone.ownerId, 'domains', [zone.accountId])
  })
}

/**
 * The certificates of a domain as last read; `fresh` (and the first time) reads them now.
 * @throws AppError not_found, provider_*
 */
export async function getSsl(ctx: Ctx, { id, fresh }: { readonly id: string; readonly fresh: boolean }): Promise<{ ssl: SslState }> {
  const zone = await openZone(ctx, id, 'view')
  const known = fresh ? null : await findSsl(ctx.db.orm, id)
  if (known !== null && known.readAt !== null) return { ssl: known }
  await serializeZoneChanges(id, () => refreshSsl(ctx, zone, { priority: 'person' }))
  return { ssl: (await findSsl(ctx.db.orm, id)) ?? unread }
}

/**
 * Switches universal SSL; off takes the certificate of the domain away.
 * @throws AppError not_found, provider_*
 */
export async function setUniversal(
  ctx: Ctx,
  { id, enabled }: { readonly id: string; readonly enabled: boolean },
): Promise<{ ssl: SslState }> {
  const zone = await openZone(ctx, id)
  const { refused } = await applySettings(ctx, zone, { universalSsl: enabled }, { priority: 'person', source: 'panel' })
  for (const { error } of refused) throw error
  // The switch is done; that the list of certificates could not be read again must not undo it in anybody's eyes.
  await serializeZoneChanges(id, () => refreshSsl(ctx, zone, { priority: 'person' })).catch((error: unknown) => {
    if (!(error instanceof AppError)) throw error
  })
  return { ssl: (await findSsl(ctx.db.orm, id)) ?? unread }
}
