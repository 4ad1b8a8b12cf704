import { randomBytes } from 'node:crypto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { zoneMonitors } from '#server/db/schema/index.ts'
import { startBots } from '#server/features/alerts/index.ts'
import { createSecrets } from '#server/platform/secrets.ts'
import { chatNumber, createTestAlerts, httpStatus, insertChannel, insertIncidents, insertSettings } from '#server/testing/alerts.ts'
import type { TestAlerts } from '#server/testing/alerts.ts'
import { signIn } from '#server/testing/app.ts'
import { insertAccount, insertZone } from '#server/testing/factories.ts'
import { answerUpdate } from './answer-update.ts'

let t: TestAlerts
let domainId: string
let stopBots: () => Promise<void>
beforeEach(async () => {
  t = await createTestAlerts({ telegram: { limits: false } })
  const ownerId = t.owner.user.id
  const account = await insertAccount(t.services.db, { ownerId })
  domainId = (await insertZone(t.services.db, { ownerId, accountId: account.id, name: 'shop.example' })).id
  const watched = { ownerId, intervalSeconds: 300, slot: 0, regions: ['EUROPE' as const], since: new Date() }
  await t.services.db.orm.insert(zoneMonitors).values({ domainId, ...watched, health: 'critical', reasons: [httpStatus(503)] })
  await insertIncidents(t.services, ownerId, [{ name: 'shop.example', domainId }])
  stopBots = startBots(t.services, answerUpdate, { lookEveryMs: 50, pollSeconds: 1, restMs: 50 })
})
afterEach(async () => {
  await stopBots()
  await t.close()
})

const last = () => t.telegram.state.ledger.at(-1)?.text ?? ''
const ask = (text: string, chat = chatNumber) => t.telegram.state.write(t.bot, chat, text)

test('R-MON-04 a chat shows current problems, finds a domain and mutes it', async () => {
  ask('/status')
  await expect
    .poll(last)
    .toMatch(/^🔴 1 {2}🟡 0 {2}🟢 0 {2}⚪ 0\n🔴 shop\.example — The site returns an error \(HTTP 503\), 2 min(?: \d+ s)?$/)
  ask('/find SHOP')
  await expect.poll(last).toMatch(/^🔴 shop\.example — The site returns an error/)
  const mutedMinutes = async (): Promise<number | undefined> => {
    const [row] = await t.services.db.sql<{ minutes: number }[]>`
      select round(extract(epoch from muted_until - now()) / 60)::int as minutes from zone_monitors`
    return row?.minutes
  }
  ask('/mute shop.example 30m')
  await expect.poll(last).toMatch(/^shop\.example: muted until /)
  expect(await mutedMinutes()).toBe(30)
  for (const [time, minutes] of [
    ['3ч', 180],
    ['45 мин', 45],
    ['2', 120],
    ['1 д', 1_440],
    ['30m deploy', 30],
  ] as const) {
    ask(`/mute shop.example ${time}`)
    await expect.poll(mutedMinutes).toBe(minutes)
  }
  ask('/mute <b>x</b> soon')
  await expect.poll(last).toBe('Add a name and a duration: /mute example.com 2h')
})

test('R-MON-04 the status names the shared cause of domains: server, registrar, account', async () => {
  const ownerId = t.owner.user.id
  const account = await insertAccount(t.services.db, { ownerId, name: 'Media buying', email: 'cf@people.example' })
  const reasons = [{ code: 'connect_refused' as const, params: { address: '203.0.113.9' }, regions: [] }]
  await insertIncidents(
    t.services,
    ownerId,
    ['a', 'b', 'c', 'd'].map((name) => ({ name: `${name}.example`, cause: 'origin:203.0.113.9', reasons })),
  )
  await insertIncidents(t.services, ownerId, [{ name: 'cf@people.example', cause: `account:${account.id}`, reasons: [] }])
  ask('/status')
  await expect
    .poll(last)
    .toMatch(/🔴 a\.example, b\.example, c\.example and 1 more — All on server 203\.0\.113\.9 — The server refuses connections/)
  expect(last()).toMatch(/🔴 Account Media buying: Cloudflare rejected the key, /)
})

