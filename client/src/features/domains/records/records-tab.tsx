import { ActionIcon, Button } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { getRouteApi } from '@tanstack/react-router'
import { Suspense, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLock } from '#client/features/sharing/index.ts'
import type { DnsRecord } from '#shared/features/domains/records/schema.ts'
import { formatNumber } from '#client/lib/format.ts'
import { lazyPart } from '#client/lib/lazy-part.tsx'
import { saveFile } from '#client/lib/save-file.ts'
import { useShortcuts } from '#client/lib/shortcuts.ts'
import { toast } from '#client/lib/toast.ts'
import { trpc } from '#client/lib/trpc.ts'
import { bulkBarSpace } from '#client/ui/bulk-bar.tsx'
import { ColumnsMenu } from '#client/ui/columns-menu.tsx'
import { DataTable } from '#client/ui/data-table.tsx'
import type { SpecialRow } from '#client/ui/data-table.types.ts'
import { EmptyState } from '#client/ui/empty-state.tsx'
import { ErrorState } from '#client/ui/error-state.tsx'
import { FilterBar } from '#client/ui/filter-bar.tsx'
import { FilterSelect } from '#client/ui/filter-select.tsx'
import { Freshness } from '#client/ui/freshness.tsx'
import { SearchInput } from '#client/ui/search-input.tsx'
import { useSelection, wholeRow } from '#client/ui/use-selection.ts'
import { useColumnLayout } from '#client/ui/use-column-layout.ts'
import { usePhone } from '#client/ui/use-media.ts'
import { EditRecord } from './edit-record.tsx'
import { findRecords, isZoneText, sortRecords } from './find-records.ts'
import type { RecordDraft } from './record-draft.ts'
import { RecordCard, recordCardHeight } from './record-card.tsx'
import { knownType } from './record-types.ts'
import { RowActions } from './row-actions.tsx'
import { RecordsActions } from './records-actions.tsx'
import { RecordsBulkBar } from './records-bulk-bar.tsx'
import { parseRecordsSearch, sortOf, sortParam, type RecordsSearch } from './search.ts'
import { recordTitle, useRecordChanges } from './mutations.ts'
import type { RecordChanges } from './mutations.ts'
import { useRecordColumns } from './use-record-columns.tsx'
import { useConfirmedExposure } from './use-confirmed-exposure.tsx'
import { useRecordList, useTrackerAddresses } from './queries.ts'
import classes from './records.module.css'

const ImportDialog = lazyPart(async () => ({ default: (await import('./import-dialog.tsx')).ImportDialog }))

const route = getRouteApi('/_app/domains/$id/records')

type Editing = { kind: 'none' } | { kind: 'add' } | { kind: 'edit'; record: DnsRecord; focus: keyof RecordDraft }
const nothing: Editing = { kind: 'none' }

/** Every DNS record of a domain: found while typing, changed where it stands, many at once. One of these is of one domain for ever. */
export function RecordsTab({ zoneId }: { zoneId: string }) {
  const zone = trpc.domains.full.useQuery({ id: zoneId }).data?.zone
  const { list, refresh, refreshing } = useRecordList(zoneId, zone)
  const changes = useRecordChanges(zoneId)
  const hidden = useTrackerAddresses(zone)
  if (list.isError && list.data === undefined) return <ErrorState error={list.error} onRetry={() => void list.refetch()} />
  return (
    <Records
      zoneId={zoneId}
      zone={{ name: zone?.name ?? '', title: zone?.displayName ?? '' }}
      hidden={hidden}
      records={list.data?.records}
      readAt={list.data?.readAt ?? null}
      refreshing={refreshing}
      onRefresh={refresh}
      changes={changes}
    />
  )
}

const none: readonly DnsRecord[] = []

