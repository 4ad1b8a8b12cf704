import type { Services } from '#server/platform/context.ts'
import { writeOutcomes } from './run-items.repo.ts'
import type { Written } from './run-items.repo.ts'

/** Outcomes are written in batches of at most this size and delay. */
const writeAtMost = 200
const writeAfterMs = 25
const retryMs = 1_000

export interface OutcomeWriter {
  /** Returns a promise to wait for if too much is unwritten. */
  write(worker: number, written: Written): Promise<void> | undefined
  flush(): Promise<void>
  /** Workers with unwritten outcomes. */
  readonly workers: readonly number[]
}

/**
 * Data that would fail on every attempt: PostgreSQL's classes for invalid values, constraints and limits, and values that JSON cannot
 * represent.
 */
function isUnwritable(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error)) return error instanceof TypeError
  return typeof error.code === 'string' && /^(22|23|54)...$/.test(error.code)
}

const plainFailure = ({ operation_id, position }: Written): Written => ({
  operation_id,
  position,
  state: 'failed',
  result: null,
  code: 'internal',
  provider_code: null,
  message: null,
  wait_seconds: null,
})

/** Writes outcomes in batches of a few hundred. While the database is unavailable they are kept and retried. */
export function createOutcomeWriter(
  { db, log }: Pick<Services, 'db' | 'log'>,
  stopping: AbortSignal,
  onWritten: (operationIds: readonly string[]) => void,
): OutcomeWriter {
  let outcomes: { readonly worker: number; readonly written: Written }[] = []
  let unwritten: typeof outcomes = []
  let writing = Promise.resolve()
  let timer: NodeJS.Timeout | null = null

  async function writeSome(worker: number, some: readonly Written[]): Promise<void> {
    let isPlain = false
    for (let left = some; ;) {
      try {
        await writeOutcomes(db, worker, left)
        return
      } catch (error) {
        const operationIds = [...new Set(left.map(({ operation_id }) => operation_id))]
        const [only, ...others] = left
        if (!isUnwritable(error) || isPlain) {
          // The items are done but not written. Their claim is kept until they are, or until another process may check them.
          log.warn({ err: error, operationIds }, 'failed to write operation results; will retry')
          if (stopping.aborted) return
          await new Promise((resolve) => setTimeout(resolve, retryMs))
        } else if (only !== undefined && others.length === 0) {
          log.error({ err: error, operationIds, position: only.position }, 'failed to write the result of an item')
          left = [plainFailure(only)]
          isPlain = true
        } else {
          for (const one of left) await writeSome(worker, [one])
          return
        }
      }
    }
  }

  async function writeNow(): Promise<void> {
    const batch = outcomes
    outcomes = []
    unwritten = batch
    for (const [worker, some] of Map.groupBy(batch, (outcome) => outcome.worker)) {
      const written = some.map((outcome) => outcome.written)
      await writeSome(worker, written)
      onWritten([...new Set(written.map(({ operation_id }) => operation_id))])
    }
    unwritten = []
  }
  const flush = () => {
    if (timer !== null) clearTimeout(timer)
    timer = null
    writing = writing.then(writeNow)
    return writing
  }
  return {
    write(worker, written) {
      outcomes.push({ worker, written })
      if (outcomes.length >= writeAtMost) return flush()
      timer ??= setTimeout(() => void flush(), writeAfterMs)
      return undefined
    },
    flush,
    get workers() {
      return [...outcomes, ...unwritten].map(({ worker }) => worker)
    },
  }
}
