import { describe, expect, test } from 'vitest'
import { decideLease, emptyBudget, leaseLifeMs, useOf } from './call-budget.policy.ts'
import type { BudgetLimit, BudgetState, Heard, LeaseRequest, Spent } from './call-budget.policy.ts'

/** The reserve is six of these; answered calls are combined by 60 ms. */
const limit: BudgetLimit = { limit: 60, windowMs: 15_000 }
const now = 900_000
const after = (ms: number, calls: number): Spent => [now + ms, calls]

const ask = (change: Partial<LeaseRequest>): LeaseRequest => ({
  holder: 'one',
  holding: { main: 0, reserve: 0 },
  done: { main: [], reserve: [] },
  needs: { person: 0, bulk: 0, sync: 0 },
  extra: 0,
  heard: null,
  blockMs: null,
  ...change,
})
const needs = (change: Partial<LeaseRequest['needs']>) => ({ person: 0, bulk: 0, sync: 0, ...change })
const lease = (state: Partial<BudgetState>, change: Partial<LeaseRequest>, configured = limit) =>
  decideLease({ ...emptyBudget, ...state }, now, ask(change), configured).lease
const stateAfter = (state: Partial<BudgetState>, change: Partial<LeaseRequest>, configured = limit) =>
  decideLease({ ...emptyBudget, ...state }, now, ask(change), configured).state
const heard = (change: Partial<Heard>): Heard => ({ left: 60, resetMs: 1_000, sentAgoMs: 50, own: 0, policy: limit, ...change })

test('a request for zero calls returns immediately and stores nothing', () => {
  expect(decideLease(emptyBudget, now, ask({}), limit)).toEqual({
    state: emptyBudget,
    lease: { granted: { main: 0, reserve: 0 }, extraGranted: 0, waitMs: { person: 0, bulk: 0, sync: 0 }, blockedMs: 0 },
  })
})

