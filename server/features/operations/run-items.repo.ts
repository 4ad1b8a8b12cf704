import { eq, inArray, sql } from 'drizzle-orm'
import type { Database, Queryable } from '#server/db/client.ts'
import { toJson } from '#server/db/to-json.ts'
import { operations, users } from '#server/db/schema/index.ts'
import { endWorker, hungSeconds } from '#server/platform/worker-identity.repo.ts'
import type { ItemState, OperationState } from '#shared/features/operations/schema.ts'
import type { ItemAccount } from './planned.ts'

/** The lock that a worker holds as long as it lives. */
export const workerLock = (worker: number) => `operations worker ${worker}`
const dueStates = `('queued', 'running', 'waiting')`
/**
 * A try that was broken off says nothing against its item: the worker died, was stopped, or was told to come later. It counts as no further
 * try, and still as one, so that the next one looks first.
 */
const brokenOff = 'case when i.attempts > 1 then i.attempts - 1 else i.attempts end'
/**
 * What so many processes died with is under suspicion, and with it whatever else they tried; from then on it is tried alone, so that only the
 * one at fault takes its process with it.
 */
export const suspectDeaths = 3
/** Of which the last three were while nothing else was tried. */
export const givenUpDeaths = suspectDeaths + 3
/** Also those that were cancelled while some of their items were being tried: what became of those is still to be found out. */
const isUnended = `(o.state in ${dueStates} or (o.state = 'cancelled' and o.finished_at is null))`
/** Those that work may be done on now. */
const isOpen = `${isUnended} and (o.scheduled_at is null or o.scheduled_at <= now())`
/** The last position that may be tried: of those that were not left out from the start, as many as run first. */
const lastPosition = `case when o.canary is null then 2147483647 else coalesce((select first.position from operation_items first
  where first.operation_id = o.id and not (first.state = 'skipped' and first.started_at is null)
  order by first.position offset o.canary - 1 limit 1), 2147483647) end`
export const noneOfTheFirstLeft = `not exists (select from operation_items i
  where i.operation_id = o.id and i.state in ('pending', 'running', 'waiting') and i.position <= ${lastPosition})`

/**
 * Items of an open operation in a lane, in one state, in their order. Said as one range of `operation_items_lane`: said column by column, the
 * planner may take the index of the operation instead, and pass by the items of all other lanes each time.
 */
const ofLane = (lane: string, state: 'pending' | 'waiting') =>
  `(i.lane, i.state, i.operation_id, i.position) > (${lane}, '${state}', open.id, -1)
    and (i.lane, i.state, i.operation_id, i.position) <= (${lane}, '${state}', open.id, open.last) and i.deaths < ${suspectDeaths}`
const inOrder = 'order by i.lane, i.state, i.operation_id, i.position'

export interface DueLane {
  readonly lane: string
  /** Who has begun the operation that is next in it. */
  readonly actorId: string | null
}

/**
 * Lanes with something to do now, those of urgent operations first; people take turns, so that one with thousands of accounts holds up nobody else.
 * Looks at each lane once, however many items it has.
 */
export async function listDueLanes({ sql }: Database): Promise<readonly DueLane[]> {
  return sql.unsafe<DueLane[]>(
    `with recursive open as materialized (select o.id, o.actor_id, o.priority, ${lastPosition} as last from operations o where ${isOpen}),
    lanes as (
      (select lane from operation_items where exists (select from open) order by lane limit 1)
      union all
      select (select i.lane from operation_items i where i.lane > lanes.lane order by i.lane limit 1) from lanes where lanes.lane is not null
    )
    select due.lane, due.actor_id from (
      select lanes.lane, next.*, row_number() over (partition by next.actor_id order by next.priority desc, next.id, lanes.lane) as turn
      from lanes cross join lateral (
      select open.actor_id, open.priority, open.id from open where exists (
        select from operation_items i where ${ofLane('lanes.lane', 'pending')}
      ) or exists (
        select from operation_items i where ${ofLane('lanes.lane', 'waiting')} and i.wait_until <= now()
      ) order by open.priority desc, open.id limit 1
      ) next
    ) due order by due.priority desc, due.turn, due.id limit 500`,
  )
}

/** When the next waiting item or scheduled operation is due, in milliseconds from now; null when none is. */
export async function findNextDueMs({ sql }: Database): Promise<number | null> {
  const [row] = await sql.unsafe<{ ms: number | null }[]>(
    `select ceil(extract(epoch from min(at) - now()) * 1000)::float8 as ms from (
      select min(i.wait_until) as at from operations o join operation_items i on i.operation_id = o.id
        where ${isUnended} and i.state = 'waiting'
      union all select min(o.scheduled_at) from operations o where o.state = 'queued' and o.scheduled_at > now()
    ) next`,
  )
  return row?.ms ?? null
}

