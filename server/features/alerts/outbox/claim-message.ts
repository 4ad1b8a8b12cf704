import type { SqlTransaction } from '#server/db/client.ts'
import type { Services } from '#server/platform/context.ts'
import { channelKinds } from '#shared/features/alerts/channel-kinds.ts'
import { mergeWaiting } from './digest.policy.ts'
import { tokenOf } from './deliver-message.ts'
import type { OutboxMessage } from './message.ts'
import { messageBody } from './message.ts'
import { dropOld, listWaiting, lockChannel, lockPaces, merge, notePace, markSending, putDroppedNotice } from './outbox.repo.ts'
import type { SendingChannel, WaitingMessage } from './outbox.repo.ts'
import { isGroup, keptForMs, nextAllowed } from './pace.policy.ts'

export interface ClaimedMessage {
  readonly channel: SendingChannel
  readonly message: OutboxMessage
  /** Including this one. */
  readonly attempt: number
  readonly timeZone: string
  readonly paceKeys: { readonly chat: string; readonly bot: string }
}

const mostMerged = 500
/** Pause while another process sends to the channel. */
const busyMs = 1_000
const noPace = { sentAt: [], blockedUntil: null }

/**
 * The next message of a channel, marked as being sent by this worker.
 * @returns `waitUntil` when there is none: the earliest time for the next, or null until a new message arrives
 */
export async function claimMessage(
  services: Pick<Services, 'db' | 'clock' | 'secrets'>,
  channelId: string,
  worker: number,
): Promise<ClaimedMessage | { readonly waitUntil: number | null }> {
  const now = services.clock.now()
  const claimed = await services.db.sql.begin(async (tx): Promise<ClaimedMessage | { readonly waitUntil: number | null }> => {
    const channel = await lockChannel(tx, channelId, now)
    if (channel === null) return { waitUntil: now + busyMs }
    const dropped = await dropOld(tx, channelId, now - keptForMs)
    if (dropped !== null) await putDroppedNotice(tx, { ownerId: channel.ownerId, channelId, dropped, now })
    const waiting = await listWaiting(tx, channelId, mostMerged)
    const [first] = waiting
    if (first === undefined) return { waitUntil: null }
    const dueAt = Date.parse(first.dueAt)
    if (dueAt > now) return { waitUntil: dueAt }
    const paceKeys = paceKeysOf(services, channel)
    const allowedAt = await takePlace(tx, channel, paceKeys, now)
    if (allowedAt > now) return { waitUntil: allowedAt }
    const message = await nextOf(tx, channel, first, waiting)
    await markSending(tx, first.id, worker)
    return { channel, message, attempt: first.attempts + 1, timeZone: channel.timeZone, paceKeys }
  })
  return claimed
}

/** For chats, by bot; hashed, so that the token cannot be read from the database. */
function paceKeysOf(services: Pick<Services, 'secrets'>, channel: SendingChannel): ClaimedMessage['paceKeys'] {
  const token = channelKinds[channel.kind].pace === 'telegram_bot' ? tokenOf(services, channel) : null
  if (token === null) return { bot: `channel:${channel.id}`, chat: `channel:${channel.id}:` }
  const bot = services.secrets.fingerprint(token).slice(0, 16)
  return { bot, chat: `${bot}:${channel.chatId ?? ''}` }
}

/** When the message may be sent, which is recorded if that is now. Webhooks are not limited unless they asked to wait. */
async function takePlace(
  tx: SqlTransaction,
  channel: SendingChannel,
  { chat, bot }: ClaimedMessage['paceKeys'],
  now: number,
): Promise<number> {
  const paces = await lockPaces(tx, [chat, bot])
  const [chatPace, botPace] = [paces.get(chat) ?? noPace, paces.get(bot) ?? noPace]
  const chatOnly = channelKinds[channel.kind].pace === 'telegram_bot' ? chatPace : { ...chatPace, sentAt: [] }
  const at = nextAllowed(chatOnly, botPace, isGroup(channel.chatId ?? ''))
  if (at <= now) await notePace(tx, chat, chatPace, now)
  return at
}

/** Merges messages waiting for a chat. */
async function nextOf(
  tx: SqlTransaction,
  channel: SendingChannel,
  first: WaitingMessage,
  waiting: readonly WaitingMessage[],
): Promise<OutboxMessage> {
  const merged = channelKinds[channel.kind].isForPeople ? mergeWaiting(waiting) : null
  if (merged !== null) await merge(tx, first.id, merged.others, merged.body)
  return {
    id: first.id,
    body: merged?.body ?? messageBody.parse(first.body),
    repeated: first.repeated,
    externalId: first.externalId,
    plain: first.failureCode === 'refused',
    createdAt: new Date(first.createdAt).toISOString(),
  }
}
