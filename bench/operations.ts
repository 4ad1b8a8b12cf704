import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { Database } from '#server/db/client.ts'
import { systemClock } from '#server/platform/clock.ts'
import { createEvents } from '#server/platform/events.ts'
import { createLog } from '#server/platform/log.ts'
import type { Services } from '#server/platform/context.ts'
import { operationKinds } from '#server/features/operations/index.ts'
import type { OperationKind } from '#server/features/operations/operation-kind.ts'
import { insertOperation, wakeOperations } from '#server/features/operations/operations.repo.ts'
import { startOperations } from '#server/features/operations/run-operations.ts'
import { createSessions } from '#server/platform/sessions.ts'
import { signIn } from '#server/testing/app.ts'
import { insertAccount, insertGroup, insertZones } from '#server/testing/factories.ts'
import { percentile } from './bench.ts'
import type { Bench, Figure } from './bench.ts'
import { oneRecord } from './one-record.ts'
import { insertOwner, startDatabase } from './panel.ts'

/** The full run, or a smoke test of a minute. */
const sizes = {
  whole: { items: 30_000, records: 2_000, paced: 600, domains: 100_000, previewed: 10_000 },
  small: { items: 3_000, records: 200, paced: 80, domains: 4_000, previewed: 1_000 },
}
type Size = (typeof sizes)['whole']

/** A provider that answers immediately, so that only the engine is measured. */
const instant: OperationKind = {
  input: z.unknown(),
  run: () => Promise.resolve({ state: 'done' }),
}

type Report = (figure: Figure) => void

async function reachesEnd({ db }: { readonly db: Database }, id: string): Promise<void> {
  for (;;) {
    const [row] = await db.sql<{ state: string }[]>`select state from operations where id = ${id}`
    if (row?.state === 'done') return
    await systemClock.sleep(20)
  }
}

async function engine(report: Report, { items }: Size): Promise<void> {
  const keys = 20
  const database = await startDatabase()
  const { db } = database
  const log = createLog('silent')
  const events = await createEvents(db.sql, log)
  try {
    const owner = await insertOwner(db)
    const plan = { before: null, after: null, dangers: [], calls: 1 }
    const { id } = await insertOperation(
      db.orm,
      { ownerId: owner.id, actorId: owner.id, actorName: 'bench', kind: 'refresh', input: {}, state: 'queued', total: items },
      Array.from({ length: items }, (_, index) => ({
        accountId: randomUUID(),
        accountEmail: 'bench@example.com',
        lane: `lane ${index % keys}`,
        name: `n${index}.example`,
        plan,
      })),
    )
    const began = performance.now()
    const runner = await startOperations({ db, log, events, loops: new Map() } as unknown as Services, { refresh: instant })
    await wakeOperations(db.orm)
    await reachesEnd(database, id)
    const seconds = (performance.now() - began) / 1000
    await runner.stop()
    report({
      name: `engine over an instant provider, ${items} items`,
      value: items / seconds,
      unit: '/s',
      against: { kind: 'at least', value: 1_500, what: 'items a second' },
    })
  } finally {
    await events.close()
    await database.close()
  }
}

async function provider(report: Report, { records, paced }: Size): Promise<void> {
  for (const concurrentCalls of [2, 3, 4]) {
    const free = await oneRecord({ zones: records, accounts: 20, latencyMs: 50, concurrentCalls, budget: null })
    report({
      name: `one A record in ${records} zones of 20 accounts at 50 ms, ${20 * concurrentCalls} concurrent calls`,
      value: free.seconds,
      unit: 's',
      against: { kind: 'at most', value: free.plainSeconds / 0.8, what: '80 % of a plain loop with the same concurrency' },
      more: { plainSeconds: free.plainSeconds },
    })
    report({
      name: `calls for them with ${20 * concurrentCalls} concurrently, as the provider counted`,
      value: free.calls,
      unit: 'calls',
      against: { kind: 'at most', value: 2 * records, what: 'a read that finds nothing changed, and a write' },
    })
  }
  const limited = await oneRecord({ zones: paced, accounts: 2, latencyMs: 50, concurrentCalls: 4, budget: { limit: 60, windowMs: 15_000 } })
  report({
    name: `calls a second of an account at 60 in 15 s, over ${paced / 2} zones`,
    value: limited.calls / 2 / limited.seconds,
    unit: '/s',
    against: {
      kind: 'at least',
      value: (60 / 15) * 0.97,
      what: '97 % of what the budget gives; its last tenth is spent evenly, for people',
    },
    more: { seconds: limited.seconds },
  })
  report({
    name: 'rejected calls (429)',
    value: limited.refused,
    unit: 'calls',
    against: { kind: 'at most', value: 0, what: 'none' },
  })
}

