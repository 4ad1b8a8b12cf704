import type { CallOptions } from './calls.ts'
import { ZonedeckError } from './errors.ts'
import type { Calls, Operation, OperationItem } from './procedures.gen.ts'

/** Waits; an abort ends it at once with the signal's reason, and leaves nothing behind on a signal that lives for long. */
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
  /** Told whenever a count or the state has changed. */
  readonly onProgress?: (operation: Operation) => void
  /** How often to ask; 1,000 where nothing is said. */
  readonly everyMs?: number
  /** How long the panel may be away, as when it starts anew, before waiting is given up; 300,000 where nothing is said. */
  readonly patienceMs?: number
  /** Told each time that a call failed and will be made again. */
  readonly onAway?: (error: ZonedeckError) => void
}

export interface Ended {
  readonly operation: Operation
  /** What was not done, with why. */
  readonly failures: readonly OperationItem[]
  /** What was done but for a step that only a person can take; `code` names it. */
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
 * Until the operation is done, cancelled or paused (which only somebody can end). A panel that is away for a while is asked again.
 * @throws ZonedeckError where it refuses, or is away for longer than `patienceMs`
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

  let told = ''
  for (;;) {
    const { operation } = await patiently(() => calls.operations.items({ id, limit: 1 }, given))
    const now = JSON.stringify(operation)
    if (now !== told) onProgress?.(operation)
    told = now
    if (ended.includes(operation.state)) {
      const failures = await patiently(() => itemsOf(calls, { id, state: 'failed' }, given))
      const attention = operation.attention === 0 ? [] : await patiently(() => itemsOf(calls, { id, state: 'attention' }, given))
      return { operation, failures, attention }
    }
    await pause(everyMs, signal)
  }
}
