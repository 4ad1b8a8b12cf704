import type { Priority } from '#server/ports/dns-host.ts'

/** `[expiresAtMs, calls]`: calls that count until then. */
export type Spent = readonly [expiresAtMs: number, calls: number]
/** Calls held by one process, sent or not: `[expiresAtMs, main, reserve]`. They count as spent until reported otherwise or expired. */
export type Held = readonly [expiresAtMs: number, main: number, reserve: number]

/**
 * One budget, on the database's clock. `main` is available to all; `reserve` is the last tenth, which bulk work and syncs may use only at
 * an even pace, so that a person's call never waits long.
 */
export interface BudgetState {
  readonly main: readonly Spent[]
  readonly reserve: readonly Spent[]
  readonly held: Readonly<Record<string, Held>>
  readonly pacedAtMs: number
  /** When the last call with an accepted header was sent. */
  readonly heardAtMs: number
  /** The provider's own `[limit, windowMs]`, if stricter than the configured one. */
  readonly policy: readonly [limit: number, windowMs: number] | null
  readonly blockedUntilMs: number
}

export const emptyBudget: BudgetState = { main: [], reserve: [], held: {}, pacedAtMs: 0, heardAtMs: 0, policy: null, blockedUntilMs: 0 }

/** Merges two budgets that turned out to be the same; calls held by processes in the second one are held until they expire. */
export function mergeBudgets(budget: BudgetState, other: BudgetState, otherKey: string): BudgetState {
  const soonest = (slots: readonly Spent[]) => slots.toSorted(([left], [right]) => left - right)
  return {
    main: soonest([...budget.main, ...other.main]),
    reserve: soonest([...budget.reserve, ...other.reserve]),
    held: { ...budget.held, ...Object.fromEntries(Object.entries(other.held).map(([holder, held]) => [`${holder} ${otherKey}`, held])) },
    pacedAtMs: Math.max(budget.pacedAtMs, other.pacedAtMs),
    heardAtMs: Math.max(budget.heardAtMs, other.heardAtMs),
    policy: budget.policy ?? other.policy,
    blockedUntilMs: Math.max(budget.blockedUntilMs, other.blockedUntilMs),
  }
}

export interface BudgetLimit {
  readonly limit: number
  readonly windowMs: number
}

/** The provider's own count, from a response header. */
export interface Heard {
  readonly left: number
  readonly resetMs: number
  readonly sentAgoMs: number
  /**
   * Calls of this process that the count may include and that no earlier request reported: answered since then, or running when it arrived.
   */
  readonly own: number
  readonly policy: BudgetLimit | null
}

interface SlotCount {
  readonly main: number
  readonly reserve: number
}

export interface LeaseRequest {
  /** The requesting process. */
  readonly holder: string
  /** All calls it holds now, sent or not. Calls it held before and no longer holds are returned or reported in `done`. */
  readonly holding: SlotCount
  /** Calls answered since the last request: their age and number. */
  readonly done: { readonly main: readonly Spent[]; readonly reserve: readonly Spent[] }
  /** Waiting calls. */
  readonly needs: Readonly<Record<Priority, number>>
  /** Expected calls; granted only if plenty is left. */
  readonly extra: number
  readonly heard: Heard | null
  /** The provider refused a call: no one may call for this long. */
  readonly blockMs: number | null
}

export interface Lease {
  readonly granted: SlotCount
  readonly extraGranted: number
  /** Estimated time until more calls are free, if there were too few; otherwise 0. */
  readonly waitMs: Readonly<Record<Priority, number>>
  readonly blockedMs: number
}

/** A process that holds calls reports at least this often; otherwise its calls are released. */
export const heartbeatMs = 5_000
const graceMs = 2 * heartbeatMs
/** Expired calls are kept this long to evaluate headers written before they expired, if there are any. */
const keepMs = 5_000
const retryOpenMs = 50

const add = (slots: readonly Spent[]) => slots.reduce((sum, [, calls]) => sum + calls, 0)
const reserveOf = (limit: number) => (limit < 5 ? 0 : Math.max(1, Math.round(limit / 10)))

/** Idle calls are returned after this time. */
export const leaseLifeMs = (windowMs: number) => Math.min(1_000, Math.max(100, windowMs / 150))

/**
 * Applies a process's report to the state and grants calls. A call becomes free one window after its *answer* arrived, which is never
 * before the provider's own window releases it. So the provider never sees more than `limit` calls in any window.
 */
