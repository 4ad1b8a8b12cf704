import { randomBytes } from 'node:crypto'
import { afterEach, expect, test } from 'vitest'
import { openAdvisoryLocks } from '#server/db/advisory-locks.ts'
import type { MessageBody } from '#server/features/alerts/index.ts'
import { systemClock } from '#server/platform/clock.ts'
import { createDatabaseClock } from '#server/platform/database-clock.ts'
import { createSecrets } from '#server/platform/secrets.ts'
import { chatNumber, createTestAlerts, promptly, insertChannel, insertIncidents, insertSettings } from '#server/testing/alerts.ts'
import type { TestAlerts } from '#server/testing/alerts.ts'
import { signIn } from '#server/testing/app.ts'
import { createFakeClock } from '#server/testing/fake-clock.ts'
import type { FakeClock } from '#server/testing/fake-clock.ts'
import { startAlerts } from '../start-alerts.ts'
import { putMessages, workerLock, writeOutcome } from './outbox.repo.ts'

const [secondMs, minuteMs, hourMs] = [1_000, 60_000, 3_600_000]
let t: TestAlerts
afterEach(() => t.close())

const texts = (chat = chatNumber) => t.telegram.state.messagesIn(chat).map(({ text }) => text)
const opened = (name: string): MessageBody => ({
  kind: 'opened',
  cause: `code:${name}`,
  causeName: null,
  health: 'critical',
  count: 1,
  names: [name],
  domains: [],
  zoneId: null,
  reasons: [],
  takenAt: '2026-11-20T10:00:00.000Z',
  since: '2026-11-20T10:00:00.000Z',
  worse: false,
  more: false,
})
const put = (name: string, channelId = t.channelId, at = t.services.clock.now()) =>
  putMessages(t.services.db.orm, [{ ownerId: t.owner.user.id, channelId, body: opened(name), now: new Date(at) }])
const states = async () => {
  const rows = await t.services.db.sql<{ state: string; n: number }[]>`
    select state::text as state, count(*)::int as n from outbox group by 1 order by 1`
  return Object.fromEntries(rows.map(({ state, n }) => [state, n]))
}

/** A clock that counts its calls, because every poll reads it. */
function createAskedClock() {
  let asked = 0
  const now = () => {
    asked += 1
    return systemClock.now()
  }
  return { clock: { ...systemClock, now }, asked: () => asked }
}
/** Gives the loop enough turns to show whether it polls continuously. */
async function busyFor(rounds: number): Promise<void> {
  for (let round = 0; round < rounds; round++) await t.services.db.sql`select count(*) from outbox`
}

test('R-MON-04 while another process sends to a chat, it is not polled continuously', async () => {
  const { clock, asked } = createAskedClock()
  t = await createTestAlerts({ clock })
  const other = openAdvisoryLocks(t.services.db)
  await other.tryLock([workerLock(7)], 1)
  await put('first.example')
  await t.services.db.sql`update outbox set state = 'sending', worker = 7`
  await put('second.example')
  await t.start({ pollMs: hourMs, notifyEveryMs: hourMs })
  const before = asked()
  await busyFor(300)
  expect(asked() - before).toBeLessThan(12)
  expect(texts()).toEqual([])
  // The other process dies: both are sent, the first marked as a possible repeat.
  await other.close()
  await put('third.example')
  await expect.poll(() => texts().map((text) => text.split('\n')[0]), { timeout: 15_000 }).toContain('🔴 third.example is down')
}, 30_000)

test('R-MON-04 a channel with an unreadable message pauses after each attempt and does not block others', async () => {
  const { clock, asked } = createAskedClock()
  t = await createTestAlerts({ clock })
  t.telegram.state.addChat(7, 'private')
  const healthy = await insertChannel(t.services, { ownerId: t.owner.user.id, chatId: '7' })
  await put('broken.example')
  await t.services.db.sql`update outbox set body = '{"kind":"of another version"}'`
  await t.start({ pollMs: hourMs, notifyEveryMs: hourMs })
  const before = asked()
  await busyFor(300)
  expect(asked() - before).toBeLessThan(12)
  await put('shop.example', healthy)
  await expect.poll(() => texts(7)).toHaveLength(1)
  await t.services.db.sql`update outbox set body = ${JSON.stringify(opened('mended.example'))}::text::jsonb where state = 'pending'`
  await expect.poll(() => texts(), { timeout: 15_000 }).toHaveLength(1)
}, 30_000)

