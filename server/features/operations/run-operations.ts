import { createWorkerIdentity } from '#server/platform/worker-identity.ts'
import { gather } from '#server/platform/gather.ts'
import { traced } from '#server/platform/tracing.ts'
import { isDatabaseAway } from '#server/platform/database-away.ts'
import type { Ctx, Services } from '#server/platform/context.ts'
import { AppError } from '#shared/errors/app-error.ts'
import { judge } from './failure.policy.ts'
import type { OperationKind, RunItem } from './operation-kind.ts'
import type { Claim, ClaimedItem, RunningOperation as Known, Written } from './run-items.repo.ts'
import { operationsChannel, sweepDrafts } from './operations.repo.ts'
import {
  claimItems,
  claimSuspect,
  failAccount,
  findNextDueMs,
  hasDueSuspect,
  listDueLanes,
  listEmpty,
  listRunning,
  moveAccount,
  ownChanges,
  releaseDead,
  releaseLane,
  settleOperations,
  workerLock,
  writeOutcomes,
} from './run-items.repo.ts'

export interface OperationOptions {
  readonly lanesAtOnce: number
  /** Items of one lane tried side by side: some call, while others are written down. The provider's own limits come on top. */
  readonly itemsPerLane: number
  readonly pollMs: number
}
const defaults: OperationOptions = { lanesAtOnce: 64, itemsPerLane: 16, pollMs: 2_000 }
const nothing = { result: null, code: null, provider_code: null, message: null, wait_seconds: null }
/** Outcomes are written together, so many or so late at most. */
const writeAtMost = 200
const writeAfterMs = 25
const settleEveryMs = 250
/** Of the time; summing up many items takes its while. One that took long by chance must not hold back the news of the end. */
const settleShare = 0.1
const settleRestAtMostMs = 5_000
/** Where a batch of items is through so soon, the next one is twice as large. */
const soonMs = 100
const claimAtMost = 64
const lanesPerClaim = 32
const databaseAwayMs = 1_000
/** No further one is tried alone after so long, until lanes had their turn. */
const aloneMs = 1_000
const standstillMs = 5_000
const sweepEveryMs = 10 * 60_000

/** Opened once a lane; what was opened ends with it. */
type Connections = NonNullable<Services['connections']>
type Why = Pick<Written, 'code' | 'provider_code' | 'message'>

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

