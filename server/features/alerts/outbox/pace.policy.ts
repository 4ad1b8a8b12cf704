/** Telegram allows about one message per second in a chat and twenty per minute in a group. The margin allows for clock differences. */
const betweenMs = 1_050
const perMinute = 20
const minuteMs = 60_500
export const keptTimes = perMinute
/** A message that waits longer is dropped. */
export const keptForMs = 24 * 3_600_000

export interface Pace {
  /** Send times in the chat, newest last. */
  readonly sentAt: readonly number[]
  readonly blockedUntil: number | null
}

/** Groups have negative ids; channels with public names have the same limits. */
export const isGroup = (chatId: string): boolean => chatId.startsWith('-') || chatId.startsWith('@')

/** The earliest time for the next message; a time not after `now` means immediately. */
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
