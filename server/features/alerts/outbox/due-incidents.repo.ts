import { sql } from 'drizzle-orm'
import type { Database, Queryable, Transaction, RawRow } from '#server/db/client.ts'
import type { incidents } from '#server/db/schema/index.ts'
import { causeStart } from '#shared/features/monitoring/cause.ts'
import { allNotices } from '#shared/features/monitoring/schema.ts'
import type { Notices, QuietHours, Reason } from '#shared/features/monitoring/schema.ts'
import type { Part } from './message.ts'
import type { Window } from './notice.policy.ts'
import { occurrencesOf } from '../occurrences.policy.ts'
import { listWindowsAfter, readRepeat } from '../windows.repo.ts'

const at = (ms: number) => new Date(ms).toISOString()

/** Owners of incidents whose start or end is due for processing. */
export async function listDueOwners(
  { sql: pool }: Database,
  due: { readonly openedBefore: number; readonly closedBefore: number },
): Promise<string[]> {
  const rows = await pool<{ ownerId: string }[]>`
    select owner_id from incidents where open_taken_at is null and coalesce(held_until, opened_at) <= ${at(due.openedBefore)}::timestamptz
    union
    select owner_id from incidents where closed_at is not null and close_taken_at is null and open_taken_at is not null
      and closed_at <= ${at(due.closedBefore)}::timestamptz`
  return rows.map(({ ownerId }) => ownerId)
}

/** One process at a time per owner; false: another one is processing it. */
export async function tryLockOwner(tx: Transaction, ownerId: string): Promise<boolean> {
  const [row] = await tx.execute<{ free: boolean }>(
    sql`select pg_try_advisory_xact_lock(hashtextextended(${`alerts ${ownerId}`}, 0)) as free`,
  )
  return row?.free === true
}

export interface AlertSettings {
  readonly notices: Notices
  readonly quietHours: QuietHours | null
  /** Overrides by group. */
  readonly byGroup: ReadonlyMap<string, Partial<Notices>>
}

/** Null: the owner has disabled monitoring, so nothing is reported. */
export async function findAlertSettings(db: Queryable, ownerId: string): Promise<AlertSettings | null> {
  const [row] = await db.execute<{
    notices: Partial<Notices>
    quietHours: QuietHours | null
    overrides: Record<string, Partial<Notices>> | null
  }>(sql`
    select s.notices, s.quiet_hours,
      (select jsonb_object_agg(o.group_id, o.override -> 'notices') from monitor_overrides o join groups g on g.id = o.group_id
        where g.owner_id = s.owner_id and o.override ? 'notices') as overrides
    from monitor_settings s where s.owner_id = ${ownerId}::uuid`)
  if (row === undefined) return null
  return { notices: { ...allNotices, ...row.notices }, quietHours: row.quietHours, byGroup: new Map(Object.entries(row.overrides ?? {})) }
}

export type DueIncident = RawRow<
  typeof incidents,
  'id' | 'domainId' | 'accountId' | 'groupId' | 'name' | 'cause' | 'openedAt' | 'closedAt' | 'told'
> & {
  health: 'warnings' | 'critical'
  reasons: Reason[]
  mutedUntil: string | null
  endedMuted: boolean
  notifiedRecently: boolean
  /** It was held back before. */
  held: boolean
  /** When other open incidents of the cause were last reported, and how many. */
  causeNotifiedAt: string | null
  causeNotifiedCount: number
}

/**
 * Due starts of incidents, oldest first, locked until the transaction ends, with those of the same shared cause that began later. A mute without an
 * end is checked again in a day.
 */
export const listDueOpens = (
  tx: Transaction,
  ownerId: string,
  due: { readonly now: number; readonly openedBefore: number; readonly causeNotifiedAfter: number; readonly limit: number },
) =>
  tx.execute<DueIncident>(sql`
    with due as materialized (
      select i.* from incidents i
      where i.owner_id = ${ownerId}::uuid and i.open_taken_at is null
        and (coalesce(i.held_until, i.opened_at) <= ${at(due.openedBefore)}::timestamptz
          or (i.held_until is null and i.closed_at is null and not starts_with(i.cause, ${causeStart.code}) and i.cause in (
            select o.cause from incidents o where o.owner_id = ${ownerId}::uuid and o.open_taken_at is null
              and coalesce(o.held_until, o.opened_at) <= ${at(due.openedBefore)}::timestamptz)))
      order by i.id limit ${due.limit} for update skip locked
    ), causes as (
      select i.cause, max(i.open_taken_at) as told_at, count(*)::int as n from incidents i
      where i.owner_id = ${ownerId}::uuid and i.closed_at is null and i.told
        and i.open_taken_at > ${at(due.causeNotifiedAfter)}::timestamptz and i.cause in (select distinct cause from due)
      group by i.cause
    )
    select d.id, d.zone_id, d.account_id, d.group_id, d.name, d.health, d.reasons, d.cause, d.opened_at, d.closed_at, d.told,
      d.held_until is not null as held, case when m.muted_until > ${at(due.now)}::timestamptz then least(m.muted_until, ${at(due.now + 86_400_000)}::timestamptz) end as muted_until,
      d.closed_at is not null and coalesce(d.closed_at <= m.muted_until, false) as ended_muted,
      d.health = 'warnings' and exists (
        select from incidents b where b.zone_id = d.zone_id and b.cause = d.cause and b.id <> d.id and b.told
          and b.open_taken_at > ${at(due.now - 86_400_000)}::timestamptz) as notified_recently,
      c.told_at as cause_notified_at, coalesce(c.n, 0) as cause_notified_count
    from due d left join zone_monitors m on m.zone_id = d.zone_id left join causes c on c.cause = d.cause order by d.id`)

