import { randomInt } from 'node:crypto'
import { openAdvisoryLocks } from '#server/db/advisory-locks.ts'
import type { AdvisoryLocks } from '#server/db/advisory-locks.ts'
import type { Ctx, Services } from '#server/platform/context.ts'
import { AppError } from '#shared/errors/app-error.ts'
import { judge } from './failure.policy.ts'
import type { OperationKind, RunItem } from './operation-kind.ts'
import type { ClaimedItem, Written } from './operations.repo.ts'
import {
  claimItems,
  failAccount,
  findNextDueMs,
  listDueLanes,
  listRunning,
  moveAccount,
  operationsChannel,
  releaseDead,
  settleOperations,
  sweepDrafts,
  workerLock,
  writeOutcomes,
} from './operations.repo.ts'

export interface OperationOptions {
  readonly lanesAtOnce: number
  /** Items of one lane tried side by side; the provider's own limits come on top. */
  readonly itemsPerLane: number
  readonly pollMs: number
}
const defaults: OperationOptions = { lanesAtOnce: 64, itemsPerLane: 4, pollMs: 2_000 }
/** Outcomes are written together, so many or so late at most. */
const writeAtMost = 200
const writeAfterMs = 25
const settleEveryMs = 250
/** Where a batch of items is through so soon, the next one is twice as large. */
const soonMs = 40
const claimAtMost = 64
const databaseAwayMs = 1_000
const sweepEveryMs = 10 * 60_000

export interface OperationRunner {
  /** Lets the items that are being tried end, takes no new ones. */
  stop(): Promise<void>
}

const toRunItem = (item: ClaimedItem): RunItem => ({
  operationId: item.operation_id,
  position: item.position,
  zoneId: item.zone_id,
  accountId: item.account_id,
  name: item.name,
  plan: item.plan,
  attempt: item.attempts,
})

type Known = Awaited<ReturnType<typeof listRunning>>[number]

/**
 * Works on every operation's items, in this process and in however many others do the same. An item is written down as tried
 * before it is, and what became of it after; the process that tries it holds a lock while it lives, so that when it dies
 * another one takes its items up again at once.
 */
