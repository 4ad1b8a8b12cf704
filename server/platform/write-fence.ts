import { AsyncLocalStorage } from 'node:async_hooks'

/** Stands before every write to a provider that is made for claimed work. */
export interface WriteFence {
  /** Aborts when the claim is lost: nothing more may be sent. */
  readonly lost: AbortSignal
  /** @throws ClaimLost where the work is no longer this worker's */
  confirm(): Promise<void>
  /**
   * For the moment of writing: the last confirmation is no older than others wait for.
   * @throws ClaimLost; NotConfirmed where it is to be confirmed again
   */
  check(): void
  /** What passed last was answered with a refusal: nothing has come of it. */
  refused?(): void
}

/** The work is another worker's, or may be. */
export class ClaimLost extends Error {
  constructor(cause?: unknown) {
    super('this worker lost its claims', { cause })
    this.name = 'ClaimLost'
  }
}

/** What was cancelled is looked at, and not sent. */
export class WriteRefused extends ClaimLost {
  constructor() {
    super('nothing is written for work that was cancelled')
    this.name = 'WriteRefused'
  }
}

/** For work that only finds out what an earlier try did. */
export const readOnly = ({ lost }: WriteFence): WriteFence => ({
  lost,
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

/** Everything that `work` sends passes the fence, however deep it is called. */
export const behindFence = <T>(fence: WriteFence, work: () => Promise<T>): Promise<T> => current.run(fence, work)

/**
 * Before it is written down that something is sent: it is sent then.
 * @throws the reason for which nothing may be sent any more
 */
export const requireWritable = async (): Promise<void> => current.getStore()?.confirm()

/**
 * Does what sends one write.
 * @param onNothingTaken before an error is thrown on, where claimed work certainly wrote nothing, or nothing that was not refused
 */
export async function sending<T>(work: () => Promise<T>, onNothingTaken: (error: unknown) => Promise<void>): Promise<T> {
  const fence = current.getStore()
  if (fence === undefined) return work()
  let mayBeTaken = 0
  const watched: WriteFence = {
    lost: fence.lost,
    confirm: () => fence.confirm(),
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

/** Of the work that is being done; undefined for persons' requests and for reading. */
export const currentFence = (): WriteFence | undefined => current.getStore()
