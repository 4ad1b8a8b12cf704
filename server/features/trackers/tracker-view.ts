import type { Ctx } from '#server/platform/context.ts'
import { findShared } from '#server/platform/access-scope.ts'
import type { AccessTarget } from '#server/platform/access-scope.ts'
import type { SharedWithMe } from '#shared/features/sharing/schema.ts'
import type { Tracker } from '#shared/features/trackers/schema.ts'
import type { ShownTracker, TrackerRow } from './trackers.repo.ts'

/** Whether the address and key are set (R-TRK-01). */
export const isEnabled = ({ url, apiKeySealed }: Pick<TrackerRow, 'url' | 'apiKeySealed'>): boolean => url !== null && apiKeySealed !== null

function syncState(row: TrackerRow, now: number): Tracker['sync']['state'] {
  if (!isEnabled(row)) return 'idle'
  if (row.syncing) return 'running'
  if (row.nextSyncAt !== null && row.nextSyncAt.getTime() <= now) return 'queued'
  return row.syncErrorCode === null ? 'idle' : 'failed'
}

/** The object for access checks. */
export const toAccessTarget = ({ id, ownerId }: { readonly id: string; readonly ownerId: string }): AccessTarget => ({
  ownerId,
  trackerId: id,
})

/** The tracker without its key. @param now in milliseconds, by the panel's clock */
const view = ({ tracker: row, ownerName, boundCount, sharedWith }: ShownTracker, shared: SharedWithMe, now: number): Tracker => ({
  id: row.id,
  ownerId: row.ownerId,
  ownerName,
  shared,
  sharedWith: shared === null ? sharedWith : 0,
  kind: row.kind,
  name: row.name,
  url: row.url,
  hasKey: row.apiKeySealed !== null,
  enabled: isEnabled(row),
  connection: 'idle',
  isDefault: row.isDefault,
  addresses: row.addresses,
  foundAddresses: row.foundAddresses,
  domainsCount: row.domainsCount,
  boundCount,
  sync: {
    state: syncState(row, now),
    syncedAt: row.syncedAt?.toISOString() ?? null,
    errorCode: row.syncErrorCode,
    errorMessage: row.syncErrorMessage,
    nextAt: row.nextSyncAt?.toISOString() ?? null,
  },
  createdAt: row.createdAt.toISOString(),
})

/** As the actor sees it. */
export const toTracker = async (ctx: Ctx, row: ShownTracker): Promise<Tracker> =>
  view(row, await findShared(ctx, toAccessTarget(row.tracker)), ctx.clock.now())
