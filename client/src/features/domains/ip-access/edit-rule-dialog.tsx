import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { failureWords } from '#client/lib/errors.ts'
import { formatDateTime } from '#client/lib/format.ts'
import { handleSubmit } from '#client/lib/forms.ts'
import { FormEnd } from '#client/ui/form/form-end.tsx'
import { DraftDialog } from '#client/ui/overlay/draft-dialog.tsx'
import { expiryOf, type IpAccessDraft } from './ip-access-draft.ts'
import { IpAccessFields } from './ip-access-fields.tsx'
import type { IpRule, IpRuleChange } from './use-ip-rules.ts'

/** Changes the mode, the note and the expiry of a rule; its value cannot change. */
export function EditRuleDialog({
  rule,
  save,
  onClose,
}: {
  rule: IpRule
  save: (rule: IpRule, change: IpRuleChange) => Promise<void>
  onClose: () => void
}) {
  const { t } = useTranslation('ip-access')
  const initial: IpAccessDraft = { mode: rule.mode, note: rule.note, expiry: rule.expiresAt === null ? 'never' : 'keep' }
  const [draft, setDraft] = useState(initial)
  const [busy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState<string | null>(null)
  const isChanged = JSON.stringify(draft) !== JSON.stringify(initial)

  const submit = async (): Promise<void> => {
    if (!isChanged) return onClose()
    setBusy(true)
    setRefusal(null)
    try {
      const expiresAt = draft.expiry === initial.expiry ? undefined : expiryOf(draft.expiry)
      await save(rule, { mode: draft.mode, note: draft.note, ...(expiresAt !== undefined && { expiresAt }) })
      onClose()
    } catch (error) {
      setRefusal(failureWords(t('failed.save'), error))
    } finally {
      setBusy(false)
    }
  }

  return (
    <DraftDialog isChanged={isChanged} onClose={onClose} title={t('edit_title', { value: rule.value })} size={480}>
      <form className="column gap-14" noValidate onSubmit={(event) => handleSubmit(event, submit)}>
        <IpAccessFields
          draft={draft}
          keptExpiry={rule.expiresAt === null ? undefined : t('until', { date: formatDateTime(rule.expiresAt) })}
          onChange={(part) => setDraft((before) => ({ ...before, ...part }))}
        />
        <FormEnd refusal={refusal} action={t('save')} busy={busy} onCancel={onClose} />
      </form>
    </DraftDialog>
  )
}
