import { openZone } from '../../access/open-zone.ts'
import type { Ctx } from '#server/platform/context.ts'
import { findLevel } from '#server/platform/access-scope.ts'
import { AppError } from '#shared/errors/app-error.ts'
import { writeZoneFile } from '#shared/features/domains/records/write-zone-file.ts'
import type { DnsRecord } from '#shared/features/domains/records/schema.ts'
import { listMissingByZone } from '../../mirror/missing-records.repo.ts'
import { listMirror, listMirrors } from '../records.repo.ts'

interface Mirror {
  readonly name: string
  readonly records: readonly DnsRecord[]
  readonly readAt: Date | null
}

/** @param missing records that the provider no longer lists, which may still exist */
function write({ name, records, readAt }: Mirror, missing: readonly DnsRecord[] = []): string {
  const also = missing.length === 0 ? '' : ', with records that Cloudflare no longer lists'
  return writeZoneFile(name, [...records, ...missing], `${name}, as read at ${readAt?.toISOString() ?? ''}${also}`)
}

/**
 * Zone files of many domains from the mirror, without calls to the provider. Zones that are unknown, unread or without access are left out.
 */
export async function exportFiles(ctx: Ctx, ids: readonly string[]): Promise<{ files: { text: string; fileName: string }[] }> {
  const mirrors = await listMirrors(ctx.db.orm, ids)
  const missing = await listMissingByZone(ctx.db.orm, ids)
  const levels = await Promise.all(mirrors.map(({ zone }) => findLevel(ctx, zone)))
  return {
    files: mirrors
      .filter((_mirror, index) => levels[index] !== null)
      .map(({ zone: { id, name, readAt }, records }) => ({
        fileName: `${name}.txt`,
        text: write({ name, records, readAt }, missing.get(id)),
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
    return { fileName, text: write({ name: zone.name, records, readAt }, (await listMissingByZone(ctx.db.orm, [id])).get(id)) }
  }
}
