import type { Account } from '#shared/features/accounts/schema.ts'
import type { Sort } from '#client/ui/data-table.types.ts'

const worstFirst: Record<Account['health'], number> = { auth_error: 0, api_error: 1, unknown: 2, working: 3 }

const keys: Record<string, (account: Account) => string | number> = {
  email: (account) => (account.name || account.email).toLowerCase(),
  health: (account) => worstFirst[account.health],
  zonesCount: (account) => account.zonesCount,
  syncedAt: (account) => account.sync.syncedAt ?? '',
  createdAt: (account) => account.createdAt,
}

/** The accounts are all here, so they are sorted here; equal ones by email. */
export function sortAccounts(accounts: readonly Account[], { key, direction }: Sort): readonly Account[] {
  const value = keys[key] ?? ((account: Account) => account.email)
  const sign = direction === 'asc' ? 1 : -1
  return accounts.toSorted((a, b) => {
    const [left, right] = [value(a), value(b)]
    return left === right ? a.email.localeCompare(b.email) : left < right ? -sign : sign
  })
}
