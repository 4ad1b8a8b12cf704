import { refreshPart } from '#server/features/sync/index.ts'
import { openZone } from '../access/open-zone.ts'
import type { Ctx } from '#server/platform/context.ts'
import { showData } from '#shared/features/domains/records/rules.ts'
import { recordType } from '#shared/features/domains/records/schema.ts'
import type { DnsRecord, RecordSeen } from '#shared/features/domains/records/schema.ts'
import { requireFittingTtls } from './change-records.ts'
import { batchSize, chunkChanges, planChanges } from './plan-changes.ts'
import type { PlannedChange, RecordChanges } from './plan-changes.ts'
import { listMirror } from './records.repo.ts'

/** One record; null on the side where it does not exist. */
interface PreviewedRecord {
  readonly before: DnsRecord | null
  readonly after: RecordSeen | null
}

/** The record after the change that would be sent. */
function afterOf({ before, patch, post }: PlannedChange): RecordSeen | null {
  const sent = post ?? patch
  if (sent === null) return null
  // An update in place keeps fields that it does not name; a replacement starts empty.
  const old = post === null ? before : null
  const type = sent.type ?? old?.type ?? ''
  const known = recordType.safeParse(type).data
  const shown = sent.data === undefined || known === undefined ? undefined : showData(known, sent.data)
  return {
    type,
    name: sent.name ?? old?.name ?? '',
    content: sent.content ?? shown ?? old?.content ?? '',
    ttl: sent.ttl ?? old?.ttl ?? 1,
    proxied: sent.proxied ?? old?.proxied ?? false,
    priority: sent.priority ?? old?.priority ?? null,
    comment: sent.comment === '' ? null : (sent.comment ?? old?.comment ?? null),
  }
}

/**
 * Previews changes of a domain's records from the mirror, which is read first if empty; changes nothing.
 * @returns `all`: every current record; `calls` to the provider
 * @throws AppError not_found, level_too_low, validation_failed, conflict if `seen` no longer matches
 */
export async function previewRecordChanges(
  ctx: Ctx,
  id: string,
  changes: RecordChanges,
): Promise<{ readonly all: readonly DnsRecord[]; readonly changed: readonly PreviewedRecord[]; readonly calls: number }> {
  const zone = await openZone(ctx, id)
  requireFittingTtls(changes)
  if (zone.recordsReadAt === null) await refreshPart(ctx, zone, 'records', { priority: 'person' })
  const { records: all } = await listMirror(ctx.db.orm, id)
  const { planned } = planChanges(changes, new Map(all.map((record) => [record.id, record])), zone.name)
  const changed = planned.map((change) => ({ before: change.before, after: afterOf(change) }))
  return { all, changed, calls: chunkChanges(planned, batchSize(zone.plan)).length }
}
