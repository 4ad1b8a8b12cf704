import { and, desc, eq, inArray, isNotNull, lt, sql } from 'drizzle-orm'
import type { Database, Queryable, SqlTransaction, RawRow } from '#server/db/client.ts'
import { notify, storableText, toJson } from '#server/db/client.ts'
import { alertChannels, monitorSettings, outbox } from '#server/db/schema/index.ts'
import { selectSharedDomainIds } from '#server/platform/access-scope.repo.ts'
import type { SharedScope } from '#server/platform/access-scope.ts'
import { endWorker } from '#server/platform/worker-identity.repo.ts'
import type { ChannelFailure } from '#shared/features/alerts/schema.ts'
import type { MessageBody } from './message.ts'
import { keptTimes } from './pace.policy.ts'
import type { Pace } from './pace.policy.ts'

export const outboxChannel = 'zonedeck_outbox'
/** The lock a worker holds as long as it runs. */
export const workerLock = (worker: number) => `alerts worker ${worker}`
/** A statement is limited to 65,534 parameters. */
const rowsPerInsert = 5_000
const at = (ms: number) => new Date(ms).toISOString()

export interface NewMessage {
  readonly ownerId: string
  readonly channelId: string
  readonly body: MessageBody
  readonly now: Date
}

/** Notifies senders on commit. */
export async function putMessages(db: Queryable, rows: readonly NewMessage[]): Promise<void> {
  if (rows.length === 0) return
  for (let start = 0; start < rows.length; start += rowsPerInsert) {
    const some = rows.slice(start, start + rowsPerInsert)
    await db.insert(outbox).values(some.map(({ now, ...row }) => ({ ...row, dueAt: now, createdAt: now })))
  }
  await notify(db, outboxChannel, '')
}

/** Includes the data needed to send to an owner's chats. */
export async function findSending(
  db: Queryable,
  ownerId: string,
): Promise<{ readonly encrypted: string | null; readonly language: string }> {
  const [row] = await db
    .select({ encrypted: monitorSettings.botTokenSealed, language: monitorSettings.language })
    .from(monitorSettings)
    .where(eq(monitorSettings.ownerId, ownerId))
  return row ?? { encrypted: null, language: 'ru' }
}

/** Makes messages waiting for the channel due now, for any process. */
export async function hurry(db: Queryable, channelId: string, now: Date): Promise<void> {
  await db
    .update(outbox)
    .set({ dueAt: now })
    .where(and(eq(outbox.channelId, channelId), eq(outbox.state, 'pending')))
  await notify(db, outboxChannel, channelId)
}

/** Messages of the channel will not be edited: a change of their content is sent as a new message. */
export async function forgetSent(db: Queryable, channel: { readonly id: string; readonly ownerId: string }): Promise<void> {
  await db
    .update(outbox)
    .set({ externalId: null })
    .where(and(eq(outbox.ownerId, channel.ownerId), eq(outbox.channelId, channel.id), isNotNull(outbox.externalId)))
}

/** Channels that have waiting messages and accept them now. */
export async function listDueChannels({ sql: pool }: Database, now: number): Promise<string[]> {
  const rows = await pool<{ id: string }[]>`
    select c.id from alert_channels c
    where c.enabled and (c.paused_until is null or c.paused_until <= ${at(now)}::timestamptz)
      and exists (select from outbox o where o.channel_id = c.id and o.state = 'pending')`
  return rows.map(({ id }) => id)
}

/** Releases messages of workers that died or hang while sending; these messages may have arrived, while edits can be repeated. */
export async function releaseDead({ sql: pool }: Database, own: readonly number[]): Promise<number> {
  const workers = await pool<{ worker: number }[]>`
    select distinct worker from outbox where state = 'sending' and worker <> all(${[...own]}::int[])`
  let released = 0
  for (const { worker } of workers) {
    await pool.begin(async (tx) => {
      if (!(await endWorker(tx, worker, workerLock(worker)))) return
      const rows =
        await tx`update outbox set state = 'pending', worker = null, repeated = repeated or external_id is null where state = 'sending' and worker = ${worker} returning id`
      released += rows.length
    })
  }
  return released
}

/** Releases messages this worker holds without knowing: the response to its claim was lost, and nothing was sent. */
export async function releaseUnknown({ sql: pool }: Database, worker: number, sending: readonly string[]): Promise<void> {
  await pool`
    update outbox set state = 'pending', worker = null
    where state = 'sending' and worker = ${worker} and channel_id <> all(${[...sending]}::uuid[])`
}

export type SendingChannel = RawRow<
  typeof alertChannels,
  'id' | 'ownerId' | 'kind' | 'chatId' | 'topicId' | 'url' | 'urlSealed' | 'secretSealed'
> &
  RawRow<typeof monitorSettings, 'botTokenSealed' | 'language'> & { failure: ChannelFailure | null; timeZone: string }

