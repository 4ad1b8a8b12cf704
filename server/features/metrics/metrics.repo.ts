import type { Database } from '#server/db/client.ts'
import { readBudgetUse } from '#server/platform/call-budget.repo.ts'
import type { StoredUse } from '#server/platform/call-budget.repo.ts'
import type { BudgetLimit } from '#server/platform/call-budget.policy.ts'

/** Unfinished operations by state, and their items by state as of the last aggregation; an operation that has not started has its items pending. */
export async function readOperations({ sql }: Database) {
  return sql<{ state: string; operations: number; counts: Readonly<Record<string, number>> }[]>`
    with unfinished as (
      select state::text, case when counts = '{}' then jsonb_build_object('pending', total) else counts end as counts
      from operations where state in ('queued', 'running', 'waiting', 'paused')
    )
    select state, (select count(*)::int from unfinished o where o.state = u.state) as operations,
      (select coalesce(jsonb_object_agg(key, n), '{}') from (
        select key, sum(value::int)::int as n from unfinished o, jsonb_each_text(o.counts) where o.state = u.state group by key) sums) as counts
    from (select distinct state from unfinished) u`
}

/** Probes active within the last minute, by region. */
export async function readProbes({ sql }: Database) {
  return sql<{ region: string; probes: number; lagSeconds: number }[]>`
    select region::text, count(*)::int as probes, max(lag_ms)::float8 / 1000 as lag_seconds
    from probes where seen_at > now() - interval '1 minute' group by region`
}

/** Pending notifications: how many, and how long the oldest has been due. */
export async function readOutbox({ sql }: Database) {
  const [row] = await sql<{ pending: number; lagSeconds: number; failing: number }[]>`
    select count(*)::int as pending,
      coalesce(extract(epoch from now() - min(due_at) filter (where due_at < now())), 0)::float8 as lag_seconds,
      (select count(*) from alert_channels where enabled and failure is not null)::int as failing
    from outbox where state in ('pending', 'sending')`
  return row ?? { pending: 0, lagSeconds: 0, failing: 0 }
}

/** Accounts by health, and the longest delay of a sync. */
export async function readAccounts({ sql }: Database) {
  return sql<{ health: string; accounts: number; lagSeconds: number }[]>`
    select health::text, count(*)::int as accounts,
      greatest(0, extract(epoch from now() - min(next_sync_at)))::float8 as lag_seconds
    from accounts group by health`
}

export async function readDatabase({ sql }: Database) {
  const [row] = await sql<{ sizeBytes: number; connections: Readonly<Record<string, number>> }[]>`
    select pg_database_size(current_database())::float8 as size_bytes,
      (select jsonb_object_agg(state, n) from (
        select coalesce(state, 'unknown') as state, count(*)::int as n from pg_stat_activity
        where datname = current_database() and backend_type = 'client backend' group by 1) states) as connections`
  return row ?? { sizeBytes: 0, connections: {} }
}

export interface BudgetFigures extends StoredUse {
  /** The internal name of the budget. */
  readonly key: string
  /** Id of the first account that uses it; null when the owner is unknown. */
  readonly account: string | null
}

/** Recently used budgets of Cloudflare users, at most `limit`. */
export async function readBudgets({ sql }: Database, configured: BudgetLimit, limit: number): Promise<BudgetFigures[]> {
  const rows = await sql<{ key: string; account: string | null }[]>`
    select key, (select a.id from accounts a where key = 'cloudflare:user:' || a.provider_user_id order by a.id limit 1) as account
    from call_budgets where key like 'cloudflare:%' and updated_at > now() - interval '10 minutes' order by updated_at desc limit ${limit}`
  const uses = await readBudgetUse(
    sql,
    rows.map(({ key }) => key),
    configured,
  )
  return rows.flatMap((row) => {
    const use = uses.get(row.key)
    return use === undefined ? [] : [{ ...row, ...use }]
  })
}