export function decideLease(
  state: BudgetState,
  nowMs: number,
  request: LeaseRequest,
  configured: BudgetLimit,
): { readonly state: BudgetState; readonly lease: Lease } {
  const policy =
    request.heard?.policy === undefined || request.heard.policy === null ? state.policy : stricter(request.heard.policy, configured)
  const { limit, windowMs } = policy === null ? configured : { limit: policy[0], windowMs: policy[1] }
  const reserve = reserveOf(limit)
  const blockedUntilMs = Math.max(state.blockedUntilMs, request.blockMs === null ? 0 : nowMs + request.blockMs)

  const held: Record<string, Held> = {}
  for (const [holder, slots] of Object.entries(state.held)) if (slots[0] > nowMs && holder !== request.holder) held[holder] = slots
  const others = Object.values(held).reduce((sum, slots) => ({ main: sum.main + slots[1], reserve: sum.reserve + slots[2] }), {
    main: 0,
    reserve: 0,
  })
  const open = { main: others.main + request.holding.main, reserve: others.reserve + request.holding.reserve }

  // Calls counted under another window expire by the current one.
  const shiftMs = windowMs - (state.policy?.[1] ?? configured.windowMs)
  const shifted = (slots: readonly Spent[]) =>
    shiftMs === 0 ? slots : slots.map(([expiresAtMs, calls]) => [expiresAtMs + shiftMs, calls] as const)
  const before = { main: shifted(state.main), reserve: shifted(state.reserve) }
  const keptAfterMs = nowMs - (request.heard === null && state.heardAtMs === 0 ? 0 : keepMs)
  let spent: SpentSlots = {
    main: expire(before.main, request.done.main, { nowMs, windowMs, keptAfterMs }),
    reserve: expire(before.reserve, request.done.reserve, { nowMs, windowMs, keptAfterMs }),
  }
  let heardAtMs = state.heardAtMs
  if (request.heard !== null && request.heard.sentAgoMs <= keepMs && nowMs - request.heard.sentAgoMs > heardAtMs) {
    heardAtMs = nowMs - request.heard.sentAgoMs
    // All own calls that the provider may have counted when it answered.
    const ours =
      add(alive(before.main, heardAtMs)) + add(alive(before.reserve, heardAtMs)) + request.heard.own + others.main + others.reserve
    spent = believe(spent, request.heard, ours, { nowMs, limit, windowMs })
  }

  const used = { main: add(alive(spent.main, nowMs)) + open.main, reserve: add(alive(spent.reserve, nowMs)) + open.reserve }
  const blocked = blockedUntilMs > nowMs
  const room: Room = { nowMs, limit, windowMs, reserve, used, pacedAtMs: state.pacedAtMs }
  const { granted, extraGranted, unmet, pacedAtMs } = blocked ? nothingGranted(state.pacedAtMs) : shareOut(request, room)

  const holding = { main: request.holding.main + granted.main, reserve: request.holding.reserve + granted.reserve }
  if (holding.main + holding.reserve > 0) held[request.holder] = [Math.ceil(nowMs + windowMs + graceMs), holding.main, holding.reserve]

  const waitFor = (priority: Priority): number => {
    if (blocked) return blockedUntilMs - nowMs
    if (!unmet[priority]) return 0
    const at = roomAt(priority, spent, granted, { ...room, pacedAtMs })
    if (at === Infinity) return retryOpenMs
    // Calls held by other processes may be returned at any time.
    return Math.max(1, others.main + others.reserve > 0 ? Math.min(at - nowMs, heartbeatMs) : at - nowMs)
  }
  return {
    state: { ...spent, held, pacedAtMs, heardAtMs, policy, blockedUntilMs },
    lease: {
      granted,
      extraGranted,
      waitMs: { person: waitFor('person'), bulk: waitFor('bulk'), sync: waitFor('sync') },
      blockedMs: Math.max(0, blockedUntilMs - nowMs),
    },
  }
}

/** Figures of one budget at the time of a request. */
interface Room extends BudgetLimit {
  readonly nowMs: number
  /** How many of `limit` are reserved for people. */
  readonly reserve: number
  readonly used: SlotCount
  readonly pacedAtMs: number
}

const nothingGranted = (pacedAtMs: number) => ({
  granted: { main: 0, reserve: 0 },
  extraGranted: 0,
  unmet: { person: false, bulk: false, sync: false },
  pacedAtMs,
})

