import { eq, inArray, sql } from 'drizzle-orm'
import type { Database, JsonRow, Queryable } from '#server/db/client.ts'
import { toJson } from '#server/db/client.ts'
import { operations, users } from '#server/db/schema/index.ts'
import type { operationItems } from '#server/db/schema/index.ts'
import { endWorker, hungSeconds } from '#server/platform/worker-identity.repo.ts'
import type { ItemState } from '#shared/features/operations/schema.ts'
import { maxCrashCount, quarantineCrashCount } from './claim-items.repo.ts'
import type { ClaimedItem } from './claim-items.repo.ts'
import type { ItemAccount } from './planned.ts'

/** The lock that a worker holds for its lifetime. */
export const workerLock = (worker: number) => `operations worker ${worker}`
/**
 * An interrupted attempt (crash, stop or requested delay) does not use up an attempt, but still counts as one, so that the next attempt
 * checks the effect first.
 */
const brokenOff = 'case when i.attempts > 1 then i.attempts - 1 else i.attempts end'
export type Written = JsonRow<
  typeof operationItems,
  'operationId' | 'position' | 'state' | 'result' | 'code' | 'providerCode' | 'message'
> & {
  readonly wait_seconds: number | null
}

/** Writes the outcomes of items that this worker still holds (`is true` makes the planner look them up by position instead of by state). */
export async function writeOutcomes({ sql }: Database, worker: number, outcomes: readonly Written[]): Promise<void> {
  if (outcomes.length === 0) return
  await sql.unsafe(
    `update operation_items i set state = r.state::operation_item_state, result = coalesce(r.result, i.result), code = r.code, provider_code = r.provider_code,
      message = r.message, wait_until = now() + r.wait_seconds * interval '1 second', worker = null,
      attempts = case when r.state = 'pending' or r.code = 'provider_rate_limited' then ${brokenOff} else i.attempts end,
      finished_at = case when r.state in ('pending', 'waiting') then null else now() end
    from json_to_recordset($1::text::json) as r (operation_id uuid, position int, state text, result jsonb, code text, provider_code text,
      message text, wait_seconds float8)
    where i.operation_id = r.operation_id and i.position = r.position and (i.worker = $2 and i.state = 'running') is true`,
    [toJson(outcomes), worker] as never[],
    { prepare: true },
  )
}

/** An item's position and the worker that holds it. */
interface HeldItem {
  readonly operationId: string
  readonly position: number
  readonly worker: number
}

/** Stores the progress of an item during an attempt; it stays until a later attempt replaces it. */
export async function noteProgress(db: Queryable, { operationId, position, worker }: HeldItem, progress: object): Promise<void> {
  await db.execute(sql`
    update operation_items set result = ${JSON.stringify(progress)}::text::jsonb
    where operation_id = ${operationId}::uuid and position = ${position} and worker = ${worker} and state = 'running'`)
}

/** Fails the remaining items of an account in an operation for the reason that stopped one of its items. */
export async function failAccount(
  { sql }: Database,
  item: ClaimedItem,
  why: Pick<Written, 'code' | 'provider_code' | 'message'>,
): Promise<void> {
  await sql`
    update operation_items set state = 'failed', code = ${why.code}, provider_code = ${why.provider_code}, message = ${why.message},
      wait_until = null, finished_at = now()
    where operation_id = ${item.operationId} and account_id = ${item.accountId} and state in ('pending', 'waiting')
      and ${stillHeld(sql, item)}`
}

/** A worker that lost an item no longer decides for its account. */
const stillHeld = (sql: Database['sql'], { operationId, position, worker }: ClaimedItem) => sql`
  exists (select from operation_items mine
    where mine.operation_id = ${operationId} and mine.position = ${position} and mine.worker = ${worker} and mine.state = 'running')`

/**
 * Moves an item and the rest of its account in the operation to another account, where attempts start from 1. The reason is added to each
 * plan. Items for one fixed account stay.
 */
