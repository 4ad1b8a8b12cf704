import { Button, Checkbox } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { reconcileStates } from '#shared/features/trackers/reconcile-states.ts'
import type { ReconcileRow, Tracker } from '#shared/features/trackers/schema.ts'
import { ownersOf } from '#client/lib/ownership.ts'
import { bulkBarSpace } from '#client/ui/table/bulk-bar.tsx'
import { DataTable } from '#client/ui/table/data-table.tsx'
import { EmptyState, NoMatch, ShowAll } from '#client/ui/feedback/empty-state.tsx'
import { ErrorState } from '#client/ui/feedback/error-state.tsx'
import { FilterBar } from '#client/ui/filter/filter-bar.tsx'
import { FilterSelect } from '#client/ui/filter/filter-select.tsx'
import { OwnershipFilters } from '#client/ui/filter/ownership-filters.tsx'
import { SearchInput } from '#client/ui/filter/search-input.tsx'
import { Tile, Tiles } from '#client/ui/chart/tile.tsx'
import { useColumnLayout } from '#client/ui/table/use-column-layout.ts'
import { lateDialog } from '#client/ui/overlay/layer.tsx'
import type { TrackersSearch, ChangeSearch } from '../search.ts'
import { TrackerMark } from '../tracker-mark.tsx'
import { RepairBar } from './repair-bar.tsx'
import type { AskedRepair } from './repair-dialog.tsx'
import { saidOf, useReconcileColumns } from './use-reconcile-columns.tsx'
import { reconcileTones, StateList } from './state-list.tsx'
import { repairedOf, useChoice, type Repaired } from './use-choice.ts'
import { filterOf, useReconcileRows } from './queries.ts'
import classes from '../trackers.module.css'

const RepairDialog = lateDialog(async () => (await import('./repair-dialog.tsx')).RepairDialog)
const RowDialog = lateDialog(async () => (await import('./row-dialog.tsx')).RowDialog)

type Asked = AskedRepair & { collect: () => Promise<Repaired> }

/** Differences between trackers, Cloudflare and registrars, with a repair for each. */
export function ReconcileTab({ trackers, search, change }: { trackers: readonly Tracker[]; search: TrackersSearch; change: ChangeSearch }) {
  const { t } = useTranslation('trackers')
  const { state } = search
  const filter = filterOf(search)
  const { query, rows, counts, tally, onRangeVisible } = useReconcileRows(filter, true)
  const columns = useReconcileColumns()
  const layout = useColumnLayout('reconcile', columns)
  const total = state === undefined ? (query.hasNextPage ? undefined : rows.length) : counts?.[state]
  const choice = useChoice(rows, filter, counts, tally, total)
  const [openKey, setOpenKey] = useState<string | null>(null)
  const [asked, setAsked] = useState<Asked | null>(null)
  const opened = rows.find(({ key }) => key === openKey)
  const reset = (): void => change({ tracker: undefined, owner: undefined, q: undefined, state: undefined })
  if (query.isError && query.data === undefined) {
    return <ErrorState title={t('page.failed_load')} error={query.error} onRetry={() => void query.refetch()} />
  }
  return (
    <>
      <Tiles label={t('tiles')}>
        {reconcileStates.map((each) => (
          <Tile
            key={each}
            label={t(`differs.${each}`)}
            value={counts === undefined ? undefined : (counts[each] ?? 0)}
            tone={reconcileTones[each]}
            pressed={state === each}
            onPress={() => change({ state: state === each ? undefined : each })}
          />
        ))}
      </Tiles>
      <Filters trackers={trackers} search={search} busy={query.isFetching} change={change} />
      <DataTable
        label={t('tabs.reconcile')}
        rowCount={rows.length + Number(query.hasNextPage)}
        getRow={(index) => rows[index]}
        getRowId={({ key }) => key}
        getRowLabel={({ displayName }) => displayName}
        onRangeVisible={onRangeVisible}
        columns={columns}
        layout={layout}
        loading={query.isPending}
        refreshing={query.isPlaceholderData}
        scrollKey={JSON.stringify(filter)}
        selection={choice.selection}
        onOpen={({ key }) => setOpenKey(key)}
        bottomSpace={choice.count > 0 ? bulkBarSpace : 0}
        renderCard={(row) => (
          <RowCard
            row={row}
            selected={choice.selection.isSelected(row)}
            onSelect={(selected) => choice.mark([row], selected)}
            onOpen={() => setOpenKey(row.key)}
          />
        )}
        cardHeight={92}
        empty={<NoRows search={search} onReset={reset} />}
      />
      <RepairBar
        choice={choice}
        total={state === undefined ? undefined : total}
        trackers={trackers}
        onRepair={(wanted) => setAsked({ ...wanted, collect: () => choice.collect(wanted.repair, wanted.trackerId) })}
      />
      {opened === undefined || asked !== null ? null : (
        <RowDialog
          row={opened}
          onRepair={(repair) => {
            setOpenKey(null)
            setAsked({
              repair,
              number: 1,
              ...(opened.tracker && { trackerId: opened.tracker.id }),
              collect: async () => repairedOf([opened]),
            })
          }}
          onClose={() => setOpenKey(null)}
        />
      )}
      {asked === null ? null : (
        <RepairDialog
          asked={asked}
          tracker={trackers.find(({ id }) => id === asked.trackerId)}
          collect={asked.collect}
          onStarted={() => {
            setAsked(null)
            choice.clear()
          }}
          onClose={() => setAsked(null)}
        />
      )}
    </>
  )
}

