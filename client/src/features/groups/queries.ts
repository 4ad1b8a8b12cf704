import { useMemo } from 'react'
import { allows } from '#shared/features/sharing/rules.ts'
import type { Group } from '#shared/features/groups/schema.ts'
import { trpc } from '#client/lib/trpc.ts'

const none: readonly Group[] = []

/** The groups to which domains can be added, by name; of one owner, or of all. Undefined while loading. */
export function useManagedGroups(ownerId?: string): readonly Group[] | undefined {
  const list = trpc.groups.list.useQuery({})
  const groups = list.data?.groups ?? (list.isError ? none : undefined)
  return useMemo(
    () =>
      groups
        ?.filter((group) => allows(group.shared, 'manage') && (ownerId === undefined || group.ownerId === ownerId))
        .toSorted((one, other) => one.name.localeCompare(other.name)),
    [groups, ownerId],
  )
}

interface Movable {
  /** The accounts whose domains may change their group; null: all. */
  readonly accountIds: readonly string[] | null
  readonly allows: (domain: { readonly accountId: string }) => boolean
}

/**
 * Which domains the user may add to a group and remove from it. For a shared group, only those of accounts that the user also manages, because
 * everyone with access to the group would gain or lose access to them. None while loading.
 */
export function useMovable({ shared }: Pick<Group, 'shared'>): Movable {
  const list = trpc.accounts.list.useQuery({}, { enabled: shared !== null })
  return useMemo(() => {
    if (shared === null) return { accountIds: null, allows: () => true }
    const accountIds = list.data?.accounts.flatMap((account) => (allows(account.shared, 'manage') ? [account.id] : [])) ?? []
    return { accountIds, allows: ({ accountId }) => accountIds.includes(accountId) }
  }, [shared, list.data])
}
