import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import { readFigures } from '#server/features/metrics/index.ts'
import { figures } from '#server/http/metric-names.ts'
import type { Services } from '#server/platform/context.ts'
import { AppError } from '#shared/errors/app-error.ts'

export interface MetricsOptions {
  readonly role: string
  /** Permits access from other machines; null: only from this one. */
  readonly token: string | null
  /** Time of the newest backup, milliseconds since 1970; null if unknown to this process. */
  readonly findBackup: () => Promise<number | null>
  /** Domain checks done by this process and their region; null if it runs none. */
  readonly countChecks: () => { readonly region: string; readonly checks: number } | null
}

/** The database is queried at most this often, regardless of requests. */
const keptMs = 5_000
const loopback = /^(127\.|::1$|::ffff:127\.)/
/** A proxy on this machine forwards for other machines. */
const forwarded = ['x-forwarded-for', 'x-real-ip', 'forwarded', 'via'] as const

const digest = (text: string) => createHash('sha256').update(text).digest()

/** Permits holders of the token from anywhere; otherwise only programs on this machine. */
function mayRead(request: FastifyRequest, token: string | null): boolean {
  const given = /^Bearer +(\S{1,512})$/i.exec(request.headers.authorization ?? '')?.[1]
  if (given !== undefined) return token !== null && timingSafeEqual(digest(given), digest(token))
  return loopback.test(request.socket.remoteAddress ?? '') && forwarded.every((name) => request.headers[name] === undefined)
}

/** The route label, with a bounded number of values: all files of the client share one. */
function routeOf(request: FastifyRequest): string {
  const { url } = request.routeOptions
  if (url === undefined) return 'none'
  return /^\/(api|trpc|metrics)(\/|$)/.test(url) ? url : 'client'
}

/** Serves `/metrics` in the Prometheus text format, and counts every request of this process. */
export function metrics(app: FastifyInstance, services: Services, { role, token, findBackup, countChecks }: MetricsOptions): void {
  const register = new Registry()
  collectDefaultMetrics({ register })
  const registers = [register]
  new Gauge({ name: 'zonedeck_build_info', help: 'Always 1', labelNames: ['version', 'role', 'node'], registers })
    .labels(services.version, role, process.versions.node)
    .set(1)
  const durations = new Histogram({
    name: 'zonedeck_http_request_duration_seconds',
    help: 'Requests by route, without event streams',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers,
  })
  const up = new Gauge({ name: 'zonedeck_database_up', help: '1 if the database responds', registers })
  const backup = new Gauge({ name: 'zonedeck_backup_timestamp_seconds', help: 'Time of the newest backup', registers })
  const checks = new Counter({ name: 'zonedeck_checks_total', help: 'Domain checks', labelNames: ['region'], registers })
  const rounds = new Counter({ name: 'zonedeck_loop_rounds_total', help: 'Rounds of background jobs', labelNames: ['loop'], registers })
  const failures = new Counter({
    name: 'zonedeck_loop_failures_total',
    help: 'Failed rounds of background jobs',
    labelNames: ['loop'],
    registers,
  })
  const gauges = new Map(
    Object.entries(figures).map(([name, [help, labelNames]]) => [name, new Gauge({ name, help, labelNames: [...labelNames], registers })]),
  )

  app.addHook('onResponse', (request, reply, done) => {
    if (!String(reply.getHeader('content-type')).startsWith('text/event-stream'))
      durations.labels(request.method, routeOf(request), String(reply.statusCode)).observe(reply.elapsedTime / 1000)
    done()
  })

  async function collect(): Promise<string> {
    const [found, backupAt] = await Promise.all([
      readFigures(services).catch((error: unknown) => {
        services.log.warn({ err: error }, 'failed to read metrics from the database')
        return null
      }),
      findBackup(),
    ])
    up.set(found === null ? 0 : 1)
    // An unknown figure is omitted instead of reported as 0.
    backup.remove()
    if (backupAt !== null) backup.set(backupAt / 1000)
    const done = countChecks()
    checks.reset()
    if (done !== null) checks.inc({ region: done.region }, done.checks)
    rounds.reset()
    failures.reset()
    for (const [loop, counts] of services.loops) {
      rounds.inc({ loop }, counts.rounds)
      failures.inc({ loop }, counts.failures)
    }
    for (const [name, [, labelNames]] of Object.entries(figures)) {
      const gauge = gauges.get(name)
      if (labelNames.length === 0) gauge?.remove()
      else gauge?.reset()
      for (const { labels, value } of found?.[name] ?? []) gauge?.set(labels, value)
    }
    return register.metrics()
  }

  let kept: { readonly at: number; readonly text: Promise<string> } | null = null
  app.get('/metrics', async (request, reply) => {
    if (!mayRead(request, token)) throw new AppError('unauthorized')
    if (kept === null || performance.now() - kept.at > keptMs) kept = { at: performance.now(), text: collect() }
    return reply.type(register.contentType).send(await kept.text)
  })
}
