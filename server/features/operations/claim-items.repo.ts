import type { Database } from '#server/db/client.ts'
import type { operationItems } from '#server/db/schema/index.ts'
import { isOpen, isUnended, lastPosition } from './update-progress.repo.ts'

/**
 * What so many processes died with is under suspicion, and with it whatever else they tried; from then on it is tried separately, so that only the
 * one at fault takes its process with it.
 */
export const quarantineCrashCount = 3
/** Of which the last three were while nothing else was tried. */
export const maxCrashCount = quarantineCrashCount + 3

/**
 * Items of an open operation in a concurrency key, in one state, in their order. Said as one range of `operation_items_lane`: said column by column, the
 * planner may take the index of the operation instead, and pass by the items of all other concurrency keys each time.
 */
const ofKey = (lane: string, state: 'pending' | 'waiting') =>
  `(i.lane, i.state, i.operation_id, i.position) > (${lane}, '${state}', open.id, -1)
    and (i.lane, i.state, i.operation_id, i.position) <= (${lane}, '${state}', open.id, open.last) and i.deaths < ${quarantineCrashCount}`
const inOrder = 'order by i.lane, i.state, i.operation_id, i.position'

export interface DueKey {
  readonly lane: string
  /** Who has begun the operation that is next in it. */
  readonly actorId: string | null
}

/**
 * Concurrency keys with something to do now, those of urgent operations first; people take turns, so that one with thousands of accounts holds up nobody else.
 * Looks at each concurrency key once, however many items it has.
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

export type ClaimedItem = Pick<
  typeof operationItems.$inferSelect,
  'operationId' | 'position' | 'zoneId' | 'accountId' | 'name' | 'plan' | 'attempts'
> & {
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

/** Takes up to `limit` items of each concurrency key for its worker: from now on they are written down as being tried. Answers concurrency key by concurrency key. */
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

/** Whether something is to be tried separately now. */
export async function hasDueQuarantined({ sql }: Database): Promise<boolean> {
  const [row] = await sql.unsafe<{ due: boolean }[]>(`select exists(${dueQuarantined('0')}) as due`)
  return row?.due === true
}

/**
 * Takes one that is to be tried separately, of whichever concurrency key. Null where there is none. Those with the fewest deaths first: what is killed from
 * outside hits another one each time, what kills comes back to itself.
 */
export async function claimQuarantined({ sql }: Database, worker: number): Promise<ClaimedItem | null> {
  const [item] = await sql.unsafe<ClaimedItem[]>(
    `with due as (${dueQuarantined('$1::int')} order by i.deaths, o.priority desc, o.id, i.position limit 1 for update of i skip locked) ${asTried}`,
    [worker] as never[],
  )
  return item ?? null
}
