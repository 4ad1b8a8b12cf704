import { fork } from 'node:child_process'
import { once } from 'node:events'
import { randomBytes, randomUUID } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { afterEach, expect, onTestFinished, test } from 'vitest'
import { createSecrets } from '#server/platform/secrets.ts'
import type { Delivered } from '#server/simulators/telegram/state.ts'
import { startTelegramSimulator } from '#server/simulators/telegram/simulator.ts'
import { chatNumber, createTestAlerts, insertChannel, insertIncidents, insertSettings } from '#server/testing/alerts.ts'
import type { TestAlerts } from '#server/testing/alerts.ts'
import { signIn } from '#server/testing/app.ts'
import { createTestServices } from '#server/testing/services.ts'

let t: TestAlerts | null = null
afterEach(() => t?.close())

const cause = 'origin:192.0.2.7'
const patience = { timeout: 30_000 }
const headline = ({ text }: Delivered) => text.split('\n')[0]

/** A person with one chat; `down` and `up` begin and end incidents of one server. */
async function stage() {
  const panel = await createTestAlerts()
  t = panel
  await panel.start()
  const ids = new Map<string, string>()
  const idOf = (name: string) => {
    const id = ids.get(name) ?? randomUUID()
    ids.set(name, id)
    return id
  }
  const down = (names: readonly string[]) =>
    insertIncidents(
      panel.services,
      panel.owner.user.id,
      names.map((name) => ({ name, cause, domainId: idOf(name) })),
    )
  const up = (names: readonly string[]) =>
    panel.services.db.sql`update incidents set closed_at = now() where closed_at is null and name = any(${[...names]}::text[])`
  const { ledger } = panel.telegram.state
  const headlines = () => ledger.map(headline)
  return { panel, ledger, down, up, headlines }
}

test('R-MON-04 domains that join an outage later update its message, whose buttons apply to them too', async () => {
  const { panel, ledger, down, headlines } = await stage()
  await down(['a.example', 'b.example'])
  await expect.poll(headlines, patience).toEqual(['🔴 2 domains are down'])
  await down(['c.example'])
  await expect.poll(headlines, patience).toEqual(['🔴 3 domains are down'])
  const [message] = ledger
  expect(message?.text).toContain('a.example, b.example, c.example')
  expect(message?.text).toContain('\nUpdated ')
  expect(message?.edits).toBe(1)
  const taken = await panel.services.db.sql`select distinct open_taken_at from incidents where told`
  expect(taken).toHaveLength(1)
}, 60_000)

test('R-MON-04 recovery is one message that says how many of all have recovered, and is updated', async () => {
  const { ledger, down, up, headlines } = await stage()
  const names = ['a.example', 'b.example', 'c.example', 'd.example']
  await down(names)
  await expect.poll(headlines, patience).toEqual(['🔴 4 domains are down'])
  await up(['a.example'])
  await expect.poll(headlines, patience).toEqual(['🔴 4 domains are down', '🟢 1 of 4 domains is up again'])
  expect(ledger[1]?.text).toMatch(/again\nAll on server 192\.0\.2\.7\na\.example\n/)
  await up(['b.example', 'c.example'])
  await expect.poll(headlines, patience).toEqual(['🔴 4 domains are down', '🟢 3 of 4 domains are up again'])
  await up(names)
  await expect.poll(headlines, patience).toEqual(['🔴 4 domains are down', '🟢 4 domains are up again'])
  expect(ledger[1]?.edits).toBe(2)
  // The next outage of the server is another one.
  await down(['a.example', 'b.example'])
  await expect.poll(headlines, patience).toEqual(['🔴 4 domains are down', '🟢 4 domains are up again', '🔴 2 domains are down'])
}, 60_000)

test('R-MON-04 the number of all does not include domains with a warning of the same cause', async () => {
  const { panel, down, up, headlines } = await stage()
  await down(['a.example', 'b.example'])
  await expect.poll(headlines, patience).toEqual(['🔴 2 domains are down'])
  await insertIncidents(panel.services, panel.owner.user.id, [{ name: 'slow.example', cause, health: 'warnings' }])
  await expect.poll(headlines, patience).toEqual(['🔴 2 domains are down', '🟡 And 1 more domain'])
  await up(['a.example'])
  await expect.poll(headlines, patience).toEqual(['🔴 2 domains are down', '🟡 And 1 more domain', '🟢 1 of 2 domains is up again'])
}, 60_000)

test('R-MON-04 a domain that fails again during the outage is not counted twice', async () => {
  const { ledger, down, up, headlines } = await stage()
  await down(['a.example', 'b.example'])
  await expect.poll(headlines, patience).toEqual(['🔴 2 domains are down'])
  await up(['b.example'])
  await expect.poll(headlines, patience).toEqual(['🔴 2 domains are down', '🟢 1 of 2 domains is up again'])
  await down(['b.example', 'c.example'])
  await expect.poll(headlines, patience).toEqual(['🔴 3 domains are down', '🟢 1 of 2 domains is up again'])
  await up(['a.example'])
  await expect.poll(headlines, patience).toEqual(['🔴 3 domains are down', '🟢 1 of 3 domains is up again'])
  expect(ledger[1]?.text).toContain('\na.example\n')
  await up(['b.example', 'c.example'])
  await expect.poll(headlines, patience).toEqual(['🔴 3 domains are down', '🟢 3 domains are up again'])
}, 60_000)

