import { domainToUnicode } from 'node:url'
import { z } from 'zod'
import type { Ctx } from '#server/platform/context.ts'
import { getOwnerScope } from '#server/platform/access-scope.ts'
import { AppError } from '#shared/errors/app-error.ts'
import type { expiriesOutput, listCertificatesInput, listCertificatesOutput } from '#shared/features/monitoring/reports.ts'
import { countByEnd, countDays, listByEnd } from './certificates-reading.repo.ts'
import { isoOf } from '../incidents/incident-view.ts'

const dayMs = 86_400_000
const ahead = 92

/** The format written by `nextCursor`; year 0 does not exist. */
const cursorParts = z.tuple([z.iso.datetime().refine((at) => at >= '0001'), z.uuid()])

const readCursor = (cursor: string | undefined) => {
  if (cursor === undefined) return null
  const parts = cursorParts.safeParse(cursor.split(' '))
  if (!parts.success) throw new AppError('validation_failed', { issues: [{ path: 'cursor', message: 'invalid_cursor' }] })
  const [at, id] = parts.data
  return { at, id }
}

/** Certificates as served to visitors, the next to expire first. @throws AppError validation_failed for an invalid cursor */
export async function listCertificates(
  ctx: Ctx,
  { ownerId, from, to, cursor, limit }: z.output<typeof listCertificatesInput>,
): Promise<z.output<typeof listCertificatesOutput>> {
  const rows = await listByEnd(ctx.db.orm, await getOwnerScope(ctx, ownerId), {
    from: from === undefined ? null : new Date(from),
    to: to === undefined ? null : new Date(Date.parse(to) + dayMs),
    after: readCursor(cursor),
    limit,
  })
  const last = rows.at(-1)
  return {
    certificates: rows.map(({ domainId, name, certExpiresAt: at, issuer, trusted }) => ({
      zoneId: domainId,
      name,
      displayName: domainToUnicode(name) || name,
      expiresAt: isoOf(at),
      issuer,
      trusted,
    })),
    nextCursor: last === undefined || rows.length < limit ? null : `${isoOf(last.certExpiresAt)} ${last.domainId}`,
  }
}

/** Number of certificates by time to expiry, and the coming days on which certificates or domains expire; in UTC. */
export async function readExpiries(
  ctx: Ctx,
  { ownerId }: { readonly ownerId?: string | undefined },
): Promise<z.output<typeof expiriesOutput>> {
  const scope = await getOwnerScope(ctx, ownerId)
  const now = new Date(ctx.clock.now())
  const today = new Date(Math.floor(now.getTime() / dayMs) * dayMs)
  const [certificates, days] = await Promise.all([
    countByEnd(ctx.db.orm, scope, now),
    countDays(ctx.db.orm, scope, today, new Date(today.getTime() + ahead * dayMs)),
  ])
  return { certificates, days: [...days] }
}
