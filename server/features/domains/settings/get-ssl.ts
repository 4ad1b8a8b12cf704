import type { OpenZone } from '../access/open-zone.ts'
import { serializeZoneChanges } from '../access/serialize-zone-changes.ts'
import { openZone } from '../access/open-zone.ts'
import type { Ctx } from '#server/platform/context.ts'
import type { CallOptions } from '#server/ports/dns-host.ts'
import { AppError } from '#shared/errors/app-error.ts'
import { settingCatalog } from '#shared/features/domains/settings/catalog.ts'
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
  const { connection, providerZoneId } = zone
  const [universalEnabled, packs, verifications] = await Promise.all([
    connection.getSetting(providerZoneId, settingCatalog.universalSsl.id, call).then(({ value }) => value === true),
    connection.listCertificatePacks(providerZoneId, call),
    // Only needed while a certificate is pending; without any, the provider may answer with an error.
    connection.listVerifications(providerZoneId, call).catch((error: unknown) => {
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
 * The certificates of a domain as last read; `fresh`, or the first call, reads them now.
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
 * Switches universal SSL; switching it off removes the domain's certificate.
 * @throws AppError not_found, provider_*
 */
export async function setUniversal(
  ctx: Ctx,
  { id, enabled }: { readonly id: string; readonly enabled: boolean },
): Promise<{ ssl: SslState }> {
  const zone = await openZone(ctx, id)
  const { refused } = await applySettings(ctx, zone, { universalSsl: enabled }, { priority: 'person', source: 'panel' })
  for (const { error } of refused) throw error
  // The switch succeeded; a failure to read the certificates afterwards must not report it as failed.
  await serializeZoneChanges(id, () => refreshSsl(ctx, zone, { priority: 'person' })).catch((error: unknown) => {
    if (!(error instanceof AppError)) throw error
  })
  return { ssl: (await findSsl(ctx.db.orm, id)) ?? unread }
}