describe('granted calls', () => {
  test('people are served first, bulk work may use half of the reserve, then syncs; the remainder is granted at an even pace', () => {
    const { state, lease: given } = decideLease(emptyBudget, now, ask({ needs: { person: 10, bulk: 50, sync: 10 } }), limit)
    expect(given).toEqual({
      granted: { main: 54, reserve: 5 },
      extraGranted: 0,
      waitMs: { person: 0, bulk: 5_000, sync: 2_500 },
      blockedMs: 0,
    })
    expect(state).toEqual({ ...emptyBudget, held: { one: [now + 25_000, 54, 5] }, pacedAtMs: now })
  })

  test.each<[string, Partial<BudgetState>, Partial<LeaseRequest>, { main: number; reserve: number }]>([
    [
      'calls held by others count against both parts',
      { held: { other: [now + 1, 10, 2] } },
      { needs: needs({ person: 60 }) },
      { main: 44, reserve: 4 },
    ],
    ['what it holds itself', {}, { holding: { main: 5, reserve: 1 }, needs: needs({ person: 60 }) }, { main: 49, reserve: 5 }],
    ['what is spent', { main: [after(1, 4)], reserve: [after(1, 1)] }, { needs: needs({ person: 60 }) }, { main: 50, reserve: 5 }],
    ['foreign calls beyond the main part', { main: [after(1, 57)] }, { needs: needs({ person: 10 }) }, { main: 0, reserve: 3 }],
    ['foreign calls, at the pace of the reserve', { main: [after(1, 57)] }, { needs: needs({ sync: 10 }) }, { main: 0, reserve: 1 }],
    ['all of it, also at a pace', { main: [after(1, 60)] }, { needs: needs({ sync: 10 }) }, { main: 0, reserve: 0 }],
    ['the whole reserve, also at a pace', { reserve: [after(1, 6)] }, { needs: needs({ sync: 60 }) }, { main: 54, reserve: 0 }],
    [
      'its own reserve calls, also at a pace',
      { main: [after(1, 57)] },
      { needs: needs({ person: 10, sync: 10 }) },
      { main: 0, reserve: 3 },
    ],
    ['foreign calls beyond the reserve', { reserve: [after(1, 8)] }, { needs: needs({ person: 60, bulk: 9 }) }, { main: 52, reserve: 0 }],
    [
      'the half of the reserve that bulk work may use',
      { reserve: [after(1, 2)] },
      { needs: needs({ bulk: 57 }) },
      { main: 54, reserve: 2 },
    ],
    ['that half, with calls for people', {}, { needs: needs({ person: 56, bulk: 3 }) }, { main: 54, reserve: 4 }],
  ])('leaves room for %s', (_what, state, change, granted) => {
    expect(lease(state, change).granted).toEqual(granted)
  })

  test('the reserve is used only as far as needed', () => {
    expect(lease({}, { needs: needs({ bulk: 57 }) })).toMatchObject({ granted: { main: 54, reserve: 3 }, waitMs: { bulk: 0 } })
    expect(lease({}, { needs: needs({ sync: 55 }) })).toMatchObject({ granted: { main: 54, reserve: 1 }, waitMs: { sync: 0 } })
  })

  test('expired calls become free, and the caller’s own held calls are replaced by what it reports now', () => {
    const held = { one: [now + 9_000, 30, 0], other: [now, 30, 0] } as const
    expect(lease({ main: [after(0, 30)], held }, { needs: needs({ person: 60 }) }).granted).toEqual({ main: 54, reserve: 6 })
    expect(stateAfter({ held }, {}).held).toEqual({})
    expect(decideLease(emptyBudget, now + 0.4, ask({ holding: { main: 0, reserve: 1 } }), limit).state.held).toEqual({
      one: [now + 25_001, 0, 1],
    })
  })

  test.each([
    [3, { main: 3, reserve: 0 }],
    [4, { main: 4, reserve: 0 }],
    [5, { main: 4, reserve: 1 }],
    [20, { main: 18, reserve: 1 }],
  ])('the reserve of %i calls is a tenth, and zero for very small budgets', (calls, granted) => {
    expect(lease({}, { needs: needs({ sync: 99 }) }, { limit: calls, windowMs: 15_000 }).granted).toEqual(granted)
  })

  test('surplus calls are limited to half of what is left and to the room available', () => {
    expect(lease({}, { extra: 4 }).extraGranted).toBe(4)
    expect(lease({}, { extra: 100 }).extraGranted).toBe(27)
    expect(lease({ main: [after(1, 10)] }, { needs: needs({ person: 4 }), extra: 100 }).extraGranted).toBe(20)
    expect(lease({ reserve: [after(1, 40)] }, { extra: 100 }).extraGranted).toBe(20)
    expect(lease({ main: [after(1, 57)] }, { extra: 100 }).extraGranted).toBe(0)
    expect(lease({ blockedUntilMs: now + 1 }, { extra: 100 }).extraGranted).toBe(0)
  })

  test('calls follow an even pace, and one delay does not slow down later calls', () => {
    const paced = (pacedAtMs: number) => {
      const { granted, waitMs } = lease({ pacedAtMs }, { needs: needs({ sync: 60 }) })
      return [granted.reserve, waitMs.sync, stateAfter({ pacedAtMs }, { needs: needs({ sync: 60 }) }).pacedAtMs - now]
    }
    expect(paced(now - 2_500)).toEqual([1, 2_500, 0])
    expect(paced(now - 2_499)).toEqual([0, 1, -2_499])
    expect(paced(now - 2_600)).toEqual([1, 2_400, -100])
    expect(paced(now - 60_000)).toEqual([1, 1_250, -1_250])
  })
})

