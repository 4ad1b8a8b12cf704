import { companyOf } from '#shared/features/registrars/rules.ts'
import type { Registrar } from '#shared/features/registrars/schema.ts'
import { chooseOwned, type OwnershipSearch } from '#client/lib/ownership.ts'
import type { Sort } from '#client/ui/table/data-table.types.ts'

export const byName: Sort = { key: 'name', direction: 'asc' }

const compare = (key: string, one: Registrar, other: Registrar): number => {
  switch (key) {
    case 'namesCount':
    case 'domainsCount':
      return one[key] - other[key]
    case 'provider':
      return companyOf(one).localeCompare(companyOf(other))
    case 'health':
    case 'createdAt':
      return one[key].localeCompare(other[key])
    default:
      return 0
  }
}

/** Registrars whose name, company or email contains the text, sorted. */
export function chooseRegistrars(
  all: readonly Registrar[],
  { q, ...whose }: OwnershipSearch & { readonly q: string },
  { key, direction }: Sort,
): readonly Registrar[] {
  const text = q.trim().toLowerCase()
  const sign = direction === 'asc' ? 1 : -1
  return chooseOwned(all, whose)
    .filter((each) => [each.name, companyOf(each), each.provider, each.email ?? ''].some((part) => part.toLowerCase().includes(text)))
    .toSorted((one, other) => sign * (compare(key, one, other) || one.name.localeCompare(other.name)))
}

/** Makes the names of registrars unique by appending the account's email, or else a number. */
export function disambiguateNames<R extends { readonly name: string; readonly email: string | null }>(all: readonly R[]): readonly R[] {
  const alike = new Map<string, R[]>()
  for (const each of all) alike.set(each.name, [...(alike.get(each.name) ?? []), each])
  return all.map((each) => {
    const same = alike.get(each.name) ?? []
    if (same.length < 2) return each
    const byEmail = each.email !== null && same.filter(({ email }) => email === each.email).length === 1
    return { ...each, name: byEmail ? `${each.name} · ${each.email}` : `${each.name} (${same.indexOf(each) + 1})` }
  })
}
