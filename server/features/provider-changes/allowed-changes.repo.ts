import { sql } from 'drizzle-orm'
import type { SQL } from 'drizzle-orm'
import { personLabelText } from '#server/db/columns.ts'
import type { Queryable, Transaction } from '#server/db/client.ts'
import { allowedChanges } from '#server/db/schema/index.ts'
import { AppError } from '#shared/errors/app-error.ts'
import type { ChangeKind } from '#shared/features/provider-changes/schema.ts'

export interface AllowedScope {
  readonly ownerId: string
  readonly actor: string
  readonly kind: ChangeKind | null
  readonly accountId: string | null
  readonly groupId: string | null
}

/** Whether the rule allows the change `c`. */
export const matchesRule = ({ ownerId, actor, kind, accountId, groupId }: AllowedScope): SQL => sql`
  c.owner_id = ${ownerId} and c.actor = ${actor}
  ${kind === null ? sql`` : sql`and c.kind = ${kind}`}
  ${accountId === null ? sql`` : sql`and c.account_id = ${accountId}`}
  ${groupId === null ? sql`` : sql`and exists (select from zones z where z.owner_id = c.owner_id and z.zone_id = c.provider_zone_id and z.group_id = ${groupId})`}`

/**
 * Until the transaction ends. A new rule waits for changes that are being stored, and is known to those stored after it, so that none of them is
 * missed.
 */
export async function lockRules(tx: Queryable, ownerId: string, mode: 'shared' | 'exclusive'): Promise<void> {
  const key = sql`hashtextextended(${`allowed changes of ${ownerId}`}, 0)`
  await tx.execute(mode === 'shared' ? sql`select pg_advisory_xact_lock_shared(${key})` : sql`select pg_advisory_xact_lock(${key})`)
}

/** Changes that wait for a review and that the rule would allow, at most `limit`. */
export async function countMatches(db: Queryable, rule: AllowedScope, limit: number): Promise<number> {
  const [row] = await db.execute<{ changes: number }>(sql`
    select count(*)::int as changes from (
      select from provider_changes c where not c.is_own and c.reviewed_at is null and ${matchesRule(rule)} limit ${limit}) c`)
  return row?.changes ?? 0
}

type Selected = AllowedScope & {
  readonly id: string
  readonly reason: string
  readonly createdAt: string
  readonly accountName: string | null
  readonly accountEmail: string | null
  readonly groupName: string | null
  readonly createdBy: string | null
}
export type AllowedChangeRow = Selected

const select = (where: SQL, limit: number) => sql`
  select r.id, r.owner_id as "ownerId", r.actor, r.kind, r.account_id as "accountId", r.group_id as "groupId", r.reason, r.created_at as "createdAt",
    coalesce(nullif(a.name, ''), a.email) as "accountName", a.email as "accountEmail", g.name as "groupName",
    ${sql.raw(personLabelText('u'))} as "createdBy"
  from allowed_changes r left join accounts a on a.id = r.account_id left join groups g on g.id = r.group_id left join users u on u.id = r.created_by
  where ${where} order by r.created_at desc, r.id desc limit ${limit}`

/** Whose rules: all of these people, and those of these accounts and groups; null: everybody's. */
export type RulesScope = { readonly ownerId: string; readonly accountIds: readonly string[]; readonly groupIds: readonly string[] } | null

/** Newest first. */
export async function listRules(db: Queryable, scope: RulesScope, limit: number): Promise<AllowedChangeRow[]> {
  const uuids = (ids: readonly string[]) => sql`any(${sql.param([...ids])}::uuid[])`
  const where =
    scope === null
      ? sql`true`
      : sql`(r.owner_id = ${scope.ownerId} or r.account_id = ${uuids(scope.accountIds)} or r.group_id = ${uuids(scope.groupIds)})`
  return db.execute<Selected & Record<string, unknown>>(select(where, limit))
}

/** @throws AppError not_found */
export async function getRule(db: Queryable, id: string): Promise<AllowedChangeRow> {
  const [row] = await db.execute<Selected & Record<string, unknown>>(select(sql`r.id = ${id}`, 1))
  if (row === undefined) throw new AppError('not_found')
  return row
}

export async function insertRule(tx: Transaction, rule: typeof allowedChanges.$inferInsert): Promise<AllowedChangeRow> {
  const [row] = await tx.insert(allowedChanges).values(rule).returning({ id: allowedChanges.id })
  return getRule(tx, row?.id ?? '')
}

/** False if it is gone. */
export async function deleteRule(tx: Transaction, id: string): Promise<boolean> {
  return (await tx.execute(sql`delete from allowed_changes where id = ${id} returning id`)).length === 1
}

/** Null for an unknown group. */
export async function findGroupOwner(db: Queryable, id: string): Promise<string | null> {
  const [row] = await db.execute<{ ownerId: string }>(sql`select owner_id as "ownerId" from groups where id = ${id}`)
  return row?.ownerId ?? null
}
