import { openZone } from '../../access/open-zone.ts'
import type { Ctx } from '#server/platform/context.ts'
import { findLevel } from '#server/platform/access-scope.ts'
import { AppError } from '#shared/errors/app-error.ts'
import { writeZoneFile } from '#shared/features/domains/records/write-zone-file.ts'
import { listMirror, listMirrors } from '../records.repo.ts'

/**
 * Zone files of many domains from the mirror, without calls to the provider. Zones that are unknown, unread or without access are left out.
 */
export async function exportFiles(ctx: Ctx, ids: readonly string[]): Promise<{ files: { text: string; fileName: string }[] }> {
  const mirrors = await listMirrors(ctx.db.orm, ids)
  const levels = await Promise.all(mirrors.map(({ zone }) => findLevel(ctx, zone)))
  return {
    files: mirrors
      .filter((_mirror, index) => levels[index] !== null)
      .map(({ zone: { name, readAt }, records }) => ({
        fileName: `${name}.txt`,
        text: writeZoneFile(name, records, `${name}, as read at ${readAt?.toISOString() ?? ''}`),
      })),
  }
}

/**
 * A domain's records as a zone file: the provider's own, or the mirror's while the provider is unavailable.
 * @throws AppError not_found, provider_*
 */
export async function exportFile(ctx: Ctx, id: string): Promise<{ text: string; fileName: string }> {
  const zone = await openZone(ctx, id, 'view')
  const fileName = `${zone.name}.txt`
  try {
    return { fileName, text: await zone.connection.exportRecords(zone.providerZoneId, { priority: 'person' }) }
  } catch (error) {
    if (!(error instanceof AppError) || !error.isRetryable) throw error
    const { records, readAt } = await listMirror(ctx.db.orm, id)
    if (readAt === null) throw error
    return { fileName, text: writeZoneFile(zone.name, records, `${zone.name}, as read at ${readAt.toISOString()}`) }
  }
}
