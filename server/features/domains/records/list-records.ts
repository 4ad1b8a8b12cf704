import type { z } from 'zod'
import { refreshPart } from '#server/features/sync/index.ts'
import { openZone } from '../access/open-zone.ts'
import type { Ctx } from '#server/platform/context.ts'
import type { RecordUsage, listRecordsOutput } from '#shared/features/domains/records/schema.ts'
import { findMissingRecords } from '../mirror/missing-records.repo.ts'
import { listMirror } from './records.repo.ts'

type RecordList = z.infer<typeof listRecordsOutput>

async function readMirror(ctx: Ctx, id: string): Promise<RecordList> {
  const [{ records, readAt }, missing] = await Promise.all([listMirror(ctx.db.orm, id), findMissingRecords(ctx.db.orm, id)])
  return { records, readAt: readAt?.toISOString() ?? null, missing }
}

/** As last read from the provider. */
export async function listRecords(ctx: Ctx, id: string): Promise<RecordList> {
  return readMirror(ctx, (await openZone(ctx, id, 'view')).id)
}

/** Reads a zone's records from the provider into the mirror and notifies its viewers. */
export async function readRecords(ctx: Ctx, id: string): Promise<void> {
  const zone = await openZone(ctx, id)
  await refreshPart(ctx, zone, 'records', { priority: 'person' })
  await ctx.events.publish(ctx.db.orm, zone.ownerId, 'domains', [zone.accountId])
}

/** The provider's current records. */
export async function refreshRecords(ctx: Ctx, id: string): Promise<RecordList> {
  await readRecords(ctx, id)
  return readMirror(ctx, id)
}

/**
 * The number of records and the limit, according to the provider.
 * @throws AppError not_found, provider_*
 */
export async function getRecordUsage(ctx: Ctx, id: string): Promise<RecordUsage> {
  const zone = await openZone(ctx, id, 'view')
  return zone.connection.recordUsage(zone.providerZoneId, { priority: 'person' })
}
