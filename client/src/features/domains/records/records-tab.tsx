import { type ReactNode, useCallback, useEffect, useMemo, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useLock } from '#client/features/sharing/index.ts'
import type { DnsRecord } from '#shared/features/domains/records/schema.ts'
import { formatNumber } from '#client/lib/format.ts'
import { useShortcuts } from '#client/lib/shortcuts.ts'
import { trpc } from '#client/lib/trpc.ts'
import { ColumnsMenu } from '#client/ui/table/columns-menu.tsx'
import { ErrorState } from '#client/ui/feedback/error-state.tsx'
import { FilterBar } from '#client/ui/filter/filter-bar.tsx'
import { FilterSelect } from '#client/ui/filter/filter-select.tsx'
import { Freshness } from '#client/ui/feedback/freshness.tsx'
import { SearchInput } from '#client/ui/filter/search-input.tsx'
import { useColumnLayout } from '#client/ui/table/use-column-layout.ts'
import { usePhone } from '#client/ui/layout/use-media.ts'
import { MissingRecords } from './missing-records.tsx'
import { RecordsActions } from './records-actions.tsx'
import { RecordsTable } from './records-table.tsx'
import { useRecordChanges } from './mutations.ts'
import { useRecordColumns } from './use-record-columns.tsx'
import { useRecordEditing, type RecordEditing } from './use-record-editing.tsx'
import { useConfirmedExposure } from './use-confirmed-exposure.tsx'
import { useRecordList, useTrackerAddresses } from './queries.ts'
import { useRecordsView, type RecordsView } from './use-records-view.ts'
import classes from './records.module.css'

/** All DNS records of a domain, with instant search, inline editing and bulk changes. An instance always belongs to the same domain. */
export function RecordsTab({ domainId }: { domainId: string }) {
  const zone = trpc.domains.full.useQuery({ id: domainId }).data?.zone
  const source = useRecordList(domainId, zone)
  const hidden = useTrackerAddresses(zone)
  const { list } = source
  if (list.isError && list.data === undefined) return <ErrorState error={list.error} onRetry={() => void list.refetch()} />
  return <Records domainId={domainId} zoneName={zone?.name ?? ''} zoneTitle={zone?.displayName ?? ''} hidden={hidden} source={source} />
}

function Records({
  domainId,
  zoneName,
  zoneTitle,
  hidden,
  source: { list, refresh, refreshing },
}: {
  domainId: string
  zoneName: string
  zoneTitle: string
  /** Addresses of trackers, which must not be exposed by accident. */
  hidden: ReadonlySet<string> | undefined
  source: ReturnType<typeof useRecordList>
}) {
  const { t } = useTranslation(['records', 'common'])
  const phone = usePhone()
  const locked = useLock()('operate')
  const readAt = list.data?.readAt ?? null
  const missing = list.data?.missing ?? null
  const zone = useMemo(() => ({ name: zoneName, title: zoneTitle }), [zoneName, zoneTitle])
  const view = useRecordsView(list.data?.records, zoneName)
  const changes = useRecordChanges(domainId)
  const editing = useRecordEditing({ domainId, zone, hidden, changes })
  const { confirm: confirmExposure, dialog: exposureDialog } = useConfirmedExposure(hidden)
  const latest = useRef(changes)
  useEffect(() => {
    latest.current = changes
  })
  const onProxy = useCallback(
    (record: DnsRecord) => confirmExposure([record], () => latest.current.toggleProxied(record)),
    [confirmExposure],
  )
  const columns = useRecordColumns(zone, changes.busy, locked, onProxy)
  const layout = useColumnLayout('records', columns)
  const columnsMenu = useMemo(() => <ColumnsMenu columns={columns} layout={layout} />, [columns, layout])
  useShortcuts({ n: editing.add }, locked === null)

  const count = (
    <span className={`row wrap size-13 secondary nowrap ${classes['count']}`} role="status">
      {view.rows.length === view.total ? null : t('count_of', { shown: formatNumber(view.rows.length), total: formatNumber(view.total) })}
      {/* The age of the domain is shown above; here only deviations from it. */}
      {refreshing || (!view.isLoading && readAt === null) ? <Freshness at={readAt} updating={refreshing} /> : null}
    </span>
  )
  const actions = (
    <RecordsActions
      domainId={domainId}
      readAt={readAt}
      refreshing={refreshing}
      onRefresh={refresh}
      onImport={editing.startImport}
      onAdd={editing.add}
    />
  )
  const tools = (
    <>
      {count}
      {columnsMenu}
      {actions}
    </>
  )
  return (
    <>
      <h2 className="sr-only">{t('title')}</h2>
      {exposureDialog}
      {missing === null ? null : <MissingRecords domainId={domainId} missing={missing} />}
      {phone ? (
        <div className="row gap-8 between">
          {count}
          {actions}
        </div>
      ) : null}
      <RecordFilters view={view} onPasteMany={editing.pasteMany} tools={phone ? undefined : tools} />
      {editing.isAdding && !phone ? <div className={`fixed clip radius-8 ${classes['adding']}`}>{editing.editor}</div> : null}
      {phone ? editing.editor : null}
      <RecordsTable
        zone={zone}
        view={view}
        changes={changes}
        editing={editing}
        table={{ columns, layout }}
        onProxy={onProxy}
        confirmExposure={confirmExposure}
      />
      {editing.importDialog}
    </>
  )
}

function RecordFilters({
  view: { search, ...view },
  onPasteMany,
  tools,
}: {
  view: RecordsView
  onPasteMany: RecordEditing['pasteMany']
  tools: ReactNode
}) {
  const { t } = useTranslation('records')
  return (
    <FilterBar
      search={<SearchInput label={t('search')} value={view.text} onType={view.onType} onChange={view.onText} onPasteMany={onPasteMany} />}
      active={view.activeFilters}
      onReset={view.reset}
      tools={tools}
    >
      <FilterSelect
        label={t('column.type')}
        multiple
        values={search.type?.split('.') ?? []}
        options={[...view.byType].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([value, count]) => ({ value, label: value, count }))}
        onChange={(types) => view.change({ type: types.length === 0 ? undefined : types.join('.') })}
      />
      <FilterSelect
        label={t('column.proxied')}
        values={search.proxied === undefined ? [] : [search.proxied]}
        options={[
          { value: 'yes', label: t('proxied'), count: view.byProxied.yes },
          { value: 'no', label: t('dns_only'), count: view.byProxied.no },
        ]}
        onChange={([value]) => view.change({ proxied: value === 'yes' || value === 'no' ? value : undefined })}
      />
    </FilterBar>
  )
}
