import type { HostConnection } from '#server/ports/dns-host.ts'
import { connectAccount } from './account-credential.ts'
import { postponeFeed } from './change-feeds.repo.ts'
import { postponeReports } from './report-feeds.repo.ts'
import { failureOf } from './failure.ts'
import type { SyncRun } from './sync-run.ts'
import { updateDetailsDue, updateListingFailed, updateUnhealthy } from './sync.repo.ts'
import type { SyncAccount, SyncWork } from './sync.repo.ts'
import { recordHealthChange } from './record-health-change.ts'

/** Null if the account's key cannot be decrypted; its health shows that, as for a key that Cloudflare refuses. */
export async function connectOrRecordFailure(
  { services, publisher }: Pick<SyncRun, 'services' | 'publisher'>,
  work: SyncWork,
  account: SyncAccount,
): Promise<HostConnection | null> {
  try {
    return connectAccount(services, account)
  } catch (error) {
    const failure = failureOf(error, account.syncFailures)
    if (failure === null) throw error
    await services.db.orm.transaction(async (tx) => {
      await (work === 'list' ? updateListingFailed : updateUnhealthy)(tx, account, failure)
      await recordHealthChange(tx, account, failure.health)
    })
    if (work === 'changes') await postponeFeed(services.db.orm, account.id, failure.retrySeconds)
    if (work === 'reports') await postponeReports(services.db.orm, account.id, failure.retrySeconds)
    if (work === 'details') await updateDetailsDue(services.db, account.id, failure.retrySeconds)
    publisher.publish('accounts', account)
    return null
  }
}
