import { fork } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { fileURLToPath } from 'node:url'
import { incidents } from '#server/db/schema/index.ts'
import { signatureOf } from '#server/integrations/webhook/adapter.ts'
import { messageBody } from '#server/features/alerts/index.ts'
import { systemClock } from '#server/platform/clock.ts'
import type { Services } from '#server/platform/context.ts'
import type { FaultEffect } from '#server/simulators/faults.ts'
import { between, randomFrom } from '#server/simulators/random.ts'
import { startTelegramSimulator } from '#server/simulators/telegram/simulator.ts'
import { chatNumber, insertChannel, insertSettings } from '#server/testing/alerts.ts'
import { signIn } from '#server/testing/app.ts'

export interface SoakOptions {
  readonly seconds: number
  readonly incidentsPerSecond: number
  readonly kills: number
  readonly seed: number
}

/** Results from the ledger; every list and number except the first three should be empty. */
export interface SoakLedger {
  readonly incidents: number
  readonly messages: number
  readonly kills: number
  /** Not reported by the end of the grace period. */
  readonly undelivered: number
  /** Beginning or end reported to no one. */
  readonly lost: readonly string[]
  /** Reported a second time by a message that does not mention the repetition. */
  readonly twice: readonly string[]
  /** Missing at the webhook receiver, or received in two different events. */
  readonly webhookWrong: readonly string[]
  readonly forged: number
  /** Marked as sent, and not received by Telegram. */
  readonly sentFalsely: number
  /** Messages that warn of a possible repetition. */
  readonly repeats: number
  readonly refusedByLimit: number
}

const script = fileURLToPath(new URL('alert-worker.ts', import.meta.url))
const secret = 'whsec_of_the_soak'

const faults: readonly FaultEffect[] = [
  { kind: 'rate-limited', retryAfterSeconds: 1 },
  { kind: 'server-error' },
  { kind: 'server-error', body: 'html' },
  { kind: 'reset' },
  { kind: 'timeout-after-write', holdMs: 200 },
  { kind: 'cut-body' },
  { kind: 'malformed-json' },
  { kind: 'slow', delayMs: 400 },
]

/** A receiver that stores each event once, by its id, and refuses some. */
async function startReceiver(random: () => number) {
  const events = new Map<string, readonly { readonly id: string; readonly closedAt: string | null }[]>()
  let forged = 0
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString()
      const [, seconds = '', given = ''] = /^t=(\d+),v1=([\da-f]+)$/.exec(String(request.headers['x-zonedeck-signature'])) ?? []
      if (signatureOf(secret, Number(seconds), body) !== given) forged += 1
      const chance = random()
      if (chance < 0.05) {
        response.writeHead(503).end()
        return
      }
      const event = JSON.parse(body) as { id: string; incidents?: { id: string; closedAt: string | null }[] }
      events.set(event.id, event.incidents ?? [])
      if (chance < 0.1) response.socket?.destroy()
      else response.writeHead(204).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  return { url: `http://127.0.0.1:${port}/`, events, forged: () => forged, close }
}

/**
 * Incidents begin and end while Telegram and the receiver misbehave and the two alerting processes are killed at random; at the end, the
 * received alerts are compared with the incidents.
 */
