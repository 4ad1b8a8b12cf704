import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { noOwnership, ownersOf, type Owned, type OwnershipSearch } from '#client/lib/ownership.ts'
import { FilterSelect } from './filter-select.tsx'
import { PersonName } from '../display/person-name.tsx'

interface OwnershipFiltersProps {
  search: OwnershipSearch
  /** All owners in the list with the number of their items, if known. */
  owners: readonly { readonly id: string; readonly name: string; readonly count?: number }[]
  /** Whether some items are shared with the user. */
  shared: boolean
  onChange: (part: { owner: string | undefined } | { whose: OwnershipSearch['whose'] }) => void
}

/** The owner filter (R-PRM-02); shown only if a list has items of several owners. */
export function OwnershipFilters({ search: { owner, whose }, owners, shared, onChange }: OwnershipFiltersProps) {
  const { t } = useTranslation()
  const known = owners.map(({ id, name, count }) => ({ value: id, label: name, count, content: <PersonName label={name} /> }))
  // A value of the URL that no longer exists can still be cleared.
  const unknown = owner === undefined || owners.some(({ id }) => id === owner) ? [] : [{ value: owner, label: t('filters.unknown') }]
  return (
    <>
      {shared || whose !== undefined ? (
        <FilterSelect
          label={t('filters.ownership')}
          options={(['own', 'shared'] as const).map((value) => ({ value, label: t(`filters.${value}`) }))}
          values={whose === undefined ? [] : [whose]}
          onChange={([next]) => onChange({ whose: next })}
        />
      ) : null}
      {owners.length > 1 || owner !== undefined ? (
        <FilterSelect
          label={t('filters.owner')}
          options={[...unknown, ...known]}
          values={owner === undefined ? [] : [owner]}
          onChange={([next]) => onChange({ owner: next })}
        />
      ) : null}
    </>
  )
}

/** The owner filters of a fully loaded list: none if all items have the same owner. */
export function useOwnershipFilters(
  items: readonly Owned[] | undefined,
  search: OwnershipSearch,
  onChange: (part: { owner?: string | undefined; whose?: OwnershipSearch['whose'] }) => void,
) {
  const owners = useMemo(() => ownersOf(items ?? []), [items])
  const active = Number(search.owner !== undefined) + Number(search.whose !== undefined)
  const withOwner = owners.length > 1
  return {
    withOwner,
    filter: {
      active,
      onReset: () => onChange(noOwnership),
      filters:
        withOwner || active > 0 ? (
          <OwnershipFilters
            search={search}
            owners={owners}
            shared={items?.some(({ shared }) => shared !== null) === true}
            onChange={onChange}
          />
        ) : undefined,
    },
  }
}
