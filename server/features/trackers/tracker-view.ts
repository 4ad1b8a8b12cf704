import type { Tracker } from '#shared/features/trackers/schema.ts'
import type { ShownTracker, TrackerRow } from './trackers.repo.ts'

/** Address and key are there (R-TRK-01). */
export const isEnabled = ({ url, apiKeySealed }: Pick<TrackerRow, 'url' | 'apiKeySealed'>): boolean => url !== null && apiKeySealed !== null

function syncState(row: TrackerRow, now: number): Tracker['sync']['state'] {
  if (!isEnabled(row)) return 'idle'
  if (row.syncing) return 'running'
  if (row.nextSyncAt !== null && row.nextSyncAt.getTime() <= now) return 'queued'
  return row.syncErrorCode === null ? 'idle' : 'failed'
}

/** The tracker without its key. @param now in milliseconds, as the clock of the panel has it */
export const toTracker = ({ tracker: row, ownerName, boundCount }: ShownTracker, now: number): Tracker => ({
  id: row.id,
  ownerId: row.ownerId,
  ownerName,
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
