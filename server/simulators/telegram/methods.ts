import { editMessageText as editMessageTextWire, sendMessage as sendMessageWire } from '#server/integrations/telegram/wire.ts'
import { toPlainText } from './plain-text.ts'
import type { TelegramBot, TelegramButton, TelegramChat, TelegramState } from './state.ts'

export interface Outcome {
  readonly status: number
  readonly contentType: string
  readonly body: string
}

const ok = (result: unknown): Outcome => ({ status: 200, contentType: 'application/json', body: JSON.stringify({ ok: true, result }) })
export const refuse = (code: number, description: string, parameters?: object): Outcome => ({
  status: code,
  contentType: 'application/json',
  body: JSON.stringify({ ok: false, error_code: code, description, ...(parameters && { parameters }) }),
})

type Params = Readonly<Record<string, unknown>>
const longest = 4_096
const mostButtonBytes = 64

/** One call of a bot, with all validations of the Bot API. */
export async function carryOut(state: TelegramState, token: string, method: string, body: unknown, gone: AbortSignal): Promise<Outcome> {
  const bot = state.bots.get(token)
  if (bot === undefined) return refuse(/^\d+:[\w-]+$/.test(token) ? 401 : 404, /^\d+:[\w-]+$/.test(token) ? 'Unauthorized' : 'Not Found')
  const params = typeof body === 'object' && body !== null ? (body as Params) : {}
  switch (method) {
    case 'getMe':
      return ok({ id: bot.id, is_bot: true, first_name: bot.username, username: bot.username, can_join_groups: true })
    case 'sendMessage':
      return sendMessage(state, bot, body)
    case 'editMessageText':
      return editText(state, bot, body)
    case 'editMessageReplyMarkup':
      return editButtons(state, bot, params)
    case 'answerCallbackQuery':
      return answerPress(state, bot, params)
    case 'getUpdates':
      return getUpdates(state, bot, params, gone)
    case 'deleteWebhook':
      state.webhooks.delete(bot.id)
      return ok(true)
    default:
      return refuse(404, 'Not Found: method not found')
  }
}

function sendMessage(state: TelegramState, bot: TelegramBot, body: unknown): Outcome {
  const parsed = sendMessageWire.safeParse(body)
  if (!parsed.success) return refuse(400, `Bad Request: ${parsed.error.issues[0]?.path.join('.') ?? 'body'} is not as documented`)
  const { chat_id: wanted, text: html, message_thread_id: topicId = null, reply_markup: markup, disable_notification: silent } = parsed.data
  const chat = state.findChat(wanted)
  if (chat === null) return refuse(400, 'Bad Request: chat not found')
  const closed = closedChat(chat)
  if (closed !== null) return closed
  if (topicId !== null && !chat.topics.has(topicId)) return refuse(400, 'Bad Request: message thread not found')
  const text = toPlainText(html)
  const buttons = markup?.inline_keyboard ?? []
  const wrong = wrongText(text) ?? wrongButton(buttons)
  if (wrong !== null || text === null) return refuse(400, wrong ?? '')
  const limited = takePlace(state, chat)
  if (limited !== null) return limited
  const delivered = state.deliver({ chatId: chat.id, topicId, botId: bot.id, html, text, silent: silent === true, buttons })
  return ok({ message_id: delivered.id, date: Math.floor(delivered.atMs / 1_000), chat: { id: chat.id, type: chat.kind }, text })
}

/** The chat accepts nothing from the bot. */
function closedChat(chat: TelegramChat): Outcome | null {
  if (chat.migratedTo !== null) {
    return refuse(400, 'Bad Request: group chat was upgraded to a supergroup chat', { migrate_to_chat_id: chat.migratedTo })
  }
  if (!chat.blocked) return null
  return refuse(403, chat.kind === 'private' ? 'Forbidden: bot was blocked by the user' : 'Forbidden: bot was kicked from the group chat')
}

function wrongText(text: string | null): string | null {
  if (text === null) return "Bad Request: can't parse entities: unsupported start tag or unescaped sign"
  if (text.trim() === '') return 'Bad Request: message text is empty'
  return text.length > longest ? 'Bad Request: message is too long' : null
}

function takePlace(state: TelegramState, chat: TelegramChat): Outcome | null {
  if (!state.limits) return null
  for (const window of [chat.perSecond, chat.perMinute]) {
    const decision = window?.take(state.now())
    if (decision?.allowed !== false) continue
    state.noteRefused()
    const seconds = Math.max(1, Math.ceil(decision.resetMs / 1_000))
    return refuse(429, `Too Many Requests: retry after ${seconds}`, { retry_after: seconds })
  }
  return null
}

/**
 * Errors as clients know them (github.com/TelegramBotAPI/errors; github.com/tdlib/telegram-bot-api, issue 400). A bot's own messages have no time
 * limit: the 48 hours of core.telegram.org/bots/api#editmessagetext concern business messages that it did not send.
 */
