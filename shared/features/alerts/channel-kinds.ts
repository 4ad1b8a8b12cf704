export const addressFields = ['chatId', 'topicId', 'url'] as const
export type AddressField = (typeof addressFields)[number]

/** Properties in which the kinds of alert channels differ. */
interface ChannelKindRow {
  /** The fields of its address; those of other kinds are refused. */
  readonly address: Partial<Record<AddressField, 'required' | 'optional'>>
  /** Messages are signed with the channel's secret. */
  readonly hasSecret: boolean
  /** For people, waiting messages are merged, and only the first incidents are named. A webhook gets everything, in order. */
  readonly isForPeople: boolean
  /** A sent message can be replaced, so that it is updated instead of followed by another one. */
  readonly canEdit: boolean
  /** Whose rate limits apply: those of the owner's Telegram bot and its chat, or none until the receiver asks to wait. */
  readonly pace: 'telegram_bot' | 'receiver'
  /** Pause before the first retry. A webhook gets messages in order, so one failure would delay all later ones. */
  readonly firstRetryMs: number
}

/** One row per kind. */
export const channelKinds = {
  telegram: {
    address: { chatId: 'required', topicId: 'optional' },
    hasSecret: false,
    isForPeople: true,
    canEdit: true,
    pace: 'telegram_bot',
    firstRetryMs: 2_000,
  },
  webhook: { address: { url: 'required' }, hasSecret: true, isForPeople: false, canEdit: false, pace: 'receiver', firstRetryMs: 250 },
} as const satisfies Record<string, ChannelKindRow>

export type ChannelKind = keyof typeof channelKinds
export const channelKindNames = Object.keys(channelKinds) as ChannelKind[]

const addressOf = (kind: ChannelKind): ChannelKindRow['address'] => channelKinds[kind].address
export const hasField = (kind: ChannelKind, field: AddressField): boolean => addressOf(kind)[field] !== undefined
export const requiresField = (kind: ChannelKind, field: AddressField): boolean => addressOf(kind)[field] === 'required'
