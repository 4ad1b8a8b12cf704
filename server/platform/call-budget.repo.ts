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

/** Budgets in PostgreSQL, on its clock, one row a key. The row is locked for the time of one decision. */
export function createBudgetStore(sql: Sql): BudgetStore {
  const known = new Set<string>()
  return {
    lease: async (key, limit, request) => {
      const startedAtMs = performance.now()
      for (;;) {
        if (!known.has(key)) {
          if (known.size === 0) await forgetOld(sql)
          await sql`insert into call_budgets (key) values (${key}) on conflict (key) do nothing`
          known.add(key)
        }
        const lease = await decide(sql, key, limit, request, startedAtMs)
        if (lease !== null) return lease
        known.delete(key)
      }
    },
  }
}

/** Budgets that nobody used for a day go. */
async function forgetOld(sql: Sql): Promise<void> {
  await sql`delete from call_budgets where updated_at < now() - interval '1 day'`
}

/** Null where there is no row. */
function decide(sql: Sql, key: string, limit: BudgetLimit, request: LeaseRequest, startedAtMs: number): Promise<Lease | null> {
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
    // The lock may have taken its time: the call whose header is told was sent that much longer ago.
    const waitedMs = performance.now() - startedAtMs
    const heard = request.heard === null ? null : { ...request.heard, sentAgoMs: request.heard.sentAgoMs + waitedMs }
    const { state, lease } = decideLease(parseState(row), row.now_ms, { ...request, heard }, limit)
    const { blockedUntilMs, ...log } = state
    await transaction`
      update call_budgets set log = ${JSON.stringify(log)}::text::jsonb, updated_at = now(),
        blocked_until = to_timestamp(${blockedUntilMs > row.now_ms ? blockedUntilMs / 1000 : null}::float8)
      where key = ${key}`
    return lease
  })
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

function parseState(row: Row): BudgetState {
  const parsed = budgetLog.safeParse(JSON.parse(row.log))
  return { ...(parsed.success ? parsed.data : emptyBudget), blockedUntilMs: row.blocked_until_ms ?? 0 }
}
