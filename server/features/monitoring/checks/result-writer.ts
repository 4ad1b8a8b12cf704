import { isDatabaseAway, isDeadlock } from '#server/platform/database-away.ts'
import type { Services } from '#server/platform/context.ts'
import type { Region } from '#shared/features/monitoring/schema.ts'
import type { Connectivity } from './connectivity.ts'
import { isWithoutPartition, preparePartitions } from '../history/partitions.repo.ts'
import { writeResults } from './write-results.ts'
import type { Checked } from './write-results.ts'

const settleMs = 200
const batchSize = 500
const awayMs = 1_000
/** When this share of a batch failed, the process's own connection may be the cause. */
const doubtfulShare = 0.5

interface ResultWriter {
  /** Registers a claim of this many checks; results after `lapsesAtMs` (`performance.now()`) are not written. */
  expect(claimId: string, checks: number, lapsesAtMs: number): void
  add(claimId: string, checked: Checked): void
  /** Drops a claim without further results, so that it expires. */
  forget(claimId: string): void
  /** Number of claimed checks not written yet. */
  open(): number
  /** Writes all remaining results. */
  close(): Promise<void>
}

interface Waiting {
  readonly claimId: string
  readonly checked: Checked
}

/** Number of results outstanding per claim, and its expiry by this process's timer, after which others have the checks. */
function createOpenClaims() {
  const claims = new Map<string, { left: number; readonly lapsesAtMs: number }>()
  return {
    expect: (claimId: string, checks: number, lapsesAtMs: number) => void claims.set(claimId, { left: checks, lapsesAtMs }),
    /** The results that may be written, and the claims they complete. */
    settle(some: readonly Waiting[]): { readonly held: Checked[]; readonly done: string[] } {
      // Results of a process that was suspended are outdated, because its claims expired in the meantime.
      const lapsed = new Set(some.flatMap(({ claimId }) => ((claims.get(claimId)?.lapsesAtMs ?? 0) <= performance.now() ? [claimId] : [])))
      const done: string[] = []
      for (const { claimId } of some) {
        const claim = claims.get(claimId)
        if (claim !== undefined) claim.left -= 1
        if (claim !== undefined && claim.left > 0) continue
        claims.delete(claimId)
        if (!lapsed.has(claimId)) done.push(claimId)
      }
      return { held: some.flatMap(({ claimId, checked }) => (lapsed.has(claimId) ? [] : [checked])), done }
    },
    /** @returns the number of outstanding results */
    forget(claimId: string): number {
      const left = claims.get(claimId)?.left ?? 0
      claims.delete(claimId)
      return left
    },
  }
}

/** Replaces failures seen without a network connection, because they say nothing about the domains. */
async function believe(checked: readonly Checked[], connectivity: Connectivity): Promise<readonly Checked[]> {
  const failed = checked.filter(({ result }) => result.outcome === 'failed').length
  if (failed === 0 || failed / checked.length < doubtfulShare) return checked
  if (await connectivity.isOnline(true)) return checked
  return checked.map((each) => (each.result.outcome === 'failed' ? { ...each, result: { ...each.result, outcome: 'inconclusive' } } : each))
}

/** Collects check results and writes them in batches, one transaction at a time. */
export function createResultWriter(
  services: Pick<Services, 'db' | 'clock' | 'log'>,
  region: Region,
  connectivity: Connectivity,
  { onWritten }: { onWritten(owners: ReadonlySet<string>): void },
): ResultWriter {
  const waiting: Waiting[] = []
  const claims = createOpenClaims()
  const done: string[] = []
  let open = 0
  let closing = false
  let timer: NodeJS.Timeout | null = null
  let writing: Promise<void> | null = null

  async function write(checked: readonly Checked[], claims: readonly string[]): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        onWritten(await writeResults(services, region, checked, claims))
        return
      } catch (error) {
        if (isDeadlock(error) && attempt < 5) continue
        if (isWithoutPartition(error) && attempt < 5) {
          await preparePartitions(services.db, services.clock.now())
          continue
        }
        if (isDatabaseAway(error) && !closing) {
          await services.clock.sleep(awayMs)
          continue
        }
        if (checked.length > 1) {
          // Split the batch so that one bad result does not block the others.
          const half = Math.ceil(checked.length / 2)
          await write(checked.slice(0, half), [])
          await write(checked.slice(half), claims)
          return
        }
        // Its claim expires, and the check is repeated.
        services.log.error({ err: error, region, domainId: checked[0]?.job.domainId }, 'failed to write check results')
        return
      }
    }
  }

  async function flush(): Promise<void> {
    while (waiting.length > 0 || done.length > 0) {
      const some = waiting.splice(0, batchSize)
      const settled = claims.settle(some)
      done.push(...settled.done)
      if (settled.held.length > 0 || done.length > 0) await write(await believe(settled.held, connectivity), done.splice(0))
      open -= some.length
    }
  }

  const flushSoon = () => {
    if (waiting.length >= batchSize && timer !== null) {
      clearTimeout(timer)
      timer = null
      begin()
    } else timer ??= setTimeout(() => ((timer = null), begin()), settleMs)
  }
  const begin = () => {
    writing ??= flush()
      .catch((error: unknown) => services.log.error({ err: error, region }, 'check results were lost'))
      .finally(() => {
        writing = null
        if (waiting.length > 0) flushSoon()
      })
  }

  return {
    expect(claimId, checks, lapsesAtMs) {
      open += checks
      if (checks > 0) return claims.expect(claimId, checks, lapsesAtMs)
      done.push(claimId)
      flushSoon()
    },
    add(claimId, checked) {
      waiting.push({ claimId, checked })
      flushSoon()
    },
    forget(claimId) {
      open -= claims.forget(claimId)
    },
    open: () => open,
    async close() {
      closing = true
      if (timer !== null) clearTimeout(timer)
      timer = null
      await writing
      await flush().catch((error: unknown) => services.log.warn({ err: error, region }, 'failed to write the last check results'))
    },
  }
}
