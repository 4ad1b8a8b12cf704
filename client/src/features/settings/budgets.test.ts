import { expect, test } from 'vitest'
import type { AccountState } from '#shared/features/settings/schema.ts'
import { listBars, shareOf, toneOf, type Budget } from './budgets.ts'
import { sortStates, stalestFirst } from './sort-states.ts'

const budget = (used: number, blockedUntil: string | null = null): Budget => ({ used, limit: 100, windowSeconds: 300, blockedUntil })
const account = (email: string, number: number, syncedAt: string | null = null): AccountState => ({
  id: email,
  email,
  name: null,
  ownerId: 'o',
  ownerName: 'O',
  zonesCount: 1,
  sync: { state: 'idle', syncedAt, nextAt: '2026-11-21T12:00:00Z', detailsPending: 0, refused: null, errorCode: null, errorMessage: null },
  budget: number,
})

test('accounts that share a budget are one bar; blocked ones come first, then the most used', () => {
  const accounts = [account('a', 0), account('b', 1), account('c', 1), account('d', 2), account('e', 3)]
  const bars = listBars(accounts, [budget(10), budget(80), budget(5, '2026-11-21T12:00:00Z'), budget(10)])
  expect(bars.map((bar) => bar.accounts.map(({ email }) => email).join())).toEqual(['d', 'b,c', 'a', 'e'])
})

test('a budget used beyond its limit is full, one without a limit is not', () => {
  expect([shareOf(budget(140)), shareOf({ ...budget(5), limit: 0 }), shareOf(undefined)]).toEqual([1, 0, 0])
  expect([budget(89), budget(90), budget(1, '2026-11-21T12:00:00Z')].map(toneOf)).toEqual(['good', 'warn', 'bad'])
})

test('accounts that were never synced come first, then the stalest', () => {
  const accounts = [account('new', 0, '2026-11-21T11:00:00Z'), account('never', 0), account('old', 1, '2026-11-20T11:00:00Z')]
  const order = (sort = stalestFirst) => sortStates(accounts, [budget(3), budget(50)], sort).map(({ email }) => email)
  expect(order()).toEqual(['never', 'old', 'new'])
  expect(order({ key: 'budget', direction: 'desc' })).toEqual(['old', 'never', 'new'])
})
