import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useProfileActions, type Profile } from './mutations.ts'
import { filledRows, inputOf, rowOf, type RecordRow } from '#client/features/domains/index.ts'
import type { RecordInput } from '#shared/features/domains/records/schema.ts'
import type { SettingsPatch } from '#shared/features/domains/settings/schema.ts'
import type { ProfileRule } from '#shared/features/profiles/schema.ts'
import { useForm } from '#client/lib/forms.ts'
import { toast } from '#client/lib/toast.ts'
import { inOrder } from './rule-order.ts'

interface Values extends Record<string, unknown> {
  name: string
  settings: SettingsPatch
  records: RecordInput[]
  rules: readonly ProfileRule[]
}

const recordsOf = (rows: readonly RecordRow[]): RecordInput[] => filledRows(rows).map(inputOf)

/** The form of a new profile, or of the given one. */
export function useProfileForm(profile: Profile | undefined, onSaved: (saved: Profile) => void) {
  const { t } = useTranslation('profiles')
  const actions = useProfileActions()
  const [rows, setRows] = useState<readonly RecordRow[]>((profile?.records ?? []).map(rowOf))
  const [initial] = useState<Values>({
    name: profile?.name ?? '',
    settings: profile?.settings ?? {},
    records: recordsOf(rows),
    rules: inOrder(profile?.rules ?? []),
  })
  const form = useForm({
    initial,
    schema: async () => (await import('#shared/features/profiles/schema.ts')).profileFields,
    onSubmit: async (fields) => {
      onSaved(await (profile === undefined ? actions.create(fields) : actions.update({ ...fields, id: profile.id })))
    },
    onFailure: (error) => toast.failure(error, t(profile === undefined ? 'failed.create' : 'failed.update')),
  })
  return {
    form,
    rows,
    setRows: (next: readonly RecordRow[]): void => {
      setRows(next)
      form.merge({ records: recordsOf(next), settings: form.values.settings })
    },
    setRules: (rules: readonly ProfileRule[]): void => form.merge({ rules, settings: form.values.settings }),
    isChanged: JSON.stringify(form.values) !== JSON.stringify(initial),
  }
}
