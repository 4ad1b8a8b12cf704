import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { isIPv6 } from 'node:net'
import { hostname } from 'node:os'
import { fileURLToPath } from 'node:url'
import { buildApp } from '#server/app.ts'
import { buildStatusApp } from '#server/status-app.ts'
import { EnvironmentError } from '#server/config/env.ts'
import type { Env } from '#server/config/env.ts'
import { connect } from '#server/db/client.ts'
import { makePrivate, startEmbedded } from '#server/db/embedded.ts'
import { migrate } from '#server/db/migrate.ts'
import { watchClock } from '#server/platform/watch-clock.ts'
import type { Clock } from '#server/platform/clock.ts'
import { createDatabaseClock } from '#server/platform/database-clock.ts'
import type { Services } from '#server/platform/context.ts'
import { createEvents } from '#server/platform/events.ts'
import { forgetOldActivity, startActivityMaintenance } from '#server/features/activity/index.ts'
import { startAlerts, startBots } from '#server/features/alerts/index.ts'
import { findNewestBackup, startBackups } from '#server/features/backup/index.ts'
import type { ScratchDatabase } from '#server/features/backup/index.ts'
import { startDomainMaintenance, startIpRuleExpiry, startTrafficReading } from '#server/features/domains/index.ts'
import { operationKinds, startOperations } from '#server/features/operations/index.ts'
import { warnOfWrongKey } from '#server/features/key-rotation/warn-of-wrong-key.ts'
import { startMonitoring, startProbe } from '#server/features/monitoring/index.ts'
import type { RunningProbe } from '#server/features/monitoring/index.ts'
import { startRegistrarSync } from '#server/features/registrars/index.ts'
import { startRegistryReading } from '#server/features/registrars/registry/start-registry-reading.ts'
import { forgetOldReports } from '#server/features/abuse-reports/index.ts'
import { forgetOldChanges } from '#server/features/provider-changes/index.ts'
import { startSync } from '#server/features/sync/index.ts'
import { startTrackerSync } from '#server/features/trackers/index.ts'
import { createCloudflare } from '#server/integrations/cloudflare/adapter.ts'
import { createDelegation } from '#server/integrations/dns/resolve-delegation.ts'
import { createGlobalping } from '#server/integrations/globalping/adapter.ts'
import { createOutboundGuard } from '#server/integrations/http/outbound-guard.ts'
import { createRegionProbe } from '#server/integrations/probe/create-region-probe.ts'
import { createRdap } from '#server/integrations/rdap/adapter.ts'
import { createRegistrars } from '#server/integrations/registrars/create-registrars.ts'
import { createTelegram } from '#server/integrations/telegram/adapter.ts'
import { createAdTrackers } from '#server/integrations/trackers/create-ad-trackers.ts'
import { createWebhookSender } from '#server/integrations/webhook/adapter.ts'
import { returnIdleMemory } from '#server/platform/idle-memory.ts'
import { runLoop } from '#server/platform/run-loop.ts'
import type { LoopCounts } from '#server/platform/run-loop.ts'
import { createLimiter } from '#server/platform/limiter.ts'
import type { Log } from '#server/platform/log.ts'
import { traceTo } from '#server/platform/tracing.ts'
import type { RegionProbe } from '#server/ports/region-probe.ts'
import { createSecrets, loadSecretKey } from '#server/platform/secrets.ts'
import { createSessions } from '#server/platform/sessions.ts'
import { answerUpdate } from '#server/transports/bot/answer-update.ts'
import packageJson from '../package.json' with { type: 'json' }

const clientDir = fileURLToPath(new URL('../client/dist', import.meta.url))

export interface Composition {
  readonly services: Services
  readonly databaseUrl: string
  /**
   * Serves the panel if the process's role includes it, otherwise health and metrics; resolves with the listening address, null if it does
   * not listen.
   */
  listen(): Promise<string | null>
  /** Finishes running work, then closes everything. */
  close(): Promise<void>
}

export const publicUrl = ({ PUBLIC_URL, HOST, PORT }: Pick<Env, 'PUBLIC_URL' | 'HOST' | 'PORT'>): string => {
  if (PUBLIC_URL !== undefined) return PUBLIC_URL
  const host = HOST === '0.0.0.0' ? '127.0.0.1' : HOST === '::' ? '::1' : HOST
  return `http://${isIPv6(host) ? `[${host}]` : host}:${PORT}`
}

/**
 * Checks domains from this machine.
 * @throws EnvironmentError if the file of certificate authorities cannot be read.
 */