export interface ClaimedItem {
  readonly operationId: string
  readonly position: number
  readonly zoneId: string | null
  readonly accountId: string
  readonly name: string
  readonly plan: unknown
  readonly attempts: number
  readonly worker: number
}

const asTried = `update operation_items i set state = 'running', worker = due.worker, attempts = i.attempts + 1, started_at = coalesce(i.started_at, now()),
      wait_until = null, code = null, provider_code = null, message = null
    from due where i.operation_id = due.operation_id and i.position = due.position
    returning i.operation_id, i.position, i.zone_id, i.account_id, i.name, i.plan, i.attempts, i.worker`

export interface Claim {
  readonly lane: string
  readonly worker: number
  readonly limit: number
}

/** Takes up to `limit` items of each lane for its worker: from now on they are written down as being tried. Answers lane by lane. */
export async function claimItems({ sql }: Database, claims: readonly Claim[]): Promise<ClaimedItem[][]> {
  const rows = await sql.unsafe<(ClaimedItem & { lane: string })[]>(
    `with open as materialized (
      select o.id, o.priority, ${lastPosition} as last from operations o where ${isOpen} order by o.priority desc, o.id
    ),
    due as (
      select next.operation_id, next.position, asked.worker
      from unnest($1::text[], $2::int[], $3::int[]) as asked (lane, worker, most) cross join lateral (
        select these.operation_id, these.position from open cross join lateral (
          select * from (
            select i.operation_id, i.position from operation_items i
            where ${ofLane('asked.lane', 'waiting')} and i.wait_until <= now()
            ${inOrder} limit asked.most for update skip locked
          ) waited
          union all
          select * from (
            select i.operation_id, i.position from operation_items i
            where ${ofLane('asked.lane', 'pending')}
            ${inOrder} limit asked.most for update skip locked
          ) pending
        ) these limit asked.most
      ) next
    )
    ${asTried}, i.lane`,
    [claims.map(({ lane }) => lane), claims.map(({ worker }) => worker), claims.map(({ limit }) => limit)] as never[],
    { prepare: true },
  )
  const byLane = Map.groupBy(rows, ({ lane }) => lane)
  return claims.map(({ lane }) => byLane.get(lane) ?? [])
}

const dueSuspects = (
  worker: string,
) => `select i.operation_id, i.position, ${worker} as worker from operation_items i join operations o on o.id = i.operation_id
  where i.deaths >= ${suspectDeaths} and (i.state = 'pending' or (i.state = 'waiting' and i.wait_until <= now()))
    and ${isOpen} and i.position <= ${lastPosition}`

/** Whether something is to be tried alone now. */
export async function hasDueSuspect({ sql }: Database): Promise<boolean> {
  const [row] = await sql.unsafe<{ due: boolean }[]>(`select exists(${dueSuspects('0')}) as due`)
  return row?.due === true
}

/**
 * Takes one that is to be tried alone, of whichever lane. Null where there is none. Those with the fewest deaths first: what is killed from
 * outside hits another one each time, what kills comes back to itself.
 */
export async function claimSuspect({ sql }: Database, worker: number): Promise<ClaimedItem | null> {
  const [item] = await sql.unsafe<ClaimedItem[]>(
    `with due as (${dueSuspects('$1::int')} order by i.deaths, o.priority desc, o.id, i.position limit 1 for update of i skip locked) ${asTried}`,
    [worker] as never[],
  )
  return item ?? null
}

export interface Written {
  readonly operation_id: string
  readonly position: number
  readonly state: ItemState
  readonly result: unknown
  readonly code: string | null
  readonly provider_code: string | null
  readonly message: string | null
  readonly wait_seconds: number | null
}

/** Writes what became of items; only of those that this worker still holds (`is true`: found by their place, not by state, of which there are many). */
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

/** Where an item is, and who holds it. */
export interface HeldItem {
  readonly operationId: string
  readonly position: number
  readonly worker: number
}

/** How far an item has come while it is tried; it stays until a later try says otherwise. */
export async function noteProgress(db: Queryable, { operationId, position, worker }: HeldItem, progress: object): Promise<void> {
  await db.execute(sql`
    update operation_items set result = ${JSON.stringify(progress)}::text::jsonb
    where operation_id = ${operationId}::uuid and position = ${position} and worker = ${worker} and state = 'running'`)
}

/** Ends what is left of an account in an operation, for the reason that stopped one of its items. */
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