test('R-MON-04 messages of a claim whose response was lost are sent once by the same process and are not marked as repeats', async () => {
  t = await createTestAlerts({ sendTimeoutMs: 2_000 })
  t.telegram.state.addChat(7, 'private')
  const other = await insertChannel(t.services, { ownerId: t.owner.user.id, chatId: '7' })
  t.telegram.setSilent(true)
  await put('shop.example')
  await t.start()
  const worker = async () => (await t.services.db.sql<{ worker: number }[]>`select worker from outbox where state = 'sending'`)[0]?.worker
  await expect.poll(worker).toBeTypeOf('number')
  // Reproduces a commit whose response never arrived.
  const me = (await worker()) ?? 0
  await t.services.db.sql.begin(async (tx) => {
    await tx`insert into outbox (owner_id, channel_id, body, due_at, created_at, state, worker, attempts)
      values (${t.owner.user.id}, ${other}, ${JSON.stringify(opened('taken.example'))}::text::jsonb, now(), now(), 'sending', ${me}, 1)`
  })
  t.telegram.setSilent(false)
  await expect.poll(() => texts(7)).toHaveLength(1)
  expect(texts(7)[0]).toMatch(/^🔴 taken\.example is down/)
})

test('R-MON-04 more messages than fit in one statement are stored', async () => {
  t = await createTestAlerts()
  const now = new Date()
  const rows = Array.from({ length: 14_000 }, (_, at) => ({
    ownerId: t.owner.user.id,
    channelId: t.channelId,
    body: opened(`site${at}.example`),
    now,
  }))
  await putMessages(t.services.db.orm, rows)
  expect(await states()).toEqual({ pending: 14_000 })
})

/** Claims a message for this worker. */
async function take(worker: number) {
  await put('shop.example')
  const [message] = await t.services.db.sql<{ id: string }[]>`update outbox set state = 'sending', worker = ${worker} returning id`
  return { id: message?.id ?? '', worker }
}
const failed = (message: string) => ({
  id: t.channelId,
  failure: { code: 'refused' as const, message, at: '2026-11-20T10:00:00.000Z' },
  pausedUntil: Date.parse('2026-11-20T10:00:00Z'),
})
const channelNow = async () => (await t.services.db.sql`select failure ->> 'message' as message, paused_until from alert_channels`)[0]

test('R-MON-04 error text that PostgreSQL rejects, or that was cut inside a character, does not block a channel', async () => {
  t = await createTestAlerts()
  const words = `a\0b${'x'.repeat(10)}😀`.slice(0, -1)
  await writeOutcome(t.services.db, await take(1), { state: 'failed', code: 'refused', message: words }, failed(words))
  const [row] = await t.services.db.sql`select state, failure_message as message from outbox`
  expect(row).toEqual({ state: 'failed', message: 'a\ufffdbxxxxxxxxxx\ufffd' })
  expect(await channelNow()).toMatchObject({ message: 'a\ufffdbxxxxxxxxxx\ufffd' })
})

test('R-MON-04 the result of a worker that lost its message in the meantime changes neither the message nor its channel', async () => {
  t = await createTestAlerts()
  const { id } = await take(2)
  await writeOutcome(t.services.db, { id, worker: 1 }, { state: 'failed', code: 'refused', message: 'blocked' }, failed('blocked'))
  expect(await states()).toEqual({ sending: 1 })
  expect(await channelNow()).toEqual({ message: null, pausedUntil: null })
})

/** Advances time in small steps, each only when no message is being sent; the panel and Telegram share the clock. */
async function pass(clock: FakeClock, ms: number, stepMs = 5 * secondMs): Promise<void> {
  const resting = () =>
    expect.poll(async () => clock.sleeping >= 2 && (await states())['sending'] === undefined, { interval: 2, timeout: 10_000 }).toBe(true)
  for (let gone = 0; gone < ms; gone += stepMs) {
    await resting()
    await clock.advance(Math.min(stepMs, ms - gone))
  }
  await resting()
}

