import { domainToASCII } from 'node:url'
import { and, asc, desc, eq, getTableColumns, gt, gte, inArray, isNotNull, isNull, like, lt, or, sql } from 'drizzle-orm'
import type { SQL } from 'drizzle-orm'
import type { Database, Queryable, Transaction } from '#server/db/client.ts'
import { notify } from '#server/db/client.ts'
import { copyRows } from '#server/db/copy.ts'
import { constraintOf } from '#server/db/driver-fault.ts'
import { accounts, operationItems, operations, trackers } from '#server/db/schema/index.ts'
import type { UserActor } from '#server/platform/actor.ts'
import { operationKindNames, operationRegistry } from '#shared/features/operations/registry.ts'
import type { ItemState, OperationState } from '#shared/features/operations/schema.ts'
import { quarantineCrashCount } from './claim-items.repo.ts'
import { countedState, noneOfTheFirstLeft } from './update-progress.repo.ts'

export const operationsChannel = 'zonedeck_operations'
export const wakeOperations = (db: Queryable) => notify(db, operationsChannel, 'due')

export type OperationRow = typeof operations.$inferSelect
/** `trialOver`: paused with no canary item left. `partlyDone`: only computed when one operation is read. */
export type LookedAtRow = OperationRow & {
  readonly trialOver: boolean
  readonly partlyDone?: boolean
  readonly nameGiven: string | null
  readonly undone: { readonly kind: string; readonly input: unknown; readonly nameGiven: string | null } | null
}
/** An item with its current domain: the one it created, otherwise the one it was planned for. */
export type ItemRow = typeof operationItems.$inferSelect & { readonly present: boolean }

/** Limits per user for drafts and for the items in all of them: ten times the largest operation. */
export const mostDrafts = { operations: 200, items: 1_000_000 }

/** Previews cost nothing, so the oldest drafts of a user are deleted to make room for new ones. */
async function dropOldDrafts(db: Queryable, actorId: string): Promise<void> {
  await db.execute(sql`
    delete from operations where id in (
      select id from (
        select id, row_number() over newest as number, sum(total) over newest as items from operations
        where actor_id = ${actorId}::uuid and state = 'draft' window newest as (order by id desc)
      ) d where number > ${mostDrafts.operations} or items > ${mostDrafts.items})`)
}

type NewItem = Pick<
  typeof operationItems.$inferInsert,
  'domainId' | 'accountId' | 'accountEmail' | 'lane' | 'name' | 'plan' | 'state' | 'code'
>

export async function insertOperation(
  db: Queryable,
  row: typeof operations.$inferInsert,
  items: readonly NewItem[],
): Promise<OperationRow> {
  const [inserted] = await db.insert(operations).values(row).returning()
  if (inserted === undefined) throw new Error('the operation was not inserted')
  if (items.length > 0) await insertItems(db, inserted.id, 0, items)
  if (inserted.state === 'draft' && inserted.actorId !== null) await dropOldDrafts(db, inserted.actorId)
  return inserted
}

/**
 * Adds items, in a transaction, because others' statements must not come into a copy on the same connection; false if the operation was deleted.
 * @param start the position of the first one
 */
export async function insertItems(db: Queryable, operationId: string, start: number, items: readonly NewItem[]): Promise<boolean> {
  const copied = copyRows(
    db,
    'operation_items',
    ['operation_id', 'position', 'zone_id', 'account_id', 'account_email', 'lane', 'name', 'plan', 'state', 'code'],
    items
      .values()
      .map(({ domainId = null, plan, state = 'pending', code = null, ...item }, index) => [
        operationId,
        start + index,
        domainId,
        item.accountId,
        item.accountEmail,
        item.lane,
        item.name,
        JSON.stringify(plan),
        state,
        code,
      ]),
  )
  return copied.then(
    () => true,
    (error: unknown) => {
      if (constraintOf(error) === 'operation_items_operation_id_operations_id_fk') return false
      throw error
    },
  )
}

/** Sets the totals of a draft whose items are all inserted; null if it was deleted. */
export async function completeDraft(
  db: Queryable,
  id: string,
  totals: Pick<OperationRow, 'total' | 'calls' | 'counts'>,
): Promise<OperationRow | null> {
  const [draft] = await db
    .update(operations)
    .set(totals)
    .where(and(eq(operations.id, id), eq(operations.state, 'draft')))
    .returning()
  if (draft === undefined) return null
  if (draft.actorId !== null) await dropOldDrafts(db, draft.actorId)
  return draft
}

