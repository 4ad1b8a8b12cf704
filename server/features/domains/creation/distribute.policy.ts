import type { AccountReason, AccountSpread } from '#shared/features/operations/schema.ts'

/** The known capacity of an account for new zones. */
export interface Capacity {
  /** The Cloudflare user, whose accounts share the limit of new zones. */
  readonly lane: string
  readonly active: number
  readonly pending: number
  /** New zones within the last ten minutes. */
  readonly createdLately: number
  /** It recently refused a zone for a reason that applies to any other zone too. */
  readonly refused: boolean
}

/** How many new zones one Cloudflare user may create in ten minutes. */
export const creationLimit = { zones: 25, seconds: 600 } as const
/**
 * Cloudflare does not document a limit. Accounts have been seen to be refused (1118) when pending zones outnumber active ones by about
 * fifty.
 */
const pendingBeyondActive = 50

/** How many zones the account probably still accepts. */
export const placesOf = ({ active, pending, refused }: Capacity): number =>
  refused ? 0 : Math.max(0, active + pendingBeyondActive - pending)

export interface Share {
  /** Index of the account. */
  readonly account: number
  readonly reason: AccountReason
  /** 0 starts immediately; higher numbers wait for that many windows of ten minutes. */
  readonly round: number
}

/** Fills each account up to its limit, one domain at a time in turns. */
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
 * Distributes `count` zones over the accounts in order. Each account takes what its ten-minute limit and remaining places allow, then the
 * next follows; `evenly` alternates between them. The next round starts ten minutes later. Zones without a place start at the first
 * account.
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
        shares.push({ account, reason: round === 0 ? 'evenly' : 'later', round })
        places[account] = (places[account] ?? 0) - 1
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