/** What a worker that lost an item says of its account is of the past. */
const stillHeld = (sql: Database['sql'], { operationId, position, worker }: ClaimedItem) => sql`
  exists (select from operation_items mine
    where mine.operation_id = ${operationId} and mine.position = ${position} and mine.worker = ${worker} and mine.state = 'running')`

/**
 * Moves an item, and what is left of its account in the operation, to another account; there it is tried as if for the first time.
 * Why is written into each plan. Items that were meant for their account alone stay.
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

/** As what an item `i` is counted: one that is done but for what a person has to do is told apart from the others. */
export const countedState = `case when i.state = 'done' and i.code is not null then 'attention' else i.state::text end`

/**
 * Sums the items up, those that an undo takes back too, and moves the operation's state on. One of which some run first pauses when those have ended.
 * Whoever looks is told of those returned.
 */
export async function settleOperations(
  { sql }: Database,
  ids: readonly string[],
): Promise<{ id: string; ownerId: string; state: OperationState }[]> {
  if (ids.length === 0) return []
  return sql.begin(async (tx) => {
    // Counted by a statement of its own, after whoever changes an operation has committed: sums that were made before would be written over that change.
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

/** Ends an operation of which nothing is left to be tried. No item of it will ever call for that. */
export async function endEmpty(db: Queryable, id: string): Promise<void> {
  await db.execute(sql`
    update operations o set state = 'done', started_at = coalesce(o.started_at, now()), finished_at = now()
    where o.id = ${id} and o.state in ${sql.raw(dueStates)} and not ${sql.raw(hasOpenItems)}`)
}

/** Operations that have not ended, though nothing of them is left: the process died that was to sum them up. */
export async function listEmpty({ sql }: Database): Promise<string[]> {
  return (await sql.unsafe<{ id: string }[]>(`select o.id from operations o where ${isUnended} and not ${hasOpenItems}`)).map(
    ({ id }) => id,
  )
}

/**
 * Ends the items of a cancelled operation that were never tried. The operation ends with them, unless some may have taken effect: those are looked at first.
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

/** Operations that are over and have items that are not: always none. */
export async function countUnendedItems({ sql }: Database): Promise<number> {
  const [row] = await sql.unsafe<{ n: number }[]>(
    `select count(*)::int as n from operations o where o.state in ('done', 'cancelled') and o.finished_at is not null and ${hasOpenItems}`,
  )
  return row?.n ?? 0
}

/** Takes up what an earlier version cancelled and left without an end. */
export async function reopenCancelled({ sql }: Database): Promise<void> {
  await sql.unsafe(
    `update operations o set finished_at = null where o.state = 'cancelled' and o.finished_at is not null and ${hasOpenItems}`,
  )
}

/** Since the last of its items ended, an operation that goes on now has rested. */
export async function addRest(db: Queryable, id: string): Promise<void> {
  await db.execute(sql`
    update operations o set rested_seconds = o.rested_seconds + coalesce(greatest(0, extract(epoch from now() -
      (select max(i.finished_at) from operation_items i where i.operation_id = o.id)))::int, 0)
    where o.id = ${id}`)
}

/** Lets all of an operation run, where those that were to run first have ended. */
export async function endCanary(db: Queryable, id: string): Promise<void> {
  await db.execute(
    sql`update operations o set canary = null where o.id = ${id} and o.canary is not null and ${sql.raw(noneOfTheFirstLeft)}`,
  )
}

/**
 * Gives back what workers held that are no more: dead, or hung for so long that they have lost it. What too many of them died with fails instead.
 * The sessions of those that hang end although they hold no item: with them go the locks of their syncs, of monitoring and of bots.
 * `own` are those of this process that still work, `lived` all that it was: it lost its connection and did not die.
 * @returns what was touched, and whether somebody may be dead for whom it is too early to tell
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
      const givenUp = tx`i.deaths + ${died} >= ${givenUpDeaths}`
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

/** Gives back what this worker may hold of a lane without knowing it: the answer to a claim was lost. */
export async function releaseLane({ sql }: Database, worker: number, lane: string): Promise<void> {
  await sql`
    update operation_items i set state = 'pending', worker = null, attempts = ${sql.unsafe(brokenOff)}
    where lane = ${lane} and state = 'running' and worker = ${worker} and deaths < ${suspectDeaths}`
}

/** As `releaseLane`, of those that are tried alone. */
export async function releaseSuspects({ sql }: Database, worker: number): Promise<void> {
  await sql`
    update operation_items i set state = 'pending', worker = null, attempts = ${sql.unsafe(brokenOff)}
    where state = 'running' and worker = ${worker} and deaths >= ${sql.unsafe(String(suspectDeaths))}`
}

export type RunningOperation = Awaited<ReturnType<typeof listRunning>>[number]

/** The operations' inputs, and who asked for them with the role they have now. */
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