async function createProbe(env: Env, log: Log, clock: Clock): Promise<RegionProbe> {
  const { CHECK_VIA: via, CHECK_ROOTS: file } = env
  const roots = file === undefined ? null : await readFile(file, 'utf8').catch(() => null)
  if (file !== undefined && roots === null)
    throw new EnvironmentError([`CHECK_ROOTS: ${file} cannot be read; accepted: a PEM file with certificates`])
  return createRegionProbe({
    dnsServers: env.DNS_SERVERS,
    outboundAllow: env.OUTBOUND_ALLOW,
    via: via && ((_, port) => ({ host: via.host, port: port === 80 ? via.httpPort : via.httpsPort })),
    roots: roots === null ? [] : [roots],
    log,
    now: clock.now,
  })
}

/** Exports traces to a collector; the code is loaded only if one is configured. */
async function sendTraces(env: Env, endpoint: string, log: Log): Promise<() => Promise<void>> {
  const { createOtlpExporter } = await import('#server/integrations/otlp/adapter.ts')
  const { version } = packageJson
  const resource = {
    'service.name': env.OTEL_SERVICE_NAME,
    'service.version': version,
    'zonedeck.role': env.ROLE,
    'zonedeck.region': env.REGION,
  }
  const headers = Object.fromEntries(env.OTEL_EXPORTER_OTLP_HEADERS ?? [])
  const exporter = createOtlpExporter({ endpoint, headers, resource, version, log })
  const stop = traceTo(exporter.take, env.OTEL_TRACES_SAMPLER_ARG)
  return async () => {
    stop()
    await exporter.close()
  }
}

/** The configured database, or the bundled one, started. */
export async function openDatabase(
  env: Env,
  log: Log,
): Promise<{ readonly url: string; readonly scratch: ScratchDatabase | null; close(): Promise<void> }> {
  const { DATABASE_URL: given, BACKUP_SCRATCH_URL: scratchGiven, DATA_DIR: folder } = env
  const scratch = scratchGiven === undefined ? null : { url: scratchGiven, folder: null }
  if (given !== undefined) return { url: given, scratch, close: () => Promise.resolve() }
  const { url, scratchUrl, stop } = await startEmbedded(folder, log)
  return { url, scratch: scratch ?? { url: scratchUrl, folder }, close: stop }
}

/** Resources to close in reverse order of opening; a failed close is logged and does not stop the others. */
function createClosers(log: Log) {
  const closers: (() => Promise<void>)[] = []
  return {
    add: (...more: readonly (() => Promise<void>)[]) => void closers.push(...more),
    /** Registers the returned resource for closing. */
    keep<T extends { close(): Promise<void> }>(opened: T): T {
      closers.push(() => opened.close())
      return opened
    },
    async close() {
      for (const closer of closers.splice(0).toReversed()) {
        await closer().catch((error: unknown) => log.error({ err: error }, 'failed to close cleanly'))
      }
    },
  }
}
type Closers = ReturnType<typeof createClosers>

const userAgent = `zonedeck/${packageJson.version}`

/** One adapter for each provider port. */
function openProviders(env: Env, { db, clock, log, secrets }: Pick<Services, 'db' | 'clock' | 'log' | 'secrets'>, closers: Closers) {
  const common = { sql: db.sql, clock, log, userAgent }
  // The same in every process of this installation, and unknown to others.
  const installation = secrets.fingerprint('installation').slice(0, 12)
  const baseUrls = {
    NAMECHEAP: env.NAMECHEAP_BASE_URL ?? null,
    GODADDY: env.GODADDY_BASE_URL ?? null,
    PORKBUN: env.PORKBUN_BASE_URL,
    REGRU: env.REGRU_BASE_URL,
  }
  return {
    dnsHost: closers.keep(createCloudflare({ ...common, installation, baseUrl: env.CLOUDFLARE_BASE_URL, budget: env.CLOUDFLARE_BUDGET })),
    registrars: closers.keep(createRegistrars({ ...common, baseUrls })),
    trackers: closers.keep(createAdTrackers({ ...common, allow: env.OUTBOUND_ALLOW })),
    messenger: closers.keep(createTelegram({ baseUrl: env.TELEGRAM_BASE_URL, userAgent })),
    webhooks: closers.keep(createWebhookSender({ userAgent, guard: createOutboundGuard(env.OUTBOUND_ALLOW) })),
    registry: closers.keep(createRdap({ ...common, directoryUrl: env.RDAP_BOOTSTRAP_URL, allow: env.OUTBOUND_ALLOW })),
    callBudget: env.CLOUDFLARE_BUDGET,
    delegation: createDelegation(env.DNS_SERVERS),
  }
}

