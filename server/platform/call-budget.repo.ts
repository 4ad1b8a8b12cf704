import { z } from 'zod'
import type { Sql } from '#server/db/client.ts'
import { decideLease, emptyBudget, mergeBudgets, useOf } from '#server/platform/call-budget.policy.ts'
import type { BudgetLimit, BudgetState, Lease, LeaseRequest } from '#server/platform/call-budget.policy.ts'

/** Where a budget is kept that several processes share. */
export interface BudgetStore {
  /** One trip: reports what was spent and asks for more. Safe to repeat after a failure. */
  lease(key: string, limit: BudgetLimit, request: LeaseRequest): Promise<Lease>
}

/** One that knows all budgets, and not only that of one caller. */
export interface SharedBudgetStore extends BudgetStore {
  /** Counts what one budget holds into another: they are of the same user. */
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
  /** Null where it was written: it is what was sent. */
  readonly log: string | null
  readonly version: string | null
  readonly blockedUntilMs: number | null
  readonly nowMs: number
}

/** What a row holds, as far as this process knows. */
interface Known {
  readonly version: string
  readonly state: BudgetState
}

/**
 * Budgets in PostgreSQL, on its clock, one row a key. A decision is made on what is known about the row and written only if the row is still
 * that; otherwise the answer reports what it is now, and the decision is made again. So a single process needs one statement a trip.
 */
export function createBudgetStore(sql: Sql): SharedBudgetStore {
  const rows = new Map<string, Known>()
  const time = createServerTime()

  /** Null where there is no such row. */
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
      // Known again when it is written: after a failure nobody knows what the row holds.
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
          // Anyone who knows the row as it was finds that it is another one now.
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
/** No row has it, so nothing is written. */
const noRow = ''

/** Whether something has expired is judged by the earliest that the database's clock may show, when something was answered by the latest. */
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

function textOf({ version, state }: Known): string {
  const { blockedUntilMs: _, ...log } = state
  return JSON.stringify({ version, ...log })
}

/** A row that cannot be read counts as an empty budget. */
function parseRow(row: Omit<Row, 'written'>): Known {
  const parsed = budgetLog.safeParse(JSON.parse(row.log ?? 'null'))
  const log = parsed.success ? parsed.data : emptyBudget
  return { version: row.version ?? noVersion, state: { ...log, blockedUntilMs: row.blockedUntilMs ?? 0 } }
}

export interface StoredUse extends BudgetLimit {
  readonly used: number
  readonly blockedUntil: Date | null
}

/** What is used of these budgets; one that nobody calls out of has no entry. */
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

/** The database's clock, as narrowly as trips so far can decide: it was read after the trip began and before its answer came. */
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
      if (now === null) throw new Error('the clock of the database has not been read')
      const least = Math.max(now.least, before?.least ?? -Infinity)
      const most = Math.min(now.most, before?.most ?? Infinity)
      return least <= most ? { earliest: atMs + least, latest: atMs + most } : { earliest: atMs + now.least, latest: atMs + now.most }
    },
  }
}
