import type { Services } from '#server/platform/context.ts'
import type { HostConnection } from '#server/ports/dns-host.ts'
import type { ChangePublisher } from './change-publisher.ts'
import type { DetailWriter } from './detail-writer.ts'
import type { Semaphore } from '#server/platform/semaphore.ts'
import type { SyncAccount } from './sync.repo.ts'

export interface SyncOptions {
  /** Between looks for what is due; what is asked for does not wait for it. */
  readonly pollMs: number
  /** From one reading of an account's zone list to the next, by chance between the two. */
  readonly intervalSeconds: { readonly least: number; readonly most: number }
  /** Calls concurrently for one account. */
  readonly callsPerAccount: number
  /** Accounts at the same time in this process, by kind of work. */
  readonly concurrentChecks: number
  readonly concurrentLists: number
  readonly concurrentDetails: number
}

export const defaultSyncOptions: SyncOptions = {
  pollMs: 2_000,
  intervalSeconds: { least: 300, most: 600 },
  callsPerAccount: 10,
  concurrentChecks: 20,
  concurrentLists: 25,
  concurrentDetails: 100,
}

/** One piece of work on one account that this process holds the lock of. */
export interface SyncRun {
  readonly services: Services
  readonly options: SyncOptions
  readonly account: SyncAccount
  readonly connection: HostConnection
  readonly publisher: ChangePublisher
  readonly writer: DetailWriter
  /** Lets few statements of this process run concurrently, so that people's requests find a free connection. */
  readonly semaphore: Semaphore
  /** Aborts when the process stops, the lock is lost, or the account goes or changes its credential. */
  readonly signal: AbortSignal
  /** Whether other work waits for this one to make room. */
  yielding(): boolean
  /** Aborts when a person waits for that other work: then calls are given up too, for they may wait minutes for their budget. */
  readonly hurry: AbortSignal
  /** Called when a person looks at zones of this account. */
  onWanted(listener: () => void): void
}
