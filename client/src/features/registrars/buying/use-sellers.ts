import { useMemo } from 'react'
import type { Registrar } from '#shared/features/registrars/schema.ts'
import { disambiguateNames } from '../index.ts'
import { auth } from '#client/lib/auth.ts'
import { trpc } from '#client/lib/trpc.ts'
import { draft } from './draft.ts'
import { inOrder, selectedOf } from './offers.ts'

export interface Sellers {
  /** Registrars with an API, of one owner, because a purchase and its means must have the same owner. */
  readonly all: readonly Registrar[]
  readonly selected: readonly Registrar[]
  /** Their owner; undefined without registrars. */
  readonly ownerId: string | undefined
  /** All owners of such registrars. */
  readonly owners: readonly { readonly id: string; readonly name: string }[]
  readonly pending: boolean
  readonly error: unknown
  readonly retry: () => void
}

/** The available registrars; failing ones are used only when selected. */
export function useSellers(): Sellers {
  const list = trpc.registrars.list.useQuery({})
  const { registrarIds, ownerId: wanted } = draft.use()
  const me = auth.use().user?.id
  const found = useMemo(() => {
    const open = (list.data?.registrars ?? []).filter(({ type, shared }) => type === 'API_ENABLED' && shared === null)
    const owners = [...new Map(open.map(({ ownerId, ownerName }) => [ownerId, { id: ownerId, name: ownerName }])).values()]
    const owner = [wanted, me].map((id) => owners.find((each) => each.id === id)).find((each) => each !== undefined) ?? owners[0]
    const all = inOrder(disambiguateNames(open.filter(({ ownerId }) => ownerId === owner?.id)))
    return { all, owners, ownerId: owner?.id, selected: selectedOf(all, registrarIds) }
  }, [list.data, registrarIds, wanted, me])
  return { ...found, pending: list.isPending, error: list.data === undefined ? list.error : null, retry: () => void list.refetch() }
}
