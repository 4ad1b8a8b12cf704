import { domainToASCII } from 'node:url'
import type { z } from 'zod'
import { audit } from '#server/platform/audit.ts'
import type { Ctx } from '#server/platform/context.ts'
import { AppError } from '#shared/errors/app-error.ts'
import type { revokeOriginCertificateInput } from '#shared/features/domains/origin-certificates/schema.ts'
import { openZone } from '../access/open-zone.ts'
import { serializeZoneChanges } from '../access/serialize-zone-changes.ts'
import { deleteCertificate, findCertificate } from './origin-certificates.repo.ts'

const asciiOf = (name: string) => (name.startsWith('*.') ? `*.${domainToASCII(name.slice(2))}` : domainToASCII(name))

/**
 * Revokes a certificate and deletes its kept key. One that the provider does not list any more counts as revoked.
 * @throws AppError not_found, level_too_low, name_mismatch, provider_*, origin_certificate_pending while its outcome is unknown
 */
export async function revokeOriginCertificate(
  ctx: Ctx,
  { id, certificateId, hostname }: z.output<typeof revokeOriginCertificateInput>,
): Promise<void> {
  const zone = await openZone(ctx, id)
  await serializeZoneChanges(id, async () => {
    const row = await findCertificate(ctx.db.orm, id, certificateId)
    if (row === null) throw new AppError('not_found')
    if (hostname !== undefined && asciiOf(hostname.trim()) !== row.hostnames[0]) throw new AppError('name_mismatch')
    if (row.serial === null) throw new AppError('origin_certificate_pending')
    await zone.connection.revokeOriginCertificate(row.serial, { priority: 'person' }).catch((error: unknown) => {
      if (!(error instanceof AppError && error.code === 'provider_not_found')) throw error
    })
    await ctx.db.orm.transaction(async (tx) => {
      if (!(await deleteCertificate(tx, certificateId))) return
      await audit(tx, ctx, {
        action: 'update',
        entityType: 'zone',
        entityId: id,
        entityName: zone.name,
        ownerId: zone.ownerId,
        details: { originCertificate: 'revoked', hostnames: row.hostnames },
      })
      await ctx.events.publish(tx, zone.ownerId, 'domains', [zone.accountId])
    })
  })
}
