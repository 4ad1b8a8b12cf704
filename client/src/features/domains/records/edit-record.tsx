import { useTranslation } from 'react-i18next'
import type { DnsRecord } from '#shared/features/domains/records/schema.ts'
import { failureOf } from '#client/lib/errors.ts'
import { formatNumber } from '#client/lib/format.ts'
import { toast } from '#client/lib/toast.ts'
import { trpc } from '#client/lib/trpc.ts'
import { Dialog } from '#client/ui/overlay/dialog.tsx'
import { usePhone } from '#client/ui/layout/use-media.ts'
import type { Conflict } from './record-conflict.tsx'
import { draftOf, emptyDraft, inputOf, patchOf, type RecordDraft } from './record-draft.ts'
import { RecordEditor } from './record-editor.tsx'
import { recordTitle, type RecordChanges } from './mutations.ts'

/** Adds or edits a record: in the table, or in a dialog on a small screen. */
export function EditRecord({
  domainId,
  zone,
  hidden,
  record,
  focus,
  changes,
  onClose,
  onPasteMany,
}: {
  domainId: string
  zone: { name: string; title: string }
  /** Addresses of trackers, which must not be exposed by accident. */
  hidden: ReadonlySet<string> | undefined
  /** Null: a new record. */
  record: DnsRecord | null
  focus: keyof RecordDraft
  changes: RecordChanges
  onClose: () => void
  onPasteMany: (text: string) => boolean
}) {
  const { t } = useTranslation('records')
  const phone = usePhone()
  const utils = trpc.useUtils()
  // Checked when a record is added; if it cannot be determined, adding is allowed.
  const usage = trpc.records.usage.useQuery({ id: domainId }, { enabled: record === null, meta: { failure: false } }).data
  const full = usage !== undefined && usage.quota !== null && usage.used >= usage.quota
  const label = record === null ? t('editor.add') : t('edit_record', { record: recordTitle(record) })

  const save = async (draft: RecordDraft, over: Conflict | null): Promise<void> => {
    if (record === null) {
      const made = await changes.create(inputOf(draft))
      void utils.records.usage.invalidate({ id: domainId })
      toast.success(t('added', { record: recordTitle(made) }))
      return
    }
    if (over?.theirs === null) {
      await changes.create(inputOf(draft))
      changes.drop(record.id)
    } else {
      const seen = over?.theirs ?? record
      const patch = patchOf(seen, draft, zone.name)
      if (Object.keys(patch).length > 0) await changes.update(record, patch, seen)
    }
    onClose()
  }

  const editor = (
    <RecordEditor
      zoneName={zone.name}
      zoneTitle={zone.title}
      initial={record === null ? emptyDraft : draftOf(record, zone.name)}
      focus={focus}
      label={label}
      saveLabel={t(record === null ? 'editor.add_save' : 'editor.save')}
      failure={t(record === null ? 'failed.create' : 'failed.update')}
      warning={full ? t('editor.full', { used: formatNumber(usage.used), quota: formatNumber(usage.quota ?? 0) }) : null}
      hidden={hidden}
      conflictOf={conflictOf}
      onSave={save}
      onTakeTheirs={({ theirs }) => {
        if (theirs !== null) changes.take(theirs)
        else if (record !== null) changes.drop(record.id)
        onClose()
      }}
      onClose={onClose}
      again={record === null}
      {...(record === null && { onPasteMany })}
    />
  )
  if (!phone) return editor
  return (
    <Dialog onClose={onClose} title={label} size={480}>
      {editor}
    </Dialog>
  )
}

/** The current record, which the server sends with a conflict as text, because error parameters are strings. */
function conflictOf(error: unknown): Conflict | null {
  const failure = failureOf(error)
  if (failure.kind !== 'answered' || failure.data.code !== 'conflict') return null
  const text = failure.data.params['record']
  if (typeof text !== 'string') return null
  return { theirs: JSON.parse(text) as DnsRecord | null }
}
