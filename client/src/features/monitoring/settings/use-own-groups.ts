import { auth } from '#client/lib/auth.ts'
import { trpc, type Outputs } from '#client/lib/trpc.ts'

/** The person's own groups, by name. */
export function useOwnGroups(): Outputs['groups']['list']['groups'] {
  const userId = auth.use().user?.id
  const list = trpc.groups.list.useQuery(userId === undefined ? {} : { ownerId: userId })
  return (list.data?.groups ?? []).filter(({ ownerId }) => ownerId === userId).toSorted((one, other) => one.name.localeCompare(other.name))
}
