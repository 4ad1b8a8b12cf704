import { randomBytes } from 'node:crypto'
import type { Database } from '#server/db/client.ts'
import { toJson } from '#server/db/client.ts'
import { accounts, users } from '#server/db/schema/index.ts'
import { encryptAccountSecrets } from '#server/features/accounts/encrypt-account.ts'
import { followTrafficTotals } from '#server/features/domains/traffic/follow-totals.ts'
import { readDueTraffic } from '#server/features/domains/traffic/read-traffic.ts'
import { listOutdated, listTotals } from '#server/features/domains/traffic/totals.repo.ts'
import { createCloudflare } from '#server/integrations/cloudflare/adapter.ts'
import { createDelegation } from '#server/integrations/dns/resolve-delegation.ts'
import { systemClock } from '#server/platform/clock.ts'
import { createEvents } from '#server/platform/events.ts'
import { createLimiter } from '#server/platform/limiter.ts'
import { createLog } from '#server/platform/log.ts'
import { createSecrets } from '#server/platform/secrets.ts'
import { createSessions } from '#server/platform/sessions.ts'
import { buildWorld } from '#server/simulators/world.ts'
import type { WorldOptions } from '#server/simulators/world.ts'
import { noMessages, noRegistrars, noRegistry, noTrackers } from '#server/testing/no-providers.ts'
import { percentile } from './bench.ts'
import type { Bench } from './bench.ts'
import { seedDomains } from './domain-cases.ts'
import { startDatabase } from './panel.ts'
import { startSimulator } from './simulated.ts'

/** As many as one user may read in five minutes: ten a query, 300 queries. */
const zones = 3_000
const limitSeconds = 300
const mostQueries = 300

/** Reads the traffic of an account for the first time, with the limit of its user and answers after 200 ms. */
async function readAll() {
  const worldOptions: WorldOptions = { zones, accounts: 1, seed: 5, recordsPerZone: 0, plain: true }
  const world = buildWorld(worldOptions)
  const [credential] = world.credentials
  if (credential === undefined) throw new Error('the world has no account')
  const simulator = await startSimulator({ world: worldOptions, options: { latencyMs: 200, budget: null, addressLimitPerSecond: null } })
  const database = await startDatabase()
  const { db } = database
  const log = createLog('warn')
  const events = await createEvents(db.sql, log)
  const dnsHost = createCloudflare({
    baseUrl: simulator.url,
    budget: { limit: 1_200, windowMs: 300_000 },
    sql: db.sql,
    clock: systemClock,
    log,
    addressLimitPerSecond: null,
    userAgent: 'zonedeck-bench',
  })
  const secrets = createSecrets(randomBytes(32))
  const stopping = new AbortController().signal
  try {
    const [owner] = await db.orm
      .insert(users)
      .values({ username: 'bench', email: 'bench@example.com', passwordHash: '', role: 'admin' })
      .returning()
    const { email, globalKey, userId } = credential
    const [account] = await db.orm
      .insert(accounts)
      .values({
        ...encryptAccountSecrets(secrets, { email, apiKey: globalKey, kind: 'global_key' }),
        ownerId: owner?.id ?? '',
        providerUserId: userId,
        syncedAt: new Date(),
      })
      .returning()
    const listed = world.content().zones.map(({ id, name }) => ({ id, name }))
    await db.sql`
      insert into zones (owner_id, account_id, zone_id, name, search, status, provider_status, listed_at)
      select ${owner?.id ?? ''}, ${account?.id ?? ''}, id, name, name, 'active', 'active', now()
      from json_to_recordset(${toJson(listed)}::text::json) as z (id text, name text)`
    const services = {
      db,
      clock: systemClock,
      log,
      secrets,
      events,
      sessions: createSessions(db),
      limiter: createLimiter(db.sql),
      loops: new Map(),
      dnsHost,
      registrars: noRegistrars,
      trackers: noTrackers,
      ...noMessages,
      registry: noRegistry,
      callBudget: { limit: 1_200, windowMs: 300_000 },
      delegation: createDelegation([]),
      version: 'bench',
      registration: 'open' as const,
      stopping,
    }
    const began = performance.now()
    await readDueTraffic(services, stopping)
    const seconds = (performance.now() - began) / 1_000
    const [row] = await db.sql<{ stored: number }[]>`select count(*)::int as stored from zone_traffic`
    const { calls } = await simulator.journal()
    return { seconds, calls, stored: row?.stored ?? 0 }
  } finally {
    await dnsHost.close()
    await events.close()
    await database.close()
    simulator.stop()
  }
}

async function measure(times: number, work: () => Promise<unknown>): Promise<number> {
  const measured: number[] = []
  for (let turn = 0; turn < times; turn += 1) {
    const began = performance.now()
    await work()
    measured.push(performance.now() - began)
  }
  return percentile(measured, 0.95)
}

/** Traffic of 30 days for every domain whose requests are seeded. */
const seedTraffic = (db: Database) => db.sql`
  insert into zone_traffic (zone_id, bytes, threats, client_errors, server_errors, days, byte_days, threat_days, client_error_days, server_error_days, read_at)
  select z.id, 0, 0, 0, 0, d.days, d.days, d.days, d.days, d.days, now()
  from zones z cross join lateral (select array_fill((z.requests / 30)::float8, array[30]) as days) d where z.requests is not null`

export const traffic: Bench = {
  about: 'traffic of 3,000 domains within the limit of a Cloudflare user, and its sums by group and account with 100,000 domains',
  async run(report) {
    const { seconds, calls, stored } = await readAll()
    const calls300 = { kind: 'at most', value: mostQueries, what: 'the limit of a user in 5 minutes' } as const
    report({ name: `GraphQL queries for ${zones} domains`, value: calls, unit: '', against: calls300, more: { stored } })
    report({
      name: `reading ${zones} domains`,
      value: seconds,
      unit: 's',
      // The last query begins within five minutes; its answer, the comparison and the sums follow.
      against: { kind: 'at most', value: limitSeconds + 5, what: '5 minutes' },
    })
    report({ name: 'domains with traffic', value: stored, unit: '', against: { kind: 'at least', value: zones, what: 'all of them' } })

    const database = await startDatabase()
    try {
      const { db } = database
      const { owner } = await seedDomains(db)
      await seedTraffic(db)
      await followTrafficTotals({ db }, new AbortController().signal)
      for (const table of ['zones', 'zone_traffic', 'traffic_totals']) await db.sql.unsafe(`vacuum analyze ${table}`)
      const scope = { owners: [owner.id], shared: null }
      for (const by of ['group', 'account'] as const) {
        await listTotals(db.orm, by, scope)
        report({
          name: `sums by ${by}, p95`,
          value: await measure(40, () => listTotals(db.orm, by, scope)),
          unit: 'ms',
          against: { kind: 'at most', value: 100, what: '100,000 domains of 200,000' },
        })
      }
      report({
        name: 'finding outdated sums, p95',
        value: await measure(20, () => listOutdated(db.orm, 200)),
        unit: 'ms',
        against: { kind: 'at most', value: 500, what: 'once a minute, 200,000 domains' },
      })
    } finally {
      await database.close()
    }
  },
}
