import { eq } from 'drizzle-orm'
import type { Database } from '#server/db/client.ts'
import { operations } from '#server/db/schema/index.ts'
import { redirect } from '#shared/features/redirects/schema.ts'
import type { Redirect } from '#shared/features/redirects/schema.ts'
import type { PlanZone } from '../planned.ts'

export async function findResult({ sql }: Database, operationId: string, position: number): Promise<unknown> {
  const [row] = await sql<{ result: unknown }[]>`
    select result from operation_items where operation_id = ${operationId} and position = ${position}`
  return row?.result ?? null
}

/** What these items of an operation planned, and their results, by position. */
export async function listPlannedWork({ sql }: Database, operationId: string, positions: readonly number[]) {
  const rows = await sql<{ position: number; plan: unknown; result: unknown }[]>`
    select position, plan, result from operation_items where operation_id = ${operationId} and position = any(${[...positions]}::int[])`
  return new Map(rows.map(({ position, plan, result }) => [position, { plan, result }]))
}

/** Which of the redirects with these sources an operation is going to remove from the list of the account. */
export async function listOpenRemovals(
  { sql }: Database,
  { operationId, accountId, sources }: { readonly operationId: string; readonly accountId: string; readonly sources: readonly string[] },
): Promise<Redirect[]> {
  const rows = await sql<{ removed: unknown }[]>`
    select removed from operation_items i, jsonb_array_elements(i.plan -> 'work' -> 'redirects' -> 'deletes') removed
    where i.operation_id = ${operationId} and i.account_id = ${accountId} and i.zone_id is null
      and i.state in ('pending', 'waiting', 'running') and removed ->> 'source' = any(${[...sources]}::text[])`
  return rows.map(({ removed }) => redirect.parse(removed))
}

/** Null before the operation is started. */
export async function findStart({ orm }: Database, operationId: string): Promise<Date | null> {
  const [row] = await orm.select({ startedAt: operations.startedAt }).from(operations).where(eq(operations.id, operationId))
  return row?.startedAt ?? null
}

/** The results of an operation's done items, by position. */
export async function listResults({ sql }: Database, operationId: string): Promise<Map<number, unknown>> {
  const rows = await sql<{ position: number; result: unknown }[]>`
    select position, result from operation_items where operation_id = ${operationId} and state = 'done'`
  return new Map(rows.map(({ position, result }) => [position, result]))
}

export async function findProfileId({ sql }: Database, domainId: string): Promise<string | null> {
  const [row] = await sql<{ profileId: string }[]>`select profile_id from zone_profiles where zone_id = ${domainId}`
  return row?.profileId ?? null
}

/** Does nothing if the profile was deleted. */
export async function saveProfileId({ sql }: Database, domainId: string, profileId: string): Promise<void> {
  await sql`
    insert into zone_profiles (zone_id, profile_id) select ${domainId}, id from profiles where id = ${profileId} on conflict do nothing`
}

export async function markUndoneAt({ sql }: Database, operationId: string, position: number): Promise<void> {
  await sql`
    update operation_items set state = 'undone' where operation_id = ${operationId} and position = ${position} and state = 'done'`
}

/** An item that ended early keeps its state, but nothing of it is left to undo. */
export async function markRestUndone({ sql }: Database, operationId: string, position: number): Promise<void> {
  await sql`
    update operation_items set result = null
    where operation_id = ${operationId} and position = ${position} and state in ('failed', 'cancelled', 'skipped')`
}

interface DeletedZone extends Pick<PlanZone, 'ownerId' | 'accountId' | 'accountEmail' | 'lane' | 'name'> {
  readonly position: number
  readonly result: unknown
  /** The domain was added again in the meantime. */
  readonly there: boolean
}

/** Completed deletions with the current account; those of removed accounts are left out. */
export async function listDeleted({ sql }: Database, operationId: string, positions: readonly number[]): Promise<DeletedZone[]> {
  return sql<DeletedZone[]>`
    select i.position, i.name, i.result, a.owner_id as "ownerId", a.id as "accountId", a.email as "accountEmail",
      coalesce(a.provider_user_id, a.id::text) as lane,
      exists (select 1 from zones z where z.owner_id = a.owner_id and z.name = i.name and z.gone_at is null) as there
    from operation_items i join accounts a on a.id = i.account_id
    where i.operation_id = ${operationId} and i.state = 'done' and i.position = any(${[...positions]}::int[])
    order by i.name, i.position`
}

interface CreatedZone extends Pick<PlanZone, 'id' | 'ownerId' | 'accountId' | 'accountEmail' | 'lane' | 'name'> {
  readonly position: number
  readonly records: number | null
  /** It did not exist before the operation tried to add it. */
  readonly own: boolean
  /** Changes made since by others, not counting a registrar found by name. */
  readonly changes: number
  /** Its name servers were set at the registrar. */
  readonly delegated: boolean
}

/**
 * Zones of a creation that still exist. `own` is true only if neither the panel nor the provider had the zone before; the provider's clock
 * may differ by some minutes.
 */
export async function listCreated({ sql }: Database, operationId: string, positions: readonly number[]): Promise<CreatedZone[]> {
  return sql<CreatedZone[]>`
    select i.position, z.id, z.name, z.owner_id as "ownerId", a.id as "accountId", a.email as "accountEmail",
      coalesce(a.provider_user_id, a.id::text) as lane, z.records_count as records,
      z.created_at >= i.started_at and coalesce(z.provider_created_at, z.created_at) >= o.created_at - interval '5 minutes' as own,
      (select count(*)::int from zone_changes c where c.zone_id = z.id and c.batch_id is distinct from o.id
        and not (c.source = 'outside' and c.key = 'registrar')) as changes,
      jsonb_path_exists(i.plan, '$.called[*].lane ? (@ starts with "registrar ")') as delegated
    from operation_items i join operations o on o.id = i.operation_id
      join zones z on z.id = (i.result->>'zoneId')::uuid join accounts a on a.id = z.account_id
    where i.operation_id = ${operationId} and i.position = any(${[...positions]}::int[])
    order by z.name, z.id`
}

export async function countChanges({ sql }: Database, domainId: string, operationId: string): Promise<number> {
  const [row] = await sql<{ n: number }[]>`
    select count(*)::int as n from zone_changes where zone_id = ${domainId} and batch_id is distinct from ${operationId}::uuid
      and not (source = 'outside' and key = 'registrar')`
  return row?.n ?? 0
}
