import type { Ownership, SharedWithMe } from '#shared/features/sharing/schema.ts'
import { compact, searchParams } from './search-params.ts'

/** The ownership filter of a list, from the URL. */
export interface OwnershipSearch {
  /** A user's id. */
  owner?: string | undefined
  whose?: Ownership | undefined
}

export const noOwnership = { owner: undefined, whose: undefined }

export interface Owned {
  readonly ownerId: string
  readonly ownerName: string
  readonly shared: SharedWithMe
}

export function parseOwnership(raw: unknown): OwnershipSearch {
  const { id, oneOf } = searchParams(raw)
  return compact<OwnershipSearch>({ owner: id('owner')?.toLowerCase(), whose: oneOf('whose', ['own', 'shared']) })
}

export const chooseOwned = <T extends Owned>(items: readonly T[], { owner, whose }: OwnershipSearch): readonly T[] =>
  owner === undefined && whose === undefined
    ? items
    : items.filter(
        ({ ownerId, shared }) =>
          (owner === undefined || ownerId === owner) && (whose === undefined || (shared === null) === (whose === 'own')),
      )

/** All owners with the number of their items, by name. */
export function ownersOf(items: readonly Owned[]): { id: string; name: string; count: number }[] {
  const owners = new Map<string, { id: string; name: string; count: number }>()
  for (const { ownerId, ownerName } of items) {
    const owner = owners.get(ownerId)
    if (owner === undefined) owners.set(ownerId, { id: ownerId, name: ownerName, count: 1 })
    else owner.count += 1
  }
  return [...owners.values()].sort((one, other) => one.name.localeCompare(other.name))
}