export async function startOperations(
  services: Services,
  kinds: Readonly<Record<string, OperationKind>>,
  given: Partial<OperationOptions> = {},
): Promise<OperationRunner> {
  const { db, log } = services
  const options = { ...defaults, ...given }
  const stopping = new AbortController()
  const lanes = new Map<string, Promise<void>>()
  let wake: () => void = () => undefined
  let woken = false
  const wakeUp = () => {
    woken = true
    wake()
  }

  // ---- who we are
  let locks: AdvisoryLocks | null = null
  let worker = 0
  async function identity(): Promise<number> {
    if (locks !== null && !locks.lost.aborted) return worker
    void locks?.close().catch(() => undefined)
    const opened = openAdvisoryLocks(db)
    const number = randomInt(1, 2 ** 31 - 1)
    if ((await opened.tryLock([workerLock(number)], 1)).length === 0) throw new Error('the lock of this worker is taken')
    locks = opened
    worker = number
    return number
  }

  // ---- what became of the items
  let outcomes: { readonly worker: number; readonly written: Written }[] = []
  let writing = Promise.resolve()
  let writeTimer: NodeJS.Timeout | null = null
  const touched = new Set<string>()
  let settleTimer: NodeJS.Timeout | null = null
  let settling = Promise.resolve()

  async function writeNow(): Promise<void> {
    const batch = outcomes
    outcomes = []
    for (const [by, some] of Map.groupBy(batch, (outcome) => outcome.worker)) {
      const written = some.map((outcome) => outcome.written)
      for (;;) {
        try {
          await writeOutcomes(db, by, written)
          break
        } catch (error) {
          // The items are done; it is only not written. Their lock is held until it is, or until another process may look again.
          log.warn({ err: error }, 'outcomes of an operation could not be written yet')
          if (stopping.signal.aborted) return
          await new Promise((resolve) => setTimeout(resolve, databaseAwayMs))
        }
      }
      for (const { operation_id } of written) touched.add(operation_id)
    }
    settleSoon()
  }
  const flush = () => {
    if (writeTimer !== null) clearTimeout(writeTimer)
    writeTimer = null
    writing = writing.then(writeNow)
    return writing
  }
  function write(by: number, written: Written): Promise<void> | undefined {
    outcomes.push({ worker: by, written })
    if (outcomes.length >= writeAtMost) return flush()
    writeTimer ??= setTimeout(() => void flush(), writeAfterMs)
    return undefined
  }
  async function settleNow(): Promise<void> {
    const ids = [...touched]
    touched.clear()
    try {
      for (const { owner_id } of await settleOperations(db, ids)) {
        await services.events.publish(db.orm, owner_id, { kind: 'operations', accountIds: [] })
      }
    } catch (error) {
      for (const id of ids) touched.add(id)
      log.warn({ err: error }, 'operations could not be summed up')
    }
  }
  function settleSoon(): void {
    settleTimer ??= setTimeout(() => {
      settleTimer = null
      settling = settling.then(settleNow)
    }, settleEveryMs)
  }

  // ---- the items
  const known = new Map<string, { readonly operation: Known; readonly readAt: number }>()
  async function operationsOf(items: readonly ClaimedItem[]): Promise<Map<string, Known>> {
    const now = performance.now()
    const ids = [...new Set(items.map((item) => item.operation_id))]
    const stale = ids.filter((id) => now - (known.get(id)?.readAt ?? -Infinity) > 5_000)
    if (stale.length > 0) for (const operation of await listRunning(db, stale)) known.set(operation.id, { operation, readAt: now })
    if (known.size > 500) for (const [id, { readAt }] of known) if (now - readAt > 60_000) known.delete(id)
    return new Map(ids.flatMap((id) => (known.has(id) ? [[id, known.get(id)?.operation as Known] as const] : [])))
  }

  const contextOf = (operation: Known): Ctx => ({
    ...services,
    actor: {
      kind: 'user',
      userId: operation.actorId ?? operation.ownerId,
      name: operation.actorName,
      role: operation.role ?? 'user',
      sessionId: '',
      verifiedAt: null,
      via: { kind: 'operation', id: operation.id },
    },
    requestId: operation.id,
    address: null,
    userAgent: null,
  })

  /** Moves on what an account refuses, where the kind knows of another one. */
  async function elsewhere(item: ClaimedItem, operation: Known | undefined, error: AppError) {
    if (operation === undefined) return null
    const next = (await kinds[operation.kind]?.elsewhere?.(contextOf(operation), toRunItem(item), operation.input, error)) ?? null
    if (next !== null) await moveAccount(db, item, next)
    return next
  }

  async function attempt(item: ClaimedItem, operation: Known | undefined): Promise<Omit<Written, 'operation_id' | 'position'>> {
    const nothing = { result: null, code: null, provider_code: null, message: null, wait_seconds: null }
    try {
      const kind = operation === undefined ? undefined : kinds[operation.kind]
      if (operation === undefined || kind === undefined) throw new AppError('not_found')
      const outcome = await kind.run(contextOf(operation), toRunItem(item), operation.input, stopping.signal)
      return outcome.state === 'done'
        ? { ...nothing, state: 'done', result: outcome.result ?? null }
        : { ...nothing, state: 'skipped', code: outcome.code }
    } catch (error) {
      if (stopping.signal.aborted) return { ...nothing, state: 'pending' }
      const known = error instanceof AppError ? error : new AppError('internal', { cause: error })
      if (!(error instanceof AppError)) log.error({ err: error, operationId: item.operation_id, position: item.position }, 'an item failed')
      const why = { code: known.code, provider_code: known.provider?.code ?? null, message: known.provider?.message ?? null }
      const next = await elsewhere(item, operation, known).catch((reason: unknown) => {
        log.warn({ err: reason }, 'no other account was found for an item')
        return null
      })
      if (next !== null) return { ...nothing, state: 'pending' }
      const verdict = judge(known, item.attempts)
      if (verdict.next === 'wait') return { ...nothing, ...why, state: 'waiting', wait_seconds: verdict.seconds }
      if (verdict.next === 'stop_account') {
        await failAccount(db, item.operation_id, item.account_id, why).catch((reason: unknown) =>
          log.warn({ err: reason }, 'an account was not stopped'),
        )
      }
      return { ...nothing, ...why, state: 'failed' }
    }
  }

  /** Works on a lane until nothing of it is due. */
  async function workOn(lane: string): Promise<void> {
    let ready: ClaimedItem[] = []
    let empty = false
    let claiming: Promise<void> | null = null
    const me = worker
    // What is taken is written down as tried, so no more than is tried soon.
    let batch = options.itemsPerLane
    let claimedAt = -Infinity
    const more = () =>
      (claiming ??= (async () => {
        if (locks === null || locks.lost.aborted || worker !== me) {
          empty = true
          return
        }
        const now = performance.now()
        batch = now - claimedAt < soonMs ? Math.min(batch * 2, claimAtMost) : options.itemsPerLane
        claimedAt = now
        const items = await claimItems(db, lane, me, batch)
        if (items.length === 0) empty = true
        ready.push(...items.toSorted((one, other) => one.position - other.position))
        for (const { operation_id } of items) touched.add(operation_id)
        if (items.length > 0) settleSoon()
      })().finally(() => (claiming = null)))
    async function tryItems(): Promise<void> {
      for (;;) {
        if (ready.length === 0) {
          if (empty || stopping.signal.aborted) return
          await more()
          continue
        }
        const item = ready.shift()
        if (item === undefined) continue
        const operation = (await operationsOf([item])).get(item.operation_id)
        const became = await attempt(item, operation)
        await write(me, { operation_id: item.operation_id, position: item.position, ...became })
      }
    }
    await Promise.all(Array.from({ length: options.itemsPerLane }, tryItems))
    ready = []
  }

  let sweptAt = -Infinity
  async function takeDue(): Promise<number> {
    const me = await identity()
    if (performance.now() - sweptAt > sweepEveryMs) {
      sweptAt = performance.now()
      await sweepDrafts(db)
    }
    for (const id of await releaseDead(db, me)) touched.add(id)
    if (touched.size > 0) settleSoon()
    for (const lane of await listDueLanes(db)) {
      if (lanes.size >= options.lanesAtOnce) break
      if (lanes.has(lane)) continue
      const run = workOn(lane)
        .catch((error: unknown) => {
          if (!stopping.signal.aborted) log.warn({ err: error, lane }, 'a lane stopped and will be taken up again')
        })
        .finally(() => {
          lanes.delete(lane)
          wakeUp()
        })
      lanes.set(lane, run)
    }
    const next = await findNextDueMs(db)
    return Math.max(20, Math.min(options.pollMs, next ?? options.pollMs))
  }

  const listening = await db.sql.listen(operationsChannel, wakeUp, wakeUp)
  const looping = (async () => {
    while (!stopping.signal.aborted) {
      woken = false
      const pauseMs = await takeDue().catch((error: unknown) => {
        if (!stopping.signal.aborted) log.warn({ err: error }, 'could not look for operations')
        return databaseAwayMs
      })
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, pauseMs)
        wake = () => {
          clearTimeout(timer)
          resolve()
        }
        if (woken || stopping.signal.aborted) wake()
      })
    }
  })()

  return {
    async stop() {
      stopping.abort(new AppError('shutting_down'))
      wakeUp()
      await listening.unlisten()
      await looping
      await Promise.all(lanes.values())
      await flush()
      if (settleTimer !== null) clearTimeout(settleTimer)
      await settling
      await settleNow()
      await locks?.close()
    },
  }
}
