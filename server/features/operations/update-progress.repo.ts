import { sql } from 'drizzle-orm'
import type { Database, Queryable } from '#server/db/client.ts'
import type { OperationState } from '#shared/features/operations/schema.ts'

const dueStates = `('queued', 'running', 'waiting')`
/** Includes cancelled operations with items in progress, whose effect must still be determined. */
export const isUnended = `(o.state in ${dueStates} or (o.state = 'cancelled' and o.finished_at is null))`
/** Operations that may be worked on now. */
export const isOpen = `${isUnended} and (o.scheduled_at is null or o.scheduled_at <= now())`
/** The last position that may be tried: the canary count applied to the items that were not excluded from the start. */
export const lastPosition = `case when o.canary is null then 2147483647 else coalesce((select first.position from operation_items first
  where first.operation_id = o.id and not (first.state = 'skipped' and first.started_at is null)
  order by first.position offset o.canary - 1 limit 1), 2147483647) end`
export const noneOfTheFirstLeft = `not exists (select from operation_items i
  where i.operation_id = o.id and i.state in ('pending', 'running', 'waiting') and i.position <= ${lastPosition})`

/** The state under which an item `i` is counted: done items that need manual work are counted separately. */
export const countedState = `case when i.state = 'done' and i.code is not null then 'attention' else i.state::text end`

/**
 * Counts the items, including those that an undo reverted, and updates the operation's state. An operation with a canary pauses when those
 * items have ended. Returns the operations to publish.
 */
export async function updateProgress(
  { sql }: Database,
  ids: readonly string[],
): Promise<{ id: string; ownerId: string; state: OperationState }[]> {
  if (ids.length === 0) return []
  return sql.begin(async (tx) => {
    // Counted in a separate statement after locking the rows: counts computed before a concurrent change would overwrite it.
    const locked = await tx.unsafe<{ id: string }[]>(
      `select id from operations where id = any($1::uuid[]) or id in (select undo_of from operations where id = any($1::uuid[]))
      order by id for no key update`,
      [ids] as never[],
      { prepare: true },
    )
    return tx.unsafe(
      `with summed as materialized (select o.id, ${lastPosition} as last from operations o where o.id = any($1::uuid[])),
      grouped as (
        select summed.id, ${countedState} as state, count(*)::int as n, (count(*) filter (where i.position <= summed.last))::int as first
        from summed join operation_items i on i.operation_id = summed.id group by 1, 2
      ),
      counted as (
        select id, jsonb_object_agg(state, n) as counts,
          coalesce(sum(n) filter (where state in ('pending', 'running', 'waiting')), 0) as left_over,
          coalesce(sum(first) filter (where state in ('pending', 'running', 'waiting')), 0) as first_left,
          coalesce(sum(first) filter (where state in ('pending', 'running')), 0) as first_active
        from grouped group by 1
      )
      update operations o set counts = c.counts,
        started_at = coalesce(o.started_at, (select min(i.started_at) from operation_items i where i.operation_id = o.id), now()),
        state = case when o.state not in ${dueStates} then o.state when c.left_over = 0 then 'done'
          when o.canary is not null and c.first_left = 0 then 'paused' when c.first_active = 0 then 'waiting' else 'running' end::operation_state,
        finished_at = case when c.left_over = 0 then
          coalesce(o.finished_at, (select max(i.finished_at) from operation_items i where i.operation_id = o.id), now()) end
      from counted c where c.id = o.id returning o.id, o.owner_id, o.state`,
      [locked.map(({ id }) => id)] as never[],
      { prepare: true },
    )
  })
}

const hasOpenItems = `exists (select from operation_items i where i.operation_id = o.id and i.state in ('pending', 'running', 'waiting'))`

/** Whether any of its items was ever tried. */
export async function hasStarted(db: Queryable, id: string): Promise<boolean> {
  const rows = await db.execute(sql`select 1 from operation_items where operation_id = ${id} and started_at is not null limit 1`)
  return rows.length > 0
}

/** Ends an operation with nothing left to try, since no item of it will trigger an update. */
export async function endEmpty(db: Queryable, id: string): Promise<void> {
  await db.execute(sql`
    update operations o set state = 'done', started_at = coalesce(o.started_at, now()), finished_at = now()
    where o.id = ${id} and o.state in ${sql.raw(dueStates)} and not ${sql.raw(hasOpenItems)}`)
}

/** Unfinished operations without open items: their process died before updating the progress. */
export async function listEmpty({ sql }: Database): Promise<string[]> {
  return (await sql.unsafe<{ id: string }[]>(`select o.id from operations o where ${isUnended} and not ${hasOpenItems}`)).map(
    ({ id }) => id,
  )
}

/**
 * Ends the untried items of a cancelled operation. The operation ends with them, unless others may have taken effect: those are checked
 * first.
 */
export async function stopItems(db: Queryable, id: string): Promise<void> {
  await db.execute(sql`
    update operation_items set wait_until = null,
      state = case when started_at is null then 'cancelled' else 'pending' end::operation_item_state,
      finished_at = case when started_at is null then now() end
    where operation_id = ${id} and state in ('pending', 'waiting')`)
  await db.execute(sql`
    update operations o set finished_at = case when not exists (
        select from operation_items i where i.operation_id = o.id and i.state in ('pending', 'running', 'waiting')) then now() end,
      counts = coalesce((select jsonb_object_agg(state, n) from (
        select ${sql.raw(countedState)} as state, count(*)::int as n from operation_items i where operation_id = ${id} group by 1) s), '{}')
    where o.id = ${id}`)
}

/** Items not ended in operations that are; must always be 0. */
export async function countUnendedItems({ sql }: Database): Promise<number> {
  const [row] = await sql.unsafe<{ n: number }[]>(
    `select count(*)::int as n from operations o where o.state in ('done', 'cancelled') and o.finished_at is not null and ${hasOpenItems}`,
  )
  return row?.n ?? 0
}

/** Reopens operations that an earlier version cancelled and left unfinished. */
export async function reopenCancelled({ sql }: Database): Promise<void> {
  await sql.unsafe(
    `update operations o set finished_at = null where o.state = 'cancelled' and o.finished_at is not null and ${hasOpenItems}`,
  )
}

/** Adds the time since the last item ended to the operation's rest time, when it continues. */
export async function addRest(db: Queryable, id: string): Promise<void> {
  await db.execute(sql`
    update operations o set rested_seconds = o.rested_seconds + coalesce(greatest(0, extract(epoch from now() -
      (select max(i.finished_at) from operation_items i where i.operation_id = o.id)))::int, 0)
    where o.id = ${id}`)
}

/** Removes the canary limit if those items have ended. */
export async function endCanary(db: Queryable, id: string): Promise<void> {
  await db.execute(
    sql`update operations o set canary = null where o.id = ${id} and o.canary is not null and ${sql.raw(noneOfTheFirstLeft)}`,
  )
}
