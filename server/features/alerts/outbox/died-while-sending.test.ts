import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { randomBytes } from 'node:crypto'
import { expect, onTestFinished, test } from 'vitest'
import { createSecrets } from '#server/platform/secrets.ts'
import { startTelegramSimulator } from '#server/simulators/telegram/simulator.ts'
import { chatNumber, insertChannel, insertIncidents, insertSettings } from '#server/testing/alerts.ts'
import { signIn } from '#server/testing/app.ts'
import { createTestServices } from '#server/testing/services.ts'

const script = fileURLToPath(new URL('../../../testing/alert-worker.ts', import.meta.url))

/** A message that has arrived, while its sender still waits for the response. */
async function stage() {
  const key = randomBytes(32)
  const panel = await createTestServices()
  onTestFinished(() => panel.close())
  const services = { ...panel.services, secrets: createSecrets(key) }
  const telegram = await startTelegramSimulator()
  onTestFinished(() => telegram.close())
  const bot = telegram.state.addBot('watch_bot')
  telegram.state.addChat(chatNumber, 'supergroup')
  const ownerId = (await signIn(services)).user.id
  await insertSettings(services, ownerId, { token: bot.token })
  await insertChannel(services, { ownerId })
  await insertIncidents(services, ownerId, [{ name: 'shop.example' }])
  // It has arrived, but the response is delayed.
  telegram.faults.add({ path: '/sendMessage', times: 1, effect: { kind: 'slow', delayMs: 60_000 } })
  const begin = () => {
    const worker = fork(script, [panel.databaseUrl, telegram.url, key.toString('base64')], {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    onTestFinished(() => void worker.kill('SIGKILL'))
    return worker
  }
  const texts = () => telegram.state.ledger.map(({ text }) => text.split('\n').slice(0, 2))
  const worker = begin()
  await expect.poll(texts, { timeout: 60_000 }).toHaveLength(1)
  return { services, worker, begin, texts }
}

const first = '🔴 shop.example is down'
const repeated = ['Possible duplicate: the first delivery could not be confirmed.', first]

test('R-MON-04 after a process dies between Telegram’s response and recording it, another one sends again and marks the repeat', async () => {
  const { services, worker, begin, texts } = await stage()
  worker.kill('SIGKILL')
  await once(worker, 'exit')
  begin()
  await expect.poll(texts, { timeout: 60_000 }).toHaveLength(2)
  expect(texts()[0]?.[0]).toBe(first)
  expect(texts()[1]).toEqual(repeated)
  await expect.poll(() => services.db.sql`select state, repeated from outbox`).toEqual([{ state: 'sent', repeated: true }])
}, 180_000)

test('R-MON-04 a process that hangs while sending blocks its channel for at most half a minute, and sends nothing when it resumes', async () => {
  const { services, worker, begin, texts } = await stage()
  worker.kill('SIGSTOP')
  const hungSince = performance.now()
  begin()
  await expect.poll(texts, { timeout: 60_000 }).toHaveLength(2)
  expect(performance.now() - hungSince).toBeLessThan(30_000)
  expect(texts()[1]).toEqual(repeated)
  worker.kill('SIGCONT')
  await insertIncidents(services, (await services.db.sql<{ ownerId: string }[]>`select owner_id from outbox`)[0]?.ownerId ?? '', [
    { name: 'other.example' },
  ])
  await expect.poll(() => services.db.sql`select state from outbox`, { timeout: 60_000 }).toEqual([{ state: 'sent' }, { state: 'sent' }])
  expect(texts()).toHaveLength(3)
}, 180_000)
