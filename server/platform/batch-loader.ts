import { isDatabaseAway } from '#server/platform/database-away.ts'

/**
 * Turns objects that are asked for one by one into few works over many: what comes while a work is under way is done together
 * after it, so nobody who comes separately waits. A work that fails with many is done again for each, and each has its own end; but
 * not where the database went away, since it may have been done.
 * @param atMost objects of one work
 * @param work answers in the order of the objects
 * @param sideBySide works under way concurrently, for those that mostly wait
 */
export function createBatchLoader<Input, Answer>(
  maxBatchSize: number,
  work: (inputs: readonly Input[]) => Promise<readonly Answer[]>,
  maxConcurrent = 1,
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
  async function drain(): Promise<void> {
    busy += 1
    // What comes in the same turn of the event loop goes along.
    await new Promise((resolve) => setImmediate(resolve))
    while (waiting.length > 0) {
      const some = waiting.slice(0, maxBatchSize)
      waiting = waiting.slice(maxBatchSize)
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
