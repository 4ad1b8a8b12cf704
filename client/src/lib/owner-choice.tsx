import { createContext, useContext } from 'react'
import { auth } from './auth.ts'
import { personLabel } from '#shared/features/users/person-label.ts'
import { trpc, type Outputs } from './trpc.ts'

const SelectedOwnerContext = createContext<string | undefined>(undefined)

/** The owner of the settings below; defaults to the user. */
export const OwnerChoice = SelectedOwnerContext.Provider

/** The input of a procedure about one user's objects. */
export function useOwner(): { ownerId?: string } {
  const ownerId = useContext(SelectedOwnerContext)
  return ownerId === undefined ? {} : { ownerId }
}

/** All users by name, for administrators; empty for others and if there is nobody else. `loading`: not known yet. */
export function useEverybody(): {
  readonly everybody: readonly { readonly id: string; readonly name: string }[]
  readonly loading: boolean
} {
  const { user } = auth.use()
  const list = trpc.users.list.useQuery({}, { enabled: user?.role === 'admin' })
  const people = (list.data?.users ?? []).map(({ id, name, username }) => ({ id, name: personLabel({ name, username }) }))
  return {
    everybody: people.length < 2 ? [] : people.toSorted((one, other) => one.name.localeCompare(other.name)),
    loading: list.isLoading,
  }
}

/** The groups of the owner of the settings, by name. */
export function useOwnGroups(): Outputs['groups']['list']['groups'] {
  const me = auth.use().user?.id
  const { ownerId: userId = me } = useOwner()
  const list = trpc.groups.list.useQuery(userId === undefined ? {} : { ownerId: userId })
  return (list.data?.groups ?? []).filter(({ ownerId }) => ownerId === userId).toSorted((one, other) => one.name.localeCompare(other.name))
}
