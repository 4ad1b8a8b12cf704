import { isDatabaseAway, isDeadlock } from '#server/platform/database-away.ts'
import type { Services } from '#server/platform/context.ts'
import type { Region } from '#shared/features/monitoring/schema.ts'
import type { Connectivity } from './connectivity.ts'
import { isWithoutPartition, preparePartitions } from '../history/partitions.repo.ts'
import { writeResults } from './write-results.ts'
import type { Checked } from './write-results.ts'

const settleMs = 200
const atOnce = 500
const awayMs = 1_000
/** Of what comes together; when so much of it failed, it may be this process's own connection. */
const doubtfulShare = 0.5

interface ResultWriter {
  /** A claim of so many checks was taken; what comes of it later than `lapsesAtMs` (`performance.now()`) is not written. */
  expect(claimId: string, checks: number, lapsesAtMs: number): void
  add(claimId: string, checked: Checked): void
  /** Nothing more comes of a claim: it is left to lapse. */
  forget(claimId: string): void
  /** Checks that were taken and are not written yet. */
  open(): number
  /** Writes what there is. */
  close(): Promise<void>
}

/** Gathers what checks found and writes it together, one transaction after the other. */
export function createResultWriter(
  services: Pick<Services, 'db' | 'clock' | 'log'>,
  region: Region,
  connectivity: Connectivity,
  { onWritten }: { onWritten(owners: ReadonlySet<string>): void },
): ResultWriter {
  const waiting: { readonly claimId: string; readonly checked: Checked }[] = []
  const left = new Map<string, number>()
  /** By the process's own timer: from then on others have the claim. */
  const lapses = new Map<string, number>()
  const done: string[] = []
  let open = 0
  let closing = false
  let timer: NodeJS.Timeout | null = null
  let writing: Promise<void> | null = null

  /** What a process without a connection saw is no failure of the domains. */
  async function believe(checked: readonly Checked[]): Promise<readonly Checked[]> {
    const failed = checked.filter(({ result }) => result.outcome === 'failed').length
    if (failed === 0 || failed / checked.length < doubtfulShare) return checked
    if (await connectivity.isOnline(true)) return checked
    return checked.map((each) =>
      each.result.outcome === 'failed' ? { ...each, result: { ...each.result, outcome: 'inconclusive' } } : each,
    )
  }

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
          // One that cannot be written holds no others up.
          const half = Math.ceil(checked.length / 2)
          await write(checked.slice(0, half), [])
          await write(checked.slice(half), claims)
          return
        }
        // Its claim lapses, and the check is made again.
        services.log.error({ err: error, region, zoneId: checked[0]?.job.zoneId }, 'what a check found could not be written')
        return
      }
    }
  }

  async function flush(): Promise<void> {
    while (waiting.length > 0 || done.length > 0) {
      const some = waiting.splice(0, atOnce)
      // What a process finds that stood still for longer than it may is of the past: its checks ran out of time because of that.
      const lapsed = new Set(some.flatMap(({ claimId }) => ((lapses.get(claimId) ?? 0) <= performance.now() ? [claimId] : [])))
      for (const { claimId } of some) {
        const rest = (left.get(claimId) ?? 1) - 1
        left.set(claimId, rest)
        if (rest > 0) continue
        left.delete(claimId)
        lapses.delete(claimId)
        if (!lapsed.has(claimId)) done.push(claimId)
      }
      const held = some.flatMap(({ claimId, checked }) => (lapsed.has(claimId) ? [] : [checked]))
      if (held.length > 0 || done.length > 0) await write(await believe(held), done.splice(0))
      open -= some.length
    }
  }

  const flushSoon = () => {
    if (waiting.length >= atOnce && timer !== null) {
      clearTimeout(timer)
      timer = null
      begin()
    } else timer ??= setTimeout(() => ((timer = null), begin()), settleMs)
  }
  const begin = () => {
    writing ??= flush()
      .catch((error: unknown) => services.log.error({ err: error, region }, 'results of checks were lost'))
      .finally(() => {
        writing = null
        if (waiting.length > 0) flushSoon()
      })
  }

  return {
    expect(claimId, checks, lapsesAtMs) {
      open += checks
      if (checks > 0) {
        left.set(claimId, checks)
        lapses.set(claimId, lapsesAtMs)
      } else {
        done.push(claimId)
        flushSoon()
      }
    },
    add(claimId, checked) {
      waiting.push({ claimId, checked })
      flushSoon()
    },
    forget(claimId) {
      open -= left.get(claimId) ?? 0
      left.delete(claimId)
      lapses.delete(claimId)
    },
    open: () => open,
    async close() {
      closing = true
      if (timer !== null) clearTimeout(timer)
      timer = null
      await writing
      await flush().catch((error: unknown) => services.log.warn({ err: error, region }, 'the last results of checks were not written'))
    },
  }
}
