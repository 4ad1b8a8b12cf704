import { Suspense, useCallback, useState } from 'react'
import { useLock } from '#client/features/sharing/index.ts'
import type { DnsRecord } from '#shared/features/domains/records/schema.ts'
import { lazyPart } from '#client/lib/lazy-part.tsx'
import { trpc } from '#client/lib/trpc.ts'
import { usePhone } from '#client/ui/layout/use-media.ts'
import { EditRecord } from './edit-record.tsx'
import { isZoneText } from './find-records.ts'
import type { RecordChanges } from './mutations.ts'
import { knownType, type RecordDraft } from './record-draft.ts'

const ImportDialog = lazyPart(async () => (await import('./import-dialog.tsx')).ImportDialog)

type Editing = { kind: 'none' } | { kind: 'add' } | { kind: 'edit'; record: DnsRecord; focus: keyof RecordDraft }
const nothing: Editing = { kind: 'none' }

export type RecordEditing = ReturnType<typeof useRecordEditing>

/** The record being added or edited on the page, and the import. */
export function useRecordEditing({
  domainId,
  zone,
  hidden,
  changes,
}: {
  domainId: string
  zone: { name: string; title: string }
  hidden: ReadonlySet<string> | undefined
  changes: RecordChanges
}) {
  const phone = usePhone()
  const utils = trpc.useUtils()
  const locked = useLock()('operate')
  const [editing, setEditing] = useState<Editing>(nothing)
  const [importing, setImporting] = useState<string | null>(null)

  const close = (): void => {
    setEditing(nothing)
    // Returns the focus to where it was.
    document.querySelector<HTMLElement>('[role=grid]')?.focus()
  }
  const pasteMany = (pasted: string): boolean => {
    if (locked !== null || !isZoneText(pasted)) return false
    setEditing(nothing)
    setImporting(pasted)
    return true
  }
  const record = editing.kind === 'edit' ? editing.record : null
  return {
    /** Null: none, or a new record. */
    record,
    isAdding: editing.kind === 'add',
    editor:
      editing.kind === 'none' ? null : (
        <EditRecord
          key={record?.id ?? 'add'}
          domainId={domainId}
          zone={zone}
          hidden={hidden}
          record={record}
          focus={editing.kind === 'edit' ? editing.focus : 'name'}
          changes={changes}
          onClose={close}
          onPasteMany={pasteMany}
        />
      ),
    isDialog: phone,
    add: useCallback(() => setEditing({ kind: 'add' }), []),
    edit: (each: DnsRecord, columnId: string | null): void => {
      if (locked !== null || knownType(each.type) === null) return
      setEditing({ kind: 'edit', record: each, focus: fieldOf(columnId) })
    },
    pasteMany,
    startImport: useCallback(() => setImporting(''), []),
    importDialog:
      importing === null ? null : (
        <Suspense>
          <ImportDialog
            domainId={domainId}
            zone={zone}
            text={importing}
            onDone={() => {
              void utils.records.list.invalidate({ id: domainId })
              changes.renew()
            }}
            onClose={() => setImporting(null)}
          />
        </Suspense>
      ),
  }
}

/** The field to focus for the clicked column. */
const fieldOf = (columnId: string | null): keyof RecordDraft =>
  columnId === 'type' || columnId === 'name' || columnId === 'ttl' || columnId === 'priority' || columnId === 'comment'
    ? columnId
    : 'content'