describe('waiting time', () => {
  const all = { needs: { person: 1, bulk: 1, sync: 1 } }

  test('each priority waits for the first part that it may use', () => {
    const state = { main: [after(10_000, 54)], reserve: [after(3_000, 2), after(6_000, 4)], pacedAtMs: now + 2_000 }
    expect(lease(state, all).waitMs).toEqual({ person: 3_000, bulk: 6_000, sync: 4_500 })
    const soonPaced = { ...state, main: [after(10_000, 54)], pacedAtMs: now - 4_000 }
    expect(lease(soonPaced, all).waitMs).toEqual({ person: 3_000, bulk: 3_000, sync: 3_000 })
  })

  test('the wait is for calls of the main part if they expire first', () => {
    expect(lease({ main: [after(10_000, 44), after(5_000, 10)], reserve: [after(7_000, 6)] }, all).waitMs).toEqual({
      person: 5_000,
      bulk: 5_000,
      sync: 5_000,
    })
  })

  test('after calls by another client, the wait is for every excess call', () => {
    expect(lease({ main: [after(2_000, 3), after(4_000, 3), after(9_000, 60)] }, all).waitMs).toEqual({
      person: 9_000,
      bulk: 9_000,
      sync: 9_000,
    })
    expect(lease({ main: [after(2_000, 3), after(4_000, 57)], reserve: [after(9_000, 3)] }, all).waitMs.person).toBe(4_000)
  })

  test('if only other processes hold the missing calls, the wait is at most their allowed silence', () => {
    expect(lease({ held: { other: [now + 9_000, 54, 6] } }, all).waitMs).toEqual({ person: 50, bulk: 50, sync: 50 })
    const held = { other: [now + 9_000, 1, 0] } as const
    const reserve = [after(14_000, 6)]
    expect(lease({ main: [after(10_000, 53)], reserve, held }, all).waitMs.person).toBe(5_000)
    expect(lease({ main: [after(3_000, 53)], reserve, held }, all).waitMs.person).toBe(3_000)
    expect(lease({ main: [after(10_000, 54)], reserve }, all).waitMs.person).toBe(10_000)
    const reserveHeld = { other: [now + 9_000, 0, 1] } as const
    expect(lease({ main: [after(10_000, 54)], reserve: [after(14_000, 5)], held: reserveHeld }, all).waitMs.person).toBe(5_000)
  })

  test('calls granted now are waited for like those spent before', () => {
    const wait = (state: Partial<BudgetState>, change: Partial<LeaseRequest['needs']>) => lease(state, { needs: needs(change) }).waitMs
    expect(wait({ main: [after(2_000, 1), after(9_000, 56)] }, { person: 10 }).person).toBe(2_000)
    expect(wait({ reserve: [after(2_000, 1), after(9_000, 7)] }, { person: 60 }).person).toBe(2_000)
    const unpaced = { main: [after(5_000, 10)], reserve: [after(1_000, 6)], pacedAtMs: now + 8_000 }
    expect(wait(unpaced, { sync: 45 }).sync).toBe(5_000)
    expect(wait({ main: [after(10_000, 54)], reserve: [after(3_000, 1)], pacedAtMs: now }, { bulk: 5 }).bulk).toBe(3_000)
  })

  test('the wait is at least one millisecond', () => {
    expect(lease({ main: [after(0.5, 54)], reserve: [after(14_000, 6)] }, all).waitMs.person).toBe(1)
  })

  test('in a budget without a reserve only its own calls are waited for', () => {
    expect(lease({ main: [after(5_000, 3)] }, all, { limit: 3, windowMs: 15_000 }).waitMs).toEqual({
      person: 5_000,
      bulk: 5_000,
      sync: 5_000,
    })
  })

  test('the wait lasts until a block ends, and a shorter block does not end it earlier', () => {
    const blocked = { blockedUntilMs: now + 5_000 }
    expect(lease(blocked, {})).toMatchObject({ waitMs: { person: 5_000, bulk: 5_000, sync: 5_000 }, blockedMs: 5_000 })
    expect(lease({ blockedUntilMs: now }, { needs: needs({ person: 1 }) }).granted).toEqual({ main: 1, reserve: 0 })
    expect(stateAfter(blocked, { blockMs: 3_000 }).blockedUntilMs).toBe(now + 5_000)
    expect(stateAfter(blocked, { blockMs: 7_000 }).blockedUntilMs).toBe(now + 7_000)
  })
})

