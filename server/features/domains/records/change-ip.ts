import { randomUUID } from 'node:crypto'
import { refreshPart } from '#server/features/sync/index.ts'
import type { Ctx } from '#server/platform/context.ts'
import { openZone } from '../access/open-zone.ts'
import { getDomain } from '../get-domain.ts'
import { applyRecordChanges } from './apply-changes.ts'
import { readRecords } from './list-records.ts'
import { planIpChange } from './plan-ip-change.ts'
import type { IpChange } from './plan-ip-change.ts'
import { listMirror } from './records.repo.ts'

/**
 * R-DOM-14. Sets the address of all A records (or, for an IPv6 address, all AAAA), or adds it to each of their names.
 * @throws AppError validation_failed if there is no such record
 */
export async function changeIp(ctx: Ctx, { id, ...change }: IpChange & { readonly id: string }) {
  const zone = await openZone(ctx, id)
  if (zone.recordsReadAt === null) await refreshPart(ctx, zone, 'records', { priority: 'person' })
  const { records } = await listMirror(ctx.db.orm, id)
  const batchId = randomUUID()
  const { error } = await applyRecordChanges(ctx, zone, planIpChange(records, change), { priority: 'person', source: 'panel', batchId })
  if (error !== null) throw error
  return { ...(await getDomain(ctx, id)), batchId }
}

/** R-DOM-13. Reads the records, and with them the addresses, from the provider. */
export async function refreshIp(ctx: Ctx, id: string) {
  await readRecords(ctx, id)
  return getDomain(ctx, id)
}