// Written out: drizzle omits the table name in a statement over one table.
const trialOver = sql<boolean>`${sql.raw(`(operations.state = 'paused' and operations.canary is not null
  and (select ${noneOfTheFirstLeft} from operations o where o.id = operations.id))`)}`
const trackersOf = (alias: string) =>
  `(select min(name) || case when count(*) > 1 then ' +' || count(*) - 1 else '' end from (select distinct account_id, account_email as name
    from operation_items where operation_id = ${alias}.id and lane like 'tracker %') in_trackers)`
const trackerKinds = operationKindNames.filter((kind) => operationRegistry[kind].calls === 'tracker').map((kind) => `'${kind}'`)
/**
 * The name of the profile, group or registrar that the operation assigns, or of its tracker. For a binding it includes the selected
 * campaign; for work in the trackers of the domains it is one tracker and the number of others.
 */
const nameGiven = (alias: 'operations' | 'undone') =>
  sql<string | null>`${sql.raw(`(case ${alias}.kind
    when 'profile' then (select name from profiles where id = (${alias}.input ->> 'profileId')::uuid)
    when 'group' then (select name from groups where id = (${alias}.input ->> 'groupId')::uuid)
    when 'registrar' then (select name from registrars where id = (${alias}.input ->> 'registrarId')::uuid)
    else case when ${alias}.kind in (${trackerKinds.join(', ')}) then coalesce(
      (select concat_ws(' · ', t.name, (select d.campaign_name from tracker_domains d
        where d.tracker_id = t.id and d.campaign_id = ${alias}.input ->> 'campaignId' and d.campaign_name is not null limit 1))
        from trackers t where t.id = (${alias}.input ->> 'trackerId')::uuid),
      ${trackersOf(alias)}) end end)`)}`
const undone = sql<{
  kind: string
  input: unknown
  nameGiven: string | null
} | null>`(select json_build_object('kind', undone.kind, 'input', undone.input,
  'nameGiven', ${nameGiven('undone')}) from operations undone where undone.id = ${sql.raw('operations.undo_of')})`
const lookedAt = { ...getTableColumns(operations), trialOver, nameGiven: nameGiven('operations'), undone }

/** Items that ended early and left something behind: history entries that were not undone, a domain, a part of a batch of redirects, or DS records. */
const leftSomething = sql`operation_items.state in ('failed', 'cancelled', 'skipped') and operation_items.started_at is not null and (
  exists (select from zone_changes c where c.zone_id = operation_items.zone_id and c.batch_id = operation_items.operation_id
    and not exists (select from zone_changes r where r.reverts_id = c.id))
  or exists (select from zones z where z.id = (operation_items.result ->> 'zoneId')::uuid)
  or jsonb_path_exists(operation_items.result, '$.unsent') or operation_items.result @> '{"dnssecChanged": true}')`

/** `ownerId` null: not restricted to an owner. */
export async function findOperation(db: Queryable, id: string, ownerId: string | null): Promise<LookedAtRow | null> {
  const partlyDone = sql<boolean>`exists (select from operation_items where operation_items.operation_id = operations.id and ${leftSomething})`
  const [row] = await db
    .select({ ...lookedAt, partlyDone })
    .from(operations)
    .where(ownerId === null ? eq(operations.id, id) : and(eq(operations.id, id), eq(operations.ownerId, ownerId)))
  return row ?? null
}

export async function updateOperationState(
  db: Queryable,
  id: string,
  from: readonly OperationState[],
  to: Partial<OperationRow>,
): Promise<boolean> {
  const changed = await db
    .update(operations)
    .set(to)
    .where(and(eq(operations.id, id), inArray(operations.state, [...from])))
    .returning({ id: operations.id })
  return changed.length > 0
}

/** Running and scheduled operations of the user. */
export const pauseOperationsBy = (tx: Transaction, actorId: string): Promise<Pick<OperationRow, 'id' | 'kind' | 'ownerId'>[]> =>
  tx
    .update(operations)
    .set({ state: 'paused' })
    .where(and(eq(operations.actorId, actorId), inArray(operations.state, ['queued', 'running', 'waiting'])))
    .returning({ id: operations.id, kind: operations.kind, ownerId: operations.ownerId })