/** Grants free calls: to people first, then to bulk work, then to syncs. */
function shareOut(request: LeaseRequest, { nowMs, limit, windowMs, reserve, used, pacedAtMs: pacedBeforeMs }: Room) {
  const mainLimit = limit - reserve
  let pacedAtMs = pacedBeforeMs
  const granted = { main: 0, reserve: 0 }
  const unmet: Record<Priority, boolean> = { person: false, bulk: false, sync: false }
  // Room in the whole budget: calls overspent in one part (other clients, a stricter limit) reduce the other part.
  const room = () => limit - used.main - used.reserve - granted.main - granted.reserve
  for (const priority of ['person', 'bulk', 'sync'] as const) {
    let need = request.needs[priority]
    const fromMain = Math.max(0, Math.min(need, mainLimit - used.main - granted.main, room()))
    granted.main += fromMain
    need -= fromMain
    const free = freeReserve(priority, reserve) - used.reserve - granted.reserve
    const fromReserve = Math.max(0, Math.min(need, free, room()))
    granted.reserve += fromReserve
    need -= fromReserve
    if (need > 0 && priority !== 'person' && reserve > used.reserve + granted.reserve && room() > 0) {
      const pace = paceMs(priority, reserve, windowMs)
      if (nowMs >= pacedAtMs + pace) {
        // Based on the schedule and not on the last call, so that one delay does not slow down later calls.
        pacedAtMs = Math.max(pacedAtMs + pace, nowMs - pace / 2)
        granted.reserve += 1
        need -= 1
      }
    }
    unmet[priority] = need > 0
  }
  const plenty = Math.floor((mainLimit - used.main - granted.main) / 2)
  const extraGranted = unmet.person || unmet.bulk || unmet.sync ? 0 : Math.max(0, Math.min(request.extra, plenty, room()))
  granted.main += extraGranted
  return { granted, extraGranted, unmet, pacedAtMs }
}

/** Estimated time until a call is free for this priority; infinite if it depends on calls held by others. */
function roomAt(
  priority: Priority,
  spent: SpentSlots,
  granted: SlotCount,
  { nowMs, limit, windowMs, reserve, used, pacedAtMs }: Room,
): number {
  const total = used.main + used.reserve + granted.main + granted.reserve
  const whole = freesAt([...alive(spent.main, nowMs), ...alive(spent.reserve, nowMs)], total - limit + 1, nowMs)
  const main = Math.max(whole, freesAt(alive(spent.main, nowMs), used.main + granted.main - (limit - reserve) + 1, nowMs))
  const reserveUsed = used.reserve + granted.reserve
  const free = freesAt(alive(spent.reserve, nowMs), reserveUsed - freeReserve(priority, reserve) + 1, nowMs)
  const paced = Math.max(
    freesAt(alive(spent.reserve, nowMs), reserveUsed - reserve + 1, nowMs),
    pacedAtMs + paceMs(priority, reserve, windowMs),
  )
  const fromReserve = Math.max(whole, priority === 'person' ? free : Math.min(free, paced))
  return Math.min(main, fromReserve)
}

/** Calls of a budget that are in use now, and the limit in force. */
export function useOf(state: BudgetState, nowMs: number, configured: BudgetLimit): BudgetLimit & { readonly used: number } {
  const limit = state.policy === null ? configured : { limit: state.policy[0], windowMs: state.policy[1] }
  const held = Object.values(state.held).filter(([expiresAtMs]) => expiresAtMs > nowMs)
  const underWay = held.reduce((sum, [, main, reserve]) => sum + main + reserve, 0)
  return { ...limit, used: add(alive(state.main, nowMs)) + add(alive(state.reserve, nowMs)) + underWay }
}

interface SpentSlots {
  readonly main: readonly Spent[]
  readonly reserve: readonly Spent[]
}

/** How much of the reserve may be used immediately. */
function freeReserve(priority: Priority, reserve: number): number {
  if (priority === 'person') return reserve
  return priority === 'bulk' ? Math.floor(reserve / 2) : 0
}

/** Interval between two calls of the reserve; never used without a reserve. */
const paceMs = (priority: Priority, reserve: number, windowMs: number): number =>
  windowMs / (priority === 'bulk' ? reserve - Math.floor(reserve / 2) : reserve)

