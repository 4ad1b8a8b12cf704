import { describe, expect, test } from 'vitest'
import { decideLease, emptyBudget, leaseLifeMs, useOf } from './call-budget.policy.ts'
import type { BudgetLimit, BudgetState, Heard, LeaseRequest, Spent } from './call-budget.policy.ts'

/** Six of these are the reserve; answered calls are put together by 60 ms. */
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

test('who needs nothing gets nothing, waits for nothing and is not written down', () => {
  expect(decideLease(emptyBudget, now, ask({}), limit)).toEqual({
    state: emptyBudget,
    lease: { granted: { main: 0, reserve: 0 }, extraGranted: 0, waitMs: { person: 0, bulk: 0, sync: 0 }, blockedMs: 0 },
  })
})

describe('what is given', () => {
  test('persons come first, then bulk work with half of the reserve, then syncs; of the rest one each at its pace', () => {
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
    ['what others hold, of both parts', { held: { other: [now + 1, 10, 2] } }, { needs: needs({ person: 60 }) }, { main: 44, reserve: 4 }],
    ['what it holds itself', {}, { holding: { main: 5, reserve: 1 }, needs: needs({ person: 60 }) }, { main: 49, reserve: 5 }],
    ['what is spent', { main: [after(1, 4)], reserve: [after(1, 1)] }, { needs: needs({ person: 60 }) }, { main: 50, reserve: 5 }],
    ['foreign calls beyond the main part', { main: [after(1, 57)] }, { needs: needs({ person: 10 }) }, { main: 0, reserve: 3 }],
    ['foreign calls, at the pace of the reserve', { main: [after(1, 57)] }, { needs: needs({ sync: 10 }) }, { main: 0, reserve: 1 }],
    ['all of it, also at a pace', { main: [after(1, 60)] }, { needs: needs({ sync: 10 }) }, { main: 0, reserve: 0 }],
    ['the whole reserve, also at a pace', { reserve: [after(1, 6)] }, { needs: needs({ sync: 60 }) }, { main: 54, reserve: 0 }],
  ])('leaves room for %s', (_what, state, change, granted) => {
    expect(lease(state, change).granted).toEqual(granted)
  })

  test('no more of the reserve than is needed', () => {
    expect(lease({}, { needs: needs({ bulk: 57 }) })).toMatchObject({ granted: { main: 54, reserve: 3 }, waitMs: { bulk: 0 } })
    expect(lease({}, { needs: needs({ sync: 55 }) })).toMatchObject({ granted: { main: 54, reserve: 1 }, waitMs: { sync: 0 } })
  })

  test('what expired is free again, and what was held by the one who asks is what it says now', () => {
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
  ])('of %i calls a tenth is the reserve, and of very few none', (calls, granted) => {
    expect(lease({}, { needs: needs({ sync: 99 }) }, { limit: calls, windowMs: 15_000 }).granted).toEqual(granted)
  })

  test('more than is needed is half of what is left, at most what there is room for', () => {
    expect(lease({}, { extra: 4 }).extraGranted).toBe(4)
    expect(lease({}, { extra: 100 }).extraGranted).toBe(27)
    expect(lease({ main: [after(1, 10)] }, { needs: needs({ person: 4 }), extra: 100 }).extraGranted).toBe(20)
    expect(lease({ reserve: [after(1, 40)] }, { extra: 100 }).extraGranted).toBe(20)
    expect(lease({ main: [after(1, 57)] }, { extra: 100 }).extraGranted).toBe(0)
    expect(lease({ blockedUntilMs: now + 1 }, { extra: 100 }).extraGranted).toBe(0)
  })

  test('the pace is that of the beat, and nobody is slow for ever who was late once', () => {
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

describe('how long there is to wait', () => {
  const all = { needs: { person: 1, bulk: 1, sync: 1 } }

  test('each priority waits for the first part that it may take of', () => {
    const state = { main: [after(10_000, 54)], reserve: [after(3_000, 2), after(6_000, 4)], pacedAtMs: now + 2_000 }
    expect(lease(state, all).waitMs).toEqual({ person: 3_000, bulk: 6_000, sync: 4_500 })
    const soonPaced = { ...state, main: [after(10_000, 54)], pacedAtMs: now - 4_000 }
    expect(lease(soonPaced, all).waitMs).toEqual({ person: 3_000, bulk: 3_000, sync: 3_000 })
  })

  test('for calls of the main part where they expire first', () => {
    expect(lease({ main: [after(10_000, 44), after(5_000, 10)], reserve: [after(7_000, 6)] }, all).waitMs).toEqual({
      person: 5_000,
      bulk: 5_000,
      sync: 5_000,
    })
  })

  test('for all that is too much, where somebody else called', () => {
    expect(lease({ main: [after(2_000, 3), after(4_000, 3), after(9_000, 60)] }, all).waitMs).toEqual({
      person: 9_000,
      bulk: 9_000,
      sync: 9_000,
    })
    expect(lease({ main: [after(2_000, 3), after(4_000, 57)], reserve: [after(9_000, 3)] }, all).waitMs.person).toBe(4_000)
  })

  test('a moment where only others hold what is missing, and no longer than they may be silent', () => {
    expect(lease({ held: { other: [now + 9_000, 54, 6] } }, all).waitMs).toEqual({ person: 50, bulk: 50, sync: 50 })
    const held = { other: [now + 9_000, 1, 0] } as const
    const reserve = [after(14_000, 6)]
    expect(lease({ main: [after(10_000, 53)], reserve, held }, all).waitMs.person).toBe(5_000)
    expect(lease({ main: [after(3_000, 53)], reserve, held }, all).waitMs.person).toBe(3_000)
    expect(lease({ main: [after(10_000, 54)], reserve }, all).waitMs.person).toBe(10_000)
    const reserveHeld = { other: [now + 9_000, 0, 1] } as const
    expect(lease({ main: [after(10_000, 54)], reserve: [after(14_000, 5)], held: reserveHeld }, all).waitMs.person).toBe(5_000)
  })

  test('never less than a millisecond', () => {
    expect(lease({ main: [after(0.5, 54)], reserve: [after(14_000, 6)] }, all).waitMs.person).toBe(1)
  })

  test('of a budget without a reserve only for its calls', () => {
    expect(lease({ main: [after(5_000, 3)] }, all, { limit: 3, windowMs: 15_000 }).waitMs).toEqual({
      person: 5_000,
      bulk: 5_000,
      sync: 5_000,
    })
  })

  test('until the end of a block, which a shorter one does not end', () => {
    const blocked = { blockedUntilMs: now + 5_000 }
    expect(lease(blocked, {})).toMatchObject({ waitMs: { person: 5_000, bulk: 5_000, sync: 5_000 }, blockedMs: 5_000 })
    expect(stateAfter(blocked, { blockMs: 3_000 }).blockedUntilMs).toBe(now + 5_000)
    expect(stateAfter(blocked, { blockMs: 7_000 }).blockedUntilMs).toBe(now + 7_000)
  })
})

describe('what is written down', () => {
  test('calls of a moment stand together, in the order in which they expire, until five seconds after', () => {
    const state = { main: [after(-5_000, 1), after(-4_999, 2), after(10_000, 1)], reserve: [after(10_000, 1)] }
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

  test('to the millisecond', () => {
    const done = {
      main: [],
      reserve: [
        [15_000, 1],
        [14_960, 2],
      ],
    } as const
    expect(stateAfter({}, { done }, { limit: 60, windowMs: 10_000 }).reserve).toEqual([after(-4_960, 2)])
  })

  test('the shortest windows too', () => {
    expect(stateAfter({}, { done: { main: [[0, 1]], reserve: [] } }, { limit: 3, windowMs: 100 }).main).toEqual([after(100, 1)])
  })
})

describe('a limit of the provider', () => {
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

  test('stays while the provider says nothing of it', () => {
    expect(stateAfter({ policy: [10, 5_000] }, { heard: heard({ left: 10, policy: null }) }).policy).toEqual([10, 5_000])
    expect(stateAfter({ policy: [10, 5_000] }, {}).policy).toEqual([10, 5_000])
  })

  test('of another window moves what was counted by the former one', () => {
    const counted = { main: [after(10_000, 3)], reserve: [after(12_000, 1)] }
    const policy = { limit: 10, windowMs: 5_000 }
    expect(stateAfter(counted, { heard: heard({ left: 10, sentAgoMs: 9_000, policy }) })).toMatchObject({
      main: [after(0, 3)],
      reserve: [after(2_000, 1)],
    })
    expect(stateAfter({ ...counted, policy: [10, 5_000] }, {})).toMatchObject(counted)
  })
})

describe('the provider’s own count', () => {
  const counted = { main: [after(5_000, 5)] }
  const mainAfter = (state: Partial<BudgetState>, change: Partial<Heard>) => stateAfter(state, { heard: heard(change) }).main

  test('is believed up to five seconds after its call was sent, and only where it is newer', () => {
    const foreign = [after(1_000, 1), after(15_000, 59)]
    expect(stateAfter({}, { heard: heard({ left: 0, sentAgoMs: 5_000 }) })).toMatchObject({ main: foreign, heardAtMs: now - 5_000 })
    expect(stateAfter({}, { heard: heard({ left: 0, sentAgoMs: 5_001 }) })).toMatchObject({ main: [], heardAtMs: 0 })
    const heardAtMs = now - 50
    expect(stateAfter({ heardAtMs }, { heard: heard({ left: 0 }) })).toMatchObject({ main: [], heardAtMs })
    expect(stateAfter({ heardAtMs }, { heard: heard({ left: 0, sentAgoMs: 49 }) })).toMatchObject({ main: foreign, heardAtMs: now - 49 })
  })

  test('more than ours is somebody else’s: one is free when the provider says, the others after a window', () => {
    expect(mainAfter(counted, { left: 10 })).toEqual([after(1_000, 1), after(5_000, 5), after(15_000, 44)])
    expect(mainAfter(counted, { left: 54 })).toEqual([after(1_000, 1), after(5_000, 5)])
    expect(mainAfter(counted, { left: 54, resetMs: 99_000 })).toEqual([after(5_000, 5), after(15_000, 1)])
    expect(mainAfter(counted, { left: 54, resetMs: -5 })).toEqual([after(0, 1), after(5_000, 5)])
    expect(mainAfter(counted, { left: 54, resetMs: 0.5 })).toEqual([after(1, 1), after(5_000, 5)])
  })

  test('ours are those of both parts, those under way here, and what others hold', () => {
    const state = { ...counted, reserve: [after(5_000, 2)], held: { other: [now + 9_000, 4, 1] as const } }
    expect(mainAfter(state, { left: 45, own: 3 })).toEqual(counted.main)
    expect(mainAfter(state, { left: 44, own: 3 })).toEqual([after(1_000, 1), after(5_000, 5)])
  })

  test.each([null, { limit: 120, windowMs: 30_000 }, { limit: 60, windowMs: 10_000 }, { limit: 70, windowMs: 15_000 }])(
    'fewer than ours by another limit (%j) says nothing of ours',
    (policy) => expect(mainAfter(counted, { policy })).toEqual(counted.main),
  )

  test('fewer than ours lets the oldest of both parts go, as many as it does not count', () => {
    const state = { main: [after(4_000, 2), after(8_000, 3)], reserve: [after(6_000, 2)] }
    expect(stateAfter(state, { heard: heard({ left: 56 }) })).toMatchObject({ main: [after(8_000, 3)], reserve: [after(6_000, 1)] })
    expect(stateAfter(state, { heard: heard({ left: 53 }) })).toMatchObject(state)
    expect(stateAfter(state, { heard: heard({ left: 99 }) })).toMatchObject({ main: [], reserve: [] })
  })

  test('it cannot know of calls that were answered after it, and what has expired is no surplus', () => {
    expect(mainAfter({ main: [after(4_000, 2), after(14_951, 5)] }, { left: 60 })).toEqual([after(14_951, 5)])
    expect(mainAfter({ main: [after(4_000, 2), after(14_951, 5)] }, { left: 58 })).toEqual([after(4_000, 2), after(14_951, 5)])
    expect(mainAfter({ main: [after(14_950, 5)] }, { left: 60 })).toEqual([])
    expect(mainAfter({ main: [after(-1_000, 4), after(5_000, 2)] }, { left: 60 })).toEqual([after(-1_000, 4)])
    expect(mainAfter({ main: [after(0, 4), after(5_000, 2)] }, { left: 60 })).toEqual([after(0, 4)])
  })
})

test('the use of a budget is what is spent and held at the moment, by the limit that holds', () => {
  const state: BudgetState = {
    ...emptyBudget,
    main: [after(5_000, 3), after(-1_000, 2)],
    reserve: [after(5_000, 1)],
    held: { a: [now + 1, 2, 1], b: [now, 9, 9] },
  }
  expect(useOf(state, now, limit)).toEqual({ ...limit, used: 7 })
  expect(useOf({ ...state, policy: [10, 5_000] }, now, limit)).toEqual({ limit: 10, windowMs: 5_000, used: 7 })
})

test('idle slots go back after a moment that grows with the window', () => {
  expect([1_000, 15_000, 60_000, 150_000, 300_000].map(leaseLifeMs)).toEqual([100, 100, 400, 1_000, 1_000])
})