export async function moveAccount(
  { sql }: Database,
  item: ClaimedItem,
  { accountId, accountEmail, lane }: ItemAccount,
  code: string,
): Promise<void> {
  await sql`
    update operation_items set account_id = ${accountId}, account_email = ${accountEmail}, lane = ${lane}, attempts = 0, wait_until = null,
      plan = jsonb_set(plan, '{moved}', coalesce(plan -> 'moved', '[]') || jsonb_build_array(jsonb_build_object(
        'account', account_email, 'accountId', account_id, 'code', ${code}::text, 'at', to_char(now() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'))))
    where operation_id = ${item.operationId} and account_id = ${item.accountId}
      and (position = ${item.position} or (state in ('pending', 'waiting') and plan #>> '{work,named}' is distinct from 'true'))
      and ${stillHeld(sql, item)}`
}

/**
 * Releases the items of workers that died, or hung for so long that they lost them. Items with too many crashes fail instead. The sessions
 * of hung workers are terminated even without items, which frees the locks of their syncs, monitoring and bots. `own` are the active worker
 * ids of this process, `lived` all that it ever had: it lost its connection and did not die.
 * @returns the touched operations, and whether a worker may be dead that cannot be reported yet
 */
export async function releaseDead(
  { sql }: Database,
  own: readonly number[],
  lived: readonly number[],
  hungAfterMs = hungSeconds * 1000,
): Promise<{ released: { operationId: string; position: number; state: ItemState; deaths: number }[]; early: boolean }> {
  const workers = await sql<{ worker: number }[]>`
    select worker from operation_items where state = 'running' and worker <> all(${[...own]}::int[])
    union select worker from workers where kind = 'operations' and worker <> all(${[...own]}::int[])
      and seen_at < now() - ${hungAfterMs} * interval '1 millisecond'`
  const released: { operationId: string; position: number; state: ItemState; deaths: number }[] = []
  let early = false
  for (const { worker } of workers) {
    await sql.begin(async (tx) => {
      if (!(await endWorker(tx, worker, workerLock(worker), hungAfterMs))) {
        early = true
        return
      }
      const died = lived.includes(worker) ? 0 : 1
      const givenUp = tx`i.deaths + ${died} >= ${maxCrashCount}`
      const rows = await tx<typeof released>`
        update operation_items i set worker = null, attempts = ${tx.unsafe(brokenOff)}, deaths = i.deaths + ${died},
          state = case when ${givenUp} then 'failed' else 'pending' end::operation_item_state,
          code = case when ${givenUp} then 'process_died' end, finished_at = case when ${givenUp} then now() end
        where state = 'running' and worker = ${worker} returning operation_id, position, state, deaths`
      released.push(...rows)
    })
  }
  return { released, early }
}

/** Releases items of a concurrency key that this worker may hold without knowing, because the answer to a claim was lost. */
export async function releaseKey({ sql }: Database, worker: number, lane: string): Promise<void> {
  await sql`
    update operation_items i set state = 'pending', worker = null, attempts = ${sql.unsafe(brokenOff)}
    where lane = ${lane} and state = 'running' and worker = ${worker} and deaths < ${quarantineCrashCount}`
}

/** Like `releaseKey`, for quarantined items. */
export async function releaseQuarantined({ sql }: Database, worker: number): Promise<void> {
  await sql`
    update operation_items i set state = 'pending', worker = null, attempts = ${sql.unsafe(brokenOff)}
    where state = 'running' and worker = ${worker} and deaths >= ${sql.unsafe(String(quarantineCrashCount))}`
}

export type RunningOperation = Awaited<ReturnType<typeof listRunning>>[number]

/** Input and actor of operations, with the actor's current role. */
export async function listRunning(db: Database, ids: readonly string[]) {
  return db.orm
    .select({
      id: operations.id,
      ownerId: operations.ownerId,
      kind: operations.kind,
      state: operations.state,
      input: operations.input,
      actorId: operations.actorId,
      actorName: operations.actorName,
      role: users.role,
      disabledAt: users.disabledAt,
    })
    .from(operations)
    .leftJoin(users, eq(users.id, operations.actorId))
    .where(inArray(operations.id, [...ids]))
}