/** Of these incidents, those of domains that the same outage counts already, because they had recovered in the meantime. */
export async function listCounted(tx: Transaction, ids: readonly string[], takenAt: string): Promise<Set<string>> {
  const rows = await tx.execute<{ id: string }>(sql`
    select i.id from incidents i where i.id = any(${sql.param([...ids])}::uuid[]) and exists (
      select from incidents b where b.zone_id = i.zone_id and b.cause = i.cause and b.id <> i.id and b.open_taken_at = ${takenAt}::timestamptz)`)
  return new Set(rows.map(({ id }) => id))
}

/** Of these ended incidents, those of domains that a message about recovery, sent first at this time, counts already. */
export async function listCountedEnds(tx: Transaction, ids: readonly string[], sentAt: string): Promise<Set<string>> {
  const all = sql`${sql.param([...ids])}::uuid[]`
  const rows = await tx.execute<{ id: string }>(sql`
    select i.id from incidents i where i.id = any(${all}) and exists (
      select from incidents b where b.zone_id = i.zone_id and b.cause = i.cause and b.health = i.health and b.told
        and b.id <> all(${all}) and b.close_taken_at >= ${sentAt}::timestamptz)`)
  return new Set(rows.map(({ id }) => id))
}

/** Counts reported domains with a problem of this cause and health that goes on, and names those that had recovered since this time. */
export async function countRemaining(
  tx: Transaction,
  ownerId: string,
  { cause, health, takenAt }: Pick<Part, 'cause' | 'health' | 'takenAt'>,
  groupIds: readonly string[] | null,
): Promise<{ readonly remaining: number; readonly again: readonly string[] }> {
  const [row] = await tx.execute<{ remaining: number; again: string[] }>(sql`
    select count(distinct i.name)::int as remaining, coalesce(array_agg(distinct i.name) filter (where exists (
        select from incidents b where b.zone_id = i.zone_id and b.cause = i.cause and b.health = i.health and b.told
          and b.close_taken_at >= ${takenAt}::timestamptz)), '{}') as again
    from incidents i
    where i.owner_id = ${ownerId}::uuid and i.cause = ${cause} and i.health = ${health} and i.closed_at is null and i.told
      ${groupIds === null ? sql`` : sql`and i.group_id = any(${sql.param([...groupIds])}::uuid[])`}`)
  return row ?? { remaining: 0, again: [] }
}

type DueClose = RawRow<typeof incidents, 'id' | 'domainId' | 'groupId' | 'name' | 'cause' | 'openedAt' | 'told'> & {
  health: 'warnings' | 'critical'
  reasons: Reason[]
  closedAt: string
  openTakenAt: string
}

/** Due ends; an end is processed only after its start. */
export const listDueCloses = (tx: Transaction, ownerId: string, due: { readonly closedBefore: number; readonly limit: number }) =>
  tx.execute<DueClose>(sql`
    select id, zone_id, group_id, name, health, reasons, cause, opened_at, closed_at, open_taken_at, told from incidents
    where owner_id = ${ownerId}::uuid and closed_at is not null and close_taken_at is null and open_taken_at is not null
      and closed_at <= ${at(due.closedBefore)}::timestamptz
    order by id limit ${due.limit} for update skip locked`)

/** Windows with an occurrence within the last days, which may mute incidents of that time. */
export async function listWindowsSince(db: Queryable, ownerId: string, since: number, now: number): Promise<Window[]> {
  const rows = await listWindowsAfter(db, ownerId, new Date(since))
  return rows.flatMap(({ groupId, domainIds, startsAt, endsAt, repeat }) =>
    occurrencesOf({ startsAt, endsAt, repeat: readRepeat(repeat) }, since, now).map((each) => ({ groupId, domainIds, ...each })),
  )
}