export type WaitingMessage = RawRow<
  typeof outbox,
  'id' | 'body' | 'attempts' | 'repeated' | 'externalId' | 'dueAt' | 'createdAt' | 'failureCode'
>

/** Locks the channel for the transaction; null: it accepts nothing now, or another process is sending to it. */
export async function lockChannel(tx: SqlTransaction, channelId: string, now: number): Promise<SendingChannel | null> {
  const [channel] = await tx<SendingChannel[]>`
    select c.id, c.owner_id, c.kind, c.chat_id, c.topic_id, c.url, c.url_sealed, c.secret_sealed, c.failure, s.bot_token_sealed, coalesce(s.language, 'ru') as language,
      coalesce(s.quiet_hours ->> 'timeZone', (select value #>> '{}' from panel_settings where key = 'timeZone'), 'UTC') as time_zone
    from alert_channels c left join monitor_settings s on s.owner_id = c.owner_id
    where c.id = ${channelId} and c.enabled and (c.paused_until is null or c.paused_until <= ${at(now)}::timestamptz)
      and not exists (select from outbox o where o.channel_id = c.id and o.state = 'sending')
    for update of c skip locked`
  return channel ?? null
}

/** Messages waiting for the channel, in order. */
export const listWaiting = (tx: SqlTransaction, channelId: string, limit: number) =>
  tx<WaitingMessage[]>`
    select id, body, attempts, repeated, external_id, due_at, created_at, failure_code from outbox
    where channel_id = ${channelId} and state = 'pending' order by id limit ${limit}`

/** Drops messages that waited too long; returns how many, and since when. */
export async function dropOld(
  tx: SqlTransaction,
  channelId: string,
  before: number,
): Promise<{ readonly messages: number; readonly since: string } | null> {
  const [row] = await tx<{ messages: number; since: string | null }[]>`
    with gone as (
      update outbox set state = 'dropped', failure_code = coalesce(failure_code, 'too_old')
      where channel_id = ${channelId} and state = 'pending' and created_at < ${at(before)}::timestamptz
        and body ->> 'kind' <> 'dropped'
      returning created_at
    ) select count(*)::int as messages, min(created_at) as since from gone`
  return row === undefined || row.messages === 0 || row.since === null
    ? null
    : { messages: row.messages, since: new Date(row.since).toISOString() }
}

/** One message counts the dropped ones, and is updated until it is sent. */
export async function putDroppedNotice(
  tx: SqlTransaction,
  {
    ownerId,
    channelId,
    dropped: { messages, since },
    now,
  }: {
    readonly ownerId: string
    readonly channelId: string
    readonly dropped: { readonly messages: number; readonly since: string }
    readonly now: number
  },
): Promise<void> {
  const known = await tx`
    update outbox set body = jsonb_set(body, '{messages}', to_jsonb((body ->> 'messages')::int + ${messages}::int))
    where channel_id = ${channelId} and state = 'pending' and body ->> 'kind' = 'dropped' returning id`
  if (known.length > 0) return
  const body: MessageBody = { kind: 'dropped', messages, since }
  await tx`insert into outbox (owner_id, channel_id, body, due_at, created_at)
    values (${ownerId}, ${channelId}, ${JSON.stringify(body)}::text::jsonb, ${at(now)}::timestamptz, ${at(now)}::timestamptz)`
}

/** Replaces the first with the merged message and deletes the others. */
export async function merge(tx: SqlTransaction, first: string, others: readonly string[], body: MessageBody): Promise<void> {
  await tx`update outbox set body = ${JSON.stringify(body)}::text::jsonb where id = ${first}`
  await tx`delete from outbox where id = any(${[...others]}::uuid[])`
}

/** Locked in a fixed order to avoid deadlocks, and created if missing. */
export async function lockPaces(tx: SqlTransaction, keys: readonly string[]): Promise<ReadonlyMap<string, Pace>> {
  const ordered = [...keys].toSorted()
  await tx`insert into chat_paces (key) select unnest(${ordered}::text[]) on conflict do nothing`
  const rows = await tx<{ key: string; sent: string[]; blockedUntil: string | null }[]>`
    select key, array(select (extract(epoch from t) * 1000)::bigint from unnest(sent_at) t) as sent, blocked_until
    from chat_paces where key = any(${ordered}::text[]) order by key for update`
  return new Map(
    rows.map(({ key, sent, blockedUntil }) => [
      key,
      { sentAt: sent.map(Number), blockedUntil: blockedUntil === null ? null : Date.parse(blockedUntil) },
    ]),
  )
}

export async function notePace(tx: SqlTransaction, key: string, { sentAt }: Pace, now: number): Promise<void> {
  const times = [...sentAt, now].slice(-keptTimes).map(at)
  await tx`update chat_paces set sent_at = ${times}::text[]::timestamptz[] where key = ${key}`
}

export async function blockPace({ sql: pool }: Database, key: string, until: number): Promise<void> {
  await pool`
    insert into chat_paces as p (key, blocked_until) values (${key}, ${at(until)}::timestamptz)
    on conflict (key) do update set blocked_until = greatest(p.blocked_until, excluded.blocked_until)`
}

