import { randomBytes } from 'node:crypto'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Pool } from 'undici'
import { connect } from '#server/db/client.ts'
import { startEmbedded } from '#server/db/embedded.ts'
import { migrate } from '#server/db/migrate.ts'
import { accounts, users } from '#server/db/schema/index.ts'
import { encryptAccountSecrets } from '#server/features/accounts/encrypt-account.ts'
import { startSync } from '#server/features/sync/index.ts'
import { createCloudflare } from '#server/integrations/cloudflare/adapter.ts'
import { createDelegation } from '#server/integrations/dns/resolve-delegation.ts'
import { systemClock } from '#server/platform/clock.ts'
import { createEvents } from '#server/platform/events.ts'
import { createLimiter } from '#server/platform/limiter.ts'
import { createLog } from '#server/platform/log.ts'
import { createSecrets } from '#server/platform/secrets.ts'
import { createSessions } from '#server/platform/sessions.ts'
import { buildWorld } from '#server/simulators/world.ts'
import type { AccountCredentials, WorldOptions } from '#server/simulators/world.ts'
import { noMessages, noRegistrars, noRegistry, noTrackers } from '#server/testing/no-providers.ts'
import { startSimulator } from './simulated.ts'

const settings = ['ssl', 'min_tls_version', 'always_use_https', 'security_level', 'security_header']

interface Budget {
  readonly limit: number
  readonly windowMs: number
}

interface FirstSyncOptions {
  readonly zones: number
  readonly accounts: number
  readonly recordsPerZone: number
  readonly latencyMs: number
  readonly callsPerAccount: number
  readonly budget: Budget | null
}

/** Makes the same calls with the same concurrency and nothing else. Returns seconds. */
async function plainLoop(url: string, credentials: readonly AccountCredentials[], callsPerAccount: number): Promise<number> {
  const { origin, pathname } = new URL(url)
  const pool = new Pool(origin, { connections: credentials.length * callsPerAccount })
  const started = performance.now()
  await Promise.all(
    credentials.map(async ({ email, globalKey }) => {
      const get = async (path: string): Promise<unknown> => {
        const answer = await pool.request({
          method: 'GET',
          path: pathname + path,
          headers: { 'x-auth-email': email, 'x-auth-key': globalKey },
        })
        return answer.body.json()
      }
      const together = async <T>(items: readonly T[], work: (item: T) => Promise<unknown>) => {
        const queue = [...items]
        const reader = async () => {
          for (let item = queue.shift(); item !== undefined; item = queue.shift()) await work(item)
        }
        await Promise.all(Array.from({ length: callsPerAccount }, reader))
      }
      const zones: string[] = []
      const page = async (number: number) => {
        const body = (await get(`/zones?page=${number}&per_page=50&order=name&direction=asc`)) as {
          result: { id: string }[]
          result_info: { total_pages: number }
        }
        zones.push(...body.result.map((zone) => zone.id))
        return body.result_info.total_pages
      }
      const pages = await page(1)
      await together(
        Array.from({ length: pages - 1 }, (_, index) => index + 2),
        page,
      )
      await together(zones, (zone) => get(`/zones/${zone}/dns_records?page=1&per_page=5000`))
      await together(
        zones.flatMap((zone) => [
          ...settings.map((setting) => `/zones/${zone}/settings/${setting}`),
          `/zones/${zone}/bot_management`,
          `/zones/${zone}/dnssec`,
        ]),
        get,
      )
    }),
  )
  const seconds = (performance.now() - started) / 1000
  await pool.close()
  return seconds
}

