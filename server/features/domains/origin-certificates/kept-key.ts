import { audit } from '#server/platform/audit.ts'
import type { Ctx } from '#server/platform/context.ts'
import { requireRecentAuth } from '#server/platform/recent-auth.ts'
import { decryptStored } from '#server/platform/secrets.ts'
import { AppError } from '#shared/errors/app-error.ts'
import { requireZone } from '../access/open-zone.ts'
import { originKeyContext } from './origin-certificate-view.ts'
import { deleteKey, findCertificate } from './origin-certificates.repo.ts'

interface Target {
  readonly id: string
  readonly certificateId: string
}

/**
 * The only way a kept key leaves the server, and only for the owner or an administrator; each access is logged.
 * @throws AppError not_found, level_too_low, confirmation_needed, secret_unreadable, session_only for a token
 */
export async function revealOriginKey(ctx: Ctx, { id, certificateId }: Target): Promise<{ privateKey: string }> {
  const { ownerId } = await requireZone(ctx, id, 'own')
  // Access is checked before step-up authentication is requested.
  requireRecentAuth(ctx)
  return ctx.db.orm.transaction(async (tx) => {
    const row = await findCertificate(tx, id, certificateId)
    if (row?.keySealed == null) throw new AppError('not_found')
    await audit(tx, ctx, {
      action: 'reveal',
      entityType: 'zone',
      entityId: id,
      entityName: row.name,
      ownerId,
      details: { originCertificate: 'key_shown', hostnames: row.hostnames },
    })
    const context = originKeyContext(certificateId)
    return { privateKey: decryptStored(ctx.secrets, { encrypted: row.keySealed, context, secret: 'origin_key', name: row.name }) }
  })
}

/**
 * Deletes a kept key; the certificate stays valid.
 * @throws AppError not_found, level_too_low
 */
export async function forgetOriginKey(ctx: Ctx, { id, certificateId }: Target): Promise<void> {
  const { ownerId, accountId } = await requireZone(ctx, id, 'operate')
  await ctx.db.orm.transaction(async (tx) => {
    const row = await findCertificate(tx, id, certificateId)
    if (row === null || !(await deleteKey(tx, certificateId))) throw new AppError('not_found')
    await audit(tx, ctx, {
      action: 'update',
      entityType: 'zone',
      entityId: id,
      entityName: row.name,
      ownerId,
      details: { originCertificate: 'key_deleted', hostnames: row.hostnames },
    })
    await ctx.events.publish(tx, ownerId, 'domains', [accountId])
  })
}
