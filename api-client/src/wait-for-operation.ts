import type { CallOptions } from './calls.ts'
import { ZonedeckError } from './errors.ts'
import type { Calls, Operation, OperationItem } from './procedures.gen.ts'

/** Sleeps; rejects immediately with the reason of an aborted signal and removes its listener from long-lived signals. */
export function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise<void>((resolve, reject) => {
    signal?.throwIfAborted()
    const aborted = () => {
      clearTimeout(timer)
      reject(signal?.reason as Error)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', aborted)
      resolve()
    }, ms)
    signal?.addEventListener('abort', aborted, { once: true })
  })
}

export interface WaitOptions {
  readonly signal?: AbortSignal
  /** Called when a count or the state changes. */
  readonly onProgress?: (operation: Operation) => void
  /** Polling interval in milliseconds; default 1,000. */
  readonly everyMs?: number
  /** How long to retry while the panel is unavailable, for example during a restart, in milliseconds; default 300,000. */
  readonly patienceMs?: number
  /** Called for each failed call that will be retried. */
  readonly onAway?: (error: ZonedeckError) => void
}

export interface Ended {
  readonly operation: Operation
  /** Failed items with the reason. */
  readonly failures: readonly OperationItem[]
  /** Completed items that need one more step by a person; `code` names it. */
  readonly attention: readonly OperationItem[]
}

const ended: readonly Operation['state'][] = ['done', 'cancelled', 'paused']

async function itemsOf(
  calls: Pick<Calls, 'operations'>,
  input: { readonly id: string; readonly state: 'failed' | 'attention' },
  given: CallOptions,
): Promise<OperationItem[]> {
  const items: OperationItem[] = []
  for await (const item of calls.operations.items.all(input, given)) items.push(item)
  return items
}

const longestPauseMs = 10_000

/**
 * Waits until the operation is done, canceled or paused. Retries while the panel is unavailable.
 * @throws ZonedeckError if a call is rejected or the panel is unavailable for longer than `patienceMs`
 */
export async function waitForOperation(calls: Pick<Calls, 'operations'>, id: string, options: WaitOptions = {}): Promise<Ended> {
  const { signal, onProgress, onAway, everyMs = 1_000, patienceMs = 300_000 } = options
  const given = signal === undefined ? {} : { signal }

  async function patiently<T>(ask: () => Promise<T>): Promise<T> {
    const since = performance.now()
    for (let pauseMs = everyMs; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
      try {
        return await ask()
      } catch (error) {
        if (!(error instanceof ZonedeckError && error.retryable) || performance.now() - since >= patienceMs) throw error
        onAway?.(error)
      }
      await pause(pauseMs, signal)
    }
  }

  let reported = ''
  for (;;) {
    const { operation } = await patiently(() => calls.operations.items({ id, limit: 1 }, given))
    const now = JSON.stringify(operation)
    if (now !== reported) onProgress?.(operation)
    reported = now
    if (ended.includes(operation.state)) {
      const failures = await patiently(() => itemsOf(calls, { id, state: 'failed' }, given))
      const attention = operation.attention === 0 ? [] : await patiently(() => itemsOf(calls, { id, state: 'attention' }, given))
      return { operation, failures, attention }
    }
    await pause(everyMs, signal)
  }
}