test('R-MON-04 message buttons acknowledge, mute and check, and a pressed button disappears', async () => {
  await t.start()
  await expect.poll(() => t.telegram.state.ledger.length).toBe(1)
  const [message] = t.telegram.state.ledger
  if (message === undefined) throw new Error('nothing was told')
  const dataOf = (act: string) => message.buttons.flat().find(({ callback_data: data }) => data?.startsWith(act))?.callback_data ?? ''
  const press = (data: string) => t.telegram.state.presses.get(t.telegram.state.press(t.bot, message, data))
  // A failed button can be pressed again.
  const { sql } = t.services.db
  await sql`alter table incidents add constraint nobody check (acknowledged_by is null)`
  const failed = press(dataOf('ack'))
  await expect.poll(() => failed?.answered).toBe('Something went wrong. Try again later.')
  await sql`alter table incidents drop constraint nobody`
  const acknowledged = press(dataOf('ack'))
  await expect.poll(() => acknowledged?.answered).toBe('Acknowledged: @anna')
  await expect.poll(() => dataOf('ack')).toBe('')
  const muted = press(dataOf('mute'))
  await expect.poll(() => muted?.answered).toBe('1 domain muted for 2 hours')
  const [row] = await t.services.db.sql<{ by: string; kinds: string[]; muted: boolean }[]>`
    select i.acknowledged_by as by, array(select e ->> 'kind' from jsonb_array_elements(i.timeline) e) as kinds, m.muted_until > now() as muted
    from incidents i join zone_monitors m on m.zone_id = i.zone_id`
  expect(row).toEqual({ by: '@anna (Telegram)', kinds: ['acknowledged', 'muted'], muted: true })
})

test('R-MON-04 an unknown chat gets no answer, and no button works from it', async () => {
  t.telegram.state.addChat(666, 'private')
  await t.start()
  await expect.poll(() => t.telegram.state.ledger.length).toBe(1)
  const [message] = t.telegram.state.ledger
  if (message === undefined) throw new Error('nothing was told')
  ask('/status', 666)
  const id = t.telegram.state.press(t.bot, { ...message, chatId: 666 }, message.buttons[0]?.[0]?.callback_data ?? '')
  ask('/help')
  await expect.poll(last).toMatch(/^Commands:/)
  expect(t.telegram.state.messagesIn(666)).toEqual([])
  expect(t.telegram.state.presses.get(id)?.answered).toBeNull()
  expect(await t.services.db.sql`select from incidents where acknowledged_at is not null`).toHaveLength(0)
})

test('a chat of a disabled user accepts no commands or buttons, and still receives alerts', async () => {
  await t.services.db.sql`update users set disabled_at = now() where id = ${t.owner.user.id}`
  await t.start()
  await expect.poll(() => t.telegram.state.ledger.length).toBe(1)
  const [message] = t.telegram.state.ledger
  if (message === undefined) throw new Error('nothing was sent')
  ask('/status')
  const id = t.telegram.state.press(t.bot, message, message.buttons[0]?.[0]?.callback_data ?? '')
  // The bot polls past both updates, so both have been processed.
  await expect.poll(() => t.telegram.state.updates.get(t.bot.id)).toEqual([])
  expect(t.telegram.state.ledger).toHaveLength(1)
  expect(t.telegram.state.presses.get(id)?.answered).toBeNull()
  expect(await t.services.db.sql`select from incidents where acknowledged_at is not null`).toHaveLength(0)
})

test('R-PRM-04 a token encrypted with another key is shown at its chats, and other bots keep running', async () => {
  const elsewhere = { ...t.services, secrets: createSecrets(randomBytes(32)) }
  // One bot sorts before the other by id, the other after it.
  const lost = [await signIn(t.services), await signIn(t.services)]
  for (const { user } of lost) {
    await insertSettings(elsewhere, user.id, { token: t.bot.token })
    await insertChannel(t.services, { ownerId: user.id, chatId: '9' })
  }
  for (const { call } of lost) {
    await expect.poll(async () => (await call.alerts.listChannels({})).channels[0]?.failure?.code).toBe('secret_lost')
  }
  expect((await t.owner.call.alerts.listChannels({})).channels[0]?.failure).toBeNull()
  await stopBots()
  stopBots = startBots(t.services, answerUpdate, { lookEveryMs: 50, pollSeconds: 1, restMs: 50 })
  ask('/help')
  await expect.poll(last).toMatch(/^Commands:/)
})