function Filters({
  trackers,
  search,
  busy,
  change,
}: {
  trackers: readonly Tracker[]
  search: TrackersSearch
  busy: boolean
  change: ChangeSearch
}) {
  const { t } = useTranslation('trackers')
  const { tracker, q = '', owner } = search
  const owners = ownersOf(trackers)
  return (
    <FilterBar
      search={<SearchInput label={t('search')} value={q} busy={busy && q !== ''} onChange={(text) => change({ q: text })} />}
      active={Number(tracker !== undefined) + Number(owner !== undefined)}
      onReset={() => change({ tracker: undefined, owner: undefined })}
    >
      {trackers.length < 2 && tracker === undefined && owners.length < 2 && owner === undefined ? undefined : (
        <>
          <FilterSelect
            multiple
            label={t('column.tracker')}
            options={trackers.map(({ id, name, kind, domainsCount }) => ({
              value: id,
              label: name,
              icon: <TrackerMark kind={kind} />,
              count: domainsCount,
            }))}
            values={tracker?.split('.') ?? []}
            onChange={(ids) => change({ tracker: ids.join('.') || undefined })}
          />
          <OwnershipFilters
            search={search}
            owners={owners}
            shared={false}
            onChange={(part) => ('owner' in part ? change(part) : undefined)}
          />
        </>
      )}
    </FilterBar>
  )
}

function NoRows({ search: { state, tracker, owner, q = '' }, onReset }: { search: TrackersSearch; onReset: () => void }) {
  const { t } = useTranslation('trackers')
  if (tracker !== undefined || owner !== undefined || q !== '') return <NoMatch onReset={onReset} />
  return state !== undefined ? (
    <EmptyState picture="calm" title={t('none.of_state')} action={<ShowAll onClick={onReset} />} />
  ) : (
    <EmptyState picture="calm" title={t('none.nothing_title')} text={t('none.nothing_text')} />
  )
}

function RowCard({
  row: { displayName, states, tracker, trackerDomain, zone },
  selected,
  onSelect,
  onOpen,
}: {
  row: ReconcileRow
  selected: boolean
  onSelect: (selected: boolean) => void
  onOpen: () => void
}) {
  const { t } = useTranslation('trackers')
  const [said] = saidOf(trackerDomain)
  return (
    <div className="column gap-6 grow shrink size-13">
      <div className="row gap-8 between shrink">
        <Checkbox
          size="sm"
          className={classes['pick'] ?? ''}
          label={<bdi className="mono">{displayName}</bdi>}
          checked={selected}
          onChange={(event) => onSelect(event.currentTarget.checked)}
        />
        <Button variant="subtle" size="compact-xs" onClick={onOpen} aria-label={t('more_of', { domain: displayName })}>
          {t('more')}
        </Button>
      </div>
      <div className="row gap-8 between shrink">
        <StateList states={states} />
        <bdi className="muted cut">{tracker?.name}</bdi>
      </div>
      <bdi className="muted cut">{said ?? zone?.account ?? t('no_zone')}</bdi>
    </div>
  )
}