const alive = (slots: readonly Spent[], nowMs: number) => slots.filter(([expiresAtMs]) => expiresAtMs > nowMs)

/**
 * Calls whose answers came this close to each other become free together. A used-up budget of a second would otherwise be asked for each of
 * its calls.
 */
const grainOf = (windowMs: number) => Math.max(1, Math.floor(Math.max(windowMs / 250, Math.min(25, windowMs / 40))))

/** Adds answered calls, rounding up their times so that the log stays short, and drops calls that expired before `keptAfterMs`. */
function expire(
  slots: readonly Spent[],
  done: readonly Spent[],
  { nowMs, windowMs, keptAfterMs }: { readonly nowMs: number; readonly windowMs: number; readonly keptAfterMs: number },
): readonly Spent[] {
  const grainMs = grainOf(windowMs)
  const byExpiry = new Map<number, number>()
  for (const [expiresAtMs, calls] of slots) {
    if (expiresAtMs > keptAfterMs) byExpiry.set(expiresAtMs, (byExpiry.get(expiresAtMs) ?? 0) + calls)
  }
  for (const [agoMs, calls] of done) {
    const expiresAtMs = Math.ceil((nowMs - agoMs + windowMs) / grainMs) * grainMs
    if (expiresAtMs > keptAfterMs) byExpiry.set(expiresAtMs, (byExpiry.get(expiresAtMs) ?? 0) + calls)
  }
  return [...byExpiry].sort(([left], [right]) => left - right)
}

/** When `count` of the calls have expired; now if none need to, infinite if there are not that many. */
function freesAt(slots: readonly Spent[], count: number, nowMs: number): number {
  if (count <= 0) return nowMs
  let freed = 0
  for (const [expiresAtMs, calls] of [...slots].sort(([left], [right]) => left - right)) {
    freed += calls
    if (freed >= count) return expiresAtMs
  }
  return Infinity
}

/** The operator may have configured a lower limit on purpose, so only a stricter one of the provider replaces it. */
function stricter(heard: BudgetLimit, configured: BudgetLimit): readonly [number, number] | null {
  const lower = heard.limit / heard.windowMs < configured.limit / configured.windowMs || heard.limit < configured.limit
  return lower ? [heard.limit, heard.windowMs] : null
}

/** Adjusts our count to the provider's. */
function believe(
  spent: SpentSlots,
  heard: Heard,
  ours: number,
  at: { readonly nowMs: number; readonly limit: number; readonly windowMs: number },
): SpentSlots {
  const sentAtMs = at.nowMs - heard.sentAgoMs
  const theirs = at.limit - heard.left
  if (theirs > ours) {
    // Another client calls as this user. One call becomes free at the reported time; its response will report the rest.
    const resetAtMs = Math.ceil(at.nowMs + Math.min(Math.max(heard.resetMs, 0), at.windowMs))
    const wholeWindowAtMs = Math.ceil(at.nowMs + at.windowMs)
    const foreign: Spent[] =
      theirs - ours === 1
        ? [[resetAtMs, 1]]
        : [
            [resetAtMs, 1],
            [wholeWindowAtMs, theirs - ours - 1],
          ]
    return { ...spent, main: [...spent.main, ...foreign].sort(([left], [right]) => left - right) }
  }
  const comparable = heard.policy !== null && heard.policy.limit === at.limit && heard.policy.windowMs === at.windowMs
  if (!comparable) return spent
  // Calls answered before this one was sent are all in the provider's count, unless they have expired there.
  const older = (slots: readonly Spent[]) =>
    slots.filter(([expiresAtMs]) => expiresAtMs > at.nowMs && expiresAtMs <= sentAtMs + at.windowMs)
  let surplus = add(older(spent.main)) + add(older(spent.reserve)) - Math.max(0, theirs)
  if (surplus <= 0) return spent
  // Oldest first, over both parts: the remaining ones expire no earlier than those the provider still counts.
  const kept: { main: Spent[]; reserve: Spent[] } = { main: [], reserve: [] }
  const all = (['main', 'reserve'] as const).flatMap((part) => spent[part].map((slot) => ({ part, slot })))
  for (const { part, slot } of all.sort((left, right) => left.slot[0] - right.slot[0])) {
    const dropped = slot[0] <= at.nowMs ? 0 : Math.min(slot[1], surplus)
    surplus -= dropped
    if (dropped < slot[1]) kept[part].push([slot[0], slot[1] - dropped])
  }
  return kept
}
