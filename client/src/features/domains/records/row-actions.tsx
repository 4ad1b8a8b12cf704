import { IconCopy, IconPencil, IconTrash } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useAllowed } from '#client/features/sharing/index.ts'
import type { DnsRecord } from '#shared/features/domains/records/schema.ts'
import { toast } from '#client/lib/toast.ts'
import { knownType } from './record-draft.ts'
import { recordTitle } from './mutations.ts'
import classes from './records.module.css'

// The same elements for every row, so that they are drawn once for each.
const look = { size: 14, stroke: 1.7, 'aria-hidden': true } as const
const copyIcon = <IconCopy {...look} />
const editIcon = <IconPencil {...look} />
const deleteIcon = <IconTrash {...look} />

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
