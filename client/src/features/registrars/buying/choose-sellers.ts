import type { Registrar } from '#shared/features/registrars/schema.ts'

type Seller = Pick<Registrar, 'id' | 'name' | 'health'>

const isBroken = ({ health }: Seller): boolean => health === 'auth_error' || health === 'api_error'

/** Working registrars first, then by name. */
export const inOrder = <S extends Seller>(some: readonly S[]): readonly S[] =>
  some.toSorted((one, other) => Number(isBroken(one)) - Number(isBroken(other)) || one.name.localeCompare(other.name))

/** The selected registrars; null: the default, without failing ones. */
export const selectedOf = <S extends Seller>(all: readonly S[], ids: readonly string[] | null): readonly S[] =>
  all.filter((each) => ids?.includes(each.id) ?? !isBroken(each))
