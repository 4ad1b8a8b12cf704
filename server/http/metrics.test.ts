import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { figures } from '#server/http/metric-names.ts'
import { buildStatusApp } from '#server/status-app.ts'
import { createTestApp, signIn } from '#server/testing/app.ts'
import type { TestApp } from '#server/testing/app.ts'
import { insertAccount, insertUser } from '#server/testing/factories.ts'

const token = 'a-token-for-tests-only'
let checks = 0
const options = {
  role: 'web',
  token,
  findBackup: () => Promise.resolve(1_700_000_000_000),
  countChecks: () => ({ region: 'ASIA', checks }),
}
const bearer = { authorization: `Bearer ${token}` }

let t: TestApp
beforeAll(async () => {
  t = await createTestApp({ metrics: options })
})
afterAll(() => t.close())

const read = async (app = t.app) => (await app.inject({ url: '/metrics', headers: bearer })).body
/** The metrics of a text, by name and labels. */
const valuesOf = (text: string) =>
  new Map(
    text
      .split('\n')
      .flatMap((line) => (/^[a-z]/.test(line) ? [[line.slice(0, line.lastIndexOf(' ')), Number(line.split(' ').at(-1))] as const] : [])),
  )

describe('access to metrics', () => {
  test('local clients and holders of the token may read metrics; requests through a local proxy may not', async () => {
    const status = async (remoteAddress: string, headers: Record<string, string> = {}, url = '/metrics') =>
      (await t.app.inject({ url, remoteAddress, headers: { host: 'localhost', ...headers } })).statusCode
    expect(await status('127.0.0.1')).toBe(200)
    expect(await status('::1')).toBe(200)
    expect(await status('203.0.113.7')).toBe(401)
    expect(await status('203.0.113.7', bearer)).toBe(200)
    expect(await status('203.0.113.7', { ...bearer, host: 'zonedeck-web:3000' })).toBe(200)
    expect(await status('203.0.113.7', { authorization: 'Bearer a-token-for-tests-onlY' })).toBe(401)
    // A wrong token is refused without checking the address.
    expect(await status('127.0.0.1', { authorization: 'Bearer wrong' })).toBe(401)
    for (const name of ['x-forwarded-for', 'x-real-ip', 'forwarded', 'via'])
      expect(await status('127.0.0.1', { [name]: '203.0.113.7' })).toBe(401)
    // A page whose name was rebound to this address has no token.
    expect(await status('127.0.0.1', { host: 'evil.example' })).toBe(403)
  })

  test('without a configured token no token is accepted, nor is a session', async () => {
    const own = buildStatusApp(t.services, { ...options, token: null })
    const { headers } = await signIn(t.services)
    for (const given of [bearer, headers, { authorization: 'Bearer null' }])
      expect((await own.inject({ url: '/metrics', remoteAddress: '203.0.113.7', headers: given })).statusCode).toBe(401)
    await own.close()
  })
})

