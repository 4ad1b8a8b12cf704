import { inspect } from 'node:util'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createTelegram } from '#server/integrations/telegram/adapter.ts'
import { behindFence, ClaimLost } from '#server/platform/write-fence.ts'
import type { ChatMessage, Messenger } from '#server/ports/messenger.ts'
import { startTelegramSimulator } from '#server/simulators/telegram/simulator.ts'
import type { TelegramSimulator } from '#server/simulators/telegram/simulator.ts'
import type { TelegramBot, TelegramChat } from '#server/simulators/telegram/state.ts'

const token = '123456:AA-canary-token-canary-token-canary'
let telegram: TelegramSimulator
let messenger: Messenger
let bot: TelegramBot
let chat: TelegramChat
beforeAll(async () => {
  telegram = await startTelegramSimulator({ limits: false })
  bot = telegram.state.addBot('watch_bot', token)
  messenger = createTelegram({ baseUrl: telegram.url, userAgent: 'test' })
})
beforeEach(() => {
  telegram.faults.clear()
  chat = telegram.state.addChat(-100, 'supergroup', { topics: [4] })
})
afterAll(async () => {
  await messenger.close()
  await telegram.close()
})

const message = (given: Partial<ChatMessage> = {}): ChatMessage => ({
  chatId: '-100',
  topicId: null,
  html: '<b>x</b> &lt;y&gt;',
  buttons: [],
  silent: false,
  ...given,
})
const send = (given?: Partial<ChatMessage>) => messenger.send(token, message(given))

test('a message is sent with its formatting, buttons and topic', async () => {
  const buttons = [
    [
      { text: 'Ack', data: 'ack:1' },
      { text: 'Open', url: 'https://panel.test/x' },
    ],
  ]
  expect(await send({ topicId: 4, buttons })).toMatchObject({ state: 'sent' })
  expect(telegram.state.ledger.at(-1)).toMatchObject({
    text: 'x <y>',
    topicId: 4,
    buttons: [[{ callback_data: 'ack:1' }, { url: 'https://panel.test/x' }]],
  })
})

test.each([
  ['asks to wait', { kind: 'rate-limited', retryAfterSeconds: 35 }, { state: 'later', afterSeconds: 35, wholeBot: false }],
  [
    'asks to wait for 31 years',
    { kind: 'rate-limited', retryAfterSeconds: 999_999_999 },
    { state: 'later', afterSeconds: 86_400, wholeBot: true },
  ],
  ['does not know the token', { kind: 'revoked-key' }, { state: 'refused', reason: 'unauthorized' }],
  ['was blocked', { kind: 'forbidden' }, { state: 'refused', reason: 'blocked' }],
  ['knows no such chat', { kind: 'success-false' }, { state: 'refused', reason: 'chat_not_found' }],
  ['says that it failed', { kind: 'server-error' }, { state: 'unreached' }],
  ['stands behind a broken proxy', { kind: 'server-error', body: 'html' }, { state: 'unknown' }],
  ['breaks the connection off', { kind: 'reset' }, { state: 'unknown' }],
  ['answers half', { kind: 'cut-body' }, { state: 'unknown' }],
  ['answers no JSON', { kind: 'malformed-json' }, { state: 'unknown' }],
  ['answers more than is known', { kind: 'unknown-fields' }, { state: 'sent' }],
] as const)('the required reaction is reported if Telegram %s', async (_what, effect, delivery) => {
  telegram.faults.add({ effect, times: 1 })
  expect(await send()).toMatchObject(delivery)
})

test('a message is edited; equal content is a success, and a message that is gone or fixed is reported', async () => {
  expect(await send()).toMatchObject({ state: 'sent' })
  const sent = telegram.state.ledger.at(-1)
  const edit = (html: string) => messenger.edit(token, String(sent?.id), message({ html }))
  expect(await edit('<b>y</b>')).toEqual({ state: 'sent', messageId: String(sent?.id) })
  expect(await edit('<b>y</b>')).toEqual({ state: 'sent', messageId: String(sent?.id) })
  expect(sent).toMatchObject({ text: 'y', edits: 1 })
  expect(await edit('a < b')).toMatchObject({ state: 'refused', reason: 'refused' })
  expect(await edit('x'.repeat(4_097))).toMatchObject({ state: 'refused', reason: 'refused' })
  if (sent !== undefined) sent.state = 'fixed'
  expect(await edit('z')).toMatchObject({ state: 'gone' })
  if (sent !== undefined) sent.state = 'deleted'
  expect(await edit('z')).toMatchObject({ state: 'gone' })
  telegram.faults.add({ path: '/editMessageText', effect: { kind: 'rate-limited', retryAfterSeconds: 35 }, times: 1 })
  expect(await edit('z')).toMatchObject({ state: 'later', afterSeconds: 35 })
  chat.migratedTo = -200
  expect(await edit('z')).toEqual({ state: 'moved', chatId: '-200' })
})

