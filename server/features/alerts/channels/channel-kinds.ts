import type { AlertChannel } from '#shared/features/alerts/schema.ts'

type ChannelKind = AlertChannel['kind']

/** What the kinds of alert channels differ in. */
interface ChannelKindRow {
  /** The fields of its address; those of other kinds are refused. */
  readonly addressFields: readonly ('chatId' | 'topicId' | 'url')[]
  /** Messages are signed with a secret of the channel. */
  readonly hasSecret: boolean
  /** People read it: messages that wait become one, keep the pace of a chat, and name only the first incidents. A program takes everything, in order. */
  readonly isForPeople: boolean
  /** Before the second try. A program takes messages in order, so one failure would hold up everything behind it. */
  readonly firstRetryMs: number
}

/** One row a kind. How a kind is sent to is in `outbox/deliver-message.ts`. */
export const channelKinds: Readonly<Record<ChannelKind, ChannelKindRow>> = {
  telegram: { addressFields: ['chatId', 'topicId'], hasSecret: false, isForPeople: true, firstRetryMs: 2_000 },
  webhook: { addressFields: ['url'], hasSecret: true, isForPeople: false, firstRetryMs: 250 },
}
