import { useMemo } from 'react'
import { allows } from '#shared/features/sharing/rules.ts'
import type { Account } from '#shared/features/accounts/schema.ts'
import { trpc } from '#client/lib/trpc.ts'

const none: readonly Account[] = []

/** The accounts that the person may add domains to, by email; none while they are read. */
export function useManagedAccounts(): readonly Account[] {
  const { accounts } = trpc.accounts.list.useQuery({}).data ?? {}
  return useMemo(() => accounts?.filter(({ shared }) => allows(shared, 'manage')) ?? none, [accounts])
}
