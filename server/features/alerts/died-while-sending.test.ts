import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { createSecrets } from '#server/platform/secrets.ts'
import { startTelegramSimulator } from '#server/simulators/telegram/simulator.ts'
import { chatNumber, insertChannel, insertIncidents, insertSettings } from '#server/testing/alerts.ts'
import { signIn } from '#server/testing/app.ts'
import { createTestServices } from '#server/testing/services.ts'

const script = fileURLToPath(new URL('../../testing/alert-worker.ts', import.meta.url))

test("R-MON-04 a process that dies between Telegram's ok and its note is followed by one that sends again and says so", async () => {
  const key = randomBytes(32)
  const test = await createTestServices()
  const services = { ...test.services, secrets: createSecrets(key) }
  const telegram = await startTelegramSimulator()
  const bot = telegram.state.addBot('watch_bot')
  telegram.state.addChat(chatNumber, 'supergroup')
  const ownerId = (await signIn(services)).user.id
  await insertSettings(services, ownerId, { token: bot.token })
  await insertChannel(services, { ownerId })
  await insertIncidents(services, ownerId, [{ name: 'shop.example' }])
  // It has arrived; that it has, nobody is told.
  telegram.faults.add({ path: '/sendMessage', times: 1, effect: { kind: 'slow', delayMs: 60_000 } })
  const begin = () =>
    fork(script, [test.databaseUrl, telegram.url, key.toString('base64')], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  const texts = () => telegram.state.ledger.map(({ text }) => text.split('\n').slice(0, 2))
  let worker = begin()
  try {
    await expect.poll(texts, { timeout: 60_000 }).toHaveLength(1)
    worker.kill('SIGKILL')
    await once(worker, 'exit')
    worker = begin()
    await expect.poll(texts, { timeout: 60_000 }).toHaveLength(2)
    const first = '🔴 shop.example is down'
    expect(texts().map(([line]) => line)).toEqual([first, 'Repeat: it is not known whether the first one arrived.'])
    expect(texts()[1]?.[1]).toBe(first)
    await expect.poll(() => services.db.sql`select state, repeated from outbox`).toEqual([{ state: 'sent', repeated: true }])
  } finally {
    worker.kill('SIGKILL')
    await test.close()
    await telegram.close()
  }
}, 180_000)