/** Advances time until this many messages have arrived in the chat, at most an hour. */
async function advanceUntilSent(clock: FakeClock, messages: number): Promise<void> {
  for (let gone = 0; gone < hourMs && texts().length < messages; gone += 20 * secondMs) await pass(clock, 20 * secondMs, 20 * secondMs)
  await expect.poll(() => texts()).toHaveLength(messages)
}

/** Close to production; polling every 20 ms would take too long with a manual clock. */
const slowly = { pollMs: 5 * secondMs, notifyEveryMs: 5 * secondMs }

async function createOnClock(sendTimeoutMs?: number): Promise<FakeClock> {
  const clock = createFakeClock(Date.now())
  t = await createTestAlerts({ clock, telegram: { now: () => clock.now() }, ...(sendTimeoutMs !== undefined && { sendTimeoutMs }) })
  return clock
}

test('R-MON-04 when Telegram is silent for an hour, nothing is lost, only messages that may have arrived are repeated, and few attempts are made', async () => {
  const clock = await createOnClock(40)
  t.telegram.setSilent(true)
  await t.start(slowly)
  const names = Array.from({ length: 40 }, (_, at) => `site${at}.example`)
  for (const name of names) {
    await insertIncidents(t.services, t.owner.user.id, [{ name, cause: `origin:${name}`, openedAt: new Date(clock.now() - minuteMs) }])
    await pass(clock, 1.5 * minuteMs, 30 * secondMs)
  }
  const [tried] = await t.services.db.sql<{ attempts: number }[]>`select sum(attempts)::int as attempts from outbox`
  expect(tried?.attempts).toBeGreaterThan(10)
  expect(tried?.attempts).toBeLessThan(30)
  expect(texts()).toEqual([])
  t.telegram.setSilent(false)
  await advanceUntilSent(clock, 2)
  await expect.poll(states).toMatchObject({ sent: 2 })
  expect(texts()[0]).toMatch(/^Possible duplicate: .*\n🔴 site0\.example is down/)
  const all = texts().join('\n')
  const reportedOnce = names.filter((name) => all.split(` ${name} `).length === 2)
  expect(reportedOnce).toEqual(names)
}, 60_000)

test('R-MON-04 messages undelivered for a day are dropped and one line counts them, including those dropped before it arrives', async () => {
  const clock = await createOnClock()
  t.chat.blocked = true
  const day = 24 * hourMs
  for (const [name, hoursAgo] of [
    ['a.example', 25],
    ['b.example', 24.5],
    ['c.example', 23.9],
    ['d.example', 1],
  ] as const)
    await put(name, t.channelId, clock.now() - hoursAgo * hourMs)
  await t.start(slowly)
  await expect.poll(states).toEqual({ dropped: 2, pending: 3 })
  const dropped = async () =>
    (await t.services.db.sql<{ body: object }[]>`select body from outbox where body ->> 'kind' = 'dropped'`).map(({ body }) => body)
  expect(await dropped()).toMatchObject([{ messages: 2 }])
  await pass(clock, 11 * minuteMs, minuteMs)
  await expect.poll(states).toEqual({ dropped: 3, pending: 2 })
  expect(await dropped()).toEqual([
    { kind: 'dropped', messages: 3, since: new Date(clock.now() - 11 * minuteMs - 25 * hourMs).toISOString() },
  ])
  t.chat.blocked = false
  await advanceUntilSent(clock, 2)
  expect(texts().map((text) => text.split('\n')[0])).toEqual(['🔴 d.example is down', expect.stringMatching(/^⚠️ .*3 messages/)])
  // The notice itself never expires.
  t.chat.blocked = true
  await put('e.example')
  await pass(clock, 2 * minuteMs, minuteMs)
  await pass(clock, day + 4 * hourMs, 2 * hourMs)
  await expect.poll(states).toEqual({ dropped: 4, pending: 1, sent: 2 })
  await pass(clock, day, 4 * hourMs)
  await expect.poll(states).toEqual({ dropped: 4, pending: 1, sent: 2 })
}, 60_000)

