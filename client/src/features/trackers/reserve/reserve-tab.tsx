import { Button } from '@mantine/core'
import { IconPencil, IconPlus, IconTrash } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ReserveDomain } from '#shared/features/trackers/schema.ts'
import { formatNumber } from '#client/lib/format.ts'
import { ownersOf } from '#client/lib/ownership.ts'
import { refresh } from '#client/lib/query-client.ts'
import { toast } from '#client/lib/toast.ts'
import { trpc } from '#client/lib/trpc.ts'
import { BulkBar, bulkBarSpace } from '#client/ui/bulk-bar.tsx'
import { ConfirmDialog } from '#client/ui/confirm-dialog.tsx'
import { DataTable } from '#client/ui/data-table.tsx'
import { EmptyState } from '#client/ui/empty-state.tsx'
import { ErrorState } from '#client/ui/error-state.tsx'
import { FilterBar } from '#client/ui/filter-bar.tsx'
import { OwnershipFilters } from '#client/ui/ownership-filters.tsx'
import { SearchInput } from '#client/ui/search-input.tsx'
import { useSelection, wholeRow } from '#client/ui/use-selection.ts'
import { useColumnLayout } from '#client/ui/use-column-layout.ts'
import { usePhone } from '#client/ui/use-media.ts'
import type { TrackersSearch } from '../search.ts'
import type { ChangeSearch } from '../search.ts'
import { AddReserveDialog } from './add-reserve-dialog.tsx'
import { ReserveCard } from './reserve-card.tsx'
import { ReserveDialog } from './reserve-dialog.tsx'
import { useReserveColumns } from './use-reserve-columns.tsx'

type Dialog = { kind: 'add' } | { kind: 'edit' | 'remove'; rows: readonly ReserveDomain[] }

/** Domains that stand ready to take another's place, and what keeps some of them from it. */
export function ReserveTab({ search, change }: { search: TrackersSearch; change: ChangeSearch }) {
  const { t } = useTranslation('trackers')
  const { q = '', owner } = search
  const list = trpc.trackers.reserve.useQuery({})
  const remove = trpc.trackers.removeReserve.useMutation({ meta: { failure: t('reserve.failed_remove') } })
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
  const owners = ownersOf((trpc.trackers.list.useQuery({}).data?.trackers ?? []).filter(({ shared }) => shared === null))
  const { chosen, select, clear, table: selection } = useSelection({ rows, entryOf: wholeRow })
  const columns = useReserveColumns()
  const layout = useColumnLayout('reserve', columns)
  const phone = usePhone()
  const close = (): void => setDialog(null)
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
          <FilterBar
            search={<SearchInput label={t('search')} value={q} onChange={(text) => change({ q: text })} />}
            active={Number(owner !== undefined)}
            onReset={() => change({ owner: undefined })}
            tools={
              <>
                <span className="muted" role="status">
                  {all === undefined ? '' : t('reserve.ready_of', { ready: formatNumber(ready), total: formatNumber(rows.length) })}
                </span>
                {phone ? null : add}
              </>
            }
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
          {phone ? <div className="grid mb-12">{add}</div> : null}
          <DataTable
            label={t('tabs.reserve')}
            rowCount={rows.length}
            getRow={(index) => rows[index]}
            getRowId={({ zoneId }) => zoneId}
            getRowLabel={({ displayName }) => displayName}
            columns={columns}
            layout={layout}
            loading={list.isPending}
            scrollKey={`${q} ${owner ?? ''}`}
            selection={selection}
            bottomSpace={chosen.length > 0 ? bulkBarSpace : 0}
            onOpen={(row) => setDialog({ kind: 'edit', rows: [row] })}
            renderCard={(row) => (
              <ReserveCard row={row} selected={selection.isSelected(row)} onSelect={(selected) => select([row], selected)} />
            )}
            cardHeight={92}
            empty={
              <EmptyState
                picture="search"
                title={t('none.title')}
                action={
                  <Button variant="default" onClick={() => change({ q: undefined, owner: undefined })}>
                    {t('none.show_all')}
                  </Button>
                }
              />
            }
          />
          <BulkBar
            count={chosen.length}
            label={t('selected', { count: chosen.length, formatted: formatNumber(chosen.length) })}
            onClear={clear}
          >
            <Button
              variant="subtle"
              color="gray"
              size="xs"
              leftSection={<IconPencil size={15} stroke={1.8} aria-hidden />}
              onClick={() => setDialog({ kind: 'edit', rows: chosen })}
            >
              {t('reserve.edit')}
            </Button>
            <Button
              variant="subtle"
              color="red"
              size="xs"
              leftSection={<IconTrash size={15} stroke={1.8} aria-hidden />}
              onClick={() => setDialog({ kind: 'remove', rows: chosen })}
            >
              {t('reserve.remove')}
            </Button>
          </BulkBar>
        </>
      )}
      {dialog === null ? null : dialog.kind === 'add' ? (
        <AddReserveDialog onClose={close} />
      ) : dialog.kind === 'edit' ? (
        <ReserveDialog
          zoneIdsOf={() => Promise.resolve(dialog.rows.map(({ zoneId }) => zoneId))}
          count={dialog.rows.length}
          {...(dialog.rows[0] && { given: dialog.rows[0] })}
          onDone={() => {
            clear()
            close()
          }}
          onClose={close}
        />
      ) : (
        <ConfirmDialog
          title={t('reserve.remove_title', { count: dialog.rows.length, formatted: formatNumber(dialog.rows.length) })}
          consequence={<p>{t('reserve.remove_text')}</p>}
          action={t('reserve.remove')}
          things={1}
          failure={t('reserve.failed_remove')}
          onConfirm={async () => {
            await remove.mutateAsync({ zoneIds: dialog.rows.map(({ zoneId }) => zoneId) })
            await refresh('trackers')
            clear()
            toast.success(t('reserve.removed', { count: dialog.rows.length, formatted: formatNumber(dialog.rows.length) }))
          }}
          onClose={close}
        />
      )}
    </>
  )
}
