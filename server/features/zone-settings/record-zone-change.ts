import { isDeepStrictEqual } from 'node:util'
import type { Queryable } from '#server/db/client.ts'
import type { OpenZone } from '#server/features/zone-access/index.ts'
import { audit } from '#server/platform/audit.ts'
import type { Ctx } from '#server/platform/context.ts'
import { writeHistory } from '#server/platform/history.ts'
import type { HistoryOptions } from '#server/platform/history.ts'
import { tellZone } from './tell-zone.ts'

/** By what; a person in the panel, unless it says otherwise. */
export type ZoneChangeOptions = HistoryOptions & { readonly revertsId?: string | null }

/** History, audit and live news of a change to the zone itself, in the transaction that makes it; nothing when it was so already. */
export async function recordZoneChange(
  ctx: Ctx,
  tx: Queryable,
  zone: OpenZone,
  { key, before, after }: { readonly key: 'paused' | 'group' | 'profile'; readonly before: unknown; readonly after: unknown },
  { revertsId = null, ...options }: ZoneChangeOptions = { source: 'panel' },
): Promise<void> {
  if (isDeepStrictEqual(before, after)) return
  const entry = { zoneId: zone.id, subject: 'zone', key, label: key, before: { value: before }, after: { value: after } } as const
  await writeHistory(tx, ctx, options, [{ ...entry, revertsId }])
  await audit(tx, ctx, {
    action: 'update',
    entityType: 'zone',
    entityId: zone.id,
    entityName: zone.name,
    ownerId: zone.ownerId,
    details: { [key]: { from: before, to: after } },
  })
  await tellZone(ctx, tx, zone)
}
