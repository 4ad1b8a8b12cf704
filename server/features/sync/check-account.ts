import { failureOf } from './failure.ts'
import type { SyncRun } from './sync-run.ts'
import { updateHealthy, updateUnhealthy } from './sync.repo.ts'

/** Asks the provider whether the credential works and whose it is, and writes the answer down. */
export async function checkAccount({ services, account, connection, announcer, signal }: SyncRun): Promise<void> {
  try {
    const identity = await connection.identify({ priority: 'bulk', signal })
    await updateHealthy(services.db.orm, account, identity.userId)
  } catch (error) {
    const failure = failureOf(error, account.syncFailures)
    if (signal.aborted || failure === null) throw error
    await updateUnhealthy(services.db.orm, account, failure)
  }
  announcer.tell('accounts', account)
}
