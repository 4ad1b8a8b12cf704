import { Button, Checkbox } from '@mantine/core'
import { IconPencil, IconPlus, IconTrash } from '@tabler/icons-react'
import { type ReactNode, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ReserveDomain } from '#shared/features/trackers/schema.ts'
import { counted, formatNumber } from '#client/lib/format.ts'
import { ownersOf } from '#client/lib/ownership.ts'
import { refresh } from '#client/lib/query-client.ts'
import { toast } from '#client/lib/toast.ts'
import { trpc } from '#client/lib/trpc.ts'
import { BulkBar, bulkBarSpace } from '#client/ui/table/bulk-bar.tsx'
import { ConfirmDialog } from '#client/ui/overlay/confirm-dialog.tsx'
import { DataTable } from '#client/ui/table/data-table.tsx'
import { EmptyState, NoMatch } from '#client/ui/feedback/empty-state.tsx'
import { ErrorState } from '#client/ui/feedback/error-state.tsx'
import { FilterBar } from '#client/ui/filter/filter-bar.tsx'
import { OwnershipFilters } from '#client/ui/filter/ownership-filters.tsx'
import { SearchInput } from '#client/ui/filter/search-input.tsx'
import { useSelection, wholeRow } from '#client/ui/table/use-selection.ts'
import { useColumnLayout } from '#client/ui/table/use-column-layout.ts'
import { usePhone } from '#client/ui/layout/use-media.ts'
import { lateDialog } from '#client/ui/overlay/layer.tsx'
import type { TrackersSearch, ChangeSearch } from '../search.ts'
import { useReserveColumns, Readiness } from './use-reserve-columns.tsx'
import classes from '../trackers.module.css'

const AddReserveDialog = lateDialog(async () => (await import('./add-reserve-dialog.tsx')).AddReserveDialog)
const ReserveDialog = lateDialog(async () => (await import('./reserve-dialog.tsx')).ReserveDialog)

type Dialog = { kind: 'add' } | { kind: 'edit' | 'remove'; rows: readonly ReserveDomain[] }

/** Domains that are ready to replace another, and what blocks the others. */
export function ReserveTab({ search, change }: { search: TrackersSearch; change: ChangeSearch }) {
  const { t } = useTranslation('trackers')
  const { q = '', owner } = search
  const list = trpc.trackers.reserve.useQuery({})
  const [dialog, setDialog] = useState<Dialog | null>(null)
  const all = list.data?.domains
  const rows = useMemo(
    () =>
      (all ?? [])
        .filter((row) => owner === undefined || row.ownerId === owner)
        .filter((row) =>
          `${row.displayName} ${row.name} ${row.note ?? ''} ${row.group?.name ?? ''}`.toLowerCase().includes(q.trim().toLowerCase()),
        )
        .map((row) => ({ ...row, id: row.zoneId })),
    [all, q, owner],
  )
  const { selectedRows, select, clear, table: selection } = useSelection({ rows, entryOf: wholeRow })
  const columns = useReserveColumns()
  const layout = useColumnLayout('reserve', columns)
  const phone = usePhone()
  const ready = rows.filter(({ problems }) => problems.length === 0).length
  const add = (
    <Button leftSection={<IconPlus size={15} stroke={2} />} onClick={() => setDialog({ kind: 'add' })}>
      {t('reserve.add')}
    </Button>
  )
  if (list.isError && all === undefined) {
    return <ErrorState title={t('reserve.failed_load')} error={list.error} onRetry={() => void list.refetch()} />
  }
  return (
    <>
      {all?.length === 0 ? (
        <EmptyState picture="empty" title={t('reserve.empty_title')} text={t('reserve.empty_text')} action={add} />
      ) : (
        <>
          <Filters search={search} change={change}>
            <span className="muted" role="status">
              {all === undefined ? '' : t('reserve.ready_of', { ready: formatNumber(ready), total: formatNumber(rows.length) })}
            </span>
            {phone ? null : add}
          </Filters>
          {phone ? <div className="grid mb-12">{add}</div> : null}
          <DataTable
            label={t('tabs.reserve')}
            rowCount={rows.length}
            getRow={(index) => rows[index]}
            getRowId={({ zoneId: domainId }) => domainId}
            getRowLabel={({ displayName }) => displayName}
            columns={columns}
            layout={layout}
            loading={list.isPending}
            scrollKey={`${q} ${owner ?? ''}`}
            selection={selection}
            bottomSpace={selectedRows.length > 0 ? bulkBarSpace : 0}
            onOpen={(row) => setDialog({ kind: 'edit', rows: [row] })}
            renderCard={(row) => (
              <ReserveCard row={row} selected={selection.isSelected(row)} onSelect={(selected) => select([row], selected)} />
            )}
            cardHeight={92}
            empty={<NoMatch onReset={() => change({ q: undefined, owner: undefined })} />}
          />
          <BulkBar count={selectedRows.length} label={t('selected', counted(selectedRows.length))} onClear={clear}>
            <Button
              variant="subtle"
              color="gray"
              size="xs"
              leftSection={<IconPencil size={15} stroke={1.8} aria-hidden />}
              onClick={() => setDialog({ kind: 'edit', rows: selectedRows })}
            >
              {t('reserve.edit')}
            </Button>
            <Button
              variant="subtle"
              color="red"
              size="xs"
              leftSection={<IconTrash size={15} stroke={1.8} aria-hidden />}
              onClick={() => setDialog({ kind: 'remove', rows: selectedRows })}
            >
              {t('reserve.remove')}
            </Button>
          </BulkBar>
        </>
      )}
      {dialog === null ? null : <Dialogs dialog={dialog} onDone={clear} onClose={() => setDialog(null)} />}
    </>
  )
}

