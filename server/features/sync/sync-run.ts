import type { Services } from '#server/platform/context.ts'
import type { HostConnection } from '#server/ports/dns-host.ts'
import type { ChangePublisher } from './change-publisher.ts'
import type { DetailWriter } from './detail-writer.ts'
import type { Semaphore } from '#server/platform/semaphore.ts'
import type { SyncAccount } from './sync.repo.ts'

export interface SyncOptions {
  /** Interval of the query for due work; requested work does not wait for it. */
  readonly pollMs: number
  /** Random interval between two readings of an account's zone list. */
  readonly intervalSeconds: { readonly least: number; readonly most: number }
  /** Interval between two readings of an account's audit log. */
  readonly changesEverySeconds: number
  /** Interval between two readings of an account's abuse reports. */
  readonly reportsEverySeconds: number
  /** Concurrent calls per account. */
  readonly callsPerAccount: number
  /** Concurrent accounts in this process, by kind of work. */
  readonly concurrentChecks: number
  readonly concurrentLists: number
  readonly concurrentDetails: number
  readonly concurrentChanges: number
  readonly concurrentReports: number
}

export const defaultSyncOptions: SyncOptions = {
  pollMs: 2_000,
  intervalSeconds: { least: 300, most: 600 },
  changesEverySeconds: 60,
  reportsEverySeconds: 600,
  callsPerAccount: 10,
  concurrentChecks: 20,
  concurrentLists: 25,
  concurrentDetails: 100,
  concurrentChanges: 10,
  concurrentReports: 5,
}

/** One piece of work on an account whose lock this process holds. */
export interface SyncRun {
  readonly services: Services
  readonly options: SyncOptions
  readonly account: SyncAccount
  readonly connection: HostConnection
  readonly publisher: ChangePublisher
  readonly writer: DetailWriter
  /** Limits the concurrent statements of this process, so that users' requests find a free connection. */
  readonly semaphore: Semaphore
  /** Aborts when the process stops, the lock is lost, or the account is deleted or gets another credential. */
  readonly signal: AbortSignal
  /** Whether this work should yield to other waiting work. */
  yielding(): boolean
  /** Aborts when a user waits for that other work: calls are then cancelled too, because they may wait minutes for their budget. */
  readonly hurry: AbortSignal
  /** Registers a listener for when a user looks at zones of this account. */
  onWanted(listener: () => void): void
}
