import { useMemo } from 'react'
import { allows } from '#shared/features/sharing/rules.ts'
import type { Account } from '#shared/features/accounts/schema.ts'
import { trpc } from '#client/lib/trpc.ts'

const none: readonly Account[] = []

/** The accounts that the person may add domains to, by email; none while they are read (`reading`). */
export function useManagedAccounts(): { readonly accounts: readonly Account[]; readonly reading: boolean } {
  const { data, isPending } = trpc.accounts.list.useQuery({})
  const all = data?.accounts
  return useMemo(() => ({ accounts: all?.filter(({ shared }) => allows(shared, 'manage')) ?? none, reading: isPending }), [all, isPending])
}