/** One address per 100 domains, and a mail server each. */
async function seedDomains(db: Database, ownerId: string, domains: number): Promise<string[]> {
  const ids: string[] = []
  const accounts = 20
  for (let index = 0; index < accounts; index += 1) {
    const account = await insertAccount(db, { ownerId })
    for (let start = 0; start < domains / accounts; start += 1_000) {
      const rows = await insertZones(db, { ownerId, accountId: account.id }, Math.min(1_000, domains / accounts - start), () => ({
        recordsReadAt: new Date(),
        recordsCount: 2,
      }))
      ids.push(...rows.map(({ id }) => id))
    }
  }
  await db.sql`
    insert into dns_records (zone_id, record_id, type, name, content, ttl, proxied, proxiable)
    select z.id, n::text, case n when 1 then 'A' else 'MX' end, z.name,
      case n when 1 then '198.51.' || (hashtext(z.name) & 3)::text || '.' || (hashtext(z.name) >> 2 & 255)::text else 'mail.' || z.name end, 1, false, true
    from zones z cross join generate_series(1, 2) n`
  await db.sql`vacuum analyze`
  return ids
}

const timed = async (work: () => Promise<unknown>) => {
  const began = performance.now()
  await work()
  return performance.now() - began
}

/** Runs an operation over all domains that makes no provider calls, and loads its pages. */
async function intoGroup(report: Report, services: Services, owner: Awaited<ReturnType<typeof signIn>>, domains: number): Promise<void> {
  const group = await insertGroup(services.db, { ownerId: owner.user.id })
  const { operation } = await owner.call.operations.preview({
    request: { kind: 'group', input: { groupId: group.id } },
    target: { filter: {} },
  })
  const queries = [{}, { state: 'done' }, { state: 'pending' }, { search: 'zone4' }, { cursor: Math.floor(domains / 2) }] as const
  const opened: number[] = []
  const runner = await startOperations(services, operationKinds)
  const began = performance.now()
  await owner.call.operations.start({ id: operation.id })
  const ended = reachesEnd(services, operation.id)
  await ended
  report({
    name: `${domains} domains into a group`,
    value: (performance.now() - began) / 1000,
    unit: 's',
    against: { kind: 'at most', value: domains / 1_500, what: 'the engine’s 1,500 items a second' },
  })
  await runner.stop()
  for (let round = 0; round < 5; round += 1) {
    for (const query of queries) {
      opened.push(await timed(() => owner.call.operations.items({ id: operation.id, limit: 100, ...query })))
    }
  }
  report({
    name: `items of an operation of ${domains}: the slowest of ${opened.length} pages`,
    value: Math.max(...opened),
    unit: 'ms',
    against: { kind: 'at most', value: 300, what: 'limit' },
  })
}

async function many(report: Report, { domains, previewed }: Size): Promise<void> {
  const database = await startDatabase()
  const { db } = database
  const log = createLog('silent')
  const events = await createEvents(db.sql, log)
  const services = {
    db,
    log,
    events,
    clock: systemClock,
    loops: new Map(),
    sessions: createSessions(db),
    callBudget: { limit: 1_200, windowMs: 300_000 },
    secrets: { open: () => 'none' },
    dnsHost: { connect: () => ({}), close: () => Promise.resolve() },
  } as unknown as Services
  try {
    const owner = await signIn(services)
    const ids = await seedDomains(db, owner.user.id, domains)
    const request = { kind: 'ip', input: { ipAddress: '203.0.113.9', mode: 'replace' } } as const
    const some = ids.slice(0, previewed)
    await owner.call.operations.preview({ request, target: { ids: some.slice(0, 100) } })
    report({
      name: `preview of ${previewed} domains`,
      value: (await timed(() => owner.call.operations.preview({ request, target: { ids: some } }))) / 1000,
      unit: 's',
      against: { kind: 'at most', value: 2, what: 'limit' },
    })

    const listed = await Promise.resolve(Array.from({ length: 12 })).then(async (times) => {
      const all: number[] = []
      for (const _ of times) all.push(await timed(() => owner.call.addresses.list({})))
      return all
    })
    report({
      name: `addresses of ${domains} domains: median of ${listed.length}`,
      value: percentile(listed, 0.5),
      unit: 'ms',
      against: { kind: 'at most', value: 300, what: 'limit' },
      more: { first: listed[0] ?? Number.NaN },
    })

    await intoGroup(report, services, owner, domains)
  } finally {
    await events.close()
    await database.close()
  }
}

const runAll = async (report: Report, size: Size): Promise<void> => {
  await engine(report, size)
  await provider(report, size)
  await many(report, size)
}

export const operations: Bench = {
  about: 'the operation engine, compared with a plain loop at 50 ms, within a rate limit, and over 100,000 domains',
  run: (report) => runAll(report, sizes.whole),
}

if (import.meta.main) {
  await runAll(({ name, value, unit, against }) => {
    process.stdout.write(`${name}: ${value.toFixed(2)} ${unit}, ${against.kind} ${against.value.toFixed(2)} (${against.what})\n`)
  }, sizes.small)
}