describe('stored calls', () => {
  test('calls of one moment are stored together, ordered by expiry, for five seconds after it', () => {
    const state = { main: [after(-5_000, 1), after(-4_999, 2), after(10_000, 1)], reserve: [after(10_000, 1)], heardAtMs: 1 }
    const done = {
      main: [
        [0, 3],
        [30, 1],
        [60, 2],
        [0, 2],
        [20_040, 9],
        [19_940, 1],
      ],
      reserve: [[5_040, 1]],
    } as const
    const { main, reserve } = stateAfter(state, { done })
    expect(main).toEqual([after(-4_999, 2), after(-4_920, 1), after(10_000, 1), after(14_940, 2), after(15_000, 6)])
    expect(reserve).toEqual([after(9_960, 1), after(10_000, 1)])
  })

  test('expiry times are exact to the millisecond', () => {
    const done = {
      main: [],
      reserve: [
        [15_000, 1],
        [14_960, 2],
      ],
    } as const
    expect(stateAfter({ heardAtMs: 1 }, { done }, { limit: 60, windowMs: 10_000 }).reserve).toEqual([after(-4_960, 2)])
  })

  test('without any header, calls are stored only until they expire', () => {
    const done = {
      main: [
        [14_999, 1],
        [15_060, 2],
      ],
      reserve: [],
    } as const
    expect(stateAfter({ main: [after(0, 1), after(1, 1)] }, { done }).main).toEqual([after(1, 1), after(60, 1)])
    expect(stateAfter({ main: [after(-4_999, 1)] }, { heard: heard({}) }).main).toEqual([after(-4_999, 1)])
  })

  test('calls of a window of a second are combined by 25 ms, so that they become free together', () => {
    const done = {
      main: [
        [0, 1],
        [24, 1],
        [25, 1],
        [26, 1],
      ],
      reserve: [],
    } as const
    const limitPerSecond = { limit: 200, windowMs: 1_000 }
    expect(stateAfter({}, { done }, limitPerSecond).main).toEqual([after(975, 2), after(1_000, 2)])
  })

  test('very short windows are stored exactly as well', () => {
    expect(stateAfter({}, { done: { main: [[0, 1]], reserve: [] } }, { limit: 3, windowMs: 100 }).main).toEqual([after(100, 1)])
  })
})

describe('a limit sent by the provider', () => {
  test.each<[BudgetLimit, readonly [number, number] | null]>([
    [limit, null],
    [{ limit: 50, windowMs: 15_000 }, [50, 15_000]],
    [{ limit: 60, windowMs: 20_000 }, [60, 20_000]],
    [{ limit: 60, windowMs: 10_000 }, null],
    [{ limit: 50, windowMs: 1_000 }, [50, 1_000]],
    [{ limit: 70, windowMs: 20_000 }, [70, 20_000]],
    [{ limit: 120, windowMs: 30_000 }, null],
  ])('%j counts where it is stricter', (policy, expected) => {
    expect(stateAfter({ policy: [10, 5_000] }, { heard: heard({ left: policy.limit, policy }) }).policy).toEqual(expected)
  })

  test('stays in force while the provider sends no limit', () => {
    expect(stateAfter({ policy: [10, 5_000] }, { heard: heard({ left: 10, policy: null }) }).policy).toEqual([10, 5_000])
    expect(stateAfter({ policy: [10, 5_000] }, {}).policy).toEqual([10, 5_000])
  })

  test('with another window moves the calls counted under the previous one', () => {
    const counted = { main: [after(10_000, 3)], reserve: [after(12_000, 1)] }
    const policy = { limit: 10, windowMs: 5_000 }
    expect(stateAfter(counted, { heard: heard({ left: 10, sentAgoMs: 9_000, policy }) })).toMatchObject({
      main: [after(0, 3)],
      reserve: [after(2_000, 1)],
    })
    expect(stateAfter({ ...counted, policy: [10, 5_000] }, {})).toMatchObject(counted)
  })
})

