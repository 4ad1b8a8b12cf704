import { keepPreviousData } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Account } from '#shared/features/accounts/schema.ts'
import { unknownActor } from '#shared/features/provider-changes/names.ts'
import type { SearchPart } from '#client/lib/search-params.ts'
import { trpc } from '#client/lib/trpc.ts'
import { FilterSelect } from '#client/ui/filter/filter-select.tsx'
import { NamedSwitch } from '#client/ui/form/named-switch.tsx'
import { DateRangeFilter } from '../date-range-filter.tsx'
import { kinds, reviews, type Change, type ChangesSearch } from './search.ts'
import type { ProviderChangeWords } from './use-provider-change-words.ts'

/** More options are found by typing. */
const mostOptions = 100

interface FiltersProps {
  search: ChangesSearch
  accounts: readonly Account[] | undefined
  /** Those in the list. */
  changes: readonly Change[]
  words: ProviderChangeWords
  onChange: (part: SearchPart<ChangesSearch>) => void
}

export function ChangesFilters({ search, accounts, changes, words, onChange }: FiltersProps) {
  const { t } = useTranslation('provider-changes')
  const { kind, review, from, to, own } = search
  return (
    <>
      <NamedSwitch name={t('filters.outside')} on={own === undefined} onChange={(on) => onChange({ own: on ? undefined : 'yes' })} />
      <FilterSelect
        label={t('filters.review')}
        options={reviews.map((value) => ({ value, label: t(`filters.review_${value}`) }))}
        values={review === undefined ? [] : [review]}
        onChange={([next]) => onChange({ review: next })}
      />
      <AccountFilter value={search.account} accounts={accounts} onChange={(account) => onChange({ account })} />
      <DomainFilter value={search.domain} changes={changes} onChange={(domain) => onChange({ domain })} />
      <AuthorFilter value={search.author} onChange={(author) => onChange({ author })} />
      <FilterSelect
        label={t('filters.kind')}
        options={kinds.map((value) => ({ value, label: words.kind(value) }))}
        values={kind === undefined ? [] : [kind]}
        onChange={([next]) => onChange({ kind: next })}
      />
      <DateRangeFilter from={from} to={to} onChange={onChange} />
    </>
  )
}

interface FilterProps {
  value: string | undefined
  onChange: (value: string | undefined) => void
}

/** The selected option is first, even if it is none of the known ones. */
const withSelected = <O extends { value: string; label: string }>(
  options: readonly O[],
  value: string | undefined,
  unknown: O | undefined,
) => {
  const selected = options.find((each) => each.value === value) ?? unknown
  const others = options.filter((each) => each.value !== value)
  return (selected === undefined ? others : [selected, ...others]).slice(0, mostOptions)
}

function AccountFilter({ value, accounts, onChange }: FilterProps & Pick<FiltersProps, 'accounts'>) {
  const { t } = useTranslation(['provider-changes', 'common'])
  const [typed, setTyped] = useState('')
  const wanted = typed.trim().toLowerCase()
  const options = (accounts ?? [])
    .filter(({ id, name, email }) => id === value || `${name ?? ''} ${email}`.toLowerCase().includes(wanted))
    .map(({ id, name, email }) => ({ value: id, label: name || email }))
  const unknown = value === undefined ? undefined : { value, label: accounts === undefined ? '…' : t('common:filters.unknown') }
  return (
    <FilterSelect
      label={t('filters.account')}
      options={withSelected(options, value, unknown)}
      values={value === undefined ? [] : [value]}
      onSearch={setTyped}
      loading={accounts === undefined}
      onChange={([id]) => onChange(id)}
    />
  )
}

/** The domains of the list, and those found by typing. */
function DomainFilter({ value, changes, onChange }: FilterProps & Pick<FiltersProps, 'changes'>) {
  const { t } = useTranslation(['provider-changes', 'common'])
  const [typed, setTyped] = useState('')
  const text = typed.trim()
  const found = trpc.domains.search.useQuery({ text }, { enabled: text !== '', placeholderData: keepPreviousData, staleTime: 30_000 })
  const ofList = new Map(changes.flatMap(({ domain }) => (domain === null || domain.id === null ? [] : [[domain.id, domain.displayName]])))
  // A link may name a domain without changes.
  const named = trpc.domains.get.useQuery({ id: value ?? '' }, { enabled: value !== undefined && !ofList.has(value) })
  const options =
    text === ''
      ? Array.from(ofList, ([id, label]) => ({ value: id, label }))
      : (found.data?.domains ?? []).map(({ id, displayName }) => ({ value: id, label: displayName }))
  const name = value === undefined ? undefined : (ofList.get(value) ?? named.data?.zone.displayName)
  const unknown = value === undefined ? undefined : { value, label: name ?? (named.isError ? t('common:filters.unknown') : '…') }
  return (
    <FilterSelect
      label={t('filters.domain')}
      options={withSelected(options, value, unknown)}
      values={value === undefined ? [] : [value]}
      onSearch={setTyped}
      loading={text !== '' && found.isFetching}
      onChange={([id]) => onChange(id)}
    />
  )
}

function AuthorFilter({ value, onChange }: FilterProps) {
  const { t } = useTranslation('provider-changes')
  const [typed, setTyped] = useState('')
  const list = trpc.providerChanges.actors.useQuery(undefined, { staleTime: 60_000 })
  const labelOf = (actor: string): string => (actor === unknownActor ? t('unknown_author') : actor)
  const options = (list.data?.actors ?? [])
    .map((actor) => ({ value: actor, label: labelOf(actor) }))
    .filter(({ value: actor, label }) => actor === value || label.toLowerCase().includes(typed.trim().toLowerCase()))
  return (
    <FilterSelect
      label={t('filters.author')}
      options={withSelected(options, value, value === undefined ? undefined : { value, label: labelOf(value) })}
      values={value === undefined ? [] : [value]}
      onSearch={setTyped}
      loading={list.isPending}
      onChange={([actor]) => onChange(actor)}
    />
  )
}
