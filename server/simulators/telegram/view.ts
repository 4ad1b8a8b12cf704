import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { z } from 'zod'

import { listen } from '../listen.ts'
import type { TelegramState } from './state.ts'

export interface TelegramView {
  readonly url: string
  close(): Promise<void>
}

/** The person acting in the view. */
const person = { id: 42, first_name: 'Demo', username: 'demo' }
const mostMessages = 200
const mostBytes = 16_384
const answerWithinMs = 10_000
const writing = z.strictObject({ chatId: z.number(), text: z.string().trim().min(1).max(4_096) })
const pressing = z.strictObject({ messageId: z.number(), data: z.string().min(1).max(64) })

/** The content of the page: each chat with its last messages, oldest first. */
export function snapshotOf(state: TelegramState) {
  const botName = new Map([...state.bots.values()].map(({ id, username }) => [id, username]))
  const messages = [
    ...state.ledger.map(({ id, chatId, botId, html, text, buttons, atMs }) => ({
      id,
      chatId,
      author: botName.get(botId) ?? 'bot',
      own: false,
      html,
      text,
      buttons,
      atMs,
    })),
    ...state.written.map(({ id, chatId, author, text, atMs }) => ({ id, chatId, author, own: true, html: null, text, buttons: [], atMs })),
  ].toSorted((one, other) => one.id - other.id)
  const byChat = Map.groupBy(messages, ({ chatId }) => chatId)
  return {
    chats: [...state.chats.values()].map(({ id, kind, title }) => ({
      id,
      kind,
      title,
      messages: (byChat.get(id) ?? []).slice(-mostMessages),
    })),
  }
}

/** A web page for the simulated Telegram: chats, working buttons, and a field for commands. It listens on loopback only. */
export async function startTelegramView(state: TelegramState, port = 0): Promise<TelegramView> {
  const page = await readFile(join(import.meta.dirname, 'view.html'), 'utf8')
  const streams = new Set<ServerResponse>()
  let due = false
  const stopListening = state.onChange(() => {
    if (due) return
    due = true
    setImmediate(() => {
      due = false
      const event = eventOf(state)
      for (const stream of streams) stream.write(event)
    })
  })

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    // Another site in the same browser can neither read the chats nor press a button, under any host name.
    const host = new URL(`http://${request.headers.host ?? 'invalid'}`).hostname
    const site = request.headers['sec-fetch-site'] ?? 'same-origin'
    const route = `${request.method} ${request.url?.split('?')[0]}`
    const isPage = route === 'GET /'
    if (!['127.0.0.1', 'localhost'].includes(host) || (!isPage && site !== 'same-origin'))
      return reply(response, 403, { error: 'forbidden' })
    switch (route) {
      case 'GET /':
        return sendPage(response, page)
      case 'GET /events':
        response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' })
        response.write(eventOf(state))
        streams.add(response)
        response.on('close', () => streams.delete(response))
        return
      case 'POST /messages': {
        const parsed = writing.safeParse(await readJson(request))
        const bot = [...state.bots.values()][0]
        if (!parsed.success || bot === undefined || !state.chats.has(parsed.data.chatId)) return reply(response, 400, { error: 'invalid' })
        state.write(bot, parsed.data.chatId, parsed.data.text, person)
        return reply(response, 202, {})
      }
      case 'POST /presses': {
        const parsed = pressing.safeParse(await readJson(request))
        return parsed.success ? press(response, parsed.data) : reply(response, 400, { error: 'invalid' })
      }
      default:
        return reply(response, 404, { error: 'not_found' })
    }
  }

  async function press(response: ServerResponse, { messageId, data }: z.output<typeof pressing>): Promise<void> {
    const message = state.ledger.find(({ id }) => id === messageId)
    const bot = [...state.bots.values()].find(({ id }) => id === message?.botId)
    const exists = message?.buttons.flat().some(({ callback_data: each }) => each === data) ?? false
    if (message === undefined || bot === undefined || !exists) return reply(response, 404, { error: 'not_found' })
    const id = state.press(bot, message, data, person)
    const answered = Promise.withResolvers<string | null>()
    const stop = state.onChange(() => {
      const text = state.presses.get(id)?.answered ?? null
      if (text !== null) answered.resolve(text)
    })
    const timer = setTimeout(() => answered.resolve(null), answerWithinMs)
    response.on('close', () => answered.resolve(null))
    const text = await answered.promise
    clearTimeout(timer)
    stop()
    reply(response, text === null ? 504 : 200, { text })
  }

  const server = createServer((request, response) => {
    answer(request, response).catch(() => reply(response, 400, { error: 'invalid' }))
  })
  const { port: actualPort, close } = await listen(server, port)
  return {
    url: `http://127.0.0.1:${actualPort}`,
    close: () => {
      stopListening()
      return close()
    },
  }
}

const eventOf = (state: TelegramState): string => `data: ${JSON.stringify(snapshotOf(state))}\n\n`

function sendPage(response: ServerResponse, page: string): void {
  const nonce = randomBytes(16).toString('base64')
  response.writeHead(200, {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'content-security-policy': `default-src 'none'; script-src 'nonce-${nonce}'; style-src 'nonce-${nonce}'; connect-src 'self'; img-src data:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'`,
  })
  response.end(page.replaceAll('{{nonce}}', nonce))
}

function reply(response: ServerResponse, status: number, body: object): void {
  if (response.headersSent || response.destroyed) return
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify(body))
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  if (!request.headers['content-type']?.startsWith('application/json')) return null
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > mostBytes) return null
    chunks.push(chunk)
  }
  return JSON.parse(Buffer.concat(chunks).toString())
}