describe('the count sent by the provider', () => {
  const counted = { main: [after(5_000, 5)] }
  const mainAfter = (state: Partial<BudgetState>, change: Partial<Heard>) => stateAfter(state, { heard: heard(change) }).main

  test('is used for up to five seconds after its call was sent, and only if it is newer', () => {
    const foreign = [after(1_000, 1), after(15_000, 59)]
    expect(stateAfter({}, { heard: heard({ left: 0, sentAgoMs: 5_000 }) })).toMatchObject({ main: foreign, heardAtMs: now - 5_000 })
    expect(stateAfter({}, { heard: heard({ left: 0, sentAgoMs: 5_001 }) })).toMatchObject({ main: [], heardAtMs: 0 })
    const heardAtMs = now - 50
    expect(stateAfter({ heardAtMs }, { heard: heard({ left: 0 }) })).toMatchObject({ main: [], heardAtMs })
    expect(stateAfter({ heardAtMs }, { heard: heard({ left: 0, sentAgoMs: 49 }) })).toMatchObject({ main: foreign, heardAtMs: now - 49 })
  })

  test('a higher count means other clients: one call is free at the time the provider names, the rest after a window', () => {
    expect(mainAfter(counted, { left: 10 })).toEqual([after(1_000, 1), after(5_000, 5), after(15_000, 44)])
    expect(mainAfter(counted, { left: 54 })).toEqual([after(1_000, 1), after(5_000, 5)])
    expect(mainAfter(counted, { left: 54, resetMs: 99_000 })).toEqual([after(5_000, 5), after(15_000, 1)])
    expect(mainAfter(counted, { left: 54, resetMs: -5 })).toEqual([after(0, 1), after(5_000, 5)])
    expect(mainAfter(counted, { left: 54, resetMs: 0.5 })).toEqual([after(1, 1), after(5_000, 5)])
  })

  test('own calls include both parts, running calls and calls held by other processes', () => {
    const state = { ...counted, reserve: [after(5_000, 2)], held: { other: [now + 9_000, 4, 1] as const } }
    expect(mainAfter(state, { left: 45, own: 3 })).toEqual(counted.main)
    expect(mainAfter(state, { left: 44, own: 3 })).toEqual([after(1_000, 1), after(5_000, 5)])
  })

  test.each([null, { limit: 120, windowMs: 30_000 }, { limit: 60, windowMs: 10_000 }, { limit: 70, windowMs: 15_000 }])(
    'a lower count under another limit (%j) changes nothing',
    (policy) => expect(mainAfter(counted, { policy })).toEqual(counted.main),
  )

  test('a lower count releases that many of the oldest calls of both parts', () => {
    const state = { main: [after(4_000, 2), after(8_000, 3)], reserve: [after(6_000, 2)] }
    expect(stateAfter(state, { heard: heard({ left: 56 }) })).toMatchObject({ main: [after(8_000, 3)], reserve: [after(6_000, 1)] })
    expect(stateAfter(state, { heard: heard({ left: 53 }) })).toMatchObject(state)
    expect(stateAfter(state, { heard: heard({ left: 99 }) })).toMatchObject({ main: [], reserve: [] })
  })

  test('calls answered after it are not in it, and expired calls are no surplus', () => {
    expect(mainAfter({ main: [after(4_000, 2), after(14_951, 5)] }, { left: 60 })).toEqual([after(14_951, 5)])
    expect(mainAfter({ main: [after(4_000, 2), after(14_951, 5)] }, { left: 58 })).toEqual([after(4_000, 2), after(14_951, 5)])
    expect(mainAfter({ main: [after(14_950, 5)] }, { left: 60 })).toEqual([])
    expect(mainAfter({ main: [after(-1_000, 4), after(5_000, 2)] }, { left: 60 })).toEqual([after(-1_000, 4)])
    expect(mainAfter({ main: [after(0, 4), after(5_000, 2)] }, { left: 60 })).toEqual([after(0, 4)])
    expect(mainAfter({ main: [after(0, 4), after(5_000, 2)] }, { left: 58 })).toEqual([after(0, 4), after(5_000, 2)])
  })
})

test('the usage of a budget is what is spent and held now, against the limit in force', () => {
  const state: BudgetState = {
    ...emptyBudget,
    main: [after(5_000, 3), after(-1_000, 2)],
    reserve: [after(5_000, 1)],
    held: { a: [now + 1, 2, 1], b: [now, 9, 9] },
  }
  expect(useOf(state, now, limit)).toEqual({ ...limit, used: 7 })
  expect(useOf({ ...state, policy: [10, 5_000] }, now, limit)).toEqual({ limit: 10, windowMs: 5_000, used: 7 })
})

test('idle calls are returned after a delay that grows with the window', () => {
  expect([1_000, 15_000, 60_000, 150_000, 300_000].map(leaseLifeMs)).toEqual([100, 100, 400, 1_000, 1_000])
})
