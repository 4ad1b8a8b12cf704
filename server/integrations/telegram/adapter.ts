import type { GrammyError } from 'grammy'
import { createHttpClient, HttpError } from '#server/integrations/http/http-client.ts'
import { fenced } from '#server/integrations/http/send.ts'
import { ClaimLost } from '#server/platform/write-fence.ts'
import type { HttpClient } from '#server/integrations/http/http-client.ts'
import type { BotUpdate, ChatMessage, Delivery, Edit, Messenger } from '#server/ports/messenger.ts'
import * as wire from './wire.ts'

/** Longer than any Telegram call takes; a message without a response by then may have arrived. */
const patienceMs = 15_000
const pollSpareMs = 10_000
/** Used if Telegram asks to wait without a delay. */
const waitSeconds = 5
const wholeBotSeconds = 60
/** Flood limits last hours at most; a longer delay is capped at a day. */
const longestWaitSeconds = 24 * 3_600

/** The error passed outside: without any URL, because URLs contain the token. */
class NoAnswer extends Error {
  readonly sent: 'no' | 'unknown'

  constructor(sent: 'no' | 'unknown', message: string) {
    super(message)
    this.name = 'NoAnswer'
    this.sent = sent
  }
}

/** Loaded when the first bot is used: a panel without one starts faster, and uses 25 MB less. */
let grammy: typeof import('grammy') | null = null

interface CallOptions {
  readonly timeoutMs: number
  readonly signal?: AbortSignal | undefined
}

/**
 * Telegram's Bot API through grammY's `Api`. Every URL contains the token, and grammY's `HttpError.error` shows the URL in its stack; so
 * errors are recreated here from their kind only.
 */
export function createTelegram(options: {
  readonly baseUrl: string
  readonly userAgent: string
  /** Timeout of all calls except polling. */
  readonly sendTimeoutMs?: number
}): Messenger {
  const { sendTimeoutMs = patienceMs } = options
  const http = createHttpClient({ userAgent: options.userAgent, maxBytes: 2_000_000 })
  const apiOf = async (token: string, call: CallOptions) => {
    grammy ??= await import('grammy')
    return new grammy.Api(token, { apiRoot: options.baseUrl, fetch: fetchThrough(http, call), timeoutSeconds: 3_600, sensitiveLogs: false })
  }
  return {
    close: () => http.close(),
    whoAmI: async (token) => {
      if (!looksLikeToken(token)) return { refused: 'unauthorized', message: 'malformed token' }
      try {
        return { name: wire.bot.parse(await (await apiOf(token, { timeoutMs: sendTimeoutMs })).getMe()).username }
      } catch (error) {
        const why = explain(error)
        const unauthorized = why.code === 401 || why.code === 404
        return { refused: unauthorized ? 'unauthorized' : 'unreached', message: why.message }
      }
    },
    send: async (token, message) => {
      try {
        const api = await apiOf(token, { timeoutMs: sendTimeoutMs })
        const { message_id: id } = await api.sendMessage(chatOf(message.chatId), message.html, {
          parse_mode: 'HTML',
          link_preview_options: { is_disabled: true },
          ...(message.silent && { disable_notification: true }),
          ...(message.topicId !== null && { message_thread_id: message.topicId }),
          ...(message.buttons.length > 0 && { reply_markup: keyboard(message.buttons) }),
        })
        return { state: 'sent', messageId: String(id) }
      } catch (error) {
        return deliveryOf(error)
      }
    },
    edit: async (token, messageId, message) => {
      try {
        const api = await apiOf(token, { timeoutMs: sendTimeoutMs })
        await api.editMessageText(chatOf(message.chatId), Number(messageId), message.html, {
          parse_mode: 'HTML',
          link_preview_options: { is_disabled: true },
          ...(message.buttons.length > 0 && { reply_markup: keyboard(message.buttons) }),
        })
        return { state: 'sent', messageId }
      } catch (error) {
        return editOf(error, messageId)
      }
    },
    answer: async (token, press, buttons) => {
      try {
        const api = await apiOf(token, { timeoutMs: sendTimeoutMs })
        await api.answerCallbackQuery(press.callbackId, { text: press.text.slice(0, 200) })
        if (buttons !== undefined) {
          await api.editMessageReplyMarkup(chatOf(press.chatId), Number(press.messageId), { reply_markup: keyboard(buttons) })
        }
      } catch (error) {
        throw safe(error)
      }
    },
    poll: async (token, after, seconds, signal) => {
      try {
        const api = await apiOf(token, { timeoutMs: seconds * 1_000 + pollSpareMs, signal })
        const getUpdates = () =>
          api.getUpdates({
            timeout: seconds,
            // As many updates as surely fit in a response of limited size.
            limit: 20,
            allowed_updates: ['message', 'callback_query'],
            ...(after !== null && { offset: after + 1 }),
          })
        const updates = await getUpdates().catch(async (error: unknown) => {
          if (!isWebhookConflict(error)) throw error
          await api.deleteWebhook()
          return getUpdates()
        })
        return updates.map((update) => {
          const known = wire.update.safeParse(update)
          return known.success ? toUpdate(known.data) : { kind: 'other', updateId: update.update_id }
        })
      } catch (error) {
        throw safe(error)
      }
    },
  }
}

/** While a webhook is set, updates are not available by polling. */
const isWebhookConflict = (error: unknown): boolean => {
  const { code, message } = explain(error)
  return code === 409 && /webhook is active/i.test(message)
}