function Records({
  zoneId,
  zone: { name: zoneName, title: zoneTitle },
  hidden,
  records,
  readAt,
  refreshing,
  onRefresh,
  changes,
}: {
  zoneId: string
  zone: { name: string; title: string }
  /** Addresses of trackers, which nobody is to see by accident. */
  hidden: ReadonlySet<string> | undefined
  /** Undefined while they are read. */
  records: readonly DnsRecord[] | undefined
  readAt: string | null
  refreshing: boolean
  onRefresh: () => void
  changes: RecordChanges
}) {
  const { t } = useTranslation(['records', 'common'])
  const phone = usePhone()
  const raw = route.useSearch()
  const search = useMemo(() => parseRecordsSearch({ ...raw }), [raw])
  const navigate = route.useNavigate()
  const utils = trpc.useUtils()
  const locked = useLock()('operate')
  const [editing, setEditing] = useState<Editing>(nothing)
  const [importing, setImporting] = useState<string | null>(null)
  const { confirm: confirmExposure, dialog: exposureDialog } = useConfirmedExposure(hidden)

  const change = useCallback(
    (part: { [K in keyof RecordsSearch]?: RecordsSearch[K] | undefined }) =>
      void navigate({ replace: true, resetScroll: false, search: (before) => parseRecordsSearch({ ...before, ...part }) }),
    [navigate],
  )
  const sort = useMemo(() => sortOf(search.sort), [search.sort])

  // What is typed is searched for at once; the address follows when the typing stops.
  const q = search.q ?? ''
  const [draft, setDraft] = useState({ q, text: q })
  const typed = draft.q === q ? draft.text : q
  const type = useCallback((text: string) => setDraft({ q, text }), [q])
  const tell = useCallback((next: string) => change({ q: next }), [change])

  const all = records ?? none
  const sorted = useMemo(() => sortRecords(all, sort, zoneName), [all, sort, zoneName])
  const found = useMemo(
    () => findRecords(sorted, { text: typed, types: search.type?.split('.') ?? [], proxied: search.proxied }),
    [sorted, typed, search.type, search.proxied],
  )
  const { rows } = found

  const latest = useRef(changes)
  useEffect(() => {
    latest.current = changes
  })
  const onProxy = useCallback(
    (record: DnsRecord) => confirmExposure([record], () => latest.current.toggleProxied(record)),
    [confirmExposure],
  )
  const zone = useMemo(() => ({ name: zoneName, title: zoneTitle }), [zoneName, zoneTitle])
  const columns = useRecordColumns(zone, changes.busy, locked, onProxy)
  const layout = useColumnLayout('records', columns)
  const columnsMenu = useMemo(() => <ColumnsMenu columns={columns} layout={layout} />, [columns, layout])

  const edit = (record: DnsRecord, columnId: string | null): void => {
    if (locked !== null || knownType(record.type) === null) return
    setEditing({ kind: 'edit', record, focus: fieldOf(columnId) })
  }
  const close = (): void => {
    setEditing(nothing)
    // The keyboard goes on where it was.
    document.querySelector<HTMLElement>('[role=grid]')?.focus()
  }
  const pasteMany = (pasted: string): boolean => {
    if (locked !== null || !isZoneText(pasted)) return false
    setEditing(nothing)
    setImporting(pasted)
    return true
  }
  const openAdd = useCallback(() => setEditing({ kind: 'add' }), [])
  const openImport = useCallback(() => setImporting(''), [])
  const exportFile = useCallback(
    () =>
      void utils.records.exportFile.fetch({ id: zoneId }, { staleTime: 0 }).then(
        (file) => saveFile(file.fileName, 'text/plain', file.text),
        (error: unknown) => toast.failure(error, t('failed.export')),
      ),
    [utils, zoneId, t],
  )

  useShortcuts({ n: openAdd }, locked === null)

  const editor =
    editing.kind === 'none' ? null : (
      <EditRecord
        key={editing.kind === 'edit' ? editing.record.id : 'add'}
        zoneId={zoneId}
        zone={zone}
        hidden={hidden}
        record={editing.kind === 'edit' ? editing.record : null}
        focus={editing.kind === 'edit' ? editing.focus : 'name'}
        dialog={phone}
        changes={changes}
        onClose={close}
        onPasteMany={pasteMany}
      />
    )
  const special = new Map<string, SpecialRow>()
  for (const [id, words] of changes.refusals) {
    special.set(id, { kind: 'below', content: <Refusal words={words} onClose={() => changes.forget(id)} /> })
  }
  if (editing.kind === 'edit' && !phone) special.set(editing.record.id, { kind: 'instead', content: editor })

  const filters = Number(search.type !== undefined) + Number(search.proxied !== undefined)
  const reset = (): void => {
    type('')
    change({ q: undefined, type: undefined, proxied: undefined })
  }
  const filtered = filters > 0 || typed.trim() !== ''
  const untouched = records?.length === 0
  // Somebody who edits a record that no filter shows any more would lose what was typed.
  const edited = editing.kind === 'edit' ? editing.record : null
  const shown = useMemo(() => (edited === null || rows.some(({ id }) => id === edited.id) ? rows : [edited, ...rows]), [edited, rows])
  const getRow = useCallback((index: number) => shown[index], [shown])
  const { chosen, select, clear, table: selection } = useSelection({ rows: shown, entryOf: wholeRow })

  const count = (
    <span className={`row wrap size-13 secondary nowrap ${classes['count']}`} role="status">
      {rows.length === all.length ? null : t('count_of', { shown: formatNumber(rows.length), total: formatNumber(all.length) })}
      {/* How old the domain is as a whole stands above; here only what is different now. */}
      {refreshing || (records !== undefined && readAt === null) ? <Freshness at={readAt} updating={refreshing} /> : null}
    </span>
  )
  const actions = (
    <RecordsActions
      readAt={readAt}
      refreshing={refreshing}
      locked={locked}
      onRefresh={onRefresh}
      onImport={openImport}
      onExport={exportFile}
      onAdd={openAdd}
    />
  )

  return (
    <>
      <h2 className="sr-only">{t('title')}</h2>
      {exposureDialog}
      {phone ? (
        <div className="row gap-8 between">
          {count}
          {actions}
        </div>
      ) : null}
      <FilterBar
        search={<SearchInput label={t('search')} value={q} onType={type} onChange={tell} onPasteMany={pasteMany} />}
        active={filters}
        onReset={reset}
        tools={
          phone ? undefined : (
            <>
              {count}
              {columnsMenu}
              {actions}
            </>
          )
        }
      >
        <FilterSelect
          label={t('column.type')}
          multiple
          values={search.type?.split('.') ?? []}
          options={[...found.byType].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([value, count]) => ({ value, label: value, count }))}
          onChange={(types) => change({ type: types.length === 0 ? undefined : types.join('.') })}
        />
        <FilterSelect
          label={t('column.proxied')}
          values={search.proxied === undefined ? [] : [search.proxied]}
          options={[
            { value: 'yes', label: t('proxied'), count: found.byProxied.yes },
            { value: 'no', label: t('dns_only'), count: found.byProxied.no },
          ]}
          onChange={([value]) => change({ proxied: value === 'yes' || value === 'no' ? value : undefined })}
        />
      </FilterBar>
      {editing.kind === 'add' && !phone ? <div className={`fixed clip radius-8 ${classes['adding']}`}>{editor}</div> : null}
      {phone ? editor : null}
      <DataTable
        label={t('title')}
        rowCount={shown.length}
        getRow={getRow}
        getRowId={idOf}
        getRowLabel={recordTitle}
        columns={columns}
        layout={layout}
        sort={sort}
        onSort={(next) => change({ sort: sortParam(sortOf(next.direction === 'desc' ? `-${next.key}` : next.key)) })}
        scrollKey={JSON.stringify([typed, search.type, search.proxied, search.sort])}
        {...(locked === null && { selection })}
        openOn="double-click"
        onOpen={edit}
        {...(locked === null && {
          rowKeys: { e: (record: DnsRecord) => edit(record, null), p: onProxy, Delete: changes.remove },
        })}
        special={special}
        rowActions={(record) => <RowActions record={record} onEdit={(each) => edit(each, null)} onDelete={changes.remove} />}
        renderCard={(record) => (
          <RecordCard
            record={record}
            zone={zone}
            busy={changes.busy.has(record.id)}
            refusal={changes.refusals.get(record.id)}
            selected={selection.isSelected(record)}
            onSelect={(value) => select([record], value)}
            onOpen={() => edit(record, null)}
            onProxy={onProxy}
            onDelete={() => changes.remove(record)}
          />
        )}
        cardHeight={recordCardHeight}
        loading={records === undefined}
        bottomSpace={chosen.length > 0 ? bulkBarSpace : 0}
        empty={
          untouched ? (
            <EmptyState
              picture="empty"
              title={t('empty.title')}
              text={locked === null ? t('empty.text') : undefined}
              action={
                <Button variant="default" disabled={locked !== null} title={locked ?? undefined} onClick={openImport}>
                  {t('file.import')}
                </Button>
              }
            />
          ) : (
            <EmptyState
              picture="search"
              title={t('no_match.title')}
              text={t('no_match.text')}
              action={
                filtered ? (
                  <Button variant="default" onClick={reset}>
                    {t('no_match.action')}
                  </Button>
                ) : undefined
              }
            />
          )
        }
      />
      <RecordsBulkBar chosen={locked === null ? chosen : none} changes={changes} onClear={clear} confirmExposure={confirmExposure} />
      {importing === null ? null : (
        <Suspense>
          <ImportDialog
            zoneId={zoneId}
            zone={zone}
            text={importing}
            onDone={() => {
              void utils.records.list.invalidate({ id: zoneId })
              changes.renew()
            }}
            onClose={() => setImporting(null)}
          />
        </Suspense>
      )}
    </>
  )
}

const idOf = ({ id }: DnsRecord): string => id

/** The field to begin in for the column that was clicked. */
const fieldOf = (columnId: string | null): keyof RecordDraft =>
  columnId === 'type' || columnId === 'name' || columnId === 'ttl' || columnId === 'priority' || columnId === 'comment'
    ? columnId
    : 'content'

/** What the provider said of the record above it. */
function Refusal({ words, onClose }: { words: string; onClose: () => void }) {
  const { t } = useTranslation()
  return (
    <div className={`row gap-8 size-12 bad anywhere ${classes['refusal']}`} role="alert">
      <span>{words}</span>
      <ActionIcon size={22} aria-label={t('close')} title={t('close')} onClick={onClose}>
        <IconX size={14} stroke={1.8} />
      </ActionIcon>
    </div>
  )
}
