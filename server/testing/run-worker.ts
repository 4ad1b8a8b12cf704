import { connect } from '#server/db/client.ts'
import { isDriverFault } from '#server/db/driver-fault.ts'
import { operationKinds, startOperations } from '#server/features/operations/index.ts'
import type { OperationKind } from '#server/features/operations/operation-kind.ts'
import { startSync } from '#server/features/sync/index.ts'
import { createCloudflare } from '#server/integrations/cloudflare/adapter.ts'
import { createDelegation } from '#server/integrations/dns/resolve-delegation.ts'
import { systemClock } from '#server/platform/clock.ts'
import { createEvents } from '#server/platform/events.ts'
import { createLimiter } from '#server/platform/limiter.ts'
import { createLog } from '#server/platform/log.ts'
import { createSecrets } from '#server/platform/secrets.ts'
import { createSessions } from '#server/platform/sessions.ts'
import { noMessages, noRegistrars, noRegistry } from '#server/testing/no-providers.ts'
import { connectTestRegistrars } from '#server/testing/test-registrars.ts'
import { connectTestTrackers } from '#server/testing/test-trackers.ts'

/** What `worker.ts` runs. */
const [databaseUrl = '', baseUrl = '', secretKey = '', what = 'sync', registrarUrls = '', crashingName = ''] = process.argv.slice(2)
// As `run-process.ts` does it.
process.on('uncaughtException', (error) => {
  if (isDriverFault(error)) return
  process.stderr.write(`${error.stack}\n`)
  process.exit(1)
})
const db = connect(databaseUrl)
const log = createLog('warn')
const limit = { limit: 1_000_000, windowMs: 300_000 }
const services = {
  db,
  clock: systemClock,
  log,
  secrets: createSecrets(Buffer.from(secretKey, 'base64')),
  events: await createEvents(db.sql, log),
  sessions: createSessions(db),
  limiter: createLimiter(db.sql),
  loops: new Map(),
  dnsHost: createCloudflare({
    baseUrl,
    budget: limit,
    sql: db.sql,
    clock: systemClock,
    log,
    addressLimitPerSecond: null,
    userAgent: 'test',
    installation: 'test',
  }),
  registrars:
    registrarUrls === ''
      ? noRegistrars
      : connectTestRegistrars(db.sql, JSON.parse(registrarUrls) as Parameters<typeof connectTestRegistrars>[1], log),
  trackers: connectTestTrackers(db.sql, log),
  ...noMessages,
  registry: noRegistry,
  callBudget: { limit: 1_200, windowMs: 300_000 },
  // Nothing listens there.
  delegation: createDelegation(['127.0.0.1:9']),
  version: 'test',
  registration: 'open',
  stopping: new AbortController().signal,
} as const
/** The kinds unchanged, except for one domain, with which the process dies. */
const kinds = Object.fromEntries(
  Object.entries(operationKinds).map(([name, kind]): [string, OperationKind] => [
    name,
    {
      ...kind,
      run(ctx, item, input, signal) {
        if (item.name === crashingName) process.kill(process.pid, 'SIGKILL')
        return kind.run(ctx, item, input, signal)
      },
    },
  ]),
)
if (what === 'operations') await startOperations(services, kinds, { pollMs: 50 })
else await startSync(services, { callsPerAccount: 2, changesEverySeconds: 3_600, reportsEverySeconds: 3_600 })
// Between two event-loop turns. From outside, the process might be suspended between its last fence check and the write itself, which no
// fence can prevent.
process.on('message', () => process.send?.('stopping', () => process.kill(process.pid, 'SIGSTOP')))
process.send?.('started')
