import { connect } from '#server/db/client.ts'
import { isDriverFault } from '#server/db/driver-fault.ts'
import { startAlerts } from '#server/features/alerts/index.ts'
import { createOutboundGuard } from '#server/integrations/http/outbound-guard.ts'
import { createTelegram } from '#server/integrations/telegram/adapter.ts'
import { createWebhookSender } from '#server/integrations/webhook/adapter.ts'
import { systemClock } from '#server/platform/clock.ts'
import type { Services } from '#server/platform/context.ts'
import { createEvents } from '#server/platform/events.ts'
import { createLog } from '#server/platform/log.ts'
import { createSecrets } from '#server/platform/secrets.ts'
import { promptly } from '#server/testing/alerts.ts'

/** What `alert-worker.ts` runs. */
const [databaseUrl = '', telegramUrl = '', secretKey = ''] = process.argv.slice(2)
process.on('uncaughtException', (error) => {
  if (isDriverFault(error)) return
  process.stderr.write(`${error.stack}\n`)
  process.exit(1)
})
const db = connect(databaseUrl)
const log = createLog('error')
const services = {
  db,
  log,
  clock: systemClock,
  loops: new Map(),
  secrets: createSecrets(Buffer.from(secretKey, 'base64')),
  events: await createEvents(db.sql, log),
  messenger: createTelegram({ baseUrl: telegramUrl, userAgent: 'test' }),
  webhooks: createWebhookSender({ userAgent: 'test', guard: createOutboundGuard(['127.0.0.0/8']) }),
  publicUrl: 'https://panel.test',
} as unknown as Services
await startAlerts(services, promptly)
process.send?.('started')
