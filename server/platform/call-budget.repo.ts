import { z } from 'zod'
import type { Sql } from '#server/db/client.ts'
import { decideLease, emptyBudget, mergeBudgets, useOf } from '#server/platform/call-budget.policy.ts'
import type { BudgetLimit, BudgetState, Lease, LeaseRequest } from '#server/platform/call-budget.policy.ts'

/** Storage of a budget shared by several processes. */
export interface BudgetStore {
  /** One exchange: reports spent calls and requests more. Safe to repeat after a failure. */
  lease(key: string, limit: BudgetLimit, request: LeaseRequest): Promise<Lease>
}

/** A store for all budgets, not only that of one caller. */
interface SharedBudgetStore extends BudgetStore {
  /** Merges one budget into another because they belong to the same user. */
  move(from: string, to: string): Promise<void>
}

const slots = z.array(z.tuple([z.number(), z.number()]))
const budgetLog = z.object({
  main: slots,
  reserve: slots,
  held: z.record(z.string(), z.tuple([z.number(), z.number(), z.number()])),
  pacedAtMs: z.number(),
  heardAtMs: z.number(),
  policy: z.tuple([z.number(), z.number()]).nullable(),
})

interface Row {
  readonly written: boolean
  /** Null if it was written as sent. */
  readonly log: string | null
  readonly version: string | null
  readonly blockedUntilMs: number | null
  readonly nowMs: number
}

/** The last known content of a row. */
interface Known {
  readonly version: string
  readonly state: BudgetState
}

/**
 * Budgets in PostgreSQL, on its clock, one row per key. A decision is based on the last known row and written only if the row is unchanged;
 * otherwise the statement returns the current row and the decision is repeated. So a single process needs one statement per exchange.
 */
export function createBudgetStore(sql: Sql): SharedBudgetStore {
  const rows = new Map<string, Known>()
  const time = createServerTime()

  /** Null if the row does not exist. */
  async function write(key: string, expected: string, next: Known | null, nowMs: number): Promise<Row | null> {
    const log = next === null ? null : textOf(next)
    const blockedUntilMs = next?.state.blockedUntilMs ?? 0
    const startedAtMs = performance.now()
    const [row] = await sql<Row[]>`
      with written as (
        update call_budgets set log = ${log}::text::jsonb, updated_at = now(),
          blocked_until = to_timestamp(${blockedUntilMs > nowMs ? blockedUntilMs / 1000 : null}::float8)
        where key = ${key} and coalesce(log->>'version', ${noVersion}) = ${expected} returning key
      )
      select written.key is not null as written,
        case when written.key is null then log::text end as log,
        log->>'version' as version,
        extract(epoch from blocked_until)::float8 * 1000 as blocked_until_ms,
        extract(epoch from clock_timestamp())::float8 * 1000 as now_ms
      from call_budgets left join written on written.key = call_budgets.key where call_budgets.key = ${key}`
    if (row === undefined) return null
    time.learn(row.nowMs, startedAtMs, performance.now())
    return row
  }

  async function read(key: string): Promise<Known> {
    for (;;) {
      const row = await write(key, noRow, null, 0)
      if (row !== null) return parseRow(row)
      if (rows.size === 0) await sql`delete from call_budgets where updated_at < now() - interval '1 day'`
      await sql`insert into call_budgets (key) values (${key}) on conflict (key) do nothing`
    }
  }

  return {
    lease: async (key, limit, request) => {
      const startedAtMs = performance.now()
      let known = rows.get(key)
      // Set again when written: after a failure the content of the row is unknown.
      rows.delete(key)
      for (;;) {
        known ??= await read(key)
        const decidedAtMs = performance.now()
        const { earliest, latest } = time.bounds(decidedAtMs)
        const { state, lease } = decideLease(known.state, earliest, inDoubt(request, latest - earliest, decidedAtMs - startedAtMs), limit)
        const next = { version: String((Number(known.version) || 0) + 1), state }
        const row = await write(key, known.version, next, earliest)
        if (row?.written === true) {
          rows.set(key, next)
          return afterwards(lease, decidedAtMs)
        }
        known = row === null ? undefined : parseRow(row)
      }
    },
    move: async (from, to) => {
      await sql`insert into call_budgets (key) values (${to}) on conflict (key) do nothing`
      await sql.begin(async (tx) => {
        const locked = await tx<(Omit<Row, 'written'> & { readonly key: string })[]>`
          select key, log::text as log, log->>'version' as version, extract(epoch from blocked_until)::float8 * 1000 as blocked_until_ms,
            extract(epoch from clock_timestamp())::float8 * 1000 as now_ms
          from call_budgets where key in (${from}, ${to}) order by key for update`
        const [source, target] = [from, to].map((key) => locked.find((row) => row.key === key))
        if (source === undefined || target === undefined) return
        const put = async (key: string, row: Omit<Row, 'written'>, state: BudgetState) => {
          const { blockedUntilMs } = state
          // A process that knows the previous row will find that it was replaced.
          const version = String((Number(parseRow(row).version) || 0) + 1)
          await tx`
            update call_budgets set log = ${textOf({ version, state })}::text::jsonb, updated_at = now(),
              blocked_until = to_timestamp(${blockedUntilMs > row.nowMs ? blockedUntilMs / 1000 : null}::float8)
            where key = ${key}`
        }
        await put(to, target, mergeBudgets(parseRow(target).state, parseRow(source).state, from))
        await put(from, source, emptyBudget)
      })
    },
  }
}

