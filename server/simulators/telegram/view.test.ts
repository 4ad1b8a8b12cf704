import { afterEach, beforeEach, expect, test } from 'vitest'
import { zoneMonitors } from '#server/db/schema/index.ts'
import { startBots } from '#server/features/alerts/index.ts'
import { chatNumber, createTestAlerts, httpStatus, insertIncidents } from '#server/testing/alerts.ts'
import type { TestAlerts } from '#server/testing/alerts.ts'
import { insertAccount, insertZone } from '#server/testing/factories.ts'
import { answerUpdate } from '#server/transports/bot/answer-update.ts'
import { snapshotOf, startTelegramView } from './view.ts'
import type { TelegramView } from './view.ts'

let t: TestAlerts
let view: TelegramView
let stopBots: () => Promise<void>
beforeEach(async () => {
  t = await createTestAlerts({ telegram: { limits: false } })
  const ownerId = t.owner.user.id
  const account = await insertAccount(t.services.db, { ownerId })
  const { id: domainId } = await insertZone(t.services.db, { ownerId, accountId: account.id, name: 'shop.example' })
  const watched = { ownerId, intervalSeconds: 300, slot: 0, regions: ['EUROPE' as const], since: new Date() }
  await t.services.db.orm.insert(zoneMonitors).values({ domainId, ...watched, health: 'critical', reasons: [httpStatus(503)] })
  await insertIncidents(t.services, ownerId, [{ name: 'shop.example', domainId }])
  stopBots = startBots(t.services, answerUpdate, { lookEveryMs: 50, pollSeconds: 1, restMs: 50 })
  view = await startTelegramView(t.telegram.state)
})
afterEach(async () => {
  await view.close()
  await stopBots()
  await t.close()
})

const post = (path: string, body: unknown, headers: Readonly<Record<string, string>> = {}) =>
  fetch(`${view.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
const lastMessage = () => snapshotOf(t.telegram.state).chats[0]?.messages.at(-1)

test('a button pressed in the Telegram view acknowledges the incident, shows the bot’s answer, and disappears', async () => {
  await t.start()
  await expect.poll(() => lastMessage()?.buttons.length).toBeGreaterThan(0)
  const message = lastMessage()
  const data = message?.buttons.flat().find((button) => button.callback_data?.startsWith('ack:'))?.callback_data
  const answer = await post('/presses', { messageId: message?.id, data })
  expect([answer.status, await answer.json()]).toEqual([200, { text: 'Acknowledged: @demo' }])
  const [incident] = await t.services.db.sql<{ by: string }[]>`select acknowledged_by as by from incidents`
  expect(incident?.by).toBe('@demo (Telegram)')
  await expect
    .poll(() =>
      lastMessage()
        ?.buttons.flat()
        .some((button) => button.callback_data === data),
    )
    .toBe(false)
  expect((await post('/presses', { messageId: message?.id, data })).status).toBe(404)
})

test('a command sent in the Telegram view is answered there, and an open page receives both messages', async () => {
  const ending = new AbortController()
  const stream = await fetch(`${view.url}/events`, { signal: ending.signal })
  const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader()
  let received = ''
  const readUntil = async (text: string) => {
    while (!received.includes(text)) received += (await reader?.read())?.value ?? ''
  }
  await readUntil('"chats"')
  expect((await post('/messages', { chatId: chatNumber, text: '/find shop' })).status).toBe(202)
  await readUntil('"text":"/find shop"')
  await readUntil('🔴 shop.example')
  ending.abort()
})

test('the Telegram view has a policy that permits only its own script, and refuses other sites and unknown chats and messages', async () => {
  const page = await fetch(view.url)
  const [, nonce] = /script-src 'nonce-([^']+)'/.exec(page.headers.get('content-security-policy') ?? '') ?? []
  expect(await page.text()).toContain(`<script nonce="${nonce}">`)
  const message = { chatId: chatNumber, text: '/help' }
  expect((await post('/messages', message, { 'sec-fetch-site': 'cross-site' })).status).toBe(403)
  expect((await post('/messages', message, { 'content-type': 'text/plain' })).status).toBe(400)
  expect((await post('/messages', { chatId: 666, text: '/help' })).status).toBe(400)
  expect((await post('/presses', { messageId: 666, data: 'ack:1' })).status).toBe(404)
  expect(t.telegram.state.written).toEqual([])
})
