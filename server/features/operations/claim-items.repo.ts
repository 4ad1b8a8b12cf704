import type { Database } from '#server/db/client.ts'
import type { operationItems } from '#server/db/schema/index.ts'
import { isOpen, isUnended, lastPosition } from './update-progress.repo.ts'

/**
 * An item under which this many processes died is quarantined, together with everything else they were trying. Quarantined items run one at
 * a time, so that only the poison item takes its process down.
 */
export const quarantineCrashCount = 3
/** The last three of them happened while nothing else was being tried. */
export const maxCrashCount = quarantineCrashCount + 3

/**
 * Items of an open operation with one concurrency key and state, in order. Written as one range of `operation_items_lane`: with a condition
 * per column the planner may choose the index of the operation and scan the items of all other keys each time.
 */
const ofKey = (lane: string, state: 'pending' | 'waiting') =>
  `(i.lane, i.state, i.operation_id, i.position) > (${lane}, '${state}', open.id, -1)
    and (i.lane, i.state, i.operation_id, i.position) <= (${lane}, '${state}', open.id, open.last) and i.deaths < ${quarantineCrashCount}`
const inOrder = 'order by i.lane, i.state, i.operation_id, i.position'

export interface DueKey {
  readonly lane: string
  /** The actor of the next operation in this key. */
  readonly actorId: string | null
}

/**
 * Concurrency keys with due items, urgent operations first. Users take turns, so that one with thousands of accounts does not delay the
 * others. Visits each key once, however many items it has.
 */
export async function listDueKeys({ sql }: Database): Promise<readonly DueKey[]> {
  return sql.unsafe<DueKey[]>(
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
        select from operation_items i where ${ofKey('lanes.lane', 'pending')}
      ) or exists (
        select from operation_items i where ${ofKey('lanes.lane', 'waiting')} and i.wait_until <= now()
      ) order by open.priority desc, open.id limit 1
      ) next
    ) due order by due.priority desc, due.turn, due.id limit 500`,
  )
}

/** Milliseconds until the next waiting item or scheduled operation is due; null when there is none. */
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

export type ClaimedItem = Pick<
  typeof operationItems.$inferSelect,
  'operationId' | 'position' | 'domainId' | 'accountId' | 'name' | 'plan' | 'attempts'
> & {
  /** When its first attempt began. */
  readonly startedAt: Date | string
  readonly worker: number
}

const asTried = `update operation_items i set state = 'running', worker = due.worker, attempts = i.attempts + 1, started_at = coalesce(i.started_at, now()),
      wait_until = null, code = null, provider_code = null, message = null
    from due where i.operation_id = due.operation_id and i.position = due.position
    returning i.operation_id, i.position, i.zone_id, i.account_id, i.name, i.plan, i.attempts, i.worker, i.started_at`

export interface Claim {
  readonly lane: string
  readonly worker: number
  readonly limit: number
}

/** Claims up to `limit` items of each concurrency key for its worker and marks them as running. Returns one list per claim. */
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
            where ${ofKey('asked.lane', 'waiting')} and i.wait_until <= now()
            ${inOrder} limit asked.most for update skip locked
          ) waited
          union all
          select * from (
            select i.operation_id, i.position from operation_items i
            where ${ofKey('asked.lane', 'pending')}
            ${inOrder} limit asked.most for update skip locked
          ) pending
        ) these limit asked.most
      ) next
    )
    ${asTried}, i.lane`,
    [claims.map(({ lane }) => lane), claims.map(({ worker }) => worker), claims.map(({ limit }) => limit)] as never[],
    { prepare: true },
  )
  const byKey = Map.groupBy(rows, ({ lane }) => lane)
  return claims.map(({ lane }) => byKey.get(lane) ?? [])
}

const dueQuarantined = (
  worker: string,
) => `select i.operation_id, i.position, ${worker} as worker from operation_items i join operations o on o.id = i.operation_id
  where i.deaths >= ${quarantineCrashCount} and (i.state = 'pending' or (i.state = 'waiting' and i.wait_until <= now()))
    and ${isOpen} and i.position <= ${lastPosition}`

/** Whether a quarantined item is due. */
export async function hasDueQuarantined({ sql }: Database): Promise<boolean> {
  const [row] = await sql.unsafe<{ due: boolean }[]>(`select exists(${dueQuarantined('0')}) as due`)
  return row?.due === true
}

/**
 * Claims one quarantined item of any concurrency key; null when there is none. Items with the fewest crashes come first: a process killed
 * from outside hits a different item each time, a poison item always hits the same one.
 */
export async function claimQuarantined({ sql }: Database, worker: number): Promise<ClaimedItem | null> {
  const [item] = await sql.unsafe<ClaimedItem[]>(
    `with due as (${dueQuarantined('$1::int')} order by i.deaths, o.priority desc, o.id, i.position limit 1 for update of i skip locked) ${asTried}`,
    [worker] as never[],
  )
  return item ?? null
}
