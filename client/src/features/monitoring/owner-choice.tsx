import { createContext, useContext } from 'react'
import { auth } from '#client/lib/auth.ts'
import { personLabel } from '#shared/features/users/person-label.ts'
import { trpc } from '#client/lib/trpc.ts'

const SelectedOwnerContext = createContext<string | undefined>(undefined)

/** Whose settings are shown below; absent: the person's own. */
export const OwnerChoice = SelectedOwnerContext.Provider

/** What a procedure about one person's objects is asked with. */
export function useOwner(): { ownerId?: string } {
  const ownerId = useContext(SelectedOwnerContext)
  return ownerId === undefined ? {} : { ownerId }
}

/** Everybody, by name, for an administrator to choose from; empty to others, and where there is nobody else. `loading`: not known yet. */
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