const toRunItem = (item: ClaimedItem): RunItem => ({
  operationId: item.operation_id,
  position: item.position,
  zoneId: item.zone_id,
  accountId: item.account_id,
  name: item.name,
  plan: item.plan,
  attempt: item.attempts,
})

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
  const lanes = new Map<string, { readonly worker: number; readonly run: Promise<void> }>()
  /** A claim's answer was lost: this worker may hold items of the lane without knowing it. */
  const unsure = new Map<string, number>()
  let wake: () => void = () => undefined
  let woken = false
  const wakeUp = () => {
    woken = true
    wake()
  }

  const identity = createWorkerIdentity(db, workerLock)

  // ---- what became of the items
  let outcomes: { readonly worker: number; readonly written: Written }[] = []
  let unwritten: typeof outcomes = []
  let writing = Promise.resolve()
  let writeTimer: NodeJS.Timeout | null = null
  const touched = new Set<string>()
  let settleTimer: NodeJS.Timeout | null = null
  let settling = Promise.resolve()

  async function writeNow(): Promise<void> {
    const batch = outcomes
    outcomes = []
    unwritten = batch
    for (const [by, some] of Map.groupBy(batch, (outcome) => outcome.worker)) {
      const written = some.map((outcome) => outcome.written)
      for (;;) {
        try {
          await writeOutcomes(db, by, written)
          break
        } catch (error) {
          // The items are done; it is only not written. Their lock is held until it is, or until another process may look again.
          const operationIds = [...new Set(written.map(({ operation_id }) => operation_id))]
          log.warn({ err: error, operationIds }, 'outcomes of an operation could not be written yet')
          if (stopping.signal.aborted) return
          await new Promise((resolve) => setTimeout(resolve, databaseAwayMs))
        }
      }
      for (const { operation_id } of written) touched.add(operation_id)
    }
    unwritten = []
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
  let restMs = settleEveryMs
  async function settleNow(): Promise<void> {
    const ids = [...touched]
    const began = performance.now()
    touched.clear()
    try {
      for (const { owner_id } of await settleOperations(db, ids)) {
        await services.events.publish(db.orm, owner_id, { kind: 'operations', accountIds: [] })
      }
    } catch (error) {
      for (const id of ids) touched.add(id)
      log.warn({ err: error, operationIds: ids }, 'operations could not be summed up')
      settleSoon()
    }
    restMs = Math.min(Math.max(settleEveryMs, (performance.now() - began) / settleShare), settleRestAtMostMs)
  }
  function settle(): void {
    if (settleTimer !== null) clearTimeout(settleTimer)
    settleTimer = null
    settling = settling.then(settleNow)
  }
  function settleSoon(): void {
    if (stopping.signal.aborted) return
    settleTimer ??= setTimeout(settle, restMs)
  }

  // ---- the items
  const known = new Map<string, { readonly operation: Known; readonly readAt: number }>()
  async function learnOf(items: readonly ClaimedItem[]): Promise<void> {
    const now = performance.now()
    const ids = [...new Set(items.map((item) => item.operation_id))]
    const stale = ids.filter((id) => now - (known.get(id)?.readAt ?? -Infinity) > 5_000)
    if (stale.length > 0) for (const operation of await listRunning(db, stale)) known.set(operation.id, { operation, readAt: now })
    if (known.size > 500) for (const [id, { readAt }] of known) if (now - readAt > 24 * 3_600_000) known.delete(id)
  }

  const contextOf = (operation: Known, connections: Connections): Ctx => ({
    ...services,
    connections,
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
    log: log.child({ operationId: operation.id }),
    address: null,
    userAgent: null,
    origin: null,
  })

  /** Moves on what an account refuses, where the kind knows of another one. */
  async function elsewhere(item: ClaimedItem, operation: Known | undefined, connections: Connections, error: AppError) {
    if (operation === undefined) return null
    const next =
      (await kinds[operation.kind]?.elsewhere?.(contextOf(operation, connections), toRunItem(item), operation.input, error)) ?? null
    if (next !== null) await moveAccount(db, item, next, error.code)
    return next
  }

  /** `stopped`: why accounts were, by operation and account; what of them is at hand already is not sent to be refused as well. */
  async function attempt(
    item: ClaimedItem,
    operation: Known | undefined,
    stopped: Map<string, Why>,
    connections: Connections,
  ): Promise<Omit<Written, 'operation_id' | 'position'>> {
    const place = `${item.operation_id} ${item.account_id}`
    const refused = stopped.get(place)
    if (refused !== undefined) return { ...nothing, ...refused, state: 'failed' }
    if (operation !== undefined && operation.disabledAt !== null) {
      // Its actor was disabled, which paused it: the item waits for whoever resumes it.
      known.delete(operation.id)
      return { ...nothing, state: 'pending' }
    }
    try {
      const kind = operation === undefined ? undefined : kinds[operation.kind]
      if (operation === undefined || kind === undefined) throw new AppError('not_found')
      const outcome = await kind.run(contextOf(operation, connections), toRunItem(item), operation.input, stopping.signal)
      if (outcome.state === 'done' && item.attempts > 1) await ownChanges(db, item, operation)
      return outcome.state === 'done'
        ? { ...nothing, state: 'done', result: outcome.result ?? null }
        : { ...nothing, state: 'skipped', code: outcome.code }
    } catch (error) {
      // The next try looks first whether this one took effect.
      if (stopping.signal.aborted || (!(error instanceof AppError) && isDatabaseAway(error))) return { ...nothing, state: 'pending' }
      const known = error instanceof AppError ? error : new AppError('internal', { cause: error })
      if (!(error instanceof AppError)) log.error({ err: error, operationId: item.operation_id, position: item.position }, 'an item failed')
      const why: Why = { code: known.code, provider_code: known.provider?.code ?? null, message: known.provider?.message ?? null }
      const next = await elsewhere(item, operation, connections, known).catch((reason: unknown) => {
        log.warn({ err: reason, operationId: item.operation_id, position: item.position }, 'no other account was found for an item')
        return null
      })
      if (next !== null) return { ...nothing, state: 'pending' }
      const verdict = judge(known, item.attempts, item.plan.at?.kind)
      if (verdict.next === 'wait') return { ...nothing, ...why, state: 'waiting', wait_seconds: verdict.seconds }
      if (verdict.next === 'stop_account') {
        stopped.set(place, why)
        await failAccount(db, item.operation_id, item.account_id, why).catch((reason: unknown) =>
          log.warn({ err: reason, operationId: item.operation_id, position: item.position }, 'an account was not stopped'),
        )
      }
      return { ...nothing, ...why, state: 'failed' }
    }
  }

  /** An attempt, and what is told of it. */
  const tried: typeof attempt = (item, operation, ...rest) => {
    const attributes = {
      'zonedeck.operation.id': item.operation_id,
      'zonedeck.operation.position': item.position,
      'zonedeck.operation.attempt': item.attempts,
    }
    return traced(`operation ${operation?.kind ?? 'unknown'}`, { kind: 'consumer', attributes }, async (span) => {
      const became = await attempt(item, operation, ...rest)
      span?.note({ 'zonedeck.operation.state': became.state })
      if (became.state === 'failed') span?.fail(became.code ?? 'unknown')
      return became
    })
  }

  /** Lanes that want more at about the same time are served by one statement. */
  const claim = gather<Claim, ClaimedItem[]>(lanesPerClaim, (claims) => claimItems(db, claims))

  /** Works on a lane until nothing of it is due. */
  async function workOn(lane: string): Promise<void> {
    const ready: ClaimedItem[] = []
    const stopped = new Map<string, Why>()
    const connections: Connections = new Map()
    let empty = false
    let claiming: Promise<void> | null = null
    const me = identity.current()
    // What is taken is written down as tried, so no more than is tried soon.
    let batch = options.itemsPerLane
    let claimedAt = -Infinity
    const isOver = () => empty || alone
    const mayGoOn = () => identity.is(me) && !stopping.signal.aborted
    const more = () =>
      (claiming ??= (async () => {
        const now = performance.now()
        batch = now - claimedAt < soonMs ? Math.min(batch * 2, claimAtMost) : options.itemsPerLane
        claimedAt = now
        const items = await claim({ lane, worker: me, limit: batch }).catch((error: unknown) => {
          unsure.set(lane, me)
          throw error
        })
        if (items.length === 0) empty = true
        else await learnOf(items)
        ready.push(...items.toSorted((one, other) => one.position - other.position))
        for (const { operation_id } of items) touched.add(operation_id)
        if (items.length > 0) settleSoon()
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
        // Many may have been claimed at once: rights that were taken away meanwhile count from the next item on, five seconds later at most.
        await learnOf([item]).catch(() => undefined)
        const operation = known.get(item.operation_id)?.operation
        const became = await tried(item, operation, stopped, connections)
        await write(me, { operation_id: item.operation_id, position: item.position, ...became })
      }
    }
    const ends = await Promise.allSettled(Array.from({ length: options.itemsPerLane }, tryItems))
    // What was asked for meanwhile is held as well.
    await underWay()?.catch(() => undefined)
    const failed = ends.find((end) => end.status === 'rejected')
    for (const { operation_id, position } of ready) void write(me, { operation_id, position, ...nothing, state: 'pending' })
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
        const me = await identity.take()
        const item = await claimSuspect(db, me)
        if (item === null) return
        await learnOf([item])
        touched.add(item.operation_id)
        const place = { operation_id: item.operation_id, position: item.position }
        const key = `alone ${place.operation_id} ${place.position}`
        const run = tried(item, known.get(item.operation_id)?.operation, new Map(), new Map())
          .then((became) => {
            void write(me, { ...place, ...became })
            return flush()
          })
          .finally(() => {
            lanes.delete(key)
            wakeUp()
          })
        lanes.set(key, { worker: me, run })
        if (!(await endsWithin(run, standstillMs))) return
      }
    } finally {
      alone = false
      aloneAgainAt = 2 * performance.now() - began
    }
  }

  let sweptAt = -Infinity
  async function takeDue(): Promise<number> {
    const me = await identity.take()
    if (performance.now() - sweptAt > sweepEveryMs) {
      sweptAt = performance.now()
      await sweepDrafts(db)
      for (const id of await listEmpty(db)) touched.add(id)
    }
    for (const [lane, holder] of unsure) {
      if (lanes.has(lane)) continue
      await flush()
      await releaseLane(db, holder, lane)
      unsure.delete(lane)
    }
    // Items that an earlier connection of this process began are still being tried, or are about to be written down.
    const own = [...lanes.values(), ...outcomes, ...unwritten].map((each) => each.worker)
    for (const { operation_id, position, state, deaths } of await releaseDead(db, [...new Set([me, ...own])], identity.lived)) {
      touched.add(operation_id)
      if (state === 'failed') log.error({ operationId: operation_id, position, deaths }, 'an item was given up: processes died with it')
    }
    if (touched.size > 0) settleSoon()
    let due = await listDueLanes(db)
    const suspected = await hasDueSuspect(db)
    if (suspected && (performance.now() >= aloneAgainAt || (due.length === 0 && lanes.size === 0))) {
      await tryAlone()
      due = await listDueLanes(db)
    }
    for (const lane of due) {
      if (lanes.size >= options.lanesAtOnce) break
      if (lanes.has(lane)) continue
      const run = workOn(lane)
        .catch((error: unknown) => {
          if (!stopping.signal.aborted) log.warn({ err: error, lane }, 'a lane stopped and will be taken up again')
        })
        .finally(() => {
          lanes.delete(lane)
          // Nothing more comes that could be summed up together.
          if (lanes.size === 0 && !stopping.signal.aborted) void flush().then(settle)
          wakeUp()
        })
      lanes.set(lane, { worker: me, run })
    }
    const next = await findNextDueMs(db)
    const aloneIn = suspected ? aloneAgainAt - performance.now() : Infinity
    return Math.max(20, Math.min(options.pollMs, next ?? options.pollMs, aloneIn))
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
      await Promise.all([...lanes.values()].map(({ run }) => run))
      await flush()
      if (settleTimer !== null) clearTimeout(settleTimer)
      await settling
      await settleNow()
      await identity.close()
    },
  }
}
