import { IconCopy, IconPencil, IconTrash, type Icon } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { DnsRecord } from '#shared/features/records/schema.ts'
import { toast } from '#client/lib/toast.ts'
import { knownType } from './record-types.ts'
import { recordTitle } from './use-record-changes.ts'
import classes from './records.module.css'

/** What can be done with one record. Plain buttons: a table draws a hundred of them at every key that is typed into its search. */
export function RowActions({
  record,
  onEdit,
  onDelete,
}: {
  record: DnsRecord
  onEdit: (record: DnsRecord) => void
  onDelete: (record: DnsRecord) => void
}) {
  const { t } = useTranslation(['records', 'common'])
  const title = recordTitle(record)
  const copy = (): void =>
    void navigator.clipboard.writeText(record.content).then(
      () => toast.success(t('common:copied'), record.content),
      () => toast.error(t('common:copy_failed')),
    )
  return (
    <>
      <Action icon={IconCopy} label={t('copy_content')} onClick={copy} />
      {knownType(record.type) === null ? null : (
        <Action icon={IconPencil} label={t('edit_record', { record: title })} onClick={() => onEdit(record)} />
      )}
      <Action icon={IconTrash} label={t('delete_record', { record: title })} onClick={() => onDelete(record)} />
    </>
  )
}

function Action({ icon: Symbol, label, onClick }: { icon: Icon; label: string; onClick: () => void }) {
  return (
    <button type="button" className={classes['action']} aria-label={label} title={label} onClick={onClick}>
      <Symbol size={14} stroke={1.7} aria-hidden />
    </button>
  )
}
