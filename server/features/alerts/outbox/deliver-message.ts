import type { Services } from '#server/platform/context.ts'
import type { ChannelFailure } from '#shared/features/alerts/schema.ts'
import { addressOf, botTokenContext, decryptOrNull, webhookSecretContext } from '../channels/channel-secrets.ts'
import { isLoud } from './message.ts'
import type { OutboxMessage } from './message.ts'
import type { SendingChannel } from './outbox.repo.ts'
import { textsIn } from './texts.ts'
import { eventOf } from './webhook-event.ts'
import { writeForChat } from './write-message.ts'

/** What a try to bring a message came to, whatever the channel is. */
export type DeliveryResult =
  | { readonly state: 'sent'; readonly externalId: string | null }
  | { readonly state: 'later'; readonly afterSeconds: number; readonly wholeBot: boolean }
  | { readonly state: 'moved'; readonly chatId: string }
  /** Until somebody changes something. */
  | { readonly state: 'refused'; readonly code: ChannelFailure['code']; readonly message: string }
  | { readonly state: 'unknown'; readonly message: string }
  | { readonly state: 'unreached'; readonly message: string }

type Delivering = Pick<Services, 'messenger' | 'webhooks' | 'secrets' | 'clock' | 'publicUrl'>

/** Times are reported by the quiet hours' zone, where there are some, or by the panel's. */
export async function deliverMessage(
  services: Delivering,
  channel: SendingChannel,
  message: OutboxMessage,
  timeZone: string,
): Promise<DeliveryResult> {
  return channel.kind === 'telegram' ? toChat(services, channel, message, timeZone) : toProgram(services, channel, message)
}

/** Null: there is none, or it can be opened no more. */
export const tokenOf = (
  { secrets }: Pick<Services, 'secrets'>,
  { ownerId, botTokenSealed: encrypted }: Pick<SendingChannel, 'ownerId' | 'botTokenSealed'>,
): string | null => (encrypted === null ? null : decryptOrNull(secrets, encrypted, botTokenContext(ownerId)))

async function toChat(services: Delivering, channel: SendingChannel, message: OutboxMessage, timeZone: string): Promise<DeliveryResult> {
  if (channel.botTokenSealed === null || channel.chatId === null) return { state: 'refused', code: 'no_token', message: '' }
  const token = tokenOf(services, channel)
  if (token === null) return { state: 'refused', code: 'secret_lost', message: '' }
  const writing = { texts: textsIn(channel.language), timeZone }
  const { html, buttons } = writeForChat(message.id, message.body, writing, services.publicUrl, message)
  const delivery = await services.messenger.send(token, {
    chatId: channel.chatId,
    topicId: channel.topicId,
    html,
    buttons,
    silent: !isLoud(message.body),
  })
  switch (delivery.state) {
    case 'sent':
      return { state: 'sent', externalId: delivery.messageId }
    case 'refused':
      return { state: 'refused', code: delivery.reason, message: delivery.message }
    case 'later':
    case 'moved':
    case 'unknown':
    case 'unreached':
      return delivery
  }
}

async function toProgram(services: Delivering, channel: SendingChannel, message: OutboxMessage): Promise<DeliveryResult> {
  if (channel.url === null || channel.secretSealed === null) return { state: 'refused', code: 'refused', message: '' }
  const url = addressOf(services.secrets, { id: channel.id, url: channel.url, urlSealed: channel.urlSealed })
  const secret = decryptOrNull(services.secrets, channel.secretSealed, webhookSecretContext(channel.id))
  if (url === null || secret === null) return { state: 'refused', code: 'secret_lost', message: '' }
  const delivery = await services.webhooks.send({
    url,
    secret,
    eventId: message.id,
    body: JSON.stringify(eventOf(message, services.publicUrl)),
    atSeconds: Math.floor(services.clock.now() / 1_000),
  })
  switch (delivery.state) {
    case 'sent':
      return { state: 'sent', externalId: null }
    case 'forbidden':
      return { state: 'refused', code: 'forbidden', message: delivery.message }
    case 'refused':
      // Its program may be broken for a while; nothing distinguishes that from one that will never take it.
      return delivery.afterSeconds === null
        ? { state: 'unreached', message: `status ${delivery.status}` }
        : { state: 'later', afterSeconds: delivery.afterSeconds, wholeBot: false }
    case 'unknown':
    case 'unreached':
      return delivery
  }
}