/** The version of a new row. */
const noVersion = 'none'
/** No row has this version, so nothing is written. */
const noRow = ''

/** Expiry is evaluated at the earliest possible database time, the time of answers at the latest. */
function inDoubt(request: LeaseRequest, doubtMs: number, waitedMs: number): LeaseRequest {
  const { done, heard, blockMs } = request
  const later = (slots: LeaseRequest['done']['main']) => slots.map(([agoMs, calls]) => [agoMs + waitedMs - doubtMs, calls] as const)
  return {
    ...request,
    done: { main: later(done.main), reserve: later(done.reserve) },
    heard: heard === null ? null : { ...heard, sentAgoMs: heard.sentAgoMs + waitedMs },
    blockMs: blockMs === null ? null : Math.max(0, blockMs - waitedMs) + doubtMs,
  }
}

/** No limit, so nothing is stored. */
export const unlimitedStore: BudgetStore = {
  lease: (_key, _limit, { needs, extra }) =>
    Promise.resolve({
      granted: { main: needs.person + needs.bulk + needs.sync + extra, reserve: 0 },
      extraGranted: extra,
      waitMs: { person: 0, bulk: 0, sync: 0 },
      blockedMs: 0,
    }),
}

/** Waits count from the decision, so part of them has passed when the response arrives. */
function afterwards(lease: Lease, decidedAtMs: number): Lease {
  const passedMs = performance.now() - decidedAtMs
  const left = (waitMs: number) => (waitMs === 0 ? 0 : Math.max(1, waitMs - passedMs))
  const { person, bulk, sync } = lease.waitMs
  return { ...lease, waitMs: { person: left(person), bulk: left(bulk), sync: left(sync) } }
}

function textOf({ version, state }: Known): string {
  const { blockedUntilMs: _, ...log } = state
  return JSON.stringify({ version, ...log })
}

/** An unreadable row counts as an empty budget. */
function parseRow(row: Omit<Row, 'written'>): Known {
  const parsed = budgetLog.safeParse(JSON.parse(row.log ?? 'null'))
  const log = parsed.success ? parsed.data : emptyBudget
  return { version: row.version ?? noVersion, state: { ...log, blockedUntilMs: row.blockedUntilMs ?? 0 } }
}

export interface StoredUse extends BudgetLimit {
  readonly used: number
  readonly blockedUntil: Date | null
}

/** The usage of these budgets; a budget without calls has no entry. */
export async function readBudgetUse(sql: Sql, keys: readonly string[], limit: BudgetLimit): Promise<Map<string, StoredUse>> {
  const rows = await sql<(Omit<Row, 'written'> & { readonly key: string })[]>`
    select key, log::text as log, log->>'version' as version, extract(epoch from blocked_until)::float8 * 1000 as blocked_until_ms,
      extract(epoch from clock_timestamp())::float8 * 1000 as now_ms
    from call_budgets where key = any(${[...keys]}::text[])`
  return new Map(
    rows.map((row) => {
      const { state } = parseRow(row)
      const blockedUntil = state.blockedUntilMs > row.nowMs ? new Date(state.blockedUntilMs) : null
      return [row.key, { ...useOf(state, row.nowMs, limit), blockedUntil }]
    }),
  )
}

interface Offsets {
  readonly sinceMs: number
  readonly least: number
  readonly most: number
}

const offsetsLastMs = 60_000

/**
 * The database's clock as an interval that exchanges so far permit: it was read after the exchange began and before its response arrived.
 */
function createServerTime() {
  let before: Offsets | null = null
  let now: Offsets | null = null
  return {
    learn(readMs: number, startedAtMs: number, endedAtMs: number): void {
      const least = readMs - endedAtMs
      const most = readMs - startedAtMs
      if (now === null || now.least > most || now.most < least) {
        // The first reading, or one of the clocks was set.
        before = null
        now = { sinceMs: endedAtMs, least, most }
        return
      }
      if (endedAtMs - now.sinceMs > offsetsLastMs) {
        // Clocks drift, so old readings are discarded.
        before = now
        now = { sinceMs: endedAtMs, least, most }
        return
      }
      now = { sinceMs: now.sinceMs, least: Math.max(now.least, least), most: Math.min(now.most, most) }
    },
    /** The database's time for this moment of the process clock. */
    bounds(atMs: number): { readonly earliest: number; readonly latest: number } {
      if (now === null) throw new Error('the clock of the database has not been read')
      const least = Math.max(now.least, before?.least ?? -Infinity)
      const most = Math.min(now.most, before?.most ?? Infinity)
      return least <= most ? { earliest: atMs + least, latest: atMs + most } : { earliest: atMs + now.least, latest: atMs + now.most }
    },
  }
}
