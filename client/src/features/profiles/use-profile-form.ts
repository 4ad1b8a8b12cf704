import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useProfileActions, type Profile } from './mutations.ts'
import { filledRows, inputOf, rowOf, type RecordRow } from '#client/features/domains/index.ts'
import type { RecordInput } from '#shared/features/domains/records/schema.ts'
import type { SettingsPatch } from '#shared/features/domains/settings/schema.ts'
import type { ProfileRule } from '#shared/features/profiles/schema.ts'
import type { ProfileVariable } from '#shared/features/profiles/variables.ts'
import { useForm } from '#client/lib/forms.ts'
import { toast } from '#client/lib/toast.ts'
import { filledVariables, variableRow, type VariableRow } from './profile-variables.tsx'
import { inOrder } from './rule-order.ts'

interface Values extends Record<string, unknown> {
  name: string
  settings: SettingsPatch
  records: RecordInput[]
  rules: readonly ProfileRule[]
  variables: readonly ProfileVariable[]
}

const variablesOf = (rows: readonly VariableRow[]): ProfileVariable[] =>
  filledVariables(rows).map(({ name, kind, values }) => ({ name, kind, values }))
const recordsOf = (rows: readonly RecordRow[]): RecordInput[] => filledRows(rows).map(inputOf)

/** The form of a new profile, or of the given one. */
export function useProfileForm(profile: Profile | undefined, onSaved: (saved: Profile) => void) {
  const { t } = useTranslation('profiles')
  const actions = useProfileActions()
  const [rows, setRows] = useState<readonly RecordRow[]>((profile?.records ?? []).map(rowOf))
  const [variableRows, setVariableRows] = useState<readonly VariableRow[]>((profile?.variables ?? []).map(variableRow))
  const [initial] = useState<Values>({
    name: profile?.name ?? '',
    settings: profile?.settings ?? {},
    records: recordsOf(rows),
    rules: inOrder(profile?.rules ?? []),
    variables: variablesOf(variableRows),
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
    /** A rule from the library brings the variables that it uses. */
    setRules: (rules: readonly ProfileRule[], added: readonly ProfileVariable[] = []): void => {
      const missing = added.filter(({ name }) => !variableRows.some((row) => row.name === name)).map(variableRow)
      const next = [...variableRows, ...missing]
      if (missing.length > 0) setVariableRows(next)
      form.merge({ rules, variables: variablesOf(next), settings: form.values.settings })
    },
    variableRows,
    setVariables: (next: readonly VariableRow[]): void => {
      setVariableRows(next)
      // A rule may be refused for its variables.
      form.merge({ variables: variablesOf(next), rules: form.values.rules })
    },
    isChanged: JSON.stringify(form.values) !== JSON.stringify(initial),
  }
}
