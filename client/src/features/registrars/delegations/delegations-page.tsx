import { Button, SegmentedControl } from '@mantine/core'
import { IconRefresh, IconReceipt2, IconWorldSearch } from '@tabler/icons-react'
import { type ReactNode, Suspense, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { BulkDialog } from '#client/features/operations/index.ts'
import type { DelegationView } from '#shared/features/registrars/schema.ts'
import { useLiveQueries } from '#client/lib/live-queries.ts'
import { counted, formatNumber } from '#client/lib/format.ts'
import { toast } from '#client/lib/toast.ts'
import { api, trpc, type Inputs } from '#client/lib/trpc.ts'
import { BulkBar, bulkBarSpace } from '#client/ui/table/bulk-bar.tsx'
import { DataTable } from '#client/ui/table/data-table.tsx'
import { EmptyState, NoMatch } from '#client/ui/feedback/empty-state.tsx'
import { ErrorBoundary } from '#client/ui/feedback/error-boundary.tsx'
import { ErrorState } from '#client/ui/feedback/error-state.tsx'
import { FilterBar } from '#client/ui/filter/filter-bar.tsx'
import { FilterSelect } from '#client/ui/filter/filter-select.tsx'
import { PageHeader } from '#client/ui/layout/page-header.tsx'
import { SearchInput } from '#client/ui/filter/search-input.tsx'
import { useColumnLayout } from '#client/ui/table/use-column-layout.ts'
import { useSelection } from '#client/ui/table/use-selection.ts'
import { NameCheckbox, SelectAllButton } from '../select-names.tsx'
import { RegistrarTabs } from '../registrar-tabs.tsx'
import { PairList } from './pair-list.tsx'
import { DelegationState, DnsState, useDelegationColumns } from './use-delegation-columns.tsx'
import { useDnsCheck, type DnsCheck } from './use-dns-check.ts'
import classes from '../registrars.module.css'

type Filter = Omit<Inputs['registrars']['delegationNames'], 'nameServers'>

type ChangeFilter = (part: { [K in keyof Filter]?: Filter[K] | undefined }) => void

const entryOf = ({ zoneId: domainId }: DelegationView) => [domainId, null] as const

/** Domains whose name servers differ from those that Cloudflare assigned; they disappear from the list once they match. */
export function DelegationsPage() {
  const { t } = useTranslation(['registrars', 'operations'])
  const [filter, setFilter] = useState<Filter>({})
  const [byPair, setByPair] = useState(false)
  const query = trpc.registrars.delegations.useInfiniteQuery(
    { ...filter, limit: 200 },
    { getNextPageParam: (page) => page.nextCursor ?? undefined },
  )
  useLiveQueries('delegations')
  const dns = useDnsCheck(t('delegation.failed_check'))
  const columns = useDelegationColumns(dns.truths)
  const layout = useColumnLayout('delegations', columns)
  const rows = useMemo(() => query.data?.pages.flatMap((page) => page.delegations) ?? [], [query.data])
  const { total, pairs = [] } = query.data?.pages[0] ?? {}

  const change: ChangeFilter = (part) => {
    clear()
    setFilter((before) => Object.fromEntries(Object.entries({ ...before, ...part }).filter(([, value]) => value !== undefined)))
  }
  const idsOfAll = async (): Promise<readonly string[]> => (await api.registrars.delegationNames.query(filter)).ids
  const { selected, select, selectAll, clear, table } = useSelection({
    rows,
    entryOf,
    rest: { total, readAll: async () => (await idsOfAll()).map((id) => [id, null] as const), failure: t('delegation.failed_load') },
  })
  const check = async (): Promise<void> => {
    try {
      await dns.start(selected.size > 0 ? [...selected.keys()] : await idsOfAll())
    } catch (error) {
      toast.failure(error, t('delegation.failed_check'))
    }
  }
  const filtered = filter.which !== undefined || filter.registrar !== undefined || (filter.search ?? '') !== ''
  const { running } = dns

  return (
    <>
      <PageHeader
        title={t('delegation.title')}
        meta={total === undefined ? '…' : formatNumber(total)}
        pending={total === undefined}
        actions={
          total === 0 || query.isError ? undefined : <CheckButton dns={dns} disabled={total === undefined} onCheck={() => void check()} />
        }
      />
      <RegistrarTabs />
      {query.isError && query.data === undefined ? (
        <ErrorState title={t('delegation.failed_load')} error={query.error} onRetry={() => void query.refetch()} />
      ) : (
        <>
          <Filters
            filter={filter}
            busy={query.isFetching}
            onChange={change}
            view={byPair ? 'pairs' : 'domains'}
            onView={(view) => setByPair(view === 'pairs')}
          />
          {byPair && total !== 0 ? (
            <PairList pairs={pairs} filter={filter} />
          ) : (
            <DataTable
              label={t('delegation.title')}
              rowCount={total ?? 0}
              getRow={(index) => rows[index]}
              getRowId={({ zoneId: domainId }) => domainId}
              getRowLabel={({ displayName }) => displayName}
              onRangeVisible={(_from, to) => {
                if (to >= rows.length && query.hasNextPage && !query.isFetchingNextPage) void query.fetchNextPage()
              }}
              columns={columns}
              layout={layout}
              loading={query.isPending}
              scrollKey={JSON.stringify(filter)}
              bottomSpace={selected.size > 0 ? bulkBarSpace : 0}
              selection={table}
              renderCard={(row) => (
                <DelegationCard
                  row={row}
                  truth={<DnsState truth={dns.truths.get(row.zoneId)} />}
                  selected={selected.has(row.zoneId)}
                  onSelect={(value) => select([row], value)}
                />
              )}
              cardHeight={124}
              empty={<NoDelegations onReset={filtered ? () => setFilter({}) : undefined} />}
            />
          )}
          <SelectionBar
            selected={selected}
            total={total}
            checking={running !== null}
            onCheck={() => void check()}
            onSelectAll={() => void selectAll()}
            onClear={clear}
          />
        </>
      )}
    </>
  )
}

function CheckButton({ dns: { running, stop }, disabled, onCheck }: { dns: DnsCheck; disabled: boolean; onCheck: () => void }) {
  const { t } = useTranslation('registrars')
  return (
    <Button
      variant="default"
      disabled={disabled}
      leftSection={<IconWorldSearch size={15} stroke={1.8} aria-hidden />}
      onClick={() => (running === null ? onCheck() : stop())}
    >
      {running === null
        ? t('delegation.check')
        : `${t('delegation.checking', { done: formatNumber(running.done), total: formatNumber(running.total) })} · ${t('delegation.stop')}`}
    </Button>
  )
}

function Filters({
  filter,
  busy,
  view,
  onChange,
  onView,
}: {
  filter: Filter
  busy: boolean
  view: 'domains' | 'pairs'
  onChange: ChangeFilter
  onView: (view: string) => void
}) {
  const { t } = useTranslation('registrars')
  const registrars = (trpc.registrars.list.useQuery({}).data?.registrars ?? []).filter(({ shared }) => shared === null)
  return (
    <FilterBar
      search={
        <SearchInput
          label={t('delegation.search')}
          value={filter.search ?? ''}
          onChange={(text) => onChange({ search: text === '' ? undefined : text })}
          busy={busy}
        />
      }
      active={Number(filter.which !== undefined) + Number(filter.registrar !== undefined)}
      onReset={() => onChange({ which: undefined, registrar: undefined })}
      tools={
        <SegmentedControl
          aria-label={t('delegation.view')}
          value={view}
          onChange={onView}
          data={[
            { value: 'domains', label: t('delegation.domains') },
            { value: 'pairs', label: t('delegation.pairs') },
          ]}
        />
      }
    >
      <FilterSelect
        label={t('delegation.which')}
        options={(['waiting', 'elsewhere'] as const).map((value) => ({ value, label: t(`delegation.${value}`) }))}
        values={filter.which === undefined ? [] : [filter.which]}
        onChange={([which]) => onChange({ which })}
      />
      <FilterSelect
        label={t('delegation.registrar')}
        options={[
          { value: 'MANUAL', label: t('delegation.manual') },
          { value: 'API_ENABLED', label: t('delegation.api') },
          { value: 'none', label: t('delegation.none') },
          ...registrars.map(({ id, name }) => ({ value: id, label: name })),
        ]}
        values={filter.registrar === undefined ? [] : [filter.registrar]}
        onChange={([registrar]) => onChange({ registrar })}
      />
    </FilterBar>
  )
}

function NoDelegations({ onReset }: { onReset: (() => void) | undefined }) {
  const { t } = useTranslation('registrars')
  return onReset ? (
    <NoMatch text={t('delegation.none_text')} onReset={onReset} />
  ) : (
    <EmptyState picture="empty" title={t('delegation.empty_title')} text={t('delegation.empty_text')} />
  )
}

function SelectionBar({
  selected,
  total,
  checking,
  onCheck,
  onSelectAll,
  onClear,
}: {
  selected: ReadonlyMap<string, null>
  total: number | undefined
  checking: boolean
  onCheck: () => void
  onSelectAll: () => void
  onClear: () => void
}) {
  const { t } = useTranslation('registrars')
  const [asking, setAsking] = useState<'name_servers' | 'refresh' | null>(null)
  const close = (): void => setAsking(null)
  return (
    <>
      <BulkBar
        count={selected.size}
        label={t('unbound.selected', counted(selected.size))}
        onClear={onClear}
        extra={<SelectAllButton selected={selected.size} total={total} onSelectAll={onSelectAll} />}
      >
        <Button {...quiet} leftSection={<IconWorldSearch {...icon} />} disabled={checking} onClick={onCheck}>
          {t('delegation.check')}
        </Button>
        <Button {...quiet} leftSection={<IconRefresh {...icon} />} onClick={() => setAsking('refresh')}>
          {t('delegation.refresh')}
        </Button>
        <Button size="xs" leftSection={<IconReceipt2 {...icon} />} onClick={() => setAsking('name_servers')}>
          {t('delegation.set')}
        </Button>
      </BulkBar>
      {asking === null ? null : (
        <ErrorBoundary onFail={close}>
          <Suspense>
            <BulkDialog
              kind={asking}
              count={selected.size}
              targetOf={() => Promise.resolve({ ids: [...selected.keys()] })}
              onStarted={() => {
                close()
                onClear()
              }}
              onClose={close}
            />
          </Suspense>
        </ErrorBoundary>
      )}
    </>
  )
}

const quiet = { variant: 'subtle', color: 'gray', size: 'xs' } as const
const icon = { size: 15, stroke: 1.8, 'aria-hidden': true } as const

function DelegationCard({
  row: { displayName, wanted, state, registrar },
  truth,
  selected,
  onSelect,
}: {
  row: DelegationView
  truth: ReactNode
  selected: boolean
  onSelect: (selected: boolean) => void
}) {
  const { t } = useTranslation('registrars')
  return (
    <div className={`grid gap-4 shrink fill size-13 ${classes['lines']}`}>
      <NameCheckbox name={displayName} selected={selected} onSelect={onSelect} />
      <DelegationState state={state} />
      <span className={`flex gap-12 between shrink ${classes['pair']}`}>
        <bdi>{registrar === null ? t('delegation.none') : registrar.name}</bdi>
        <span>DNS: {truth}</span>
      </span>
      <span className={`${classes['muted']} mono`}>{wanted.join(', ')}</span>
    </div>
  )
}
