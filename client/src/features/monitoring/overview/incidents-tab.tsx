import { Checkbox } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { isForReview } from '#shared/features/monitoring/cause.ts'
import type { Incident } from '#shared/features/monitoring/reports.ts'
import { allows } from '#shared/features/sharing/rules.ts'
import { counted, formatDateTime, formatNumber } from '#client/lib/format.ts'
import { trpc } from '#client/lib/trpc.ts'
import { BulkBar, bulkBarSpace } from '#client/ui/table/bulk-bar.tsx'
import { DataTable } from '#client/ui/table/data-table.tsx'
import type { DataColumn } from '#client/ui/table/data-table.types.ts'
import { EmptyState, NoMatch } from '#client/ui/feedback/empty-state.tsx'
import { ErrorState } from '#client/ui/feedback/error-state.tsx'
import { FilterBar } from '#client/ui/filter/filter-bar.tsx'
import { FilterChip } from '#client/ui/filter/filter-chip.tsx'
import { FilterSelect } from '#client/ui/filter/filter-select.tsx'
import { pagedRows } from '#client/ui/table/paged-rows.ts'
import { SearchInput } from '#client/ui/filter/search-input.tsx'
import { StatusDot } from '#client/ui/display/state-badge.tsx'
import { useSelection, wholeRow } from '#client/ui/table/use-selection.ts'
import { useColumnLayout } from '#client/ui/table/use-column-layout.ts'
import { IncidentActions } from '../incident-actions.tsx'
import { IncidentDialog } from '../incident-dialog.tsx'
import { IncidentLength } from '../incident-length.tsx'
import type { MonitoringSearch, ChangeSearch } from '../search.ts'
import { healthTone } from '../format.ts'
import { useCauseTitle } from '../use-cause-title.ts'
import { useIncidentWords } from '../use-incident-words.ts'
import classes from '../monitoring.module.css'

/** Past and current incidents, newest first. */
export function IncidentsTab({ search, change }: { search: MonitoringSearch; change: ChangeSearch }) {
  const { t } = useTranslation('monitoring')
  const title = useCauseTitle()
  const { q = '', state, health, cause, owner, incident: openId } = search
  const list = trpc.monitoring.incidents.useInfiniteQuery(
    {
      limit: 100,
      ...(q !== '' && { search: q }),
      ...(state && { state }),
      ...(health && { health }),
      ...(cause && { cause }),
      ...(owner && { ownerId: owner }),
    },
    { getNextPageParam: (page) => page.nextCursor ?? undefined },
  )
  const rows = useMemo(() => list.data?.pages.flatMap(({ incidents }) => incidents) ?? [], [list.data])
  const columns = useIncidentColumns()
  const layout = useColumnLayout('incidents', columns)
  const { selectedRows, select, clear, table: selection } = useSelection({ rows, entryOf: wholeRow })
  const actionable = selectedRows.filter(({ closedAt, shared }) => closedAt === null && allows(shared, 'operate'))
  const ids = actionable.map(({ id }) => id)
  const mutedIds = actionable.flatMap(({ id, cause: known }) => (isForReview(known) ? [] : [id]))
  const active = [state, health, cause].filter((each) => each !== undefined).length
  const reset = (): void => change({ state: undefined, health: undefined, cause: undefined, q: undefined })
  if (list.isError && list.data === undefined) return <ErrorState error={list.error} onRetry={() => void list.refetch()} />
  return (
    <>
      <FilterBar
        search={<SearchInput label={t('incidents.search')} value={q} onChange={(text) => change({ q: text })} />}
        active={active}
        onReset={reset}
      >
        <FilterSelect
          label={t('incidents.state')}
          options={(['open', 'closed'] as const).map((value) => ({ value, label: t(`incidents.${value}`) }))}
          values={state === undefined ? [] : [state]}
          onChange={([next]) => change({ state: next })}
        />
        <FilterSelect
          label={t('incidents.health')}
          options={(['critical', 'warnings'] as const).map((value) => ({ value, label: t(`severity.${value}`) }))}
          values={health === undefined ? [] : [health]}
          onChange={([next]) => change({ health: next })}
        />
        {cause === undefined ? null : (
          <FilterChip label={t('incidents.cause')} choice={title(cause)} onClear={() => change({ cause: undefined })}>
            {(chip) => <button {...chip} onClick={() => change({ cause: undefined })} />}
          </FilterChip>
        )}
      </FilterBar>
      <div className="column mt-12 min-h-420">
        <DataTable
          label={t('tabs.incidents')}
          {...pagedRows(list, rows)}
          getRowId={({ id }) => id}
          getRowLabel={({ displayName }) => displayName}
          columns={columns}
          layout={layout}
          selection={selection}
          scrollKey={JSON.stringify({ ...search, incident: undefined })}
          onOpen={({ id }) => change({ incident: id })}
          renderCard={(incident) => (
            <IncidentCard
              incident={incident}
              selected={selection.isSelected(incident)}
              onSelect={(selected) => select([incident], selected)}
              onOpen={() => change({ incident: incident.id })}
            />
          )}
          cardHeight={98}
          bottomSpace={selectedRows.length > 0 ? bulkBarSpace : 0}
          empty={
            q !== '' || active > 0 ? (
              <NoMatch title={t('incidents.no_match')} onReset={reset} />
            ) : (
              <EmptyState picture="calm" title={t('incidents.none')} text={t('incidents.none_text')} />
            )
          }
        />
      </div>
      <BulkBar
        count={selectedRows.length}
        label={t('incidents.selected', counted(selectedRows.length))}
        note={
          actionable.length === selectedRows.length
            ? null
            : t('incidents.left_out', { formatted: formatNumber(selectedRows.length - actionable.length) })
        }
        onClear={clear}
      >
        {ids.length === 0 ? null : (
          <IncidentActions target={{ ids }} muted={mutedIds.length === 0 ? null : { ids: mutedIds }} onDone={clear} />
        )}
      </BulkBar>
      {openId === undefined ? null : (
        <IncidentDialog
          key={openId}
          id={openId}
          known={rows.find(({ id }) => id === openId)}
          onClose={() => change({ incident: undefined })}
        />
      )}
    </>
  )
}

