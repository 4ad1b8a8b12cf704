import { failureOf } from './failure.ts'
import type { SyncRun } from './sync-run.ts'
import { updateHealthy, updateUnhealthy } from './sync.repo.ts'
import { recordHealthChange } from './record-health-change.ts'

/** Verifies the credential and its user at the provider and stores the result. */
export async function checkAccount({ services, account, connection, publisher, signal }: SyncRun): Promise<void> {
  try {
    const identity = await connection.identify({ priority: 'bulk', signal })
    await services.db.orm.transaction(async (tx) => {
      await updateHealthy(tx, account, identity)
      await recordHealthChange(tx, account, 'working')
    })
  } catch (error) {
    const failure = failureOf(error, account.syncFailures)
    if (signal.aborted || failure === null) throw error
    await services.db.orm.transaction(async (tx) => {
      await updateUnhealthy(tx, account, failure)
      await recordHealthChange(tx, account, failure.health)
    })
  }
  publisher.publish('accounts', account)
}
