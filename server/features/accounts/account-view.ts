import type { Account } from '#shared/features/accounts/schema.ts'
import { abusePermission } from '#shared/features/abuse-reports/schema.ts'
import { auditLogPermission } from '#shared/features/provider-changes/schema.ts'
import { toDisappearance } from './accounts.repo.ts'
import type { ShownAccount } from './accounts.repo.ts'

function syncState(row: ShownAccount): Account['sync']['state'] {
  if (row.syncing) return 'running'
  if (row.syncQueued) return 'queued'
  return row.syncErrorCode === null ? 'idle' : 'failed'
}

function changeFeedOf(row: ShownAccount): Account['changeFeed'] {
  const { feedState: state } = row
  if (state === null) return null
  return {
    state,
    permission: state === 'no_permission' ? auditLogPermission : null,
    message: row.feedMessage,
    readAt: row.feedReadAt?.toISOString() ?? null,
    delaySeconds: row.feedDelaySeconds,
    longestDelaySeconds: row.feedLongestDelaySeconds,
  }
}

function abuseFeedOf(row: ShownAccount): Account['abuseFeed'] {
  const { abuseFeedState: state } = row
  if (state === null) return null
  return {
    state,
    permission: state === 'no_permission' ? abusePermission : null,
    message: row.abuseFeedMessage,
    readAt: row.abuseFeedReadAt?.toISOString() ?? null,
  }
}

/** The account as any user with access sees it: without secrets. Only its owner sees who else has access. */
export const toAccount = (row: ShownAccount, shared: Account['shared']): Account => ({
  id: row.id,
  ownerId: row.ownerId,
  ownerName: row.ownerName,
  shared,
  sharedWith: shared === null ? row.sharedWith : 0,
  name: row.name,
  email: row.email,
  kind: row.kind,
  hasPassword: row.hasPassword,
  zonesCount: row.zonesCount,
  health: row.health,
  healthCode: row.healthCode,
  healthMessage: row.healthMessage,
  checkedAt: row.checkedAt?.toISOString() ?? null,
  checking: row.checking,
  sync: {
    state: syncState(row),
    done: row.syncDone,
    total: row.syncTotal,
    syncedAt: row.syncedAt?.toISOString() ?? null,
    detailsPending: row.detailsRefused === null ? row.detailsPending : 0,
    refused: row.detailsRefused,
    errorCode: row.syncErrorCode,
    errorMessage: row.syncErrorMessage,
    nextAt: row.nextSyncAt.toISOString(),
  },
  disappearance: toDisappearance(row.disappearance),
  missingRecords:
    row.missingRecords === null ? null : { ...row.missingRecords, foundAt: new Date(row.missingRecords.foundAt).toISOString() },
  changeFeed: changeFeedOf(row),
  abuseFeed: abuseFeedOf(row),
  createdAt: row.createdAt.toISOString(),
})