test('a rejected message and a migrated group are distinguished', async () => {
  expect(await send({ html: 'a < b' })).toMatchObject({ state: 'refused', reason: 'refused' })
  expect(await send({ topicId: 5 })).toMatchObject({ state: 'refused', reason: 'chat_not_found' })
  chat.migratedTo = -200
  expect(await send()).toEqual({ state: 'moved', chatId: '-200' })
})

test('R-PRM-04 no error, stack or response contains the token, for any failure', async () => {
  const nobody = createTelegram({ baseUrl: 'http://127.0.0.1:9', userAgent: 'test' })
  const caught: unknown[] = [await nobody.send(token, message()), await nobody.whoAmI(token)]
  const { signal } = new AbortController()
  for (const messengerOf of [nobody, messenger]) {
    for (const kind of ['reset', 'cut-body', 'malformed-json', 'revoked-key', 'server-error'] as const) {
      telegram.faults.add({ effect: { kind }, times: 3 })
      caught.push(await messengerOf.whoAmI(token), await messengerOf.send(token, message()))
      await messengerOf.poll(token, null, 0, signal).catch((error: unknown) => caught.push(error))
      telegram.faults.add({ effect: { kind }, times: 1 })
      const press = { callbackId: '1', chatId: '-100', messageId: '1', text: '' }
      await messengerOf.answer(token, press).catch((error: unknown) => caught.push(error))
      telegram.faults.clear()
    }
  }
  await nobody.close()
  expect(caught.length).toBeGreaterThan(30)
  const told = caught.map(
    (each) =>
      `${inspect(each, { depth: 10, showHidden: true })} ${each instanceof Error ? String(each.stack) : ''} ${JSON.stringify(each)}`,
  )
  expect(told.filter((text) => text.includes('canary'))).toEqual([])
})

test('the bot’s identity, messages and button presses are received in order', async () => {
  expect(await messenger.whoAmI(token)).toEqual({ name: 'watch_bot' })
  expect(await messenger.whoAmI('1:bogus-token-bogus')).toMatchObject({ refused: 'unauthorized' })
  expect(await messenger.whoAmI('../getMe')).toMatchObject({ refused: 'unauthorized' })
  telegram.state.write(bot, -100, '/find@watch_bot shop.example')
  telegram.state.write(bot, -100, 'no command')
  const updates = await messenger.poll(token, null, 1, new AbortController().signal)
  expect(updates).toMatchObject([
    { kind: 'command', command: 'find', text: 'shop.example', chatId: '-100', from: '@anna' },
    { kind: 'other' },
  ])
  expect(await messenger.poll(token, updates[1]?.updateId ?? null, 0, new AbortController().signal)).toEqual([])
})

test('a bot with a webhook receives updates too: the webhook is deleted', async () => {
  telegram.state.webhooks.add(bot.id)
  telegram.state.write(bot, -100, '/status')
  const updates = await messenger.poll(token, null, 1, new AbortController().signal)
  expect(updates.at(-1)).toMatchObject({ kind: 'command', command: 'status' })
  expect([...telegram.state.webhooks]).toEqual([])
})

test('an update is never received twice, batches are of bounded size, and updates of unknown shape are skipped', async () => {
  const hear = (after: number | null) => messenger.poll(token, after, 0, new AbortController().signal)
  const seen = await hear(null)
  let after = seen.at(-1)?.updateId ?? null
  for (let at = 0; at < 24; at++) telegram.state.write(bot, -100, `/find site${at}.example`)
  const queue = telegram.state.updates.get(bot.id) ?? []
  const strange = { update_id: (queue.at(-1)?.update_id ?? 0) + 1, message: 'of a kind that is not known yet' }
  queue.push(strange as unknown as (typeof queue)[number])
  const parts: Awaited<ReturnType<typeof hear>>[] = []
  do {
    parts.push(await hear(after))
    after = parts.at(-1)?.at(-1)?.updateId ?? after
  } while ((parts.at(-1)?.length ?? 0) > 0)
  expect(parts.map(({ length }) => length)).toEqual([20, 5, 0])
  expect(parts.flat().flatMap((update) => (update.kind === 'command' ? [update.text] : []))).toEqual(
    Array.from({ length: 24 }, (_, at) => `site${at}.example`),
  )
  expect(parts.flat().at(-1)).toEqual({ kind: 'other', updateId: strange.update_id })
})

test('a message whose claim was lost while it waited for a connection is not sent', async () => {
  const before = telegram.state.ledger.length
  const fence = {
    lost: new AbortController().signal,
    confirm: () => Promise.resolve(),
    check() {
      throw new ClaimLost()
    },
  }
  expect(await behindFence(fence, () => send())).toEqual({ state: 'unreached', message: 'claim lost' })
  expect(telegram.state.ledger).toHaveLength(before)
})
