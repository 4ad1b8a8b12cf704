import { createWorkerIdentity } from '#server/platform/worker-identity.ts'
import { hungSeconds } from '#server/platform/worker-identity.repo.ts'
import { systemClock } from '#server/platform/clock.ts'
import { gather } from '#server/platform/gather.ts'
import type { Services } from '#server/platform/context.ts'
import { runLoop } from '#server/platform/run-loop.ts'
import { AppError } from '#shared/errors/app-error.ts'
import { createSettler } from './settle-operations.ts'
import { createOutcomeWriter } from './write-outcomes.ts'
import { createItemTrier } from './try-item.ts'
import type { Holder, Shared } from './try-item.ts'
import type { OperationKind } from './operation-kind.ts'
import type { Claim, ClaimedItem } from './run-items.repo.ts'
import { operationsChannel, sweepDrafts } from './operations.repo.ts'
import {
  claimItems,
  claimSuspect,
  findNextDueMs,
  hasDueSuspect,
  listDueLanes,
  listEmpty,
  releaseDead,
  releaseLane,
  releaseSuspects,
  reopenCancelled,
  workerLock,
} from './run-items.repo.ts'

export interface OperationOptions {
  readonly lanesAtOnce: number
  /** Items of one lane tried side by side: some call, while others are written down. The provider's own limits come on top. */
  readonly itemsPerLane: number
  readonly pollMs: number
  /** A worker that holds its lock and shows no heartbeat for so long loses what it holds. */
  readonly hungAfterMs: number
}
const defaults: OperationOptions = { lanesAtOnce: 64, itemsPerLane: 16, pollMs: 2_000, hungAfterMs: hungSeconds * 1_000 }
/** Where a batch of items is through so soon, the next one is twice as large. */
const soonMs = 100
const claimAtMost = 64
const lanesPerClaim = 32
const databaseAwayMs = 1_000
/** No further one is tried alone after so long, until lanes had their turn. */
const aloneMs = 1_000
const standstillMs = 5_000
/** Until a worker that may be dead is looked at again. */
const earlyMs = 500
/** Among the keys of lanes: what is tried with nothing beside it, and all of those. */
const aloneKey = 'alone '
const suspects = 'suspects'
const untouched = { result: null, code: null, provider_code: null, message: null, wait_seconds: null }
const sweepEveryMs = 10 * 60_000

async function endsWithin(work: Promise<unknown>, ms: number): Promise<boolean> {
  const late = Promise.withResolvers<false>()
  const timer = setTimeout(late.resolve, ms, false)
  const ended = await Promise.race([work.then(() => true), late.promise])
  clearTimeout(timer)
  return ended
}