/** A reserve domain on a phone. */
function ReserveCard({ row, selected, onSelect }: { row: ReserveDomain; selected: boolean; onSelect: (selected: boolean) => void }) {
  const { t } = useTranslation('trackers')
  return (
    <div className="column gap-6 grow shrink size-13">
      <Checkbox
        size="sm"
        className={classes['pick'] ?? ''}
        label={<bdi className="mono">{row.displayName}</bdi>}
        checked={selected}
        onChange={(event) => onSelect(event.currentTarget.checked)}
      />
      <div className="row gap-8 between shrink">
        <Readiness problems={row.problems} />
        <bdi className="muted cut">{row.group?.name ?? t('reserve.any_group')}</bdi>
      </div>
      <bdi className="muted cut">{row.note ?? row.account}</bdi>
    </div>
  )
}

function Filters({ search, change, children }: { search: TrackersSearch; change: ChangeSearch; children: ReactNode }) {
  const { t } = useTranslation('trackers')
  const { q = '', owner } = search
  const owners = ownersOf((trpc.trackers.list.useQuery({}).data?.trackers ?? []).filter(({ shared }) => shared === null))
  return (
    <FilterBar
      search={<SearchInput label={t('search')} value={q} onChange={(text) => change({ q: text })} />}
      active={Number(owner !== undefined)}
      onReset={() => change({ owner: undefined })}
      tools={children}
    >
      {owners.length > 1 || owner !== undefined ? (
        <OwnershipFilters
          search={search}
          owners={owners}
          shared={false}
          onChange={(part) => ('owner' in part ? change(part) : undefined)}
        />
      ) : undefined}
    </FilterBar>
  )
}

function Dialogs({ dialog, onDone, onClose }: { dialog: Dialog; onDone: () => void; onClose: () => void }) {
  const { t } = useTranslation('trackers')
  const remove = trpc.trackers.removeReserve.useMutation({ meta: { failure: t('reserve.failed_remove') } })
  return dialog.kind === 'add' ? (
    <AddReserveDialog onClose={onClose} />
  ) : dialog.kind === 'edit' ? (
    <ReserveDialog
      domainIdsOf={() => Promise.resolve(dialog.rows.map(({ zoneId: domainId }) => domainId))}
      count={dialog.rows.length}
      {...(dialog.rows[0] && { given: dialog.rows[0] })}
      onDone={() => {
        onDone()
        onClose()
      }}
      onClose={onClose}
    />
  ) : (
    <ConfirmDialog
      title={t('reserve.remove_title', counted(dialog.rows.length))}
      consequence={<p>{t('reserve.remove_text')}</p>}
      action={t('reserve.remove')}
      count={1}
      failure={t('reserve.failed_remove')}
      onConfirm={async () => {
        await remove.mutateAsync({ zoneIds: dialog.rows.map(({ zoneId: domainId }) => domainId) })
        await refresh('trackers')
        onDone()
        toast.success(t('reserve.removed', counted(dialog.rows.length)))
      }}
      onClose={onClose}
    />
  )
}