function editText(state: TelegramState, bot: TelegramBot, body: unknown): Outcome {
  const parsed = editMessageTextWire.safeParse(body)
  if (!parsed.success) return refuse(400, `Bad Request: ${parsed.error.issues[0]?.path.join('.') ?? 'body'} is not as documented`)
  const { chat_id: wanted, message_id: messageId, text: html, reply_markup: markup } = parsed.data
  const chat = state.findChat(wanted)
  if (chat === null) return refuse(400, 'Bad Request: chat not found')
  const closed = closedChat(chat)
  if (closed !== null) return closed
  const message = state.ledger.find(({ id, chatId }) => id === messageId && chatId === chat.id)
  if (message === undefined || message.state === 'deleted') return refuse(400, 'Bad Request: message to edit not found')
  if (message.botId !== bot.id || message.state === 'fixed') return refuse(400, "Bad Request: message can't be edited")
  const text = toPlainText(html)
  const buttons = markup?.inline_keyboard ?? []
  const wrong = wrongText(text) ?? wrongButton(buttons)
  if (wrong !== null || text === null) return refuse(400, wrong ?? '')
  if (html === message.html && JSON.stringify(buttons) === JSON.stringify(message.buttons)) {
    return refuse(
      400,
      'Bad Request: message is not modified: specified new message content and reply markup are exactly the same as a current content and reply markup of the message',
    )
  }
  const limited = takePlace(state, chat)
  if (limited !== null) return limited
  Object.assign(message, { html, text, buttons, edits: message.edits + 1 })
  state.notifyChanged()
  return ok({ message_id: message.id, date: Math.floor(message.atMs / 1_000), chat: { id: chat.id, type: chat.kind }, text })
}

function wrongButton(rows: readonly (readonly TelegramButton[])[]): string | null {
  for (const { callback_data: data, url } of rows.flat()) {
    if (data !== undefined && (data === '' || Buffer.byteLength(data) > mostButtonBytes)) return 'Bad Request: BUTTON_DATA_INVALID'
    if (url !== undefined && !isPublic(url)) return `Bad Request: inline keyboard button URL '${url}' is invalid: Wrong HTTP URL`
  }
  return null
}

/** Telegram rejects button URLs whose host has no dot; its behavior for loopback addresses is unknown, so they are rejected here. */
function isPublic(address: string): boolean {
  const { protocol, hostname } = new URL(address)
  return /^https?:$/.test(protocol) && hostname.includes('.') && !hostname.startsWith('127.')
}

function editButtons(state: TelegramState, bot: TelegramBot, params: Params): Outcome {
  const message = state.ledger.find(
    ({ id, chatId, botId }) => id === params['message_id'] && chatId === params['chat_id'] && botId === bot.id,
  )
  if (message === undefined) return refuse(400, 'Bad Request: message to edit not found')
  const markup = params['reply_markup'] as { readonly inline_keyboard?: readonly (readonly TelegramButton[])[] } | undefined
  const buttons = markup?.inline_keyboard ?? []
  const wrong = wrongButton(buttons)
  if (wrong !== null) return refuse(400, wrong)
  if (JSON.stringify(buttons) === JSON.stringify(message.buttons)) return refuse(400, 'Bad Request: message is not modified')
  message.buttons = buttons
  state.notifyChanged()
  return ok({ message_id: message.id, date: 0, chat: { id: message.chatId, type: 'private' } })
}

function answerPress(state: TelegramState, bot: TelegramBot, params: Params): Outcome {
  const press = state.presses.get(String(params['callback_query_id']))
  if (press === undefined || press.botId !== bot.id) {
    return refuse(400, 'Bad Request: query is too old and response timeout expired or query ID is invalid')
  }
  const text = typeof params['text'] === 'string' ? params['text'] : ''
  if (text.length > 200) return refuse(400, 'Bad Request: MESSAGE_TOO_LONG')
  press.answered = text
  state.notifyChanged()
  return ok(true)
}

/** Long polling, one request at a time per bot. `offset` confirms all earlier updates. */
async function getUpdates(state: TelegramState, bot: TelegramBot, params: Params, gone: AbortSignal): Promise<Outcome> {
  if (state.webhooks.has(bot.id)) {
    return refuse(409, "Conflict: can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first")
  }
  if (state.waiting.has(bot.id)) {
    return refuse(409, 'Conflict: terminated by other getUpdates request; make sure that only one bot instance is running')
  }
  const offset = Number(params['offset'] ?? 0)
  const left = () => (state.updates.get(bot.id) ?? []).filter(({ update_id: id }) => id >= offset)
  state.updates.set(bot.id, left())
  if (left().length === 0) {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, Number(params['timeout'] ?? 0) * 1_000)
      const wake = () => {
        clearTimeout(timer)
        resolve()
      }
      state.waiting.set(bot.id, { wake })
      gone.addEventListener('abort', wake, { once: true })
    })
    state.waiting.delete(bot.id)
  }
  const limit = Math.min(100, Math.max(1, Number(params['limit'] ?? 100)))
  return ok(left().slice(0, limit))
}