export interface OperationRunner {
  /** Lets the items that are being tried end, takes no new ones. */
  stop(): Promise<void>
}

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
  /** Lanes take nothing new: something is to be tried with nothing beside it. */
  let alone = false
  let aloneAgainAt = -Infinity
  const lanes = new Map<string, { readonly worker: number; readonly actorId: string | null; readonly run: Promise<void> }>()
  /** A claim's answer was lost: this worker may hold items of the lane, or one of the suspects, without knowing it. */
  const unsure = new Map<string, number>()

  const identity = createWorkerIdentity(db, workerLock, 'operations')

  const settler = createSettler(services, stopping.signal)
  const outcomes = createOutcomeWriter(services, stopping.signal, (ids) => settler.touch(ids))

  const trier = createItemTrier(services, kinds)
  /** Of one worker at a time: it is another when its connection was lost. */
  let holder: Holder | null = null
  async function takeHolder(): Promise<Holder> {
    const worker = await identity.take()
    if (holder?.worker === worker) return holder
    const fence = identity.fenceOf(worker)
    holder = { worker, fence, signal: AbortSignal.any([stopping.signal, fence.lost]) }
    return holder
  }

  /** Lanes that want more at about the same time are served by one statement. */
  const claim = gather<Claim, ClaimedItem[]>(lanesPerClaim, (claims) => claimItems(db, claims))

  /** Works on a lane until nothing of it is due. */
  async function workOn(lane: string, { worker: me, ...rest }: Holder): Promise<void> {
    const ready: ClaimedItem[] = []
    const shared: Shared = { stopped: new Map(), connections: new Map() }
    let empty = false
    let claiming: Promise<void> | null = null
    // What is taken is written down as tried, so no more than is tried soon.
    let batch = options.itemsPerLane
    let claimedAt = -Infinity
    const isOver = () => empty || alone
    const mayGoOn = () => !rest.signal.aborted
    const more = () =>
      (claiming ??= (async () => {
        const now = performance.now()
        batch = now - claimedAt < soonMs ? Math.min(batch * 2, claimAtMost) : options.itemsPerLane
        claimedAt = now
        const items = await claim({ lane, worker: me, limit: batch })
          .then(async (claimed) => {
            await trier.learnOf(claimed)
            return claimed
          })
          .catch((error: unknown) => {
            unsure.set(lane, me)
            throw error
          })
        if (items.length === 0) empty = true
        ready.push(...items.toSorted((one, other) => one.position - other.position))
        settler.touch(items.map(({ operationId }) => operationId))
      })().finally(() => (claiming = null)))
    const underWay = () => claiming
    /** Taken while the last of those before are tried, so that no call of the lane waits for it. */
    const moreSoon = () => void more().catch(() => undefined)
    async function tryItems(): Promise<void> {
      for (;;) {
        if (!mayGoOn()) return
        if (ready.length === 0) {
          if (isOver()) return
          await more()
          continue
        }
        const item = ready.shift()
        if (ready.length < options.itemsPerLane && !isOver()) moreSoon()
        if (item === undefined) continue
        // Many may have been claimed together: what was paused or cancelled meanwhile counts from the next item on, rights that were taken away five seconds later at most.
        await trier.learnOf([item]).catch(() => undefined)
        const became = await trier.tryItem(item, { worker: me, ...rest }, shared)
        await outcomes.write(me, { operation_id: item.operationId, position: item.position, ...became })
      }
    }
    const ends = await Promise.allSettled(Array.from({ length: options.itemsPerLane }, tryItems))
    // What was asked for meanwhile is held as well.
    await underWay()?.catch(() => undefined)
    const failed = ends.find((end) => end.status === 'rejected')
    for (const { operationId, position } of ready)
      void outcomes.write(me, { operation_id: operationId, position, ...untouched, state: 'pending' })
    if (failed !== undefined) throw failed.reason
  }

  /**
   * Tries one after the other what processes died with, while nothing else is tried here: if this one dies as well, it is known of what.
   * Lanes end with what they have at hand, and afterwards have as long for themselves. Neither side holds the other up for longer than
   * `standstillMs`: what hangs and does not kill gets company again.
   */
  async function tryAlone(): Promise<void> {
    const began = performance.now()
    alone = true
    try {
      if (!(await endsWithin(Promise.all([...lanes.values()].map(({ run }) => run)), standstillMs))) return
      while (!stopping.signal.aborted && performance.now() - began < aloneMs) {
        const mine = await takeHolder()
        const me = mine.worker
        const item = await claimSuspect(db, me)
          .then(async (claimed) => {
            if (claimed !== null) await trier.learnOf([claimed])
            return claimed
          })
          .catch((error: unknown) => {
            unsure.set(suspects, me)
            throw error
          })
        if (item === null) return
        settler.touch([item.operationId])
        const place = { operation_id: item.operationId, position: item.position }
        const key = `${aloneKey}${place.operation_id} ${place.position}`
        const run = trier
          .tryItem(item, mine, { stopped: new Map(), connections: new Map() })
          .then((became) => {
            void outcomes.write(me, { ...place, ...became })
            return outcomes.flush()
          })
          .finally(() => {
            lanes.delete(key)
            loop.wake()
          })
        lanes.set(key, { worker: me, actorId: null, run })
        if (!(await endsWithin(run, standstillMs))) return
      }
    } finally {
      alone = false
      aloneAgainAt = 2 * performance.now() - began
    }
  }

  let sweptAt = -Infinity
  async function takeDue(): Promise<number> {
    const mine = await takeHolder()
    const me = mine.worker
    if (performance.now() - sweptAt > sweepEveryMs) {
      sweptAt = performance.now()
      await sweepDrafts(db)
      await reopenCancelled(db)
      settler.touch(await listEmpty(db))
    }
    for (const [lane, worker] of unsure) {
      if (lane === suspects ? [...lanes.keys()].some((key) => key.startsWith(aloneKey)) : lanes.has(lane)) continue
      await outcomes.flush()
      await (lane === suspects ? releaseSuspects(db, worker) : releaseLane(db, worker, lane))
      unsure.delete(lane)
    }
    // Items that an earlier connection of this process began are still being tried, or are about to be written down.
    const own = [me, ...[...lanes.values()].map(({ worker }) => worker), ...outcomes.workers]
    const { released, early } = await releaseDead(db, [...new Set(own)], identity.lived, options.hungAfterMs)
    for (const { operationId, position, state, deaths } of released) {
      if (state === 'failed') log.error({ operationId, position, deaths }, 'an item was given up: processes died with it')
    }
    settler.touch(released.map(({ operationId }) => operationId))
    let due = await listDueLanes(db)
    const suspected = await hasDueSuspect(db)
    if (suspected && (performance.now() >= aloneAgainAt || (due.length === 0 && lanes.size === 0))) {
      await tryAlone()
      due = await listDueLanes(db)
    }
    for (const { lane, actorId } of due) {
      if (lanes.has(lane)) continue
      // Somebody who has none at work does not wait for those of others, which may go on for hours.
      const most = [...lanes.values()].some((each) => each.actorId === actorId) ? options.lanesAtOnce : 2 * options.lanesAtOnce
      if (lanes.size >= most) continue
      const run = workOn(lane, mine)
        .catch((error: unknown) => {
          if (!stopping.signal.aborted) log.warn({ err: error, lane }, 'a lane stopped and will be taken up again')
        })
        .finally(() => {
          lanes.delete(lane)
          // Nothing more comes that could be summed up together.
          if (lanes.size === 0 && !stopping.signal.aborted) void outcomes.flush().then(settler.now)
          loop.wake()
        })
      lanes.set(lane, { worker: me, actorId, run })
    }
    const next = await findNextDueMs(db)
    const aloneIn = suspected ? aloneAgainAt - performance.now() : Infinity
    return Math.max(20, Math.min(options.pollMs, next ?? options.pollMs, aloneIn, early ? earlyMs : Infinity))
  }

  const loop = runLoop(
    { clock: systemClock, log, loops: services.loops },
    { name: 'operations', everyMs: options.pollMs, retryMs: databaseAwayMs, stopping },
    takeDue,
  )
  const hear = () => {
    trier.expire()
    loop.wake()
  }
  const listening = await db.sql.listen(operationsChannel, hear, hear)

  return {
    async stop() {
      stopping.abort(new AppError('shutting_down'))
      await listening.unlisten()
      await loop.stop()
      await Promise.all([...lanes.values()].map(({ run }) => run))
      await outcomes.flush()
      await settler.stop()
      await identity.close()
    },
  }
}
