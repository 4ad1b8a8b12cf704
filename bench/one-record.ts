import { Pool } from 'undici'
import type { Database } from '#server/db/client.ts'
import { dnsRecords } from '#server/db/schema/index.ts'
import { operationKinds, startOperations } from '#server/features/operations/index.ts'
import { systemClock } from '#server/platform/clock.ts'
import type { Services } from '#server/platform/context.ts'
import type { Secrets } from '#server/platform/secrets.ts'
import { buildWorld } from '#server/simulators/world.ts'
import type { AccountCredentials, World, WorldOptions } from '#server/simulators/world.ts'
import { signIn } from '#server/testing/app.ts'
import { insertAccount, insertZones } from '#server/testing/factories.ts'
import { startDatabase } from './panel.ts'
import { createBenchServices } from './services.ts'
import type { BenchLimits } from './services.ts'
import { startSimulator } from './simulated.ts'

export interface OneRecordOptions extends BenchLimits {
  readonly zones: number
  readonly accounts: number
  readonly latencyMs: number
}

const address = '203.0.113.200'

interface Target {
  readonly providerZoneId: string
  readonly name: string
  readonly recordId: string
  readonly record: Record<string, unknown>
}
interface Theirs {
  readonly credential: AccountCredentials
  readonly targets: Target[]
}
type Ask = (method: 'GET' | 'PATCH', path: string, body?: unknown) => Promise<{ result: Record<string, unknown>[] }>

/** Makes the calls with the same concurrency per account and nothing else. */
async function loop(
  url: string,
  concurrentCalls: number,
  all: readonly Theirs[],
  work: (ask: Ask, theirs: Theirs, target: Target) => Promise<unknown>,
): Promise<void> {
  const { origin, pathname } = new URL(url)
  const pool = new Pool(origin, { connections: all.length * concurrentCalls })
  await Promise.all(
    all.map(async (theirs) => {
      const { email, globalKey } = theirs.credential
      const ask: Ask = async (method, path, body) => {
        const answer = await pool.request({
          method,
          path: pathname + path,
          headers: { 'x-auth-email': email, 'x-auth-key': globalKey, 'content-type': 'application/json' },
          body: body === undefined ? null : JSON.stringify(body),
        })
        const text = (await answer.body.json()) as { result: Record<string, unknown>[] }
        if (answer.statusCode !== 200) throw new Error(JSON.stringify(text))
        return text
      }
      const left = [...theirs.targets]
      const one = async () => {
        for (let target = left.shift(); target !== undefined; target = left.shift()) await work(ask, theirs, target)
      }
      await Promise.all(Array.from({ length: concurrentCalls }, one))
    }),
  )
  await pool.close()
}

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const began = performance.now()
  await work()
  return (performance.now() - began) / 1000
}

/** Looks up every zone's A record, and inserts accounts, zones and records into the mirror as if they had been synced. */
async function seedTargets({
  db,
  secrets,
  world,
  url,
  concurrentCalls,
  ownerId,
}: {
  readonly db: Database
  readonly secrets: Secrets
  readonly world: World
  readonly url: string
  readonly concurrentCalls: number
  readonly ownerId: string
}): Promise<Theirs[]> {
  const content = world.content()
  const all = world.credentials.map((credential): Theirs => {
    const own = content.zones.filter((zone) => zone.account.id === credential.accountId)
    return { credential, targets: own.map(({ id, name }) => ({ providerZoneId: id, name, recordId: '', record: {} })) }
  })
  const found: Target[] = []
  await loop(url, concurrentCalls, all, async (ask, theirs, target) => {
    const { result } = await ask('GET', `/zones/${target.providerZoneId}/dns_records?type=A`)
    const [record = {}] = result
    const known = { ...target, recordId: String(record['id']), record }
    found.push(known)
    theirs.targets[theirs.targets.indexOf(target)] = known
  })
  for (const { credential, targets } of all) {
    const account = await insertAccount(
      db,
      { ownerId: ownerId, email: credential.email, providerUserId: credential.userId },
      { secrets: secrets, apiKey: credential.globalKey },
    )
    const rows = await insertZones(db, { ownerId: ownerId, accountId: account.id }, targets.length, (at) => ({
      providerZoneId: targets[at]?.providerZoneId ?? '',
      name: targets[at]?.name ?? '',
      plan: 'Free Website',
      recordsReadAt: new Date(),
      recordsCount: 1,
    }))
    await db.orm.insert(dnsRecords).values(
      rows.flatMap(({ id, providerZoneId }) => {
        const target = targets.find((each) => each.providerZoneId === providerZoneId)
        if (target === undefined) return []
        const { type, name, content: value, proxied } = target.record
        return [
          {
            domainId: id,
            recordId: target.recordId,
            type: String(type),
            name: String(name),
            content: String(value),
            ttl: 1,
            proxied: proxied === true,
            proxiable: true,
          },
        ]
      }),
    )
  }
  await db.sql`analyze`
  return all
}

