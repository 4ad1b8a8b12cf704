import { useCallback, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { GroupMark } from '#client/features/groups/index.ts'
import { useManagedRegistrars } from '#client/features/registrars/index.ts'
import { useManagedTrackers } from '#client/features/trackers/index.ts'
import { parseAddressFilter } from '#shared/features/addresses/address-filter.ts'
import type { DomainSummary, FilterOptions } from '#shared/features/domains/schema.ts'
import { counted } from '#client/lib/format.ts'
import { FilterSelect } from '#client/ui/filter/filter-select.tsx'
import type { FilterOption } from '#client/ui/filter/filter-select.types.ts'
import { FilterText } from '#client/ui/filter/filter-text.tsx'
import { OwnershipFilters } from '#client/ui/filter/ownership-filters.tsx'
import { StatusDot, type Tone } from '#client/ui/display/state-badge.tsx'
import { choices, type ChoiceFilter } from './choices.ts'
import { choiceOf, choicePart, type DomainsSearch } from './search.ts'
import { dnssecTone, healthTone, originCertificateTone, statusTone, useDomainWords } from '../use-domain-words.ts'

export type ChangeSearch = (part: Partial<Record<keyof DomainsSearch, unknown>>) => void

interface FiltersProps {
  search: DomainsSearch
  summary: DomainSummary | undefined
  options: FilterOptions | undefined
  onChange: ChangeSearch
}

/** Above this number, accounts are found by typing. */
const mostOptions = 100

/** The filters of R-DOM-02 beside the search, each with the number of rows per option. */
export function DomainsFilters(props: FiltersProps) {
  const { search, options, onChange } = props
  const { t } = useTranslation(['domains', 'faults'])
  const owners = useMemo(() => options?.owners.map(({ id, name, zones }) => ({ id, name, count: zones })) ?? [], [options])
  const setEmail = useCallback((email: string) => onChange({ email: email || undefined }), [onChange])
  const setIp = useCallback((ip: string) => onChange({ ip: ip || undefined }), [onChange])
  return (
    <>
      <ChoiceSelect filter="status" label={t('filters.status')} {...props} />
      <ChoiceSelect filter="health" label={t('filters.health')} {...props} />
      <AccountSelect {...props} />
      {options?.groups.length === 0 && search.group === undefined ? null : <GroupSelect {...props} />}
      <RegistrarSelect {...props} />
      <PaidSelect {...props} />
      <ChoiceSelect filter="ssl" label={t('filters.ssl')} {...props} />
      <ChoiceSelect filter="https" label={t('filters.https')} {...props} />
      <ChoiceSelect filter="securityLevel" label={t('filters.security_level')} {...props} />
      <ChoiceSelect filter="tlsMin" label={t('filters.tls_min')} {...props} />
      <TrackerSelect {...props} />
      <BotsSelect {...props} />
      <ChoiceSelect filter="dnssec" label={t('filters.dnssec')} {...props} />
      <FilterText
        label={t('filters.ip')}
        placeholder={t('filters.ip_example')}
        description={t('filters.ip_help')}
        faultOf={(typed) => (parseAddressFilter(typed) === null ? t('faults:invalid_address_filter') : null)}
        value={search.ip ?? ''}
        onChange={setIp}
      />
      <FilterText
        label={t('filters.email')}
        placeholder={t('filters.email_example')}
        description={t('filters.email_help')}
        value={search.email ?? ''}
        onChange={setEmail}
      />
      <ChoiceSelect filter="originCertificate" label={t('filters.origin_certificate')} {...props} />
      <ChoiceSelect filter="traffic" label={t('filters.traffic')} {...props} />
      <OwnershipFilters search={search} owners={owners} shared={options?.shared === true} onChange={onChange} />
    </>
  )
}

function ChoiceSelect({
  filter,
  label,
  search,
  summary,
  onChange,
}: Pick<FiltersProps, 'search' | 'summary' | 'onChange'> & { filter: ChoiceFilter; label: string }) {
  const { choice } = useDomainWords()
  const value = choiceOf(search, filter)
  // The other filters are not counted by value.
  const counts = summary !== undefined && filter in summary.facets ? summary.facets[filter as keyof typeof summary.facets] : undefined
  return (
    <FilterSelect
      label={label}
      options={choices[filter].map((each) => ({
        value: each,
        label: choice(filter, each),
        count: counts === undefined ? undefined : (counts[each] ?? 0),
        icon: iconOf(filter, each),
      }))}
      values={value === undefined ? [] : [value]}
      onChange={([next]) => onChange(choicePart(filter, next))}
    />
  )
}

const tones: Partial<Record<ChoiceFilter, Partial<Record<string, Tone>>>> = {
  status: statusTone,
  health: healthTone,
  dnssec: dnssecTone,
  originCertificate: originCertificateTone,
}

function iconOf(filter: ChoiceFilter, value: string) {
  const tone = tones[filter]?.[value]
  return tone === undefined ? undefined : <StatusDot tone={tone} />
}

const botFilters = ['botFightMode', 'aiBots', 'aiLabyrinth', 'managedRobotsTxt'] as const satisfies readonly ChoiceFilter[]

/** The settings of bots in one filter, with at most one value of each. */
function BotsSelect({ search, onChange }: Pick<FiltersProps, 'search' | 'onChange'>) {
  const { t } = useTranslation('domains')
  const { choice } = useDomainWords()
  const labels = {
    botFightMode: t('columns.bot_fight_mode'),
    aiBots: t('columns.ai_bots'),
    aiLabyrinth: t('columns.ai_labyrinth'),
    managedRobotsTxt: t('columns.managed_robots_txt'),
  }
  const current = botFilters.map((filter) => ({ filter, value: choiceOf(search, filter) }))
  return (
    <FilterSelect
      multiple
      label={t('filters.bots')}
      options={botFilters.flatMap((filter) =>
        choices[filter].map((value) => ({ value: `${filter}:${value}`, label: `${labels[filter]}: ${choice(filter, value)}` })),
      )}
      values={current.flatMap(({ filter, value }) => (value === undefined ? [] : [`${filter}:${value}`]))}
      onChange={(values) =>
        onChange(
          Object.assign(
            {},
            ...current.map(({ filter, value }) => {
              const given = choices[filter].filter((each) => values.includes(`${filter}:${each}`))
              return choicePart(filter, given.find((each) => each !== value) ?? given[0])
            }),
          ) as Parameters<ChangeSearch>[0],
        )
      }
    />
  )
}

/** Selected values of the URL that no longer exist: they can still be removed. */
const unknownOf = (selectedIds: readonly string[], known: readonly { id: string }[], label: string): FilterOption[] =>
  selectedIds.filter((id) => !known.some((each) => each.id === id)).map((id) => ({ value: id, label }))

/** Selected options first, then those with the most rows. */
const selectedFirst = (selectedIds: readonly string[]) => (one: FilterOption, other: FilterOption) =>
  Number(selectedIds.includes(other.value)) - Number(selectedIds.includes(one.value)) || (other.count ?? 0) - (one.count ?? 0)

function AccountSelect({ search, summary, options, onChange }: FiltersProps) {
  const { t } = useTranslation('domains')
  const [typed, setTyped] = useState('')
  const selectedIds = search.account?.split('.') ?? []
  const counts = summary?.facets.account
  const wanted = typed.trim().toLowerCase()
  const known = options?.accounts ?? []
  const found = known.filter(
    ({ id, email, name }) => wanted === '' || selectedIds.includes(id) || `${name ?? ''} ${email}`.toLowerCase().includes(wanted),
  )
  const shown = [
    ...unknownOf(selectedIds, known, options === undefined ? '…' : t('filters.unknown')),
    ...found
      .map(({ id, email, name }): FilterOption => ({
        value: id,
        label: name || email,
        count: counts === undefined ? undefined : (counts[id] ?? 0),
      }))
      .sort(selectedFirst(selectedIds)),
  ]
  return (
    <FilterSelect
      multiple
      label={t('filters.account')}
      options={shown.slice(0, Math.max(mostOptions, selectedIds.length))}
      values={selectedIds}
      onSearch={setTyped}
      loading={options === undefined}
      onChange={(ids) => onChange({ account: ids.join('.') || undefined })}
    />
  )
}

/** Hidden without trackers. */
function TrackerSelect(props: FiltersProps) {
  const { t } = useTranslation('domains')
  const known = useManagedTrackers(props.search.owner, 'own') ?? []
  if (known.length === 0 && props.search.tracker === undefined) return null
  return <ChoiceSelect filter="tracker" label={t('filters.tracker')} {...props} />
}

/** Hidden without registrars. */
function RegistrarSelect({ search, onChange }: FiltersProps) {
  const { t } = useTranslation('domains')
  const registrars = useManagedRegistrars(search.owner, 'own')
  const selectedIds = search.registrar?.split('.') ?? []
  const known = registrars ?? []
  if (known.length === 0 && selectedIds.length === 0) return null
  return (
    <FilterSelect
      multiple
      label={t('filters.registrar')}
      options={[
        { value: 'none', label: t('filters.no_registrar') },
        ...unknownOf(
          selectedIds.filter((id) => id !== 'none'),
          known,
          registrars === undefined ? '…' : t('filters.unknown'),
        ),
        ...known.map(({ id, name, domainsCount }): FilterOption => ({ value: id, label: name, count: domainsCount })),
      ]}
      values={selectedIds}
      loading={registrars === undefined}
      onChange={(ids) => onChange({ registrar: ids.join('.') || undefined })}
    />
  )
}

const paidWithin = [7, 30, 90]

/** Expiry dates come from registrars, so it is hidden without any. */
function PaidSelect({ search, onChange }: FiltersProps) {
  const { t } = useTranslation('domains')
  const known = useManagedRegistrars(search.owner, 'own') ?? []
  const { paid } = search
  if (known.length === 0 && paid === undefined) return null
  const days = typeof paid === 'number' && !paidWithin.includes(paid) ? [paid, ...paidWithin] : paidWithin
  return (
    <FilterSelect
      label={t('filters.paid')}
      options={[
        { value: 'over', label: t('filters.paid_over') },
        ...days.map((count) => ({ value: String(count), label: t('filters.paid_within', counted(count)) })),
      ]}
      values={paid === undefined ? [] : [String(paid)]}
      onChange={([next]) => onChange({ paid: next === undefined || next === 'over' ? next : Number(next) })}
    />
  )
}

function GroupSelect({ search, summary, options, onChange }: FiltersProps) {
  const { t } = useTranslation('domains')
  const selectedIds = search.group?.split('.') ?? []
  const counts = summary?.facets.group
  const known = options?.groups ?? []
  const shown = known
    .map(({ id, name, icon, color }): FilterOption => ({
      value: id,
      label: name,
      icon: <GroupMark icon={icon} color={color} />,
      count: counts === undefined ? undefined : (counts[id] ?? 0),
    }))
    .sort(selectedFirst(selectedIds))
  return (
    <FilterSelect
      multiple
      label={t('filters.group')}
      options={[...unknownOf(selectedIds, known, options === undefined ? '…' : t('filters.unknown')), ...shown]}
      values={selectedIds}
      loading={options === undefined}
      onChange={(ids) => onChange({ group: ids.join('.') || undefined })}
    />
  )
}
