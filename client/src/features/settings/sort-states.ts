import type { AccountState } from '#shared/features/settings/schema.ts'
import type { Sort } from '#client/ui/data-table.types.ts'
import { shareOf, type Budget } from './budgets.ts'

export const stalestFirst: Sort = { key: 'syncedAt', direction: 'asc' }

/** They are all here, so they are sorted here; equal ones by email. */
export function sortStates(
  accounts: readonly AccountState[],
  budgets: readonly Budget[],
  { key, direction }: Sort,
): readonly AccountState[] {
  const keys: Record<string, (account: AccountState) => string | number> = {
    email: (account) => (account.name || account.email).toLowerCase(),
    zonesCount: (account) => account.zonesCount,
    // Never comes before every moment.
    syncedAt: (account) => account.sync.syncedAt ?? '',
    detailsPending: (account) => account.sync.detailsPending,
    budget: (account) => shareOf(budgets[account.budget]),
  }
  const value = keys[key] ?? ((account: AccountState) => account.email)
  const sign = direction === 'asc' ? 1 : -1
  return accounts.toSorted((a, b) => {
    const [left, right] = [value(a), value(b)]
    return left === right ? a.email.localeCompare(b.email) : left < right ? -sign : sign
  })
}
