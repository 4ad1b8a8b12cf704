import { pause } from './pause.ts'
import type { Calls, Operation, OperationItem } from './procedures.gen.ts'

export interface WaitOptions {
  readonly signal?: AbortSignal
  /** Told whenever a count or the state has changed. */
  readonly onProgress?: (operation: Operation) => void
  /** How often to ask; 1,000 where nothing is said. */
  readonly everyMs?: number
}

export interface Ended {
  readonly operation: Operation
  /** What was not done, with why. */
  readonly failures: readonly OperationItem[]
}

const ended: readonly Operation['state'][] = ['done', 'cancelled', 'paused']

/** Until the operation is done, cancelled or paused (which only somebody can end). @throws ZonedeckError */
export async function waitForOperation(calls: Pick<Calls, 'operations'>, id: string, options: WaitOptions = {}): Promise<Ended> {
  const { signal, onProgress, everyMs = 1_000 } = options
  const given = signal === undefined ? {} : { signal }
  let told = ''
  for (;;) {
    const { operation } = await calls.operations.items({ id, limit: 1 }, given)
    const now = JSON.stringify(operation)
    if (now !== told) onProgress?.(operation)
    told = now
    if (ended.includes(operation.state)) {
      const failures: OperationItem[] = []
      for await (const item of calls.operations.items.all({ id, state: 'failed' }, given)) failures.push(item)
      return { operation, failures }
    }
    await pause(everyMs, signal)
  }
}
