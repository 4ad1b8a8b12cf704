import type { SqlTransaction } from '#server/db/client.ts'
import type { Services } from '#server/platform/context.ts'
import { channelKinds } from '../channels/channel-kinds.ts'
import { mergeWaiting } from './digest.policy.ts'
import { tokenOf } from './deliver-message.ts'
import type { OutboxMessage } from './message.ts'
import { messageBody } from './message.ts'
import { dropOld, listWaiting, lockChannel, lockPaces, merge, notePace, startSending, putDroppedNotice } from './outbox.repo.ts'
import type { SendingChannel, WaitingMessage } from './outbox.repo.ts'
import { isGroup, keptForMs, nextAllowed } from './pace.policy.ts'

export interface ClaimedMessage {
  readonly channel: SendingChannel
  readonly message: OutboxMessage
  /** With this one. */
  readonly attempt: number
  readonly timeZone: string
  readonly paceKeys: { readonly chat: string; readonly bot: string }
}

const mostMerged = 500
/** While another process sends there. */
const busyMs = 1_000
const noPace = { sentAt: [], blockedUntil: null }

/**
 * The next message of a channel, written down as being sent by this worker.
 * @returns `waitUntil` where there is none: not before then, or (null) until there is another
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
    await startSending(tx, first.id, worker)
    return { channel, message, attempt: first.attempts + 1, timeZone: channel.timeZone, paceKeys }
  })
  return claimed
}

/** Of chats, by the bot: a token is not to be read from the database. */
function paceKeysOf(services: Pick<Services, 'secrets'>, channel: SendingChannel): ClaimedMessage['paceKeys'] {
  const token = channelKinds[channel.kind].isForPeople ? tokenOf(services, channel) : null
  if (token === null) return { bot: `channel:${channel.id}`, chat: `channel:${channel.id}:` }
  const bot = services.secrets.fingerprint(token).slice(0, 16)
  return { bot, chat: `${bot}:${channel.chatId ?? ''}` }
}

/** Programs take as much as there is, unless they asked to wait. When it may be sent; it is noted as sent then, if that is now. */
async function takePlace(
  tx: SqlTransaction,
  channel: SendingChannel,
  { chat, bot }: ClaimedMessage['paceKeys'],
  now: number,
): Promise<number> {
  const paces = await lockPaces(tx, [chat, bot])
  const [chatPace, botPace] = [paces.get(chat) ?? noPace, paces.get(bot) ?? noPace]
  const chatOnly = channelKinds[channel.kind].isForPeople ? chatPace : { ...chatPace, sentAt: [] }
  const at = nextAllowed(chatOnly, botPace, isGroup(channel.chatId ?? ''))
  if (at <= now) await notePace(tx, chat, chatPace, now)
  return at
}

/** Many that wait for a chat become one. */
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
    plain: first.failureCode === 'refused',
    createdAt: new Date(first.createdAt).toISOString(),
  }
}