export async function sweepPaces({ sql: pool }: Database, before: number): Promise<void> {
  await pool`delete from chat_paces where coalesce(sent_at[cardinality(sent_at)], '-infinity') < ${at(before)}::timestamptz
    and coalesce(blocked_until, '-infinity') < ${at(before)}::timestamptz`
}

export async function markSending(tx: SqlTransaction, id: string, worker: number): Promise<void> {
  await tx`update outbox set state = 'sending', worker = ${worker}, attempts = attempts + 1 where id = ${id}`
}

export interface Outcome {
  readonly state: 'sent' | 'pending' | 'failed'
  readonly dueAt?: number
  readonly sentAt?: number
  /** Null: it will be sent as a new message. Absent: unchanged. */
  readonly externalId?: string | null
  /** It may already have arrived. */
  readonly repeated?: true
  readonly code?: string
  readonly message?: string
}

/** Stores the result of a delivery attempt; null leaves the channel unchanged. */
export async function writeOutcome(
  { sql: pool }: Database,
  { id, worker }: { readonly id: string; readonly worker: number },
  outcome: Outcome,
  channel: {
    readonly id: string
    readonly failure: ChannelFailure | null
    readonly pausedUntil: number | null
    readonly chatId?: string
  } | null,
): Promise<void> {
  await pool.begin(async (tx) => {
    const [mine] = await tx`
      update outbox set state = ${outcome.state}, worker = null,
        due_at = coalesce(${outcome.dueAt === undefined ? null : at(outcome.dueAt)}::timestamptz, due_at),
        sent_at = coalesce(${outcome.sentAt === undefined ? null : at(outcome.sentAt)}::timestamptz, sent_at),
        external_id = ${outcome.externalId === undefined ? tx`external_id` : tx`${outcome.externalId}::text`},
        repeated = repeated or ${outcome.repeated === true},
        failure_code = ${outcome.code ?? null}, failure_message = ${outcome.message === undefined ? null : storableText(outcome.message.slice(0, 500))}
      where id = ${id} and worker = ${worker} and state = 'sending' returning id`
    // The result of a worker that lost its message is outdated, also for the channel.
    if (channel === null || mine === undefined) return
    await tx`
      update alert_channels set failure = ${channel.failure === null ? null : toJson(channel.failure)}::text::jsonb,
        paused_until = ${channel.pausedUntil === null ? null : at(channel.pausedUntil)}::timestamptz
      where id = ${channel.id}`
    if (channel.chatId !== undefined) {
      await tx`
        update alert_channels c set chat_id = ${channel.chatId} from alert_channels was
        where was.id = ${channel.id} and c.owner_id = was.owner_id and c.chat_id = was.chat_id`
    }
  })
}

export interface MessageFilter {
  readonly state?: typeof outbox.$inferSelect.state | undefined
  readonly channelId?: string | undefined
  /** The last message of the previous page. */
  readonly cursor?: string | undefined
  readonly limit: number
}

/** Newest first. @param shared other owners' messages about only these zones */
export const listShownMessages = (
  db: Queryable,
  { ownerId, shared }: { readonly ownerId: string; readonly shared: SharedScope | null },
  { state, channelId, cursor, limit }: MessageFilter,
) =>
  db
    .select({
      row: outbox,
      channelName: alertChannels.name,
      channelKind: alertChannels.kind,
      timeZone: sql<string>`coalesce(${monitorSettings.quietHours} ->> 'timeZone', (select value #>> '{}' from panel_settings where key = 'timeZone'), 'UTC')`,
    })
    .from(outbox)
    .innerJoin(alertChannels, eq(alertChannels.id, outbox.channelId))
    .leftJoin(monitorSettings, eq(monitorSettings.ownerId, outbox.ownerId))
    .where(
      and(
        shared === null
          ? eq(outbox.ownerId, ownerId)
          : sql`(${outbox.ownerId} = ${ownerId}::uuid or ${inArray(outbox.ownerId, [...shared.owners])}
              and (${outbox.body} ->> 'zoneId')::uuid in (${selectSharedDomainIds(shared)}))`,
        state === undefined ? undefined : eq(outbox.state, state),
        channelId === undefined ? undefined : eq(outbox.channelId, channelId),
        cursor === undefined ? undefined : lt(outbox.id, cursor),
      ),
    )
    .orderBy(desc(outbox.id))
    .limit(limit)
export type ShownMessage = Awaited<ReturnType<typeof listShownMessages>>[number]

/** Deletes old messages, except waiting ones. */
export async function forgetOldMessages({ sql: pool }: Database, before: number): Promise<void> {
  await pool`
    delete from outbox where id in (
      select id from outbox where created_at < ${at(before)}::timestamptz and state in ('sent', 'failed', 'dropped') order by id limit 10000)`
}
