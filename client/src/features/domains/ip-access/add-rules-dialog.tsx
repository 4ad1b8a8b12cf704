import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { failureWords } from '#client/lib/errors.ts'
import { handleSubmit } from '#client/lib/forms.ts'
import { FormEnd } from '#client/ui/form/form-end.tsx'
import { DraftDialog } from '#client/ui/overlay/draft-dialog.tsx'
import { emptyDraft, isComplete, readIpAccess, secondsOf } from './ip-access-draft.ts'
import { IpAccessFields, IpAccessValuesField } from './ip-access-fields.tsx'
import type { AddedIpRules, IpAccessScope, NewIpRules } from './use-ip-rules.ts'

/** Adds rules for several values; those that have a rule of another mode are listed. */
export function AddRulesDialog({
  scope,
  add,
  onClose,
}: {
  scope: IpAccessScope
  add: (rules: NewIpRules) => Promise<AddedIpRules>
  onClose: () => void
}) {
  const { t } = useTranslation('ip-access')
  const [text, setText] = useState('')
  const [draft, setDraft] = useState(emptyDraft)
  const [isChecked, setIsChecked] = useState(false)
  const [busy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState<string | null>(null)
  const [note, setNote] = useState<string | null>(null)
  const read = readIpAccess(text)

  const submit = async (): Promise<void> => {
    setIsChecked(true)
    if (!isComplete(read) || busy) return
    setBusy(true)
    setRefusal(null)
    setNote(null)
    try {
      const { conflicts } = await add({
        values: read.values.map(({ value }) => value),
        mode: draft.mode,
        note: draft.note,
        expiresInSeconds: secondsOf(draft.expiry),
      })
      if (conflicts.length === 0) return onClose()
      const kept = conflicts.map(({ value, mode }) => `${value} (${t(`modes.${mode}`)})`)
      setText('')
      setIsChecked(false)
      setNote(t('conflicts', { values: kept.join(', ') }))
    } catch (error) {
      setRefusal(failureWords(t('failed.add'), error))
    } finally {
      setBusy(false)
    }
  }

  return (
    <DraftDialog isChanged={text !== '' || draft.note !== ''} onClose={onClose} title={t('add_title')} size={560}>
      <form className="column gap-14" noValidate onSubmit={(event) => handleSubmit(event, submit)}>
        {scope.kind === 'account' ? <p className="size-13 secondary pretty">{t('account_text')}</p> : null}
        <IpAccessValuesField
          text={text}
          read={read}
          isChecked={isChecked}
          onChange={(next) => {
            setIsChecked(false)
            setText(next)
          }}
        />
        <IpAccessFields draft={draft} onChange={(part) => setDraft((before) => ({ ...before, ...part }))} />
        <FormEnd refusal={refusal} note={note} action={t('add')} busy={busy} onCancel={onClose} />
      </form>
    </DraftDialog>
  )
}
