import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connect } from '#server/db/client.ts'
import { createFakeClock } from '#server/testing/fake-clock.ts'
import { createTestDatabase } from '#server/testing/database.ts'
import type { TestDatabase } from '#server/testing/database.ts'
import type { Priority } from '#server/ports/dns-host.ts'
import { BudgetClosed, BudgetExhausted, createCallBudget } from './call-budget.ts'
import type { CallBudget, CallReport } from './call-budget.ts'
import { decideLease, emptyBudget } from './call-budget.policy.ts'
import type { BudgetLimit, BudgetState } from './call-budget.policy.ts'
import { createBudgetStore } from './call-budget.repo.ts'
import type { BudgetStore } from './call-budget.repo.ts'
import { systemClock } from './clock.ts'
import { createLog } from './log.ts'

const log = createLog('silent')
const window15 = { limit: 60, windowMs: 15_000 }

/** The store's rules in memory, on the fake clock. */
function memoryStore(now: () => number): BudgetStore & { trips: number; failing: boolean } {
  const states = new Map<string, BudgetState>()
  const store = {
    trips: 0,
    failing: false,
    lease: async (key: string, limit: BudgetLimit, request: Parameters<BudgetStore['lease']>[2]) => {
      store.trips += 1
      if (store.failing) throw new Error('no database')
      const { state, lease } = decideLease(states.get(key) ?? emptyBudget, now(), request, limit)
      states.set(key, state)
      return lease
    },
  }
  return store
}

function setUp(change: { readonly limit?: BudgetLimit; readonly maxConcurrent?: number } = {}) {
  const clock = createFakeClock()
  const store = memoryStore(clock.now)
  const make = (holder: string) =>
    createCallBudget({
      key: 'user',
      limit: change.limit ?? window15,
      maxConcurrent: change.maxConcurrent ?? 100,
      store,
      clock,
      log,
      holder,
    })
  return { clock, store, make, budget: make('one') }
}

const report = (sentAtMs: number, change: Partial<CallReport> = {}): CallReport => ({
  sentAtMs,
  left: null,
  resetMs: 0,
  policy: null,
  blockMs: null,
  ...change,
})

/** Requests this many calls; returns which ones were served, in order. */
function queue(budget: CallBudget, served: string[], priority: Priority, count: number, signal?: AbortSignal) {
  return Array.from({ length: count }, () =>
    budget.take({ priority, signal }).then((permit) => {
      served.push(priority)
      return permit
    }),
  )
}

describe('priorities', () => {
  test('people are served before bulk work, and bulk work before a sync', async () => {
    const { clock, budget } = setUp({ maxConcurrent: 1 })
    const served: string[] = []
    const first = await Promise.all(queue(budget, served, 'sync', 1))
    const others = [...queue(budget, served, 'sync', 2), ...queue(budget, served, 'bulk', 2), ...queue(budget, served, 'person', 2)]
    first[0]?.spent()
    for (const permit of others) void permit.then((taken) => taken.spent())
    await clock.advance(100)
    expect(served).toEqual(['sync', 'person', 'person', 'bulk', 'bulk', 'sync', 'sync'])
  })

  test('no more calls than allowed run concurrently', async () => {
    const { clock, budget } = setUp({ maxConcurrent: 3 })
    const served: string[] = []
    void queue(budget, served, 'person', 10)
    await clock.advance(60)
    expect(served).toHaveLength(3)
  })

  test('an abort ends the wait and uses no call', async () => {
    const { clock, budget } = setUp({ maxConcurrent: 1 })
    const served: string[] = []
    const [permit] = await Promise.all(queue(budget, served, 'person', 1))
    const stop = new AbortController()
    const [waiting] = queue(budget, served, 'person', 1, stop.signal)
    const [next] = queue(budget, served, 'sync', 1)
    stop.abort(new Error('gone away'))
    await expect(waiting).rejects.toThrow('gone away')
    permit?.spent()
    await clock.advance(10)
    await expect(next).resolves.toBeDefined()
    await expect(budget.take({ priority: 'person', signal: stop.signal })).rejects.toThrow('gone away')
  })

  test('a call that cannot be served in time is refused immediately', async () => {
    const { clock, budget } = setUp({ limit: { limit: 4, windowMs: 60_000 } })
    const permits = await Promise.all(queue(budget, [], 'person', 4))
    for (const permit of permits) permit.spent()
    const late = budget.take({ priority: 'person', maxWaitMs: 20_000 }).catch((error: unknown) => error)
    await clock.advance(1_000)
    expect(await late).toBeInstanceOf(BudgetExhausted)
  })

  test('a person waits no longer than a tenth of the budget takes after a sync has used all of it', async () => {
    const { clock, budget } = setUp()
    const served: string[] = []
    for (const call of queue(budget, served, 'sync', 500)) void call.then((permit) => permit.spent()).catch(() => undefined)
    await clock.advance(20_000)
    const before = clock.now()
    let waitedMs = Infinity
    void budget.take({ priority: 'person' }).then(() => (waitedMs = clock.now() - before))
    for (let step = 0; step < 60; step += 1) await clock.advance(50)
    expect(waitedMs).toBeLessThanOrEqual(2_500)
    await budget.close()
  })

  test('a sync without competitors uses the whole budget over time', async () => {
    const { clock, budget } = setUp()
    const served: string[] = []
    for (const call of queue(budget, served, 'sync', 2_000)) void call.then((permit) => permit.spent()).catch(() => undefined)
    await clock.advance(15_000 * 10 - 100)
    expect(served.length).toBeGreaterThanOrEqual(600 * 0.99)
    expect(served.length).toBeLessThanOrEqual(600)
    await budget.close()
  })
})

