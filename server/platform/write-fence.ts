import { AsyncLocalStorage } from 'node:async_hooks'

/** Guards every write to a provider made for claimed work, and what is stored of its answer. */
export interface WriteFence {
  /** Aborts when the claim is lost: nothing more may be sent. */
  readonly lost: AbortSignal
  /** @throws ClaimLost if the work no longer belongs to this worker */
  confirm(): Promise<void>
  /**
   * Checked at the time of writing: the last confirmation is recent enough that others still wait.
   * @throws ClaimLost; NotConfirmed if the claim must be confirmed again
   */
  check(): void
  /**
   * As `confirm`, in the transaction that stores the result: after a suspension, others may have stored newer values.
   * Undefined if nobody else repeats the work.
   */
  confirmStore?(): Promise<void>
  /** The last write was refused by the provider and had no effect. */
  refused?(): void
}

/** The work belongs to another worker, or may do so. */
export class ClaimLost extends Error {
  constructor(cause?: unknown) {
    super('this worker lost its claims', { cause })
    this.name = 'ClaimLost'
  }
}

/** Cancelled work may read but not write. */
export class WriteRefused extends ClaimLost {
  constructor() {
    super('nothing is written for work that was cancelled')
    this.name = 'WriteRefused'
  }
}

/** For work that only determines the outcome of an earlier attempt. */
export const readOnly = ({ lost, confirmStore }: WriteFence): WriteFence => ({
  lost,
  ...(confirmStore === undefined ? {} : { confirmStore }),
  confirm: () => Promise.reject(new WriteRefused()),
  check() {
    throw new WriteRefused()
  },
})

export class NotConfirmed extends Error {
  constructor() {
    super('the claim was confirmed too long ago')
    this.name = 'NotConfirmed'
  }
}

const current = new AsyncLocalStorage<WriteFence>()

/** All writes within `work` pass the fence, at any call depth. */
export const behindFence = <T>(fence: WriteFence, work: () => Promise<T>): Promise<T> => current.run(fence, work)

/**
 * Checks the fence before a pending write is recorded.
 * @throws the reason why nothing may be sent any more
 */
export const requireWritable = async (): Promise<void> => current.getStore()?.confirm()

/**
 * Called in the transaction that stores the result of one piece of work, such as what a provider answered.
 * @throws ClaimLost if the work no longer belongs to this worker
 */
export const requireClaim = async (): Promise<void> => current.getStore()?.confirmStore?.()

/**
 * Runs a function that sends one write.
 * @param onNothingTaken called before an error is rethrown if claimed work certainly wrote nothing, or only writes that were refused
 */
export async function sending<T>(work: () => Promise<T>, onNothingTaken: (error: unknown) => Promise<void>): Promise<T> {
  const fence = current.getStore()
  if (fence === undefined) return work()
  let mayBeTaken = 0
  const watched: WriteFence = {
    ...fence,
    check() {
      fence.check()
      mayBeTaken += 1
    },
    refused() {
      mayBeTaken -= 1
    },
  }
  try {
    return await behindFence(watched, work)
  } catch (error) {
    if (mayBeTaken === 0) await onNothingTaken(error)
    throw error
  }
}

/** The fence of the current work; undefined for people's requests and for reads. */
export const currentFence = (): WriteFence | undefined => current.getStore()