function IncidentCard({
  incident,
  selected,
  onSelect,
  onOpen,
}: {
  incident: Incident
  selected: boolean
  onSelect: (selected: boolean) => void
  onOpen: () => void
}) {
  const { t } = useTranslation('monitoring')
  const words = useIncidentWords()
  return (
    <div className="flex gap-10 top fill">
      <Checkbox
        size="sm"
        aria-label={incident.displayName}
        checked={selected}
        onChange={(event) => onSelect(event.currentTarget.checked)}
      />
      <button type="button" className="bare column center gap-2 shrink full fill size-13 primary text-start" onClick={onOpen}>
        <span className={`cut inline fixed gap-8 within ${classes['state']}`}>
          <StatusDot
            tone={incident.closedAt === null ? healthTone[incident.health] : 'idle'}
            label={t(incident.closedAt === null ? 'incidents.open' : 'incidents.closed')}
          />
          <bdi className="mono">{incident.displayName}</bdi>
        </span>
        <span className="cut fixed within">{words(incident)}</span>
        <span className="cut fixed within size-12 muted">
          {formatDateTime(incident.openedAt)} · <IncidentLength incident={incident} />
        </span>
      </button>
    </div>
  )
}

function useIncidentColumns(): readonly DataColumn<Incident>[] {
  const { t } = useTranslation('monitoring')
  const words = useIncidentWords()
  return useMemo(
    () => [
      {
        id: 'name',
        title: t('incidents.domain'),
        width: 210,
        minWidth: 160,
        hideable: false,
        cell: ({ zoneId: domainId, displayName, closedAt, health }) => (
          <span className={`inline gap-8 shrink within ${classes['state']}`}>
            <StatusDot
              tone={closedAt === null ? healthTone[health] : 'idle'}
              label={t(closedAt === null ? 'incidents.open' : 'incidents.closed')}
            />
            {domainId === null ? (
              <bdi className="cut block shrink mono">{displayName}</bdi>
            ) : (
              <Link to="/domains/$id/health" params={{ id: domainId }} className="cut block shrink mono">
                <bdi>{displayName}</bdi>
              </Link>
            )}
          </span>
        ),
      },
      {
        id: 'what',
        title: t('incidents.what'),
        width: 280,
        grow: true,
        cell: (incident) => <span className="cut block shrink">{words(incident)}</span>,
      },
      { id: 'opened', title: t('incidents.opened'), width: 176, cell: ({ openedAt }) => formatDateTime(openedAt) },
      { id: 'length', title: t('incidents.length'), width: 140, cell: (incident) => <IncidentLength incident={incident} /> },
      {
        id: 'taken',
        title: t('incidents.taken'),
        width: 130,
        hiddenAtFirst: 'narrow',
        cell: ({ acknowledgedBy }) => (acknowledgedBy === null ? null : <bdi className="cut block shrink">{acknowledgedBy}</bdi>),
      },
    ],
    [t, words],
  )
}
