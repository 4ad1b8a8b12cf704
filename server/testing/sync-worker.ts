import { connect } from '#server/db/client.ts'
import { startSync } from '#server/features/sync/index.ts'
import { createCloudflare } from '#server/integrations/cloudflare/adapter.ts'
import { createDelegation } from '#server/integrations/dns/resolve-delegation.ts'
import { systemClock } from '#server/platform/clock.ts'
import { createEvents } from '#server/platform/events.ts'
import { createLimiter } from '#server/platform/limiter.ts'
import { createLog } from '#server/platform/log.ts'
import { createSecrets } from '#server/platform/secrets.ts'
import { createSessions } from '#server/platform/sessions.ts'

/** A worker process of its own, for tests that kill it: `node sync-worker.ts DATABASE_URL CLOUDFLARE_URL SECRET_KEY`. */
const [databaseUrl = '', baseUrl = '', secretKey = ''] = process.argv.slice(2)
const db = connect(databaseUrl)
const log = createLog('warn')
const limit = { limit: 1_000_000, windowMs: 300_000 }
await startSync(
  {
    db,
    clock: systemClock,
    log,
    secrets: createSecrets(Buffer.from(secretKey, 'base64')),
    events: await createEvents(db.sql, log),
    sessions: createSessions(db),
    limiter: createLimiter(db.sql),
    dnsHost: createCloudflare({
      baseUrl,
      budget: limit,
      sql: db.sql,
      clock: systemClock,
      log,
      addressLimitPerSecond: null,
      userAgent: 'test',
    }),
    delegation: createDelegation([]),
    version: 'test',
    registration: 'open',
    stopping: new AbortController().signal,
  },
  { callsPerAccount: 2 },
)
process.send?.('started')