export async function soakAlerts(
  services: Services,
  databaseUrl: string,
  secretKey: Buffer,
  { seconds, incidentsPerSecond, kills, seed }: SoakOptions,
): Promise<SoakLedger> {
  const { db } = services
  const random = randomFrom(seed)
  const telegram = await startTelegramSimulator({ latencyMs: 150 })
  const bot = telegram.state.addBot('soak_bot')
  telegram.state.addChat(chatNumber, 'supergroup')
  telegram.state.addChat(7, 'private')
  const receiver = await startReceiver(random)
  const owner = await signIn(services)
  const ownerId = owner.user.id
  await insertSettings(services, ownerId, { token: bot.token })
  await insertChannel(services, { ownerId, chatId: '7' })
  await insertChannel(services, { ownerId, chatId: String(chatNumber) })
  const id = randomUUID()
  const secretSealed = services.secrets.encrypt(secret, `alertChannel:${id}:secret`)
  await insertChannel(services, { id, ownerId, kind: 'webhook', chatId: null, url: receiver.url, secretSealed })

  const begin = () =>
    fork(script, [databaseUrl, telegram.url, secretKey.toString('base64')], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  const workers: ChildProcess[] = [begin(), begin()]
  const names: string[] = []
  let killed = 0
  try {
    await Promise.all(workers.map((worker) => once(worker, 'message')))
    for (const effect of faults) telegram.faults.add({ path: '/sendMessage', probability: 0.06, effect })
    const startedAt = performance.now()
    const elapsed = () => (performance.now() - startedAt) / 1_000
    while (elapsed() < seconds) {
      const due = Math.floor(elapsed() * incidentsPerSecond) + 1 - names.length
      const fresh = Array.from({ length: due }, (_, at) => `s${names.length + at}.example`)
      if (fresh.length > 0) {
        const opened = { ownerId, health: 'critical' as const, reasons: [], openedAt: new Date(Date.now() - 65_000) }
        await db.orm.insert(incidents).values(fresh.map((name) => ({ ...opened, domainId: randomUUID(), name, cause: `origin:${name}` })))
        names.push(...fresh)
      }
      await db.sql`update incidents set closed_at = now() where closed_at is null and told and random() < 0.3`
      if (killed < kills && elapsed() > ((killed + 0.5) * seconds) / kills) {
        const at = killed % workers.length
        const gone = workers[at]
        await systemClock.sleep(between(random, 0, 200))
        gone?.kill('SIGKILL')
        if (gone !== undefined && gone.exitCode === null && gone.signalCode === null) await once(gone, 'exit')
        workers[at] = begin()
        killed += 1
      }
      await systemClock.sleep(100)
    }
    telegram.faults.clear()
    const left = async () => {
      const [row] = await db.sql<{ n: number }[]>`
        select (select count(*)::int from incidents where close_taken_at is null)
          + (select count(*)::int from outbox where state in ('pending', 'sending')) as n`
      return row?.n ?? 0
    }
    const until = performance.now() + 240_000
    while ((await left()) > 0 && performance.now() < until) {
      // An incident resolved before it could be reported is reported with its end only, and not counted here.
      await db.sql`update incidents set closed_at = now() where closed_at is null and told`
      await systemClock.sleep(200)
    }

    const undelivered = await left()

    // ---- the ledger
    const { ledger } = telegram.state
    // A digest names as many as one message holds and the number of the others, which are counted by that number.
    const inDigests = new Set<string>()
    const digests = await db.sql<{ chatId: string; externalId: string; body: unknown }[]>`
      select c.chat_id, o.external_id, o.body from outbox o join alert_channels c on c.id = o.channel_id
      where o.state = 'sent' and c.kind = 'telegram' and o.body ->> 'kind' = 'digest'`
    for (const { chatId, externalId, body } of digests) {
      const message = ledger.find((sent) => String(sent.id) === externalId && String(sent.chatId) === chatId)
      const parsed = messageBody.parse(body)
      if (parsed.kind !== 'digest' || message === undefined) continue
      const lines = message.text.split('\n').slice(1)
      const rest = Number(/\d+/.exec(lines.at(-1)?.startsWith('🔴') === true ? '' : (lines.at(-1) ?? ''))?.[0] ?? 0)
      if (lines.filter((line) => /^(?:🔴|🟢|🟡)/u.test(line)).length + rest < parsed.parts.length) continue
      for (const part of parsed.parts) {
        for (const name of part.names)
          inDigests.add(`${chatId} ${part.kind === 'opened' ? `🔴 ${name} is down` : `🟢 ${name} is up again`}`)
      }
    }
    const [lost, twice]: [string[], string[]] = [[], []]
    for (const chatId of [7, chatNumber]) {
      const parsed = new Map<string, { plain: number; all: number }>()
      for (const message of ledger.filter((each) => each.chatId === chatId)) {
        const repeat = message.text.startsWith('Possible duplicate:')
        for (const [line] of message.text.matchAll(/(🔴 s\d+\.example is down|🟢 s\d+\.example is up again)/gu)) {
          const counted = parsed.get(line) ?? { plain: 0, all: 0 }
          parsed.set(line, { plain: counted.plain + (repeat ? 0 : 1), all: counted.all + 1 })
        }
      }
      for (const line of names.flatMap((name) => [`🔴 ${name} is down`, `🟢 ${name} is up again`])) {
        const counted = parsed.get(line) ?? { plain: 0, all: 0 }
        if (counted.all === 0 && !inDigests.has(`${chatId} ${line}`)) lost.push(`${chatId} ${line}`)
        if (counted.plain > 1) twice.push(`${chatId} ${line}`)
      }
    }
    const heard = [...receiver.events.values()].flat().map((each) => `${each.id} ${each.closedAt === null ? 'began' : 'ended'}`)
    const rows = await db.sql<{ id: string }[]>`select id from incidents`
    const counts = Map.groupBy(heard, (each) => each)
    const webhookWrong = rows.flatMap((row) => [`${row.id} began`, `${row.id} ended`]).filter((each) => counts.get(each)?.length !== 1)
    const sent = await db.sql<{ externalId: string | null }[]>`
      select o.external_id from outbox o join alert_channels c on c.id = o.channel_id where o.state = 'sent' and c.kind = 'telegram'`
    const there = new Set(ledger.map((message) => String(message.id)))
    return {
      incidents: names.length,
      messages: ledger.length,
      kills: killed,
      undelivered,
      lost,
      twice,
      webhookWrong,
      forged: receiver.forged(),
      sentFalsely: sent.filter((row) => row.externalId === null || !there.has(row.externalId)).length,
      repeats: ledger.filter(({ text }) => text.startsWith('Possible duplicate:')).length,
      refusedByLimit: telegram.state.refusedByLimit,
    }
  } finally {
    for (const worker of workers) worker.kill('SIGKILL')
    await receiver.close()
    await telegram.close()
  }
}
