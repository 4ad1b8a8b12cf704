import { domainToUnicode } from 'node:url'
import { z } from 'zod'
import type { Ctx } from '#server/platform/context.ts'
import { getOwnerScope } from '#server/platform/access-scope.ts'
import type { CallOptions } from '#server/ports/dns-host.ts'
import { AppError } from '#shared/errors/app-error.ts'
import type {
  listOriginCertificatesInput,
  listOriginCertificatesOutput,
  originCertificateAnswer,
  OriginCertificates,
} from '#shared/features/domains/origin-certificates/schema.ts'
import { openZone, requireZone } from '../access/open-zone.ts'
import type { OpenZone } from '../access/open-zone.ts'
import { serializeZoneChanges } from '../access/serialize-zone-changes.ts'
import { toDetails, toRead, toView } from './origin-certificate-view.ts'
import { findCertificate, findReadAt, listByExpiry, listOfDomain, replaceRead } from './origin-certificates.repo.ts'

/**
 * Reads the certificates of a domain from the provider; call it inside `serializeZoneChanges`.
 * @throws AppError provider_*
 */
export async function refreshOriginCertificates(ctx: Ctx, zone: OpenZone, call: CallOptions): Promise<void> {
  const all = (await zone.connection.listOriginCertificates(zone.providerZoneId, call)).map(toRead)
  await ctx.db.orm.transaction(async (tx) => {
    await replaceRead(tx, zone.id, all)
    await ctx.events.publish(tx, zone.ownerId, 'domains', [zone.accountId])
  })
}

const stored = async (ctx: Ctx, id: string): Promise<OriginCertificates> => {
  const [rows, readAt] = await Promise.all([listOfDomain(ctx.db.orm, id), findReadAt(ctx.db.orm, id)])
  return { certificates: rows.map((row) => toView(row, ctx.clock.now())), readAt: readAt?.toISOString() ?? null }
}

/**
 * The certificates of a domain as last read; `fresh`, or the first call, reads them now.
 * @throws AppError not_found, provider_*
 */
export async function listOriginCertificates(
  ctx: Ctx,
  { id, fresh }: { readonly id: string; readonly fresh: boolean },
): Promise<OriginCertificates> {
  const zone = await openZone(ctx, id, 'view')
  if (fresh || (await findReadAt(ctx.db.orm, id)) === null)
    await serializeZoneChanges(id, () => refreshOriginCertificates(ctx, zone, { priority: 'person' }))
  return stored(ctx, id)
}

/**
 * One certificate with its text, as last read.
 * @throws AppError not_found
 */
export async function getOriginCertificate(
  ctx: Ctx,
  { id, certificateId }: { readonly id: string; readonly certificateId: string },
): Promise<z.output<typeof originCertificateAnswer>> {
  await requireZone(ctx, id, 'view')
  const row = await findCertificate(ctx.db.orm, id, certificateId)
  if (row === null) throw new AppError('not_found')
  return { certificate: toDetails(row, ctx.clock.now()) }
}

const dayMs = 86_400_000
/** The format written by `nextCursor`; year 0 does not exist. */
const cursorParts = z.tuple([z.iso.datetime().refine((at) => at >= '0001'), z.uuid()])

function readCursor(cursor: string | undefined) {
  if (cursor === undefined) return null
  const parts = cursorParts.safeParse(cursor.split(' '))
  if (!parts.success) throw new AppError('validation_failed', { issues: [{ path: 'cursor', message: 'invalid_cursor' }] })
  const [at, id] = parts.data
  return { at, id }
}

/**
 * Certificates of all domains as last read, the next to expire first.
 * @throws AppError validation_failed for an invalid cursor
 */
export async function listExpiringOriginCertificates(
  ctx: Ctx,
  { ownerId, from, to, cursor, limit }: z.output<typeof listOriginCertificatesInput>,
): Promise<z.output<typeof listOriginCertificatesOutput>> {
  const rows = await listByExpiry(ctx.db.orm, await getOwnerScope(ctx, ownerId), {
    from: from === undefined ? null : new Date(from),
    to: to === undefined ? null : new Date(Date.parse(to) + dayMs),
    after: readCursor(cursor),
    limit,
  })
  const certificates = rows.map(({ certificate, name }) => ({
    ...toView(certificate, ctx.clock.now()),
    zoneId: certificate.domainId,
    name,
    displayName: domainToUnicode(name) || name,
  }))
  const last = certificates.at(-1)
  return { certificates, nextCursor: last === undefined || rows.length < limit ? null : `${last.expiresAt} ${last.id}` }
}