describe('reported metrics', () => {
  test('requests are labeled by route template, so no label has an id, name or token', async () => {
    const own = await createTestApp({ metrics: options })
    onTestFinished(() => own.close())
    const { headers, user } = await signIn(own.services)
    const canaries = ['canary-zone', 'canary-search', user.id, user.email, randomUUID()]
    for (const url of [
      `/api/zone/${canaries[4]}`,
      '/api/zones/live?search=canary-search',
      '/canary-zone',
      '/api/canary-zone',
      '/trpc/domains.list?input=canary-search',
    ])
      await own.app.inject({ url, headers })
    const text = await read(own.app)
    for (const canary of canaries) expect(text).not.toContain(canary)
    const values = valuesOf(text)
    expect(values.get('zonedeck_http_request_duration_seconds_count{method="GET",route="/api/zones/live",status="200"}')).toBe(1)
    expect(values.get('zonedeck_http_request_duration_seconds_count{method="GET",route="none",status="404"}')).toBe(3)
    expect(values.get('zonedeck_build_info{version="test",role="web",node="' + process.versions.node + '"}')).toBe(1)
    expect(values.get('zonedeck_backup_timestamp_seconds')).toBe(1_700_000_000)
    expect(values.get('nodejs_eventloop_lag_p99_seconds')).toBeGreaterThan(0)
  })

  test('operations, items, accounts, probes, alerts, budgets and the database are reported as they are, queried once in five seconds', async () => {
    const { db } = t.services
    const owner = await insertUser(db)
    const account = await insertAccount(db, {
      ownerId: owner.id,
      health: 'auth_error',
      email: 'canary@example.com',
      providerUserId: 'canary-user',
    })
    await db.sql`
      insert into operations (owner_id, actor_name, kind, input, state, total, counts) values
        (${owner.id}, 'canary', 'settings', '{}', 'running', 10, '{"pending": 4, "running": 2, "done": 3, "failed": 1}'),
        (${owner.id}, 'canary', 'settings', '{}', 'queued', 7, '{}'), (${owner.id}, 'canary', 'settings', '{}', 'done', 5, '{"done": 5}')`
    await db.sql`
      insert into probes (id, region, started_at, seen_at, online, checks_per_second, lag_ms) values
        (uuidv7(), 'ASIA', now(), now(), true, 30, 1500), (uuidv7(), 'ASIA', now(), now(), true, 12, 500), (uuidv7(), 'AFRICA', now(), now() - interval '1 hour', true, 9, 0)`
    const [channel] = await db.sql<{ id: string }[]>`
      insert into alert_channels (owner_id, kind, name, failure) values (${owner.id}, 'webhook', 'canary', '{"code":"gone"}') returning id`
    await db.sql`
      insert into outbox (owner_id, channel_id, body, due_at) values
        (${owner.id}, ${channel?.id ?? ''}, '{}', now() - interval '90 s'), (${owner.id}, ${channel?.id ?? ''}, '{}', now() + interval '1 hour')`
    await db.sql`insert into call_budgets (key, log) values (${`cloudflare:user:${account.providerUserId}`}, ${'{"main":[[4102444800000,250]],"reserve":[],"held":{},"pacedAtMs":0,"heardAtMs":0,"policy":null,"version":"1"}'}::text::jsonb)`

    checks = 7
    const own = buildStatusApp(t.services, { ...options, role: 'worker' })
    const text = await read(own)
    expect(text).not.toContain('canary')
    const values = valuesOf(text)
    const valueOf = (name: string) => values.get(name)
    expect(valueOf('zonedeck_operations{state="running"}')).toBe(1)
    expect(valueOf('zonedeck_operations{state="queued"}')).toBe(1)
    expect(valueOf('zonedeck_operations{state="done"}')).toBeUndefined()
    expect(valueOf('zonedeck_operations_inconsistent')).toBe(0)
    expect(valueOf('zonedeck_operation_items{state="pending"}')).toBe(11)
    expect(valueOf('zonedeck_operation_items{state="failed"}')).toBe(1)
    expect(valueOf('zonedeck_accounts{health="auth_error"}')).toBe(1)
    expect(valueOf('zonedeck_probes{region="ASIA"}')).toBe(2)
    expect(valueOf('zonedeck_probes{region="AFRICA"}')).toBeUndefined()
    expect(valueOf('zonedeck_check_lag_seconds{region="ASIA"}')).toBe(1.5)
    expect(text).toContain('# TYPE zonedeck_checks_total counter')
    expect(valueOf('zonedeck_checks_total{region="ASIA"}')).toBe(7)
    expect(valueOf('zonedeck_alerts_pending')).toBe(2)
    expect(valueOf('zonedeck_alert_lag_seconds')).toBeGreaterThanOrEqual(90)
    expect(valueOf('zonedeck_alert_channels_failing')).toBe(1)
    expect([...values].filter(([name]) => name.startsWith('zonedeck_call_budget_used'))).toEqual([
      [expect.stringMatching(`^zonedeck_call_budget_used\\{budget="[0-9a-f]{12}",account="${account.id}"\\}$`), 250],
    ])
    expect(valueOf('zonedeck_database_up')).toBe(1)
    expect(valueOf('zonedeck_database_connections{state="active"}')).toBeGreaterThanOrEqual(1)
    expect(valueOf('zonedeck_database_size_bytes')).toBeGreaterThan(1e6)

    await db.sql`delete from outbox`
    expect(valuesOf(await read(own)).get('zonedeck_alerts_pending')).toBe(2)
    await own.close()
  })

  test('a process without its database still reports that fact and its own metrics', async () => {
    const own = await createTestApp({ metrics: { ...options, findBackup: () => Promise.resolve(null), countChecks: () => null } })
    onTestFinished(() => own.close().catch(() => undefined))
    await own.services.db.close()
    const values = valuesOf(await read(own.app))
    expect(values.get('zonedeck_database_up')).toBe(0)
    expect(values.has('zonedeck_alerts_pending')).toBe(false)
    expect(values.has('zonedeck_backup_timestamp_seconds')).toBe(false)
    expect([...values.keys()].filter((name) => name.startsWith('zonedeck_checks_total'))).toEqual([])
    expect(values.get('process_start_time_seconds')).toBeGreaterThan(0)
  })

  test('every metric in the Grafana dashboard is reported, and every alerting metric is on the dashboard', async () => {
    const dashboard = readFileSync(new URL('../../docs/grafana-dashboard.json', import.meta.url), 'utf8')
    const operating = readFileSync(new URL('../../docs/operate.md', import.meta.url), 'utf8')
    const panels = z
      .object({ panels: z.array(z.object({ title: z.string(), targets: z.array(z.object({ expr: z.string() })).optional() })) })
      .parse(JSON.parse(dashboard))
    const named = new Set(
      panels.panels.flatMap(({ targets = [] }) =>
        targets.flatMap(({ expr }) => expr.match(/\b(?:zonedeck|nodejs|process)_[a-z0-9_]+/g) ?? []),
      ),
    )
    const text = await read()
    const valueOf = new Set(
      [...text.matchAll(/^# TYPE (\S+) (\S+)/gm)].flatMap(([, name = '', type]) =>
        type === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
      ),
    )
    expect(named.size).toBeGreaterThan(15)
    const alerts = /^Recommended alerts:\n\n(?:\|.+\n)+/m.exec(operating)?.[0].match(/\bzonedeck_[a-z0-9_]+/g) ?? []
    expect(alerts.length).toBeGreaterThan(5)
    expect(alerts.filter((name) => !named.has(name))).toEqual([])
    expect([...named].filter((name) => !valueOf.has(name))).toEqual([])
    const labels = new Set([
      'version',
      'role',
      'method',
      'route',
      'status',
      'le',
      'region',
      'loop',
      ...Object.values(figures).flatMap(([, names]) => names),
    ])
    const grouped = panels.panels.flatMap(({ targets = [] }) =>
      targets.flatMap(({ expr }) => [...expr.matchAll(/by \(([^)]*)\)/g)].flatMap(([, names = '']) => names.split(', '))),
    )
    expect(grouped.filter((name) => !labels.has(name))).toEqual([])
  })
})

describe('health', () => {
  test('a stopping process answers 503 and always reports its role', async () => {
    const own = await createTestApp({ metrics: options })
    expect((await own.app.inject('/api/health')).json()).toEqual({ status: 'ok', version: 'test', role: 'web', database: 'ok' })
    own.stop()
    const answer = await own.app.inject('/api/health')
    expect([answer.statusCode, answer.json()]).toEqual([503, { status: 'stopping', version: 'test', role: 'web', database: 'ok' }])
    await own.close()
  })

  test('a worker serves health and metrics and nothing else', async () => {
    const own = buildStatusApp(t.services, { ...options, role: 'worker' })
    const address = await own.listen({ host: '127.0.0.1', port: 0 })
    const status = (path: string) =>
      new Promise<number | undefined>((resolve, reject) => {
        request(`${address}${path}`, (response) => {
          response.resume()
          resolve(response.statusCode)
        })
          .on('error', reject)
          .end()
      })
    expect([await status('/api/health'), await status('/metrics'), await status('/api/zones/live'), await status('/')]).toEqual([
      200, 200, 404, 404,
    ])
    await own.close()
  })
})
