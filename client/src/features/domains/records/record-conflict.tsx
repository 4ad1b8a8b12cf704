import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { DnsRecord } from '#shared/features/domains/records/schema.ts'
import { draftOf, type RecordDraft } from './record-draft.ts'
import { useTtlWords } from './use-ttl-words.ts'
import classes from './record-editor.module.css'

/** The concurrent version of the record; null: it was deleted. */
export interface Conflict {
  theirs: DnsRecord | null
}

const fields = ['type', 'name', 'content', 'priority', 'ttl', 'proxied', 'comment'] as const

/** A concurrent change of the edited record: shows the differences and asks which version to keep. */
export function RecordConflict({
  before,
  conflict: { theirs },
  zoneName,
  saving,
  onTakeTheirs,
  onSaveMine,
}: {
  before: RecordDraft
  conflict: Conflict
  zoneName: string
  saving: boolean
  onTakeTheirs: () => void
  onSaveMine: () => void
}) {
  const { t } = useTranslation('records')
  const ttlWords = useTtlWords()
  const now = theirs === null ? null : draftOf(theirs, zoneName)
  const show = (draft: RecordDraft, field: (typeof fields)[number]): string => {
    if (field === 'ttl') return ttlWords(draft.ttl)
    if (field === 'proxied') return t(draft.proxied ? 'proxied' : 'dns_only')
    return draft[field] === '' ? '—' : draft[field]
  }
  return (
    <div className={`column gap-8 size-13 radius on-warn ${classes['conflict']}`} role="alert">
      <strong>{t(now === null ? 'conflict.gone' : 'conflict.title')}</strong>
      {now === null ? null : (
        <dl className={`grid gap-4 ${classes['differences']}`}>
          {fields
            .filter((field) => before[field] !== now[field])
            .map((field) => (
              <div className="grid gap-8" key={field}>
                <dt className="secondary">{t(`column.${field}`)}</dt>
                <dd className="anywhere code">
                  <del className="muted">{show(before, field)}</del> → <ins>{show(now, field)}</ins>
                </dd>
              </div>
            ))}
        </dl>
      )}
      <div className={`flex gap-8 fixed push ${classes['actions']}`}>
        <Button variant="default" size="xs" onClick={onTakeTheirs}>
          {t(now === null ? 'conflict.leave' : 'conflict.theirs')}
        </Button>
        <Button size="xs" loading={saving} onClick={onSaveMine}>
          {t(now === null ? 'conflict.again' : 'conflict.mine')}
        </Button>
      </div>
    </div>
  )
}