/** A user who resumes an operation of a disabled user becomes its actor, because nothing may run with revoked rights. */
export async function takeOverOfDisabled(tx: Transaction, id: string, { userId, name }: Pick<UserActor, 'userId' | 'name'>): Promise<void> {
  const ofDisabled = sql`exists (select from users u where u.id = operations.actor_id and u.disabled_at is not null)`
  await tx
    .update(operations)
    .set({ actorId: userId, actorName: name })
    .where(and(eq(operations.id, id), ofDisabled))
}

export async function listOperationRows(
  db: Queryable,
  query: {
    readonly ownerId: string | null
    readonly state?: 'active' | 'ended' | undefined
    readonly kind?: string | undefined
    /** Only operations with a failed domain, by their last update. */
    readonly result?: 'failed' | undefined
    readonly before?: string | undefined
    readonly limit: number
  },
): Promise<LookedAtRow[]> {
  const active = ['queued', 'running', 'waiting', 'paused'] as const
  const ended = ['done', 'cancelled'] as const
  return db
    .select(lookedAt)
    .from(operations)
    .where(
      and(
        query.ownerId === null ? undefined : eq(operations.ownerId, query.ownerId),
        inArray(operations.state, query.state === 'active' ? [...active] : query.state === 'ended' ? [...ended] : [...active, ...ended]),
        query.kind === undefined ? undefined : eq(operations.kind, query.kind),
        query.result === 'failed' ? sql`(${operations.counts} ->> 'failed')::int > 0` : undefined,
        query.before === undefined ? undefined : lt(operations.id, query.before),
      ),
    )
    .orderBy(desc(operations.id))
    .limit(query.limit)
}

/** Operations started by a person that have ended since then, newest first: those that failed in part, or took this long. */
export const listEndedOperations = (
  db: Queryable,
  actorId: string,
  { since, leastSeconds, limit }: { readonly since: Date; readonly leastSeconds: number; readonly limit: number },
): Promise<LookedAtRow[]> =>
  db
    .select(lookedAt)
    .from(operations)
    .where(
      and(
        eq(operations.ownerId, actorId),
        inArray(operations.state, ['done', 'cancelled']),
        gte(operations.finishedAt, since),
        sql`((${operations.counts} ->> 'failed')::int > 0 or ${operations.finishedAt} - ${operations.startedAt} >= ${leastSeconds}::int * interval '1 second')`,
      ),
    )
    .orderBy(desc(operations.finishedAt))
    .limit(limit)

export interface ItemsFilter {
  /** `attention`: done, but the user still has something to do. */
  readonly state?: ItemState | 'attention' | undefined
  /** Part of a name; whole labels may be in Unicode. */
  readonly search?: string | undefined
  /** A warning of the preview. */
  readonly danger?: string | undefined
}

function matchingItems(operationId: string, { state, search = '', danger }: ItemsFilter): SQL | undefined {
  const typed = search.toLowerCase()
  // Names are stored as Punycode.
  const term = (/^[\x20-\x7e]*$/.test(typed) ? typed : domainToASCII(typed) || typed).replaceAll(/[\\%_]/g, '\\$&')
  return and(
    eq(operationItems.operationId, operationId),
    state === undefined ? undefined : eq(operationItems.state, state === 'attention' ? 'done' : state),
    state === 'attention' ? isNotNull(operationItems.code) : state === 'done' ? isNull(operationItems.code) : undefined,
    term === '' ? undefined : like(operationItems.name, `%${term}%`),
    danger === undefined ? undefined : sql`${operationItems.plan} -> 'dangers' ? ${danger}`,
  )
}

export async function listItemRows(
  db: Queryable,
  operationId: string,
  query: ItemsFilter & { readonly cursor?: number | undefined; readonly limit: number },
): Promise<ItemRow[]> {
  const domainId = sql<string | null>`coalesce((${operationItems.result} ->> 'zoneId')::uuid, ${operationItems.domainId})`
  return db
    .select({
      ...getTableColumns(operationItems),
      domainId,
      present: sql<boolean>`exists (select from zones z where z.id = ${domainId})`,
    })
    .from(operationItems)
    .where(and(matchingItems(operationId, query), query.cursor === undefined ? undefined : gt(operationItems.position, query.cursor)))
    .orderBy(asc(operationItems.position))
    .limit(query.limit)
}

/** Every matching item in order, with position and name. */
export const listItemNames = (db: Queryable, operationId: string, filter: ItemsFilter): Promise<{ position: number; name: string }[]> =>
  db
    .select({ position: operationItems.position, name: operationItems.name })
    .from(operationItems)
    .where(matchingItems(operationId, filter))
    .orderBy(asc(operationItems.position))

