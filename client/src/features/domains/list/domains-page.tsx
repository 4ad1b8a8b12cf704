import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { IconListSearch, IconPlus, IconRefresh } from '@tabler/icons-react'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { type ComponentProps, useCallback, useDeferredValue, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { ListedDomain } from '#shared/features/domains/schema.ts'
import { useLiveQueries } from '#client/lib/live-queries.ts'
import { quickAdd } from '#client/lib/quick-add.ts'
import { useShortcuts } from '#client/lib/shortcuts.ts'
import { bulkBarSpace } from '#client/ui/table/bulk-bar.tsx'
import { CardGrid } from '#client/ui/table/card-grid.tsx'
import { ColumnsMenu } from '#client/ui/table/columns-menu.tsx'
import { DataTable } from '#client/ui/table/data-table.tsx'
import type { TableSelection } from '#client/ui/table/data-table.types.ts'
import { ErrorState } from '#client/ui/feedback/error-state.tsx'
import { FilterBar } from '#client/ui/filter/filter-bar.tsx'
import { HeaderButton } from '#client/ui/layout/header-button.tsx'
import { PageHeader } from '#client/ui/layout/page-header.tsx'
import { SearchInput } from '#client/ui/filter/search-input.tsx'
import { useColumnLayout } from '#client/ui/table/use-column-layout.ts'
import { usePhone } from '#client/ui/layout/use-media.ts'
import { ViewSwitch } from '#client/ui/filter/view-switch.tsx'
import { useSelectionGestures } from '#client/ui/table/use-selection-gestures.ts'
import { CopyLink } from '../copy-link.tsx'
import { DomainCard, domainCardHeight } from './domain-card.tsx'
import { useDomainColumns } from './domain-columns.tsx'
import { DomainsBulkBar } from './domains-bulk-bar.tsx'
import { DomainsEmpty } from './domains-empty.tsx'
import { DomainsFilters, type ChangeSearch } from './domains-filters.tsx'
import { DomainsFreshness } from './domains-freshness.tsx'
import { DomainsSortMenu } from './domains-sort-menu.tsx'
import { DomainsTiles } from './domains-tiles.tsx'
import { askLookup, lookup } from '../lookup/lookup-store.ts'
import {
  filterOf,
  filterSearch,
  hasFilter,
  noFilter,
  parseDomainsSearch,
  sortOf,
  sortParam,
  storedFilter,
  type DomainsSearch,
} from './search.ts'
import { isListOfNames } from '../lookup/split-names.ts'
import { OpenSite } from '../open-site.tsx'
import { filterOptionsQuery, refreshDomains } from './queries.ts'
import { usePrefetchAround } from './prefetch-domains.ts'
import { useDomainRows } from './use-domain-rows.ts'
import { useDomainSelection } from './use-domain-selection.ts'
import { useRequestSync } from './mutations.ts'

const route = getRouteApi('/_app/domains/')

/** All domains of all accounts, with search, filters and selection. */
export function DomainsPage() {
  const { t } = useTranslation('domains')
  // Parsed again, because the router keeps unknown parameters of the first parse.
  const raw = route.useSearch()
  const search = useMemo(() => parseDomainsSearch(raw), [raw])
  const navigate = route.useNavigate()
  const phone = usePhone()

  const change = useCallback<ChangeSearch>(
    (part) =>
      void navigate({
        replace: true,
        // The table has its own scroll area; the cards of a phone scroll with the page.
        resetScroll: phone,
        search: (before) => {
          const after = parseDomainsSearch({ ...before, ...part })
          storedFilter.set(filterSearch(after))
          return after
        },
      }),
    [navigate, phone],
  )
  const reset = useCallback(() => change(noFilter), [change])

  const wanted = useMemo(() => ({ filter: filterOf(search), sort: sortOf(search) }), [search])
  const rows = useDomainRows(wanted)
  const options = useQuery(filterOptionsQuery(search.owner)).data
  const selecting = useDomainSelection(rows)
  // The rows answer a click first.
  const selected = useDeferredValue(selecting)
  const accountIds = wanted.filter.accountIds ?? options?.accounts.map(({ id }) => id) ?? []
  useLiveQueries('domains')

  const ownerName = useMemo(() => {
    const names = new Map(options?.owners.map(({ id, name }) => [id, name]))
    return names.size > 1 ? (id: string) => names.get(id) ?? '' : null
  }, [options])
  const columns = useDomainColumns(ownerName, (options?.groups.length ?? 0) > 0)
  const layout = useColumnLayout('domains', columns)

  useShortcuts({ Escape: selecting.clear }, selecting.count > 0)

  const sort = { key: wanted.sort.by, direction: wanted.sort.direction }
  const open = (domain: ListedDomain): void => void navigate({ to: '/domains/$id', params: { id: domain.id } })
  const prefetchAround = usePrefetchAround(rows.rowAt)
  const barSpace = selecting.count > 0 ? bulkBarSpace : 0
  const listed = {
    label: t('title'),
    rowCount: rows.count,
    getRow: rows.rowAt,
    onRangeVisible: rows.onRange,
    loading: rows.loading,
    refreshing: rows.changing,
    scrollKey: JSON.stringify(rows.view),
    selection: selecting.table,
    bottomSpace: barSpace,
    empty: (
      <DomainsEmpty filtered={hasFilter(search)} options={options} syncing={(rows.summary?.freshness.syncing ?? 0) > 0} onReset={reset} />
    ),
  }
  const untouched = rows.count === 0 && !rows.loading && !hasFilter(search) && rows.error === null

  return (
    <>
      <PageHeader
        title={t('title')}
        meta={untouched ? undefined : <DomainsFreshness rows={rows} filtered={hasFilter(search)} />}
        actions={untouched ? undefined : <Actions accountIds={accountIds} />}
      />
      {untouched ? null : (
        <>
          <DomainsTiles summary={rows.summary} search={search} onChange={change} onReset={reset} />
          <Filters search={search} rows={rows} options={options} table={{ columns, layout }} onChange={change} onReset={reset} />
        </>
      )}
      {rows.error !== null ? (
        <ErrorState error={rows.error} onRetry={() => void refreshDomains()} />
      ) : search.view === 'grid' && !phone ? (
        <DomainsGrid {...listed} onOpen={open} />
      ) : (
        <DataTable
          {...listed}
          getRowId={({ id }) => id}
          getRowLabel={({ displayName }) => displayName}
          getRowHref={({ id }) => `/domains/${id}`}
          columns={columns}
          layout={layout}
          sort={sort}
          onSort={({ key, direction }) => change({ sort: sortParam(sortOf({ sort: direction === 'desc' ? `-${key}` : key })) })}
          onOpen={open}
          onHover={prefetchAround}
          rowActions={rowActions}
          renderCard={(domain) => (
            <DomainCard
              domain={domain}
              selected={selecting.table.isSelected(domain)}
              onSelect={() => selecting.table.onToggle(domain, !selecting.table.isSelected(domain))}
            />
          )}
          cardHeight={domainCardHeight}
        />
      )}
      <DomainsBulkBar selecting={selected} matching={rows.count} />
    </>
  )
}

function Actions({ accountIds }: { accountIds: readonly string[] }) {
  const { t } = useTranslation('domains')
  const navigate = useNavigate()
  const sync = useRequestSync()
  return (
    <>
      <HeaderButton
        icon={IconListSearch}
        words={t('lookup.open')}
        onClick={() => {
          lookup.set((before) => ({ ...before, asked: null }))
          void navigate({ to: '/domains/lookup' })
        }}
      />
      <HeaderButton
        icon={IconRefresh}
        words={t('sync.button')}
        hint={t('sync.hint')}
        loading={sync.isPending}
        onClick={() => sync.request(accountIds)}
      />
      <Button leftSection={<IconPlus size={15} stroke={2} />} onClick={() => quickAdd.set('domain')}>
        {t('add.button')}
      </Button>
    </>
  )
}

function Filters({
  search,
  rows,
  options,
  table: { columns, layout },
  onChange,
  onReset,
}: {
  search: DomainsSearch
  rows: ReturnType<typeof useDomainRows>
  options: ComponentProps<typeof DomainsFilters>['options']
  table: ComponentProps<typeof ColumnsMenu<ListedDomain>>
  onChange: ChangeSearch
  onReset: () => void
}) {
  const { t } = useTranslation('domains')
  const navigate = useNavigate()
  const phone = usePhone()
  const pasteMany = (text: string): boolean => {
    if (!isListOfNames(text)) return false
    askLookup(text)
    void navigate({ to: '/domains/lookup' })
    return true
  }
  return (
    <FilterBar
      search={
        <SearchInput
          label={phone ? t('filters.search_short') : t('filters.search')}
          value={search.q ?? ''}
          busy={rows.changing}
          onChange={(q) => onChange({ q: q || undefined })}
          onPasteMany={pasteMany}
        />
      }
      active={Object.keys(filterSearch(search)).filter((key) => key !== 'q').length}
      onReset={onReset}
      tools={
        <>
          {phone || search.view === 'grid' ? (
            <DomainsSortMenu sort={sortOf(search)} onChange={(next) => onChange({ sort: sortParam(next) })} />
          ) : null}
          {phone ? null : (
            <>
              {search.view === 'grid' ? null : <ColumnsMenu columns={columns} layout={layout} />}
              <ViewSwitch
                value={search.view === 'grid' ? 'cards' : 'list'}
                onChange={(view) => onChange({ view: view === 'cards' ? 'grid' : undefined })}
              />
            </>
          )}
        </>
      }
    >
      <DomainsFilters search={search} summary={rows.summary} options={options} onChange={onChange} />
    </FilterBar>
  )
}

const rowActions = (domain: ListedDomain) => (
  <>
    <CopyLink domain={domain} />
    <OpenSite domain={domain} />
  </>
)

function DomainsGrid(
  props: Omit<Parameters<typeof CardGrid<ListedDomain>>[0], 'renderCard' | 'cardHeight' | 'selection' | 'onSelect'> & {
    selection: TableSelection<ListedDomain>
  },
) {
  const { selection } = props
  const picking = useSelectionGestures(props)
  return (
    <CardGrid
      {...props}
      cardHeight={domainCardHeight}
      minWidth={280}
      onSelect={picking.toggle}
      renderCard={(domain, index) => (
        <DomainCard domain={domain} selected={selection.isSelected(domain)} onSelect={(event) => picking.toggle(index, event.shiftKey)} />
      )}
    />
  )
}