describe('provider answers', () => {
  test('a rate-limit refusal stops every process until it ends', async () => {
    const { clock, make, budget } = setUp()
    const other = make('two')
    const [permit] = await Promise.all(queue(budget, [], 'person', 1))
    permit?.spent(report(clock.now(), { blockMs: 8_000 }))
    await clock.advance(10)
    const served: string[] = []
    void queue(budget, served, 'person', 1)
    void queue(other, served, 'sync', 1)
    await clock.advance(7_900)
    expect(served).toEqual([])
    await clock.advance(200)
    expect(served).toHaveLength(2)
    await expect(budget.take({ priority: 'person' })).resolves.toBeDefined()
  })

  test('calls of other clients are read from the header, and room is left for them', async () => {
    const { clock, budget } = setUp()
    const [permit] = await Promise.all(queue(budget, [], 'person', 1))
    permit?.spent(report(clock.now(), { left: 5, resetMs: 15_000, policy: window15 }))
    await clock.advance(2_000)
    const served: string[] = []
    void queue(budget, served, 'person', 60)
    await clock.advance(2_000)
    expect(served).toHaveLength(5)
  })
})

describe('the share of a process', () => {
  test('a large budget needs few database round trips', async () => {
    const { clock, store, budget } = setUp({ limit: { limit: 1_000_000, windowMs: 300_000 }, maxConcurrent: 10 })
    let done = 0
    const loop = async () => {
      while (done < 2_000) {
        const permit = await budget.take({ priority: 'sync' })
        done += 1
        await clock.sleep(50)
        permit.spent()
      }
    }
    void Promise.all(Array.from({ length: 10 }, loop))
    await clock.advance(10_100)
    expect(done).toBeGreaterThanOrEqual(2_000)
    expect(store.trips).toBeLessThan(60)
  })

  test('idle calls are returned for other processes', async () => {
    const { clock, make, budget } = setUp()
    const [permit] = await Promise.all(queue(budget, [], 'sync', 1))
    permit?.unused()
    await clock.advance(1_000)
    const served: string[] = []
    void queue(make('two'), served, 'person', 60)
    await clock.advance(10)
    expect(served).toHaveLength(60)
  })

  test('closing refuses waiting callers and returns held calls', async () => {
    const { clock, make, budget } = setUp({ maxConcurrent: 1 })
    const [permit] = await Promise.all(queue(budget, [], 'person', 1))
    const waiting = budget.take({ priority: 'sync' }).catch((error: unknown) => error)
    const closed = budget.close()
    expect(await waiting).toBeInstanceOf(BudgetClosed)
    await closed
    await expect(budget.take({ priority: 'person' })).rejects.toBeInstanceOf(BudgetClosed)
    permit?.spent()

    const other = make('two')
    let served = 0
    const loop = async () => {
      for (;;) {
        const taken = await other.take({ priority: 'person' })
        served += 1
        taken.spent()
      }
    }
    loop().catch(() => undefined)
    await clock.advance(1_000)
    // All but the one call that was running.
    expect(served).toBe(59)
    await other.close()
  })

  test('a short database failure delays calls, a lasting one fails them', async () => {
    const { clock, store, budget } = setUp()
    store.failing = true
    const served: string[] = []
    void queue(budget, served, 'sync', 1)
    await clock.advance(300)
    store.failing = false
    await clock.advance(600)
    expect(served).toHaveLength(1)

    store.failing = true
    const lost = Promise.allSettled(queue(budget, served, 'sync', 80))
    await clock.advance(20_000)
    expect((await lost).some((result) => result.status === 'rejected')).toBe(true)
  })
})

