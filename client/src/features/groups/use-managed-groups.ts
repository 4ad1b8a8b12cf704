import { useMemo } from 'react'
import { allows } from '#shared/features/sharing/rules.ts'
import type { Group } from '#shared/features/groups/schema.ts'
import { trpc } from '#client/lib/trpc.ts'

const none: readonly Group[] = []

/** The groups that domains may be put into, by name; of one owner, or of all. Undefined while they are read. */
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
