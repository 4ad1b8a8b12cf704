import { auth } from '#client/lib/auth.ts'
import { useOwner } from '../owner-choice.tsx'
import { trpc, type Outputs } from '#client/lib/trpc.ts'

/** The groups of whose settings are shown, by name. */
export function useOwnGroups(): Outputs['groups']['list']['groups'] {
  const me = auth.use().user?.id
  const { ownerId: userId = me } = useOwner()
  const list = trpc.groups.list.useQuery(userId === undefined ? {} : { ownerId: userId })
  return (list.data?.groups ?? []).filter(({ ownerId }) => ownerId === userId).toSorted((one, other) => one.name.localeCompare(other.name))
}