/** Only characters of a valid token are put into a URL. */
const looksLikeToken = (token: string) => /^\d{1,20}:[\w-]{10,100}$/.test(token)

const chatOf = (chatId: string): number | string => (/^-?\d{1,16}$/.test(chatId) ? Number(chatId) : chatId)

const keyboard = (rows: ChatMessage['buttons']) => ({
  inline_keyboard: rows.map((row) =>
    row.map((button) => ('url' in button ? { text: button.text, url: button.url } : { text: button.text, callback_data: button.data })),
  ),
})

/** The fetch function for grammY: the panel's own client, which knows whether a request was sent. */
const fetchThrough =
  (http: HttpClient, { timeoutMs, signal }: CallOptions) =>
  async (input: unknown, init?: { readonly body?: unknown }): Promise<Response> => {
    try {
      const request = {
        method: 'POST',
        url: String(input),
        headers: { 'content-type': 'application/json' },
        body: typeof init?.body === 'string' ? init.body : '{}',
        headersTimeoutMs: timeoutMs,
        timeoutMs,
        signal,
      } as const
      const answer = await fenced(request, (checked) => http.request(checked))
      return new Response(answered(answer.status, answer.text), { status: 200 })
    } catch (error) {
      if (error instanceof NoAnswer) throw error
      if (error instanceof ClaimLost) throw new NoAnswer('no', 'claim lost')
      const failure = error instanceof HttpError ? error.failure : 'lost'
      throw new NoAnswer(failure === 'unreached' ? 'no' : 'unknown', failure)
    }
  }

/** Telegram's own errors are JSON with `ok`, with any status; anything else comes from a proxy. */
function answered(status: number, text: string): string {
  try {
    const content: unknown = JSON.parse(text)
    if (typeof content === 'object' && content !== null && 'ok' in content) return text
  } catch {
    // As below.
  }
  throw new NoAnswer('unknown', `status ${status}`)
}

/** Telegram responded, but not with ok. */
const isRefusal = (error: unknown): error is GrammyError => grammy !== null && error instanceof grammy.GrammyError

/** The kind of an error and Telegram's own message; never a URL. */
function explain(error: unknown): { readonly code: number | null; readonly sent: 'no' | 'unknown'; readonly message: string } {
  if (isRefusal(error)) return { code: error.error_code, sent: 'no', message: error.description.slice(0, 500) }
  const inner = grammy !== null && error instanceof grammy.HttpError ? error.error : error
  if (inner instanceof NoAnswer) return { code: null, sent: inner.sent, message: inner.message }
  return { code: null, sent: 'unknown', message: 'malformed answer' }
}

const safe = (error: unknown): Error => {
  const { code, message } = explain(error)
  return new Error(`Telegram: ${code === null ? '' : `${code} `}${message}`)
}

function deliveryOf(error: unknown): Delivery {
  const { code, sent, message } = explain(error)
  if (code === null) return { state: sent === 'no' ? 'unreached' : 'unknown', message }
  const parameters = isRefusal(error) ? error.parameters : {}
  if (code === 429) {
    const afterSeconds = Math.min(Math.max(1, parameters.retry_after ?? waitSeconds), longestWaitSeconds)
    return { state: 'later', afterSeconds, wholeBot: afterSeconds >= wholeBotSeconds }
  }
  if (parameters.migrate_to_chat_id !== undefined) return { state: 'moved', chatId: String(parameters.migrate_to_chat_id) }
  // Telegram reports that it did not process the request.
  if (code >= 500) return { state: 'unreached', message }
  if (code === 401 || (code === 404 && message === 'Not Found')) return { state: 'refused', reason: 'unauthorized', message }
  if (code === 403) return { state: 'refused', reason: 'blocked', message }
  const lost = /chat not found|thread not found|TOPIC_(CLOSED|DELETED)|not enough rights|CHAT_WRITE_FORBIDDEN|need administrator rights/i
  return { state: 'refused', reason: lost.test(message) ? 'chat_not_found' : 'refused', message }
}

function editOf(error: unknown, messageId: string): Edit {
  const { code, message } = explain(error)
  if (code === 400 && /message is not modified/i.test(message)) return { state: 'sent', messageId }
  if (code === 400 && /message to edit not found|message can't be edited|MESSAGE_ID_INVALID/i.test(message))
    return { state: 'gone', message }
  return deliveryOf(error)
}

function toUpdate({ update_id: updateId, message, callback_query: press }: wire.Update): BotUpdate {
  if (press?.data !== undefined && press.message !== undefined) {
    return {
      kind: 'button',
      updateId,
      chatId: String(press.message.chat.id),
      from: nameOf(press.from),
      data: press.data,
      callbackId: press.id,
      messageId: String(press.message.message_id),
    }
  }
  const [, command, text = ''] = /^\/([a-z]{1,32})(?:@\w+)?(?:\s+([^]*))?$/i.exec(message?.text?.trim() ?? '') ?? []
  if (message === undefined || command === undefined) return { kind: 'other', updateId }
  return {
    kind: 'command',
    updateId,
    chatId: String(message.chat.id),
    topicId: message.is_topic_message === true ? (message.message_thread_id ?? null) : null,
    from: nameOf(message.from),
    command: command.toLowerCase(),
    text: text.trim(),
  }
}

const nameOf = (person: { readonly username?: string | undefined; readonly first_name?: string | undefined } | undefined): string =>
  person?.username === undefined ? (person?.first_name ?? '') : `@${person.username}`
