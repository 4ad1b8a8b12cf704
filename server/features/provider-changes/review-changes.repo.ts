import { sql } from 'drizzle-orm'
import type { Database, Queryable } from '#server/db/client.ts'
import { matchesRule } from './allowed-changes.repo.ts'
import type { AllowedScope } from './allowed-changes.repo.ts'

/** These changes, those that a rule allows, or all that the panel had read by `until`: of these accounts and all accounts of these people. */
export type ReviewTarget =
  | { readonly ids: readonly string[] }
  | { readonly rule: AllowedScope }
  | { readonly accountIds: readonly string[]; readonly owners: readonly string[]; readonly until: string }

/** How many of the changes exist, and in which accounts. */
export async function listAccountsOfChanges({ sql: query }: Database, ids: readonly string[]) {
  const accounts = await query<{ accountId: string; ownerId: string; changes: number }[]>`
    select account_id, owner_id, count(*)::int as changes from provider_changes where id = any(${[...ids]}::uuid[]) group by account_id, owner_id`
  return { accounts, changes: accounts.reduce((sum, { changes }) => sum + changes, 0) }
}

/** Reviews up to `limit` of them. Returns the accounts with the numbers of changes that were not reviewed before. */
export async function updateReviewed(tx: Queryable, target: ReviewTarget, limit: number) {
  const uuids = (ids: readonly string[]) => sql`any(${sql.param([...ids])}::uuid[])`
  const chosen =
    'ids' in target
      ? sql`id = ${uuids(target.ids)}`
      : 'rule' in target
        ? matchesRule(target.rule)
        : sql`read_at <= ${target.until}::timestamptz and (account_id = ${uuids(target.accountIds)} or owner_id = ${uuids(target.owners)})`
  return tx.execute<{ id: string; ownerId: string; email: string; reviewed: number }>(sql`
    with reviewed as (
      update provider_changes set reviewed_at = now(), is_allowed = ${'rule' in target}
      where id in (select id from provider_changes c where not is_own and reviewed_at is null and ${chosen} order by id limit ${limit})
      returning account_id
    )
    select a.id, a.owner_id as "ownerId", a.email, r.reviewed
    from (select account_id, count(*)::int as reviewed from reviewed group by account_id) r join accounts a on a.id = r.account_id order by a.id`)
}