test.each([
  ['was deleted', 'deleted'],
  ['can no longer be edited', 'fixed'],
] as const)(
  'R-MON-04 if the message %s, one new message names all domains, and is updated from then on',
  async (_what, state) => {
    const { ledger, down, headlines } = await stage()
    await down(['a.example'])
    await expect.poll(headlines, patience).toEqual(['🔴 a.example is down'])
    if (ledger[0] !== undefined) ledger[0].state = state
    await down(['b.example'])
    await expect.poll(headlines, patience).toEqual(['🔴 a.example is down', '🔴 2 domains are down'])
    await down(['c.example'])
    await expect.poll(headlines, patience).toEqual(['🔴 a.example is down', '🔴 3 domains are down'])
  },
  60_000,
)

test('R-MON-04 if the group was migrated, one new message in the new group names all domains', async () => {
  const { panel, ledger, down, headlines } = await stage()
  await down(['a.example'])
  await expect.poll(headlines, patience).toEqual(['🔴 a.example is down'])
  panel.telegram.state.addChat(-200, 'supergroup')
  panel.chat.migratedTo = -200
  await down(['b.example'])
  await expect.poll(headlines, patience).toEqual(['🔴 a.example is down', '🔴 2 domains are down'])
  expect(ledger[1]?.chatId).toBe(-200)
}, 60_000)

test('R-MON-04 if the topic of the chat was changed, one new message in the new topic names all domains', async () => {
  const { panel, ledger, down, headlines } = await stage()
  panel.telegram.state.addChat(chatNumber, 'supergroup', { topics: [5] })
  await down(['a.example'])
  await expect.poll(headlines, patience).toEqual(['🔴 a.example is down'])
  await expect.poll(() => panel.services.db.sql`select state from outbox`, patience).toEqual([{ state: 'sent' }])
  await panel.owner.call.alerts.updateChannel({ id: panel.channelId, topicId: 5 })
  await down(['b.example'])
  await expect.poll(headlines, patience).toEqual(['🔴 a.example is down', '🔴 2 domains are down'])
  expect(ledger.map(({ topicId }) => topicId)).toEqual([null, 5])
}, 60_000)

test('R-MON-04 a domain that joins while the message is being sent is in it afterwards, and nothing is sent twice', async () => {
  const { panel, ledger, down, headlines } = await stage()
  panel.telegram.faults.add({ path: '/sendMessage', times: 1, effect: { kind: 'slow', delayMs: 2_000 } })
  await down(['a.example'])
  await expect.poll(() => ledger.length, patience).toEqual(1)
  await down(['b.example'])
  await expect.poll(headlines, patience).toEqual(['🔴 2 domains are down'])
}, 60_000)

test('R-MON-04 after a process dies between an edit and recording it, another one edits again: there is one message and no repeat', async () => {
  const key = randomBytes(32)
  const test = await createTestServices()
  onTestFinished(() => test.close())
  const services = { ...test.services, secrets: createSecrets(key) }
  const telegram = await startTelegramSimulator()
  onTestFinished(() => telegram.close())
  const bot = telegram.state.addBot('watch_bot')
  telegram.state.addChat(chatNumber, 'supergroup')
  const ownerId = (await signIn(services)).user.id
  await insertSettings(services, ownerId, { token: bot.token })
  await insertChannel(services, { ownerId })
  const script = fileURLToPath(new URL('../../../testing/alert-worker.ts', import.meta.url))
  const begin = () => {
    const worker = fork(script, [test.databaseUrl, telegram.url, key.toString('base64')], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
    onTestFinished(() => void worker.kill('SIGKILL'))
    return worker
  }
  const worker = begin()
  const state = async () => (await services.db.sql`select state, repeated from outbox`)[0]
  await insertIncidents(services, ownerId, [{ name: 'a.example', cause }])
  await expect.poll(state, { timeout: 60_000 }).toEqual({ state: 'sent', repeated: false })
  telegram.faults.add({ path: '/editMessageText', times: 1, effect: { kind: 'slow', delayMs: 60_000 } })
  await insertIncidents(services, ownerId, [{ name: 'b.example', cause, domainId: randomUUID() }])
  await expect.poll(() => telegram.state.ledger.map(headline), { timeout: 60_000 }).toEqual(['🔴 2 domains are down'])
  worker.kill('SIGKILL')
  await once(worker, 'exit')
  begin()
  await expect.poll(state, { timeout: 60_000 }).toEqual({ state: 'sent', repeated: false })
  expect(telegram.state.ledger.map(headline)).toEqual(['🔴 2 domains are down'])
}, 180_000)
