import type { AlertChannel } from '#shared/features/alerts/schema.ts'

type ChannelKind = AlertChannel['kind']

/** Properties in which the kinds of alert channels differ. */
interface ChannelKindRow {
  /** Its address fields; those of other kinds are refused. */
  readonly addressFields: readonly ('chatId' | 'topicId' | 'url')[]
  /** Messages are signed with the channel's secret. */
  readonly hasSecret: boolean
  /** For people, waiting messages are merged, chat rate limits apply, and only the first incidents are named. A webhook gets everything, in order. */
  readonly isForPeople: boolean
  /** Pause before the first retry. A webhook gets messages in order, so one failure would delay all later ones. */
  readonly firstRetryMs: number
}

/** One entry per kind. Sending is in `outbox/deliver-message.ts`. */
export const channelKinds: Readonly<Record<ChannelKind, ChannelKindRow>> = {
  telegram: { addressFields: ['chatId', 'topicId'], hasSecret: false, isForPeople: true, firstRetryMs: 2_000 },
  webhook: { addressFields: ['url'], hasSecret: true, isForPeople: false, firstRetryMs: 250 },
}
