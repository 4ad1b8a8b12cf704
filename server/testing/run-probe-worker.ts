import { connect } from '#server/db/client.ts'
import { isDriverFault } from '#server/db/driver-fault.ts'
import { startProbe } from '#server/features/monitoring/index.ts'
import { createRegionProbe } from '#server/integrations/probe/create-region-probe.ts'
import { systemClock } from '#server/platform/clock.ts'
import { createEvents } from '#server/platform/events.ts'
import { createLog } from '#server/platform/log.ts'
import { region } from '#shared/features/monitoring/schema.ts'

/** What `probe-worker.ts` runs. */
const [databaseUrl = '', dnsServer = '', httpPort = '', httpsPort = '', root = '', from = '', leaseMs = ''] = process.argv.slice(2)
// As `run-process.ts` does it.
process.on('uncaughtException', (error) => {
  if (isDriverFault(error)) return
  process.stderr.write(`${error.stack}\n`)
  process.exit(1)
})
const db = connect(databaseUrl)
const log = createLog('warn')
const probe = createRegionProbe({
  dnsServers: [dnsServer],
  outboundAllow: [],
  connectivityHosts: ['online.example'],
  via: (_, port) => ({ host: '127.0.0.1', port: Number(port === 80 ? httpPort : httpsPort) }),
  roots: [root],
  log,
})
const services = { db, clock: systemClock, log, loops: new Map(), events: await createEvents(db.sql, log) }
const running = await startProbe(services, { region: region.parse(from), probe, leaseMs: Number(leaseMs), pollMs: 200 })
process.on('message', (message) => {
  if (message === 'stop') void running.stop().then(() => process.exit(0))
})
process.send?.('started')
