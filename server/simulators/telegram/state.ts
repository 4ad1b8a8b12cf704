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

/** A delivered message: one entry of the ledger. */
export interface Delivered {
  readonly id: number
  readonly chatId: number
  readonly topicId: number | null
  readonly botId: number
  /** As sent or last edited, and as displayed. */
  html: string
  text: string
  readonly silent: boolean
  buttons: readonly (readonly TelegramButton[])[]
  readonly atMs: number
  /** How often its text was changed. */
  edits: number
  /** No longer there, or refused for another reason. */
  state: 'editable' | 'deleted' | 'fixed'
}

export interface TelegramChat {
  readonly id: number
  readonly kind: 'private' | 'group' | 'supergroup' | 'channel'
  readonly username: string | null
  /** The name in a list of chats. */
  readonly title: string
  /** The bot was blocked or removed. */
  blocked: boolean
  /** The group was migrated to another chat. */
  migratedTo: number | null
  readonly topics: ReadonlySet<number>
  readonly perSecond: RateWindow
  readonly perMinute: RateWindow | null
}

/** A message from a person to a bot. */
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
  /** The notification shown to the person, once. */
  answered: string | null
}

/**
 * How much faster than one message a second short bursts may be is not published; the simulator permits a little, because clocks differ.
 */
const slackMs = 100

/** The complete state of the simulated Telegram. */
export class TelegramState {
  readonly now: () => number
  readonly limits: boolean
  readonly bots = new Map<string, TelegramBot>()
  readonly chats = new Map<number, TelegramChat>()
  /** Every delivered message, oldest first, whether or not the sender got the response. */
  readonly ledger: Delivered[] = []
  /** Every message written by a person, oldest first. */
  readonly written: Written[] = []
  readonly presses = new Map<string, Press>()
  readonly updates = new Map<number, Update[]>()
  readonly waiting = new Map<number, { wake(): void }>()
  /** Bots with a webhook, by id. */
  readonly webhooks = new Set<number>()
  readonly #listeners = new Set<() => void>()
  #nextMessage = 1
  #nextUpdate = 1_000
  #nextBot = 100_000_001
  #refusedByLimit = 0

  constructor({ now, limits }: { readonly now: () => number; readonly limits: boolean }) {
    this.now = now
    this.limits = limits
  }

  #push(botId: number, update: Omit<Update, 'update_id'>): void {
    const queue = this.updates.get(botId) ?? []
    this.updates.set(botId, queue)
    queue.push({ update_id: this.#nextUpdate++, ...update })
    this.waiting.get(botId)?.wake()
  }

  /** Calls the listener after each visible change; returns a function that removes it. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  notifyChanged(): void {
    for (const listener of this.#listeners) listener()
  }
  /** Calls refused because of rate limits. */
  get refusedByLimit() {
    return this.#refusedByLimit
  }

  noteRefused(): void {
    this.#refusedByLimit += 1
  }

  addBot(username: string, token = `${this.#nextBot}:AA${'s'.repeat(33)}`): TelegramBot {
    const bot = { id: this.#nextBot++, username, token }
    this.bots.set(token, bot)
    return bot
  }

  /** Replaces the token of a bot; the old one is refused from now on. */
  revoke(bot: TelegramBot, token: string): void {
    this.bots.delete(bot.token)
    bot.token = token
    this.bots.set(token, bot)
  }

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
    this.chats.set(id, chat)
    return chat
  }

  /** Deletes all chats, bots and messages. */
  reset(): void {
    for (const known of [this.bots, this.chats, this.presses, this.updates, this.webhooks]) known.clear()
    this.ledger.length = 0
    this.written.length = 0
  }

  findChat(wanted: number | string): TelegramChat | null {
    if (typeof wanted === 'number' || /^-?\d+$/.test(wanted)) return this.chats.get(Number(wanted)) ?? null
    return [...this.chats.values()].find(({ username }) => username !== null && `@${username}` === wanted) ?? null
  }
  deliver(message: Omit<Delivered, 'id' | 'atMs' | 'edits' | 'state'>): Delivered {
    const delivered: Delivered = { ...message, id: this.#nextMessage++, atMs: this.now(), edits: 0, state: 'editable' }
    this.ledger.push(delivered)
    this.notifyChanged()
    return delivered
  }

  messagesIn(chatId: number): readonly Delivered[] {
    return this.ledger.filter((message) => message.chatId === chatId)
  }
  /** A person writes to a chat. */
  write(bot: TelegramBot, chatId: number, text: string, from = { id: 7, first_name: 'Anna', username: 'anna' }): void {
    const id = this.#nextMessage++
    this.written.push({ id, chatId, author: from.first_name, text, atMs: this.now() })
    this.#push(bot.id, { message: { message_id: id, chat: { id: chatId }, from, text } })
    this.notifyChanged()
  }

  /** A person presses a button below a message; the id identifies the press in `presses`. */
  press(bot: TelegramBot, message: Delivered, data: string, from = { id: 7, first_name: 'Anna', username: 'anna' }): string {
    const id = String(this.presses.size + 1)
    this.presses.set(id, { id, botId: bot.id, answered: null })
    this.#push(bot.id, { callback_query: { id, from, message: { message_id: message.id, chat: { id: message.chatId } }, data } })
    return id
  }
}
