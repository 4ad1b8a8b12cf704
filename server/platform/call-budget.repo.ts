import { z } from 'zod'
import type { Sql } from '#server/db/client.ts'
import { decideLease, emptyBudget } from '#server/platform/call-budget.policy.ts'
import type { BudgetLimit, BudgetState, Lease, LeaseRequest } from '#server/platform/call-budget.policy.ts'

/** Where a budget is kept that several processes share. */
export interface BudgetStore {
  /** One trip: tells what was spent and asks for more. Safe to repeat after a failure. */
  lease(key: string, limit: BudgetLimit, request: LeaseRequest): Promise<Lease>
}

const slots = z.array(z.tuple([z.number(), z.number()]))
const budgetLog = z.object({
  version: z.number(),
  main: slots,
  reserve: slots,
  held: z.record(z.string(), z.tuple([z.number(), z.number(), z.number()])),
  pacedAtMs: z.number(),
  heardAtMs: z.number(),
  policy: z.tuple([z.number(), z.number()]).nullable(),
})

interface Row {
  readonly log: string
  readonly now_ms: number
  readonly blocked_until_ms: number | null
}

/** What a row held when this process wrote it. */
interface Known {
  readonly version: number
  readonly state: BudgetState
}

/**
 * Budgets in PostgreSQL, on its clock, one row a key. While no other process writes a row, a trip is one statement: the decision is made on
 * what is known and written only if the row is still that. Otherwise the row is locked for the time of one decision.
 */
export function createBudgetStore(sql: Sql): BudgetStore {
  const rows = new Map<string, Known>()
  const time = createServerTime()
  let swept = false

  /** Null where another process wrote meanwhile. */
  async function leaseKnown(key: string, known: Known, limit: BudgetLimit, request: LeaseRequest): Promise<Lease | null> {
    const decidedAtMs = performance.now()
    const { earliest, latest } = time.bounds(decidedAtMs)
    // Whether something has expired is judged by the earliest that it may be, when something was answered by the latest.
    const doubtMs = latest - earliest
    const later = (done: LeaseRequest['done']['main']) => done.map(([agoMs, calls]) => [agoMs - doubtMs, calls] as const)
    const { state, lease } = decideLease(
      known.state,
      earliest,
      {
        ...request,
        done: { main: later(request.done.main), reserve: later(request.done.reserve) },
        blockMs: request.blockMs === null ? null : request.blockMs + doubtMs,
      },
      limit,
    )
    const version = known.version + 1
    const [row] = await sql<{ now_ms: number }[]>`
      update call_budgets set log = ${textOf(state, version)}::text::jsonb, updated_at = now(),
        blocked_until = to_timestamp(${blockedSeconds(state, earliest)}::float8)
      where key = ${key} and log->>'version' = ${String(known.version)}
      returning extract(epoch from clock_timestamp())::float8 * 1000 as now_ms`
    if (row === undefined) return null
    time.learn(row.now_ms, decidedAtMs, performance.now())
    rows.set(key, { version, state })
    return afterwards(lease, decidedAtMs)
  }

  async function leaseLocked(key: string, limit: BudgetLimit, request: LeaseRequest): Promise<Lease | null> {
    const startedAtMs = performance.now()
    return sql.begin(async (transaction) => {
      // Two statements sent together: the clock is read when the lock is there.
      const [, [row]] = await Promise.all([
        transaction`select 1 from call_budgets where key = ${key} for update`,
        transaction<Row[]>`
          select log::text as log, extract(epoch from clock_timestamp())::float8 * 1000 as now_ms,
            extract(epoch from blocked_until)::float8 * 1000 as blocked_until_ms
          from call_budgets where key = ${key}`,
      ])
      if (row === undefined) return null
      const readAtMs = performance.now()
      time.learn(row.now_ms, startedAtMs, readAtMs)
      const known = parseRow(row)
      // The lock may have taken its time: the call whose header is told was sent that much longer ago.
      const heard = request.heard === null ? null : { ...request.heard, sentAgoMs: request.heard.sentAgoMs + readAtMs - startedAtMs }
      const { state, lease } = decideLease(known.state, row.now_ms, { ...request, heard }, limit)
      const version = known.version + 1
      await transaction`
        update call_budgets set log = ${textOf(state, version)}::text::jsonb, updated_at = now(),
          blocked_until = to_timestamp(${blockedSeconds(state, row.now_ms)}::float8)
        where key = ${key}`
      rows.set(key, { version, state })
      return afterwards(lease, readAtMs)
    })
  }

  return {
    lease: async (key, limit, request) => {
      const known = rows.get(key)
      // Known again when it is written: after a failure nobody can tell what the row holds.
      rows.delete(key)
      const quick = known === undefined ? null : await leaseKnown(key, known, limit, request)
      if (quick !== null) return quick
      const startedAtMs = performance.now()
      for (;;) {
        const waitedMs = performance.now() - startedAtMs
        const heard = request.heard === null ? null : { ...request.heard, sentAgoMs: request.heard.sentAgoMs + waitedMs }
        const lease = await leaseLocked(key, limit, { ...request, heard })
        if (lease !== null) return lease
        if (!swept) await sql`delete from call_budgets where updated_at < now() - interval '1 day'`
        swept = true
        await sql`insert into call_budgets (key) values (${key}) on conflict (key) do nothing`
      }
    },
  }
}

