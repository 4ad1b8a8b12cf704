import type { AccountReason, AccountSpread } from '#shared/features/operations/schema.ts'

/** What is known about an account before it is given new zones. */
export interface Capacity {
  /** What shares the limit of new zones: one user of the provider. */
  readonly lane: string
  readonly active: number
  readonly pending: number
  /** New zones within the last ten minutes. */
  readonly createdLately: number
  /** It lately refused what any other zone would meet too. */
  readonly refused: boolean
}

/** As many new zones one user of Cloudflare may make in ten minutes. */
export const creationLimit = { zones: 25, seconds: 600 } as const
/**
 * Cloudflare names no number of places. Accounts have been seen to be refused (1118) when their waiting zones outnumber the active
 * ones by some fifty.
 */
const pendingBeyondActive = 50

/** How many zones the account probably still takes. */
export const placesOf = ({ active, pending, refused }: Capacity): number =>
  refused ? 0 : Math.max(0, active + pendingBeyondActive - pending)

export interface Share {
  /** Which of the accounts, from 0. */
  readonly account: number
  readonly reason: AccountReason
  /** 0: immediately; above that it waits for so many windows of ten minutes. */
  readonly round: number
}

/** As many as each may take, given out one by one in turns. */
function inTurns(count: number, capacities: readonly Capacity[], places: readonly number[], used: ReadonlyMap<string, number>): number[] {
  const [left, inWindow] = [[...places], new Map(used)]
  const given: number[] = []
  for (let before = -1; given.length < count && given.length > before;) {
    before = given.length
    for (const [account, { lane }] of capacities.entries()) {
      const taken = inWindow.get(lane) ?? 0
      if (given.length === count || (left[account] ?? 0) === 0 || taken >= creationLimit.zones) continue
      left[account] = (left[account] ?? 0) - 1
      inWindow.set(lane, taken + 1)
      given.push(account)
    }
  }
  return given
}

/**
 * Deals `count` zones out to accounts in the order given: each takes as many as it may in ten minutes and has places for, then the
 * next one does; `evenly`, they take turns. When all have, they begin again ten minutes later. What finds no place anywhere begins at the first account.
 */
export function distribute(count: number, accounts: readonly Capacity[], spread: AccountSpread = 'in_order'): Share[] {
  const shares: Share[] = []
  const places = accounts.map(placesOf)
  const lately = new Map<string, number>()
  for (const { lane, createdLately } of accounts) lately.set(lane, (lately.get(lane) ?? 0) + createdLately)
  for (let round = 0; shares.length < count && places.some((left) => left > 0); round += 1) {
    let reason: AccountReason = round === 0 ? 'first' : 'later'
    const used = round === 0 ? lately : new Map<string, number>()
    if (spread === 'evenly') {
      for (const account of inTurns(count - shares.length, accounts, places, used)) {
        const { lane } = accounts[account] ?? { lane: '' }
        shares.push({ account, reason: round === 0 ? 'evenly' : 'later', round })
        places[account] = (places[account] ?? 0) - 1
        used.set(lane, (used.get(lane) ?? 0) + 1)
      }
      continue
    }
    for (const [account, capacity] of accounts.entries()) {
      const inWindow = Math.max(0, creationLimit.zones - (used.get(capacity.lane) ?? 0))
      const take = Math.min(count - shares.length, places[account] ?? 0, inWindow)
      for (let taken = 0; taken < take; taken += 1) shares.push({ account, reason, round })
      places[account] = (places[account] ?? 0) - take
      used.set(capacity.lane, (used.get(capacity.lane) ?? 0) + take)
      if (round === 0) reason = capacity.refused ? 'refused' : inWindow > take ? 'slots' : 'window'
    }
  }
  const open = accounts.findIndex(({ refused }) => !refused)
  while (shares.length < count) shares.push({ account: Math.max(0, open), reason: 'full', round: 0 })
  return shares
}
