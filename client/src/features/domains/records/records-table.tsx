import { ActionIcon, Button } from '@mantine/core'
import { IconX, IconCopy, IconPencil, IconTrash } from '@tabler/icons-react'
import { useCallback, useMemo, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { DnsRecord } from '#shared/features/domains/records/schema.ts'
import { useLock, useAllowed } from '#client/features/sharing/index.ts'
import { bulkBarSpace } from '#client/ui/table/bulk-bar.tsx'
import { DataTable } from '#client/ui/table/data-table.tsx'
import type { DataTableProps, SpecialRow } from '#client/ui/table/data-table.types.ts'
import { EmptyState, NoMatch } from '#client/ui/feedback/empty-state.tsx'
import { useSelection, wholeRow } from '#client/ui/table/use-selection.ts'
import { toast } from '#client/lib/toast.ts'
import { recordTitle, type RecordChanges } from './mutations.ts'
import { RecordCard, recordCardHeight } from './record-card.tsx'
import { RecordsBulkBar } from './records-bulk-bar.tsx'
import { sortOf, sortParam } from './search.ts'
import type { useConfirmedExposure } from './use-confirmed-exposure.tsx'
import type { RecordEditing } from './use-record-editing.tsx'
import { noRecords, type RecordsView } from './use-records-view.ts'
import { knownType } from './record-draft.ts'
import classes from './records.module.css'

/** The records as rows or cards, possibly with an open editor, and the bulk actions. */
export function RecordsTable({
  zone,
  view,
  changes,
  editing,
  table,
  onProxy,
  confirmExposure,
}: {
  zone: { name: string; title: string }
  view: RecordsView
  changes: RecordChanges
  editing: RecordEditing
  table: Pick<DataTableProps<DnsRecord>, 'columns' | 'layout'>
  onProxy: (record: DnsRecord) => void
  confirmExposure: ReturnType<typeof useConfirmedExposure>['confirm']
}) {
  const { t } = useTranslation('records')
  const locked = useLock()('operate')
  const { rows } = view
  // A record being edited stays in the list even if no filter matches it, because the input would be lost.
  const edited = editing.record
  const shown = useMemo(() => (edited === null || rows.some(({ id }) => id === edited.id) ? rows : [edited, ...rows]), [edited, rows])
  const getRow = useCallback((index: number) => shown[index], [shown])
  const { selectedRows, select, clear, table: selection } = useSelection({ rows: shown, entryOf: wholeRow })
  const special = new Map<string, SpecialRow>()
  for (const [id, words] of changes.refusals) {
    special.set(id, { kind: 'below', content: <Refusal words={words} onClose={() => changes.forget(id)} /> })
  }
  if (edited !== null && !editing.isDialog) special.set(edited.id, { kind: 'instead', content: editing.editor })
  return (
    <>
      <DataTable
        {...table}
        label={t('title')}
        rowCount={shown.length}
        getRow={getRow}
        getRowId={idOf}
        getRowLabel={recordTitle}
        sort={view.sort}
        onSort={(next) => view.change({ sort: sortParam(sortOf(next.direction === 'desc' ? `-${next.key}` : next.key)) })}
        scrollKey={view.scrollKey}
        openOn="double-click"
        onOpen={editing.edit}
        {...(locked === null && {
          selection,
          rowKeys: { e: (record: DnsRecord) => editing.edit(record, null), p: onProxy, Delete: changes.remove },
        })}
        special={special}
        rowActions={(record) => <RowActions record={record} onEdit={(each) => editing.edit(each, null)} onDelete={changes.remove} />}
        renderCard={(record) => (
          <RecordCard
            record={record}
            zone={zone}
            busy={changes.busy.has(record.id)}
            refusal={changes.refusals.get(record.id)}
            selected={selection.isSelected(record)}
            onSelect={(value) => select([record], value)}
            onOpen={() => editing.edit(record, null)}
            onProxy={onProxy}
            onDelete={() => changes.remove(record)}
          />
        )}
        cardHeight={recordCardHeight}
        loading={view.isLoading}
        bottomSpace={selectedRows.length > 0 ? bulkBarSpace : 0}
        empty={<NoRecords view={view} onImport={editing.startImport} />}
      />
      <RecordsBulkBar
        selectedRows={locked === null ? selectedRows : noRecords}
        changes={changes}
        onClear={clear}
        confirmExposure={confirmExposure}
      />
    </>
  )
}

const idOf = ({ id }: DnsRecord): string => id

function NoRecords({ view, onImport }: { view: RecordsView; onImport: () => void }) {
  const { t } = useTranslation('records')
  const locked = useLock()('operate')
  return view.isEmpty ? (
    <EmptyState
      picture="empty"
      title={t('empty.title')}
      text={locked === null ? t('empty.text') : undefined}
      action={
        <Button variant="default" disabled={locked !== null} title={locked ?? undefined} onClick={onImport}>
          {t('file.import')}
        </Button>
      }
    />
  ) : (
    <NoMatch text={t('no_match.text')} onReset={view.isFiltered ? view.reset : undefined} />
  )
}

/** The provider's error for the record above. */
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

// The same elements for every row, so that each is rendered once.
const look = { size: 14, stroke: 1.7, 'aria-hidden': true } as const
const copyIcon = <IconCopy {...look} />
const editIcon = <IconPencil {...look} />
const deleteIcon = <IconTrash {...look} />

/** The actions on one record. Plain buttons, because the table renders a hundred of them on every keystroke in the search. */
function RowActions({
  record,
  onEdit,
  onDelete,
}: {
  record: DnsRecord
  onEdit: (record: DnsRecord) => void
  onDelete: (record: DnsRecord) => void
}) {
  const { t } = useTranslation(['records', 'common'])
  const changeable = useAllowed('operate')
  const title = recordTitle(record)
  const copy = (): void =>
    void navigator.clipboard.writeText(record.content).then(
      () => toast.success(t('common:copied'), record.content),
      () => toast.error(t('common:copy_failed')),
    )
  return (
    <>
      <Action icon={copyIcon} label={t('copy_content')} onClick={copy} />
      {!changeable || knownType(record.type) === null ? null : (
        <Action icon={editIcon} label={t('edit_record', { record: title })} onClick={() => onEdit(record)} />
      )}
      {changeable ? <Action icon={deleteIcon} label={t('delete_record', { record: title })} onClick={() => onDelete(record)} /> : null}
    </>
  )
}

function Action({ icon, label, onClick }: { icon: ReactNode; label: string; onClick: () => void }) {
  return (
    <button
      type="button"
      className={`row bare center secondary pointer radius ${classes['action']}`}
      aria-label={label}
      title={label}
      onClick={onClick}
    >
      {icon}
    </button>
  )
}
