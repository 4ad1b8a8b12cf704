import { randomBytes } from 'node:crypto'
import { createEvents } from '#server/platform/events.ts'
import { createLog } from '#server/platform/log.ts'
import { createSecrets } from '#server/platform/secrets.ts'
import { createSessions } from '#server/platform/sessions.ts'
import { systemClock } from '#server/platform/clock.ts'
import type { Services } from '#server/platform/context.ts'
import { soakAlerts } from '#server/testing/alert-soak.ts'
import type { Bench } from './bench.ts'
import { startDatabase } from './panel.ts'

const seconds = 600
const kills = 40

/** Ten minutes of incidents, faults and kills, with a ledger of the delivered alerts. */
export const monitoringSoak: Bench = {
  about:
    'ten minutes of incidents while Telegram and a webhook misbehave and the processes that tell of them are killed: each is told exactly once',
  async run(report) {
    const key = randomBytes(32)
    const database = await startDatabase()
    const { db } = database
    const log = createLog('silent')
    const events = await createEvents(db.sql, log)
    const services = {
      db,
      log,
      events,
      secrets: createSecrets(key),
      clock: systemClock,
      sessions: createSessions(db),
    } as unknown as Services
    try {
      const ledger = await soakAlerts(services, database.url, key, { seconds, incidentsPerSecond: 3, kills, seed: 20_261_122 })
      report({
        name: `processes killed in ${seconds} s`,
        value: ledger.kills,
        unit: '',
        against: { kind: 'at least', value: kills, what: 'at any moment' },
        more: { incidents: ledger.incidents, messages: ledger.messages, repeats: ledger.repeats },
      })
      const none = (name: string, value: number) => report({ name, value, unit: '', against: { kind: 'at most', value: 0, what: 'none' } })
      none('messages that still wait four minutes after the last fault', ledger.undelivered)
      none('beginnings and ends that a chat was not told of', ledger.lost.length)
      none('told twice without saying that it is a repetition', ledger.twice.length)
      none('events that the webhook lacks, or has twice', ledger.webhookWrong.length)
      none('events with a wrong signature', ledger.forged)
      none('messages marked as sent that did not arrive', ledger.sentFalsely)
      report({
        name: "messages that Telegram's limits refused",
        value: ledger.refusedByLimit,
        unit: '',
        against: { kind: 'at most', value: ledger.kills, what: 'one a kill' },
      })
    } finally {
      await events.close()
      await database.close()
    }
  },
}
