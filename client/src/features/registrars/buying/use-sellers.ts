import { useMemo } from 'react'
import type { Registrar } from '#shared/features/registrars/schema.ts'
import { disambiguateNames } from '../index.ts'
import { auth } from '#client/lib/auth.ts'
import { trpc } from '#client/lib/trpc.ts'
import { draft } from './draft.ts'

type Seller = Pick<Registrar, 'id' | 'name' | 'health'>

const isBroken = ({ health }: Seller): boolean => health === 'auth_error' || health === 'api_error'

/** Working registrars first, then by name. */
export const inOrder = <S extends Seller>(some: readonly S[]): readonly S[] =>
  some.toSorted((one, other) => Number(isBroken(one)) - Number(isBroken(other)) || one.name.localeCompare(other.name))

/** The selected registrars; null: the default, without failing ones. */
export const selectedOf = <S extends Seller>(all: readonly S[], ids: readonly string[] | null): readonly S[] =>
  all.filter((each) => ids?.includes(each.id) ?? !isBroken(each))

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