export async function retryFailedItems(db: Queryable, operationId: string): Promise<number> {
  const again = await db
    .update(operationItems)
    // A failed item may have taken effect, so the next attempt checks first.
    .set({
      state: 'pending',
      attempts: sql`least(${operationItems.attempts}, 1)`,
      // What others have changed since it failed is theirs, also if it looks like the effect of the next attempt.
      startedAt: sql`case when ${operationItems.startedAt} is not null then now() end`,
      deaths: sql`least(${operationItems.deaths}, ${quarantineCrashCount})`,
      code: null,
      providerCode: null,
      message: null,
      finishedAt: null,
    })
    .where(and(eq(operationItems.operationId, operationId), eq(operationItems.state, 'failed')))
    .returning({ position: operationItems.position })
  await sumUp(db, operationId)
  return again.length
}

const sumUp = (db: Queryable, id: string) =>
  db.execute(sql`
    update operations set counts = (select jsonb_object_agg(state, n) from (
      select ${sql.raw(countedState)} as state, count(*)::int as n from operation_items i where operation_id = ${id} group by 1) s) where id = ${id}`)

/** Excludes the items of a draft that have any of these warnings, and includes those again that were excluded this way before. */
export async function excludeItems(tx: Transaction, operationId: string, dangers: readonly string[]): Promise<void> {
  await tx.execute(sql`
    update operation_items i set state = case when hit then 'skipped' else 'pending' end::operation_item_state, code = case when hit then 'excluded' end
    from (select position, plan -> 'dangers' ?| ${sql.param([...dangers])}::text[] as hit from operation_items
      where operation_id = ${operationId} and (state = 'pending' or state = 'skipped' and code = 'excluded')) as judged
    where i.operation_id = ${operationId} and i.position = judged.position and (i.state = 'skipped') <> judged.hit`)
  await sumUp(tx, operationId)
}

/** Calls and warnings of a draft's pending items. */
export const listPendingPlans = (tx: Transaction, operationId: string) =>
  tx
    .select({ lane: operationItems.lane, accountEmail: operationItems.accountEmail, plan: operationItems.plan })
    .from(operationItems)
    .where(and(eq(operationItems.operationId, operationId), eq(operationItems.state, 'pending')))

export async function deleteDraft(db: Queryable, id: string): Promise<boolean> {
  const gone = await db
    .delete(operations)
    .where(and(eq(operations.id, id), eq(operations.state, 'draft')))
    .returning({ id: operations.id })
  return gone.length > 0
}

/** Deletes drafts that were not started within an hour. */
export async function sweepDrafts({ sql: pool }: Database): Promise<void> {
  await pool`delete from operations where state = 'draft' and created_at < now() - interval '1 hour'`
}

/** The owners of an operation's domains with the number for each; domains of deleted accounts and trackers do not count. */
export async function countByOwner(db: Queryable, operationId: string): Promise<{ ownerId: string; domains: number }[]> {
  const ownerId = sql<string>`coalesce(${accounts.ownerId}, ${trackers.ownerId})`
  return db
    .select({ ownerId, domains: sql<number>`count(*)::int` })
    .from(operationItems)
    .leftJoin(accounts, eq(accounts.id, operationItems.accountId))
    .leftJoin(trackers, eq(trackers.id, operationItems.accountId))
    .where(and(eq(operationItems.operationId, operationId), sql`${ownerId} is not null`))
    .groupBy(ownerId)
}

/** Items that changed something, all or those at the given positions. */
export async function listDoneItems(db: Queryable, operationId: string, positions: readonly number[] | null) {
  return db
    .select({
      position: operationItems.position,
      domainId: operationItems.domainId,
      accountId: operationItems.accountId,
      accountEmail: operationItems.accountEmail,
      lane: operationItems.lane,
      name: operationItems.name,
    })
    .from(operationItems)
    .where(
      and(
        eq(operationItems.operationId, operationId),
        or(eq(operationItems.state, 'done'), leftSomething),
        positions === null ? undefined : sql`${operationItems.position} = any(${sql.param([...positions])}::int[])`,
      ),
    )
    .orderBy(asc(operationItems.position))
}

export async function markUndone(db: Database, operationId: string, domainId: string): Promise<void> {
  await db.orm
    .update(operationItems)
    .set({ state: 'undone' })
    .where(and(eq(operationItems.operationId, operationId), eq(operationItems.domainId, domainId), eq(operationItems.state, 'done')))
}
