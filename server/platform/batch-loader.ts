import { isDatabaseAway } from '#server/platform/database-away.ts'

export interface BatchWeight<Input> {
  readonly of: (input: Input) => number
  readonly atMost: number
}

/**
 * Combines inputs requested one by one into few batches: inputs that arrive during a batch form the next one, so a single request never
 * waits. A failed batch is repeated for each input separately, except after a lost database connection, because it may have taken effect.
 * @param atMost inputs of one batch
 * @param work results in the order of the inputs
 * @param sideBySide batches that may run concurrently, for work that mostly waits
 * @param weight limits a batch by the sum of its inputs too; a single one may be heavier
 */
export function createBatchLoader<Input, Answer>(
  maxBatchSize: number,
  work: (inputs: readonly Input[]) => Promise<readonly Answer[]>,
  maxConcurrent = 1,
  weight: BatchWeight<Input> = { of: () => 0, atMost: 0 },
): (input: Input) => Promise<Answer> {
  interface Pending {
    readonly input: Input
    readonly resolve: (answer: Answer) => void
    readonly reject: (reason: unknown) => void
  }
  let waiting: Pending[] = []
  let busy = 0

  async function answer(batch: readonly Pending[]): Promise<void> {
    try {
      const answers = await work(batch.map(({ input }) => input))
      for (const [index, { resolve }] of batch.entries()) resolve(answers[index] as Answer)
    } catch (error) {
      const [only] = batch
      if (batch.length === 1) only?.reject(error)
      else if (isDatabaseAway(error)) for (const { reject } of batch) reject(error)
      else for (const one of batch) await answer([one])
    }
  }
  function countNext(): number {
    let [count, sum] = [0, 0]
    for (const { input } of waiting.slice(0, maxBatchSize)) {
      sum += weight.of(input)
      if (count > 0 && sum > weight.atMost) break
      count += 1
    }
    return count
  }
  async function drain(): Promise<void> {
    busy += 1
    // Requests of the same event-loop turn join the batch.
    await new Promise((resolve) => setImmediate(resolve))
    while (waiting.length > 0) {
      const count = countNext()
      const some = waiting.slice(0, count)
      waiting = waiting.slice(count)
      await answer(some)
    }
    busy -= 1
  }
  return (input) =>
    new Promise((resolve, reject) => {
      waiting.push({ input, resolve, reject })
      if (busy < maxConcurrent) void drain()
    })
}