/** All background work except domain checks. */
async function startWorker(env: Env, services: Services, scratch: ScratchDatabase | null, closers: Closers): Promise<void> {
  const retention = runLoop(services, { name: 'housekeeping', everyMs: 3_600_000 }, async (signal) => {
    await Promise.all([
      services.sessions.sweep(),
      services.limiter.sweep(),
      forgetOldActivity(services, signal),
      forgetOldChanges(services, signal),
      forgetOldReports(services, signal),
    ])
  })
  closers.add(retention.stop)
  closers.add(startDomainMaintenance(services), startActivityMaintenance(services), startIpRuleExpiry(services))
  if (env.BACKUP_DIR !== undefined) {
    const everyMs = env.BACKUP_EVERY_HOURS * 3_600_000
    closers.add(startBackups(services, { folder: env.BACKUP_DIR, everyMs, keep: env.BACKUP_KEEP, scratch }))
  }
  const sync = await startSync(services)
  closers.add(sync.stop)
  closers.add(startRegistrarSync(services), startRegistryReading(services), startTrackerSync(services), startTrafficReading(services))
  const operations = await startOperations(services, operationKinds)
  closers.add(operations.stop)
  const { clock, log } = services
  const secondOpinion = closers.keep(
    createGlobalping({ baseUrl: env.GLOBALPING_BASE_URL, token: env.GLOBALPING_TOKEN, userAgent, clock, log }),
  )
  const monitoring = await startMonitoring(services, { secondOpinion })
  closers.add(monitoring.stop)
  const alerts = await startAlerts(services)
  closers.add(alerts.stop)
  closers.add(startBots(services, answerUpdate))
}

/** The panel, or health and metrics of a background process; null if it does not listen. */
async function buildServer(env: Env, services: Services, probe: RunningProbe | null) {
  const { BACKUP_DIR: backups } = env
  const metrics = {
    role: env.ROLE,
    token: env.METRICS_TOKEN ?? null,
    findBackup: () => (backups === undefined ? Promise.resolve(null) : findNewestBackup(backups, services.clock.now())),
    countChecks: () => probe && { region: env.REGION, checks: probe.checked() },
  }
  if (env.ROLE !== 'all' && env.ROLE !== 'web')
    return env.METRICS_PORT === undefined ? null : { name: 'METRICS_PORT', port: env.METRICS_PORT, app: buildStatusApp(services, metrics) }
  const app = await buildApp(services, {
    publicUrl: publicUrl(env),
    trustProxy: env.TRUST_PROXY,
    browserSession: env.BROWSER_SESSION,
    serviceWorker: env.SERVICE_WORKER === 'on',
    clientDir: existsSync(`${clientDir}/index.html`) ? clientDir : null,
    metrics,
  })
  return { name: 'PORT', port: env.PORT, app }
}

/** Creates every concrete resource; the only place that knows all of them. */
export async function compose(env: Env, log: Log): Promise<Composition> {
  const closers = createClosers(log)
  try {
    await makePrivate(env.DATA_DIR)
    const secretKey = await loadSecretKey(env.SECRET_KEY, env.DATA_DIR)
    // Closed last, because it exports the final spans of everything else.
    if (env.OTEL_EXPORTER_OTLP_ENDPOINT !== undefined) closers.add(await sendTraces(env, env.OTEL_EXPORTER_OTLP_ENDPOINT, log))
    const { url: databaseUrl, scratch } = closers.keep(await openDatabase(env, log))
    await migrate(databaseUrl)

    const stopReturningMemory = returnIdleMemory()
    closers.add(async () => stopReturningMemory())
    const stopping = new AbortController()
    const db = closers.keep(connect(databaseUrl))
    const clock = await createDatabaseClock(db)
    const loops: LoopCounts = new Map()
    const clockWatch = await watchClock({ db, log, loops }, clock, { host: hostname(), role: env.ROLE })
    closers.add(clockWatch.stop)
    const secrets = createSecrets(secretKey)
    const services: Services = {
      db,
      clock,
      log,
      secrets,
      events: closers.keep(await createEvents(db.sql, log)),
      sessions: createSessions(db),
      limiter: createLimiter(db.sql),
      loops,
      ...openProviders(env, { db, clock, log, secrets }, closers),
      publicUrl: publicUrl(env),
      version: packageJson.version,
      registration: env.REGISTRATION ?? null,
      stopping: stopping.signal,
    }
    await warnOfWrongKey(services)
    if (env.ROLE === 'all' || env.ROLE === 'worker') await startWorker(env, services, scratch, closers)

    let probe: RunningProbe | null = null
    if (env.ROLE !== 'web') {
      const regionProbe = closers.keep(await createProbe(env, log, clock))
      probe = await startProbe(services, { region: env.REGION, probe: regionProbe })
      closers.add(probe.stop)
    }

    const close = async () => {
      stopping.abort()
      await closers.close()
    }
    return {
      services,
      databaseUrl,
      close,
      async listen() {
        const server = await buildServer(env, services, probe)
        if (server === null) return null
        const { name, port, app } = server
        closers.add(() => app.close())
        return app.listen({ host: env.HOST, port, listenTextResolver: () => 'listening' }).catch(async (error: unknown) => {
          // The caller exits the process, which would leave its own database running.
          await close()
          const taken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE'
          throw taken ? new EnvironmentError([`${name}: port ${port} is already in use; choose another one`]) : error
        })
      },
    }
  } catch (error) {
    await closers.close()
    throw error
  }
}
