import type { AccountState } from '#shared/features/settings/schema.ts'
import type { Sort } from '#client/ui/table/data-table.types.ts'
import { sortRows } from '#client/ui/table/sort-rows.ts'
import { shareOf, type Budget } from './budgets.ts'

export const stalestFirst: Sort = { key: 'syncedAt', direction: 'asc' }

export function sortStates(accounts: readonly AccountState[], budgets: readonly Budget[], sort: Sort): readonly AccountState[] {
  const keys: Record<string, (account: AccountState) => string | number> = {
    email: (account) => (account.name || account.email).toLowerCase(),
    zonesCount: (account) => account.zonesCount,
    // An account that was never synced sorts first.
    syncedAt: (account) => account.sync.syncedAt ?? '',
    detailsPending: (account) => account.sync.detailsPending,
    budget: (account) => shareOf(budgets[account.budget]),
  }
  return sortRows(accounts, sort, keys, ({ email }) => email)
}
