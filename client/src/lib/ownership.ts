import type { Ownership, SharedWithMe } from '#shared/features/sharing/schema.ts'

/** Whose things a list shows, as its address says. */
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

const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i

/** Reads anything at all; what is not understood is left out. */
export function parseOwnership({ owner, whose }: { readonly owner?: unknown; readonly whose?: unknown }): OwnershipSearch {
  return {
    ...(typeof owner === 'string' && uuid.test(owner) && { owner: owner.toLowerCase() }),
    ...((whose === 'own' || whose === 'shared') && { whose }),
  }
}

export const chooseOwned = <T extends Owned>(things: readonly T[], { owner, whose }: OwnershipSearch): readonly T[] =>
  owner === undefined && whose === undefined
    ? things
    : things.filter(
        ({ ownerId, shared }) =>
          (owner === undefined || ownerId === owner) && (whose === undefined || (shared === null) === (whose === 'own')),
      )

/** Everybody who owns some of them and how many, by name. */
export function ownersOf(things: readonly Owned[]): { id: string; name: string; count: number }[] {
  const owners = new Map<string, { id: string; name: string; count: number }>()
  for (const { ownerId, ownerName } of things) {
    const owner = owners.get(ownerId)
    if (owner === undefined) owners.set(ownerId, { id: ownerId, name: ownerName, count: 1 })
    else owner.count += 1
  }
  return [...owners.values()].sort((one, other) => one.name.localeCompare(other.name))
}