/** Previews, starts and awaits the operation that sets the address everywhere, and checks the result. */
async function changeByOperation(
  { db, events }: Pick<Services, 'db' | 'events'>,
  owner: Awaited<ReturnType<typeof signIn>>,
  to: string,
  zones: number,
) {
  const preview = await owner.call.operations.preview({
    request: { kind: 'ip', input: { ipAddress: to, mode: 'replace' } },
    target: { filter: {} },
  })
  const { id } = preview.operation
  const seconds = await timed(async () => {
    // Learns of the end through an event, like a page does, and polls in case it was missed.
    let changed = Promise.withResolvers<void>()
    const unsubscribe = events.subscribe((_owner, { kind }) => kind === 'operations' && changed.resolve())
    await owner.call.operations.start({ id })
    for (;;) {
      await Promise.race([changed.promise, systemClock.sleep(500)])
      changed = Promise.withResolvers()
      const [row] = await db.sql<{ state: string }[]>`select state from operations where id = ${id}`
      if (row?.state === 'done') return unsubscribe()
    }
  })
  const [row] = await db.sql<{ done: number; changes: number; mirror: number }[]>`
    select count(*) filter (where i.state = 'done')::int as done,
      (select count(*)::int from zone_changes where batch_id = ${id} and source = 'operation') as changes,
      (select count(*)::int from dns_records where content = ${to}) as mirror
    from operation_items i where operation_id = ${id}`
  if (row?.done !== zones || row.changes !== zones || row.mirror !== zones) throw new Error(`not all was done: ${JSON.stringify(row)}`)
  return seconds
}

/**
 * Changes one A record in many zones, alternating between an operation and a plain loop. Both read the records of a zone first and write only
 * if nothing has changed.
 */
export async function oneRecord({ zones, accounts, latencyMs, concurrentCalls, budget }: OneRecordOptions) {
  // One of four records is an A record.
  const options: WorldOptions = { zones, accounts, seed: 5, recordsPerZone: 4, plain: true }
  const world = buildWorld(options)
  const simulator = await startSimulator({ world: options, options: { latencyMs, budget: null, addressLimitPerSecond: null } })
  const limited =
    budget === null ? simulator : await startSimulator({ world: options, options: { latencyMs, budget, addressLimitPerSecond: null } })
  const database = await startDatabase()
  const { db } = database
  const services = await createBenchServices(db, limited.url, { concurrentCalls, budget })
  const { events, dnsHost } = services
  try {
    const owner = await signIn(services)
    const all = await seedTargets({ db, secrets: services.secrets, world, url: simulator.url, concurrentCalls, ownerId: owner.user.id })

    // Both begin with the initial records: a record that was changed meanwhile would be read only.
    const plain = async () => {
      await simulator.reset()
      const seconds = await timed(() =>
        loop(simulator.url, concurrentCalls, all, async (ask, _, { providerZoneId, recordId, record }) => {
          const { result } = await ask('GET', `/zones/${providerZoneId}/dns_records?per_page=100`)
          const now = result.find(({ id }) => id === recordId)
          if (now?.['content'] !== record['content']) throw new Error('a record was changed before its turn')
          await ask('PATCH', `/zones/${providerZoneId}/dns_records/${recordId}`, { content: address })
        }),
      )
      await simulator.reset()
      return seconds
    }
    const runner = await startOperations(services, operationKinds)
    const ours = async (to: string) => {
      const before = await limited.journal()
      const seconds = await changeByOperation(services, owner, to, zones)
      const { calls, refused } = await limited.journal()
      return { seconds, calls: calls - before.calls, refused: refused - before.refused }
    }
    const before = budget === null ? await plain() : 0
    // Warmed up like a running panel: its connections are open, as those of the plain loop are.
    if (budget === null) await ours('203.0.113.199')
    const run = await ours(address)
    const after = budget === null ? await plain() : 0
    await runner.stop()
    return {
      seconds: run.seconds,
      calls: run.calls,
      refused: run.refused,
      plainSeconds: (before + after) / 2,
    }
  } finally {
    await dnsHost.close()
    await events.close()
    await database.close()
    simulator.stop()
    if (limited !== simulator) limited.stop()
  }
}

if (import.meta.main) {
  const [zones = 400, accounts = 20, latencyMs = 50, concurrentCalls = 4, limit = 0] = process.argv.slice(2).map(Number)
  const figures = await oneRecord({ zones, accounts, latencyMs, concurrentCalls, budget: limit === 0 ? null : { limit, windowMs: 15_000 } })
  process.stdout.write(`${JSON.stringify({ ...figures, ratio: figures.plainSeconds / figures.seconds })}\n`)
}