test('R-MON-04 when Telegram asks a bot to wait, none of its chats is written to earlier, and another person’s bot continues', async () => {
  const clock = await createOnClock()
  t.telegram.state.addChat(7, 'private')
  t.telegram.state.addChat(8, 'private')
  const second = await insertChannel(t.services, { ownerId: t.owner.user.id, chatId: '7' })
  const other = await signIn(t.services)
  await insertSettings(t.services, other.user.id, { token: t.telegram.state.addBot('other_bot').token })
  const theirs = await insertChannel(t.services, { ownerId: other.user.id, chatId: '8' })
  t.telegram.faults.add({ path: '/sendMessage', times: 1, effect: { kind: 'rate-limited', retryAfterSeconds: 120 } })
  await put('first.example')
  await t.start(slowly)
  const blocked = () => t.services.db.sql`select from chat_paces where blocked_until is not null`
  await expect.poll(blocked).toHaveLength(1)
  await put('second.example', second)
  await putMessages(t.services.db.orm, [
    { ownerId: other.user.id, channelId: theirs, body: opened('theirs.example'), now: new Date(clock.now()) },
  ])
  await pass(clock, 115 * secondMs)
  expect([texts().length, texts(7).length, texts(8).length]).toEqual([0, 0, 1])
  await pass(clock, 10 * secondMs)
  await expect.poll(() => [texts().length, texts(7).length, texts(8).length]).toEqual([1, 1, 1])
}, 30_000)

test('R-PRM-04 a token encrypted with another key is reported at the person’s chats, and other people’s messages are sent', async () => {
  t = await createTestAlerts()
  const other = await signIn(t.services)
  t.telegram.state.addChat(8, 'private')
  const elsewhere = { ...t.services, secrets: createSecrets(randomBytes(32)) }
  await insertSettings(elsewhere, other.user.id, { token: t.bot.token })
  const theirs = await insertChannel(t.services, { ownerId: other.user.id, chatId: '8' })
  await putMessages(t.services.db.orm, [{ ownerId: other.user.id, channelId: theirs, body: opened('theirs.example'), now: new Date() }])
  await put('mine.example')
  await t.start()
  await expect.poll(() => texts()).toHaveLength(1)
  const channel = async () => (await other.call.alerts.listChannels({})).channels[0]
  await expect.poll(async () => (await channel())?.failure?.code).toBe('secret_lost')
  expect((await other.call.alerts.testChannel({ id: theirs })).failure).toMatchObject({ code: 'secret_lost' })
  expect((await channel())?.waiting).toBe(1)
  // Entered again, encrypted with the current key.
  await other.call.monitoring.updateSettings({ telegram: { chatId: '8', botToken: t.bot.token } })
  await expect.poll(() => texts(8).map((text) => text.split('\n')[0]), { timeout: 10_000 }).toEqual(['🔴 theirs.example is down'])
})

test.each([
  { clock: 'a day ahead', ms: 25 * hourMs },
  { clock: 'an hour behind', ms: -hourMs },
])('R-MON-04 a process whose clock is $clock sends new messages and drops none', async ({ ms }) => {
  t = await createTestAlerts()
  for (const name of ['first.example', 'second.example', 'third.example']) await put(name)
  // The pause ended a moment ago by the database's clock.
  await t.services.db.sql`update alert_channels set paused_until = now() - interval '1 second'`
  const clock = await createDatabaseClock(t.services.db, { ...systemClock, now: () => systemClock.now() + ms })
  const alerts = await startAlerts({ ...t.services, clock }, promptly)
  try {
    await expect.poll(() => texts().join('\n'), { timeout: 15_000 }).toContain('third.example')
    // Waiting messages may be merged.
    await expect.poll(async () => Object.keys(await states()), { timeout: 15_000 }).toEqual(['sent'])
  } finally {
    await alerts.stop()
  }
})