/** No limit, nothing to remember. */
export const unlimitedStore: BudgetStore = {
  lease: (_key, _limit, { needs, extra }) =>
    Promise.resolve({
      granted: { main: needs.person + needs.bulk + needs.sync + extra, reserve: 0 },
      extraGranted: extra,
      waitMs: { person: 0, bulk: 0, sync: 0 },
      blockedMs: 0,
    }),
}

/** Waits are counted from the decision, and some of them is over when the answer comes. */
function afterwards(lease: Lease, decidedAtMs: number): Lease {
  const passedMs = performance.now() - decidedAtMs
  const left = (waitMs: number) => (waitMs === 0 ? 0 : Math.max(1, waitMs - passedMs))
  const { person, bulk, sync } = lease.waitMs
  return { ...lease, waitMs: { person: left(person), bulk: left(bulk), sync: left(sync) } }
}

const textOf = ({ blockedUntilMs: _, ...log }: BudgetState, version: number) => JSON.stringify({ version, ...log })

const blockedSeconds = ({ blockedUntilMs }: BudgetState, nowMs: number) => (blockedUntilMs > nowMs ? blockedUntilMs / 1000 : null)

function parseRow(row: Row): Known {
  const parsed = budgetLog.safeParse(JSON.parse(row.log))
  const { version, ...log } = parsed.success ? parsed.data : { version: 0, ...emptyBudget }
  return { version, state: { ...log, blockedUntilMs: row.blocked_until_ms ?? 0 } }
}

interface Offsets {
  readonly sinceMs: number
  readonly least: number
  readonly most: number
}

const offsetsLastMs = 60_000

/** The database's clock, as narrowly as trips so far can tell: it was read after the trip began and before its answer came. */
function createServerTime() {
  let before: Offsets | null = null
  let now: Offsets | null = null
  return {
    learn(readMs: number, startedAtMs: number, endedAtMs: number): void {
      const least = readMs - endedAtMs
      const most = readMs - startedAtMs
      if (now === null || now.least > most || now.most < least) {
        // The first, or one of the clocks was set.
        before = null
        now = { sinceMs: endedAtMs, least, most }
        return
      }
      if (endedAtMs - now.sinceMs > offsetsLastMs) {
        // Clocks drift apart, so old readings are forgotten.
        before = now
        now = { sinceMs: endedAtMs, least, most }
        return
      }
      now = { sinceMs: now.sinceMs, least: Math.max(now.least, least), most: Math.min(now.most, most) }
    },
    /** Of the database's clock at this moment of ours. */
    bounds(atMs: number): { readonly earliest: number; readonly latest: number } {
      if (now === null) throw new Error('the clock of the database was never read')
      const least = Math.max(now.least, before?.least ?? -Infinity)
      const most = Math.min(now.most, before?.most ?? Infinity)
      return least <= most ? { earliest: atMs + least, latest: atMs + most } : { earliest: atMs + now.least, latest: atMs + now.most }
    },
  }
}