test('calls answered while the database was unavailable are counted once it is back', async () => {
  const { clock, store, make, budget } = setUp()
  const permits = await Promise.all(queue(budget, [], 'person', 25))
  store.failing = true
  for (const permit of permits) permit.spent()
  // Several exchanges fail while there are calls to report.
  await clock.advance(6_000)
  expect(store.trips).toBeGreaterThan(2)
  store.failing = false
  await clock.advance(6_000)
  const served: string[] = []
  void queue(make('two'), served, 'person', 100)
  await clock.advance(1_000)
  expect(served).toHaveLength(window15.limit - 25)
})

describe('in PostgreSQL', () => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await createTestDatabase()
  })
  afterAll(() => database.close())

  test('several processes together stay within one limit in every window, and use all of it', async () => {
    const limit = { limit: 40, windowMs: 1_000 }
    const pools = [0, 1, 2].map(() => connect(database.url, { max: 3 }))
    const budgets = pools.map(({ sql }, index) =>
      createCallBudget({
        key: 'shared',
        limit,
        maxConcurrent: 8,
        store: createBudgetStore(sql),
        clock: systemClock,
        log,
        holder: `process ${index}`,
      }),
    )
    const sentAt: number[] = []
    const calls = budgets.flatMap((budget, index) =>
      Array.from({ length: 50 }, async () => {
        const permit = await budget.take({ priority: index === 0 ? 'person' : 'sync' })
        sentAt.push(performance.now())
        await systemClock.sleep(5)
        permit.spent()
      }),
    )
    await Promise.all(calls)
    await Promise.all(budgets.map((budget) => budget.close()))
    await Promise.all(pools.map((pool) => pool.close()))

    const worst = Math.max(...sentAt.map((at) => sentAt.filter((other) => other > at - limit.windowMs && other <= at).length))
    expect(worst).toBeLessThanOrEqual(limit.limit)
    expect(sentAt).toHaveLength(150)
    const [row] = await database.db.sql<{ held: number }[]>`
      select (select count(*)::int from jsonb_object_keys(log->'held')) as held from call_budgets where key = 'shared'`
    expect(row?.held).toBe(0)
  })

  test('a budget whose row was deleted starts again', async () => {
    const store = createBudgetStore(database.db.sql)
    const budget = createCallBudget({ key: 'gone', limit: window15, maxConcurrent: 8, store, clock: systemClock, log, holder: 'one' })
    ;(await budget.take({ priority: 'person' })).spent()
    await database.db.sql`delete from call_budgets where key = 'gone'`
    const permits = await Promise.all(Array.from({ length: 8 }, () => budget.take({ priority: 'person', maxWaitMs: 1_000 })))
    for (const permit of permits) permit.unused()
    await budget.close()
    expect(await database.db.sql`select 1 from call_budgets where key = 'gone'`).toHaveLength(1)
  })

  test('an unreadable row counts as an empty budget', async () => {
    await database.db.sql`insert into call_budgets (key, log) values ('odd', '[1,2]')`
    const store = createBudgetStore(database.db.sql)
    const lease = await store.lease('odd', window15, {
      holder: 'one',
      holding: { main: 0, reserve: 0 },
      done: { main: [], reserve: [] },
      needs: { person: 1, bulk: 0, sync: 0 },
      extra: 0,
      heard: null,
      blockMs: 1_500,
    })
    expect(lease.granted).toEqual({ main: 0, reserve: 0 })
    expect(lease.blockedMs).toBeCloseTo(1_500, -2)
    const [row] = await database.db.sql<{ left: number }[]>`
      select extract(epoch from blocked_until - now())::float8 as left from call_budgets where key = 'odd'`
    expect(row?.left).toBeGreaterThan(1)
  })
})