/** Runs the first sync into an empty database until everything is read. Returns seconds. */
async function ourSync(
  databaseUrl: string,
  url: string,
  credentials: readonly AccountCredentials[],
  options: FirstSyncOptions,
): Promise<number> {
  const db = connect(databaseUrl)
  const log = createLog('warn')
  const secrets = createSecrets(randomBytes(32))
  const events = await createEvents(db.sql, log)
  const dnsHost = createCloudflare({
    baseUrl: url,
    budget: options.budget ?? { limit: 100_000_000, windowMs: 300_000 },
    sql: db.sql,
    clock: systemClock,
    log,
    addressLimitPerSecond: null,
    userAgent: 'zonedeck-bench',
  })
  const [owner] = await db.orm
    .insert(users)
    .values({ username: 'bench', email: 'bench@example.com', passwordHash: '', role: 'admin' })
    .returning()
  const ownerId = owner?.id ?? ''
  await db.orm.insert(accounts).values(
    credentials.map(({ email, globalKey, userId }) => ({
      ...encryptAccountSecrets(secrets, { email, apiKey: globalKey, kind: 'global_key' }),
      ownerId,
      providerUserId: userId,
    })),
  )
  const started = performance.now()
  const sync = await startSync(
    {
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
      registration: 'open',
      stopping: new AbortController().signal,
    },
    { callsPerAccount: options.callsPerAccount },
  )
  for (;;) {
    await systemClock.sleep(25)
    const [row] = await db.sql<
      { open: number }[]
    >`select count(*)::int as open from accounts where synced_at is null or details_due_at is not null`
    if (row?.open === 0) break
  }
  const seconds = (performance.now() - started) / 1000
  const [row] = await db.sql<{ zones: number; records: number }[]>`
    select count(*)::int as zones, (select count(*)::int from dns_records) as records from zones where settings_read_at is not null`
  if (row?.zones !== options.zones || row.records !== options.zones * options.recordsPerZone) {
    throw new Error(`the mirror is wrong: ${JSON.stringify(row)}`)
  }
  await sync.stop()
  await dnsHost.close()
  await events.close()
  await db.close()
  return seconds
}

/** Compares a first sync with a plain undici loop that makes the same calls with the same concurrency in the same run. */
export async function firstSync(options: FirstSyncOptions) {
  const worldOptions: WorldOptions = {
    zones: options.zones,
    accounts: options.accounts,
    seed: 5,
    recordsPerZone: options.recordsPerZone,
    plain: true,
  }
  const { credentials } = buildWorld(worldOptions)
  const simulator = await startSimulator({
    world: worldOptions,
    options: {
      latencyMs: options.latencyMs,
      budget: options.budget === null ? null : { limit: options.budget.limit, windowMs: options.budget.windowMs },
      addressLimitPerSecond: null,
    },
  })
  const folder = await mkdtemp(join(tmpdir(), 'zonedeck-bench-'))
  await chmod(folder, 0o711)
  const embedded = await startEmbedded(folder, createLog('warn'))
  try {
    await migrate(embedded.url)
    const ours = { seconds: await ourSync(embedded.url, simulator.url, credentials, options), ...(await simulator.journal()) }
    await simulator.reset()
    if (options.budget !== null) {
      const perAccount = ours.calls / options.accounts
      const windows = Math.ceil(perAccount / options.budget.limit) - 1
      return { ours, ideal: { seconds: (windows * options.budget.windowMs) / 1000 } }
    }
    const peer = { seconds: await plainLoop(simulator.url, credentials, options.callsPerAccount), ...(await simulator.journal()) }
    return { ours, peer, ratio: peer.seconds / ours.seconds }
  } finally {
    simulator.stop()
    await embedded.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

if (import.meta.main) {
  const numbers = process.argv.slice(2).map(Number)
  const [zones = 1_000, accountCount = 20, callsPerAccount = 5, budget = 0] = numbers
  process.stdout.write(
    `${JSON.stringify(
      await firstSync({
        zones,
        accounts: accountCount,
        recordsPerZone: 20,
        latencyMs: 50,
        callsPerAccount,
        budget: budget === 0 ? null : { limit: budget, windowMs: 15_000 },
      }),
    )}\n`,
  )
}
