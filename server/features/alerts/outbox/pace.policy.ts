/** Telegram: about a message a second in a chat, twenty a minute in a group. A little slower, as clocks differ. */
const betweenMs = 1_050
const perMinute = 20
const minuteMs = 60_500
export const keptTimes = perMinute
/** A message that waits longer is not sent. */
export const keptForMs = 24 * 3_600_000

export interface Pace {
  /** When a bot wrote to the chat, newest last. */
  readonly sentAt: readonly number[]
  readonly blockedUntil: number | null
}

/** Groups have negative ids; channels, which have names, are as strict. */
export const isGroup = (chatId: string): boolean => chatId.startsWith('-') || chatId.startsWith('@')

/** When the next message may be sent; not after `now`: immediately. */
export function nextAllowed(chat: Pace, bot: Pace, group: boolean): number {
  const last = chat.sentAt.at(-1)
  const first = chat.sentAt.at(-perMinute)
  return Math.max(
    chat.blockedUntil ?? 0,
    bot.blockedUntil ?? 0,
    last === undefined ? 0 : last + betweenMs,
    group && first !== undefined ? first + minuteMs : 0,
  )
}
