import { sql } from 'drizzle-orm'
import type { RawRow, Transaction } from '#server/db/client.ts'
import { notify } from '#server/db/client.ts'
import type { outbox } from '#server/db/schema/index.ts'
import { messageBody } from './message.ts'
import type { MessageBody } from './message.ts'
import { outboxChannel } from './outbox.repo.ts'

const at = (ms: number) => new Date(ms).toISOString()

type UpdatablePart = Extract<MessageBody, { kind: 'opened' | 'closed' }>
/** A message that can still be changed, whether or not it was sent. */
export interface UpdatableMessage {
  readonly id: string
  readonly channelId: string
  /** It is being sent, so it cannot be changed now. */
  readonly isSending: boolean
  readonly createdAt: number
  readonly body: UpdatablePart
}

/** The latest messages about these causes in the channels, oldest first. None of them is claimed until the transaction ends. */
export async function lockUpdatable(
  tx: Transaction,
  ownerId: string,
  about: {
    readonly causes: readonly string[]
    readonly channelIds: readonly string[]
    readonly kind: UpdatablePart['kind']
    readonly since: number
  },
): Promise<UpdatableMessage[]> {
  if (about.causes.length === 0 || about.channelIds.length === 0) return []
  const ids = sql`${sql.param([...about.channelIds])}::uuid[]`
  await tx.execute(sql`select from alert_channels where id = any(${ids}) order by id for no key update`)
  // Not those of an earlier outage: its incidents have all ended, or a later one was reported since.
  const rows = await tx.execute<RawRow<typeof outbox, 'id' | 'channelId' | 'body'> & { isSending: boolean; createdAt: string }>(sql`
    select o.id, o.channel_id, o.body, o.state = 'sending' as is_sending, o.created_at from outbox o
    where o.owner_id = ${ownerId}::uuid and o.channel_id = any(${ids}) and o.state in ('pending', 'sending', 'sent')
      and o.created_at >= ${at(about.since)}::timestamptz and o.body ->> 'kind' = ${about.kind} and o.body ->> 'cause' = any(${sql.param([...about.causes])}::text[])
      and (${about.kind}::text = 'opened' or not exists (
        select from outbox n where n.owner_id = o.owner_id and n.channel_id = o.channel_id and n.id > o.id and n.body ->> 'kind' = 'opened'
          and n.body ->> 'cause' = o.body ->> 'cause'))
      and (${about.kind}::text = 'closed' or exists (
        select from incidents i where i.owner_id = o.owner_id and i.cause = o.body ->> 'cause' and i.closed_at is null and i.told
          and i.open_taken_at = (o.body ->> 'takenAt')::timestamptz))
    order by o.id`)
  return rows.flatMap(({ body, createdAt, ...row }) => {
    const parsed = messageBody.parse(body)
    return parsed.kind === about.kind ? [{ ...row, createdAt: Date.parse(createdAt), body: parsed }] : []
  })
}

export interface ChangedMessage {
  readonly id: string
  readonly body: MessageBody
}

/** Replaces the contents of messages: those that were sent are edited. Notifies senders on commit. */
export async function updateMessages(tx: Transaction, changed: readonly ChangedMessage[], now: number): Promise<void> {
  if (changed.length === 0) return
  await tx.execute(sql`
    update outbox o set body = c.body, state = 'pending', attempts = case when o.state = 'sent' then 0 else o.attempts end,
      due_at = case when o.state = 'sent' then ${at(now)}::timestamptz else o.due_at end
    from json_to_recordset(${JSON.stringify(changed)}::text::json) as c (id uuid, body jsonb) where o.id = c.id`)
  await notify(tx, outboxChannel, '')
}
