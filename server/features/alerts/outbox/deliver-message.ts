import type { Services } from '#server/platform/context.ts'
import type { ChannelFailure } from '#shared/features/alerts/schema.ts'
import { addressOf, botTokenContext, decryptOrNull, webhookSecretContext } from '../channels/channel-secrets.ts'
import { isLoud } from './message.ts'
import type { OutboxMessage } from './message.ts'
import type { SendingChannel } from './outbox.repo.ts'
import { textsIn } from './texts.ts'
import { eventOf } from './webhook-event.ts'
import { writeForChat } from './write-message.ts'

/** The result of a delivery attempt, for any kind of channel. */
export type DeliveryResult =
  | { readonly state: 'sent'; readonly externalId: string | null }
  | { readonly state: 'later'; readonly afterSeconds: number; readonly wholeBot: boolean; readonly status?: number }
  | { readonly state: 'moved'; readonly chatId: string }
  /** The message to edit is not there any more. */
  | { readonly state: 'gone'; readonly message: string }
  /** Until someone changes the configuration. */
  | { readonly state: 'refused'; readonly code: ChannelFailure['code']; readonly message: string }
  | { readonly state: 'unknown'; readonly message: string }
  /** `status`: the HTTP status of a webhook that did not accept it. */
  | { readonly state: 'unreached'; readonly message: string; readonly status?: number }

/** Times in a message use the time zone of the quiet hours if set, otherwise the panel's. */
export type Content = { readonly kind: 'message'; readonly message: OutboxMessage; readonly timeZone: string } | { readonly kind: 'test' }

/** The destination. */
type Receiver = Pick<
  SendingChannel,
  'id' | 'ownerId' | 'kind' | 'chatId' | 'topicId' | 'url' | 'urlSealed' | 'secretSealed' | 'botTokenSealed' | 'language'
>
type Delivering = Pick<Services, 'messenger' | 'webhooks' | 'secrets' | 'clock' | 'publicUrl'>

type Send = (services: Delivering, channel: Receiver, content: Content) => Promise<DeliveryResult>

/** One sender per kind of channel. */
const senders: Readonly<Record<Receiver['kind'], Send>> = { telegram: toChat, webhook: toProgram }

export const deliverMessage: Send = (services, channel, content) => senders[channel.kind](services, channel, content)

/** Null: there is none, or it cannot be decrypted. */
export const tokenOf = (
  { secrets }: Pick<Services, 'secrets'>,
  { ownerId, botTokenSealed: encrypted }: Pick<SendingChannel, 'ownerId' | 'botTokenSealed'>,
): string | null => (encrypted === null ? null : decryptOrNull(secrets, encrypted, botTokenContext(ownerId)))

async function toChat(services: Delivering, channel: Receiver, content: Content): Promise<DeliveryResult> {
  if (channel.botTokenSealed === null || channel.chatId === null) return { state: 'refused', code: 'no_token', message: '' }
  const token = tokenOf(services, channel)
  if (token === null) return { state: 'refused', code: 'secret_lost', message: '' }
  const written = writeContent(content, channel, services.publicUrl)
  const message = { chatId: channel.chatId, topicId: channel.topicId, ...written }
  const externalId = content.kind === 'message' ? content.message.externalId : null
  const delivery = await (externalId === null
    ? services.messenger.send(token, message)
    : services.messenger.edit(token, externalId, message))
  switch (delivery.state) {
    case 'sent':
      return { state: 'sent', externalId: delivery.messageId }
    case 'refused':
      return { state: 'refused', code: delivery.reason, message: delivery.message }
    case 'later':
    case 'moved':
    case 'gone':
    case 'unknown':
    case 'unreached':
      return delivery
  }
}

function writeContent(content: Content, { language }: Receiver, publicUrl: string) {
  const texts = textsIn(language)
  if (content.kind === 'test') return { html: texts.say('message.test'), buttons: [], silent: false }
  const { message, timeZone } = content
  return { ...writeForChat(message.id, message.body, { texts, timeZone }, publicUrl, message), silent: !isLoud(message.body) }
}

async function toProgram(services: Delivering, channel: Receiver, content: Content): Promise<DeliveryResult> {
  if (channel.url === null || channel.secretSealed === null) return { state: 'refused', code: 'refused', message: '' }
  const url = addressOf(services.secrets, { id: channel.id, url: channel.url, urlSealed: channel.urlSealed })
  const secret = decryptOrNull(services.secrets, channel.secretSealed, webhookSecretContext(channel.id))
  if (url === null || secret === null) return { state: 'refused', code: 'secret_lost', message: '' }
  const now = services.clock.now()
  const { id, body } = eventFrom(content, channel, services.publicUrl, now)
  const delivery = await services.webhooks.send({
    url,
    secret,
    eventId: id,
    body: JSON.stringify(body),
    atSeconds: Math.floor(now / 1_000),
  })
  switch (delivery.state) {
    case 'sent':
      return { state: 'sent', externalId: null }
    case 'forbidden':
      return { state: 'refused', code: 'forbidden', message: delivery.message }
    case 'refused': {
      const { status, afterSeconds } = delivery
      // A temporary server error cannot be distinguished from a permanent one.
      return afterSeconds === null
        ? { state: 'unreached', message: `status ${status}`, status }
        : { state: 'later', afterSeconds, wholeBot: false, status }
    }
    case 'unknown':
    case 'unreached':
      return delivery
  }
}

function eventFrom(content: Content, channel: Receiver, publicUrl: string, now: number): { readonly id: string; readonly body: object } {
  if (content.kind === 'message') return { id: content.message.id, body: eventOf(content.message, publicUrl) }
  const id = `test-${channel.id}-${now}`
  return { id, body: { id, createdAt: new Date(now).toISOString(), repeated: false, type: 'test' } }
}
