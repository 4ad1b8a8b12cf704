import { isDeepStrictEqual } from 'node:util'
import type { Queryable } from '#server/db/client.ts'
import type { OpenZone } from '../access/open-zone.ts'
import { audit } from '#server/platform/audit.ts'
import type { Ctx } from '#server/platform/context.ts'
import { writeHistory } from '#server/platform/history.ts'
import type { HistoryOptions } from '#server/platform/history.ts'

/** The source defaults to a user in the panel. */
export type ZoneChangeOptions = HistoryOptions & { readonly revertsId?: string | null }

interface ZoneChange {
  readonly ctx: Ctx
  readonly zone: OpenZone
  readonly key: 'paused' | 'group' | 'profile' | 'registrar' | 'tracker'
  readonly before: unknown
  readonly after: unknown
  readonly options?: ZoneChangeOptions
}

/** Like `recordZoneChange`, for many at the same time. */
export async function recordZoneChanges(tx: Queryable, all: readonly ZoneChange[]): Promise<void> {
  const changes = all
    .filter(({ before, after }) => !isDeepStrictEqual(before, after))
    .map(({ options, ...change }) => {
      const { revertsId = null, ...history }: ZoneChangeOptions = options ?? { source: 'panel' }
      return { ...change, revertsId, options: history }
    })
  // The changes of one operation or request become one entry.
  const together = Map.groupBy(changes, ({ ctx, options }) => `${ctx.requestId} ${options.source} ${options.batchId ?? ''}`)
  for (const some of together.values()) {
    const [first] = some
    if (first === undefined) continue
    const entries = some.map(({ zone, key, before, after, revertsId }) => ({
      domainId: zone.id,
      subject: 'zone' as const,
      key,
      label: key,
      before: { value: before },
      after: { value: after },
      revertsId,
    }))
    await writeHistory(tx, first.ctx, first.options, entries)
    const logged = some.map(({ zone, key, before, after }) => ({
      action: 'update' as const,
      entityType: 'zone' as const,
      entityId: zone.id,
      entityName: zone.name,
      ownerId: zone.ownerId,
      details: { [key]: { from: before, to: after } },
    }))
    await audit(tx, first.ctx, ...logged)
  }
  for (const theirs of Map.groupBy(changes, ({ zone }) => `${zone.ownerId} ${zone.accountId}`).values()) {
    const [first] = theirs
    if (first !== undefined) await first.ctx.events.publish(tx, first.zone.ownerId, 'domains', [first.zone.accountId])
  }
}

/**
 * Writes history, audit log and live events of a change to the zone itself, in the same transaction; does nothing if the value is
 * unchanged.
 */
export const recordZoneChange = (
  ctx: Ctx,
  tx: Queryable,
  zone: OpenZone,
  change: Pick<ZoneChange, 'key' | 'before' | 'after'>,
  options?: ZoneChangeOptions,
): Promise<void> => recordZoneChanges(tx, [{ ctx, zone, ...change, ...(options === undefined ? {} : { options }) }])
