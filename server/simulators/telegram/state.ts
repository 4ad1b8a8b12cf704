import { createRateWindow } from '../rate-window.ts'
import type { RateWindow } from '../rate-window.ts'
import type { Update } from '#server/integrations/telegram/wire.ts'

export interface TelegramBot {
  readonly id: number
  readonly username: string
  token: string
}

export interface TelegramButton {
  readonly text: string
  readonly callback_data?: string
  readonly url?: string
}

/** A message that arrived: one line of the ledger. */
export interface Delivered {
  readonly id: number
  readonly chatId: number
  readonly topicId: number | null
  readonly botId: number
  /** As it was sent, and as people see it. */
  readonly html: string
  readonly text: string
  readonly silent: boolean
  buttons: readonly (readonly TelegramButton[])[]
  readonly atMs: number
}

export interface TelegramChat {
  readonly id: number
  readonly kind: 'private' | 'group' | 'supergroup' | 'channel'
  readonly username: string | null
  /** As a list of chats names it. */
  readonly title: string
  /** The bot was blocked or thrown out. */
  blocked: boolean
  /** The group became another chat. */
  migratedTo: number | null
  readonly topics: ReadonlySet<number>
  readonly perSecond: RateWindow
  readonly perMinute: RateWindow | null
}

/** What a person wrote to a bot. */
export interface Written {
  readonly id: number
  readonly chatId: number
  readonly author: string
  readonly text: string
  readonly atMs: number
}

interface Press {
  readonly id: string
  readonly botId: number
  /** What the person was told, once. */
  answered: string | null
}

/** How much faster than a message a second short bursts may be is not published; here a little, as a clock that is not ours needs. */
const slackMs = 100

export type TelegramState = ReturnType<typeof createTelegramState>

/** Everything that the simulated Telegram knows. */
export function createTelegramState({ now, limits }: { readonly now: () => number; readonly limits: boolean }) {
  const bots = new Map<string, TelegramBot>()
  const chats = new Map<number, TelegramChat>()
  const ledger: Delivered[] = []
  const written: Written[] = []
  const listeners = new Set<() => void>()
  const presses = new Map<string, Press>()
  const updates = new Map<number, Update[]>()
  const waiting = new Map<number, { wake(): void }>()
  /** Bots whose updates go to a webhook, by id. */
  const webhooks = new Set<number>()
  let nextMessage = 1
  let nextUpdate = 1_000
  let nextBot = 100_000_001
  let refusedByLimit = 0

  const notifyChanged = (): void => {
    for (const listener of listeners) listener()
  }
  function push(botId: number, update: Omit<Update, 'update_id'>): void {
    const queue = updates.get(botId) ?? []
    updates.set(botId, queue)
    queue.push({ update_id: nextUpdate++, ...update })
    waiting.get(botId)?.wake()
  }
  const find = (wanted: number | string): TelegramChat | null =>
    typeof wanted === 'number' || /^-?\d+$/.test(wanted)
      ? (chats.get(Number(wanted)) ?? null)
      : ([...chats.values()].find(({ username }) => username !== null && `@${username}` === wanted) ?? null)

  return {
    now,
    limits,
    bots,
    chats,
    /** Every message that arrived, oldest first, whether or not its sender learnt of it. */
    ledger,
    /** Every message that a person wrote, oldest first. */
    written,
    presses,
    updates,
    waiting,
    webhooks,
    /** The listener is called after each change that people see; returns a function that removes it. */
    onChange(listener: () => void): () => void {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    notifyChanged,
    /** Calls that were refused because somebody did not keep the limits. */
    get refusedByLimit() {
      return refusedByLimit
    },
    noteRefused(): void {
      refusedByLimit += 1
    },
    addBot(username: string, token = `${nextBot}:AA${'s'.repeat(33)}`): TelegramBot {
      const bot = { id: nextBot++, username, token }
      bots.set(token, bot)
      return bot
    },
    /** Another token for the same bot; the old one is refused from now on. */
    revoke(bot: TelegramBot, token: string): void {
      bots.delete(bot.token)
      bot.token = token
      bots.set(token, bot)
    },
    addChat(
      id: number,
      kind: TelegramChat['kind'],
      more: { readonly username?: string; readonly title?: string; readonly topics?: readonly number[] } = {},
    ): TelegramChat {
      const chat: TelegramChat = {
        id,
        kind,
        username: more.username ?? null,
        title: more.title ?? more.username ?? String(id),
        blocked: false,
        migratedTo: null,
        topics: new Set(more.topics ?? []),
        perSecond: createRateWindow(1, 1_000 - slackMs, 0),
        perMinute: kind === 'private' ? null : createRateWindow(20, 60_000 - slackMs, 0),
      }
      chats.set(id, chat)
      return chat
    },
    /** Nobody is known any more, and nothing was said. */
    reset(): void {
      for (const known of [bots, chats, presses, updates, webhooks]) known.clear()
      ledger.length = 0
      written.length = 0
    },
    findChat: find,
    deliver(message: Omit<Delivered, 'id' | 'atMs'>): Delivered {
      const delivered = { ...message, id: nextMessage++, atMs: now() }
      ledger.push(delivered)
      notifyChanged()
      return delivered
    },
    messagesIn: (chatId: number): readonly Delivered[] => ledger.filter((message) => message.chatId === chatId),
    /** A person writes into a chat. */
    write(bot: TelegramBot, chatId: number, text: string, from = { id: 7, first_name: 'Anna', username: 'anna' }): void {
      const id = nextMessage++
      written.push({ id, chatId, author: from.first_name, text, atMs: now() })
      push(bot.id, { message: { message_id: id, chat: { id: chatId }, from, text } })
      notifyChanged()
    },
    /** A person presses a button below a message; the id is what `presses` knows it by. */
    press(bot: TelegramBot, message: Delivered, data: string, from = { id: 7, first_name: 'Anna', username: 'anna' }): string {
      const id = String(presses.size + 1)
      presses.set(id, { id, botId: bot.id, answered: null })
      push(bot.id, { callback_query: { id, from, message: { message_id: message.id, chat: { id: message.chatId } }, data } })
      return id
    },
  }
}
