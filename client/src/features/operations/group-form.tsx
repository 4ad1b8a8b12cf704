import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { NewGroup, useManagedGroups } from '#client/features/groups/index.ts'
import { PickOrCreateField } from '#client/ui/pick-or-create.tsx'
import type { BulkFormProps } from './bulk-form.ts'

/** Another group for all, or none (R-DOM-10). */
export function GroupForm({ onSubmit, frame }: BulkFormProps) {
  const { t } = useTranslation('operations')
  /** `none`: out of the one that each has; null: nothing is chosen yet. */
  const [choice, setChoice] = useState<string | null>(null)
  const groups = useManagedGroups()
  return frame(
    <PickOrCreateField
      label={t('group.label')}
      placeholder={t('group.choose')}
      first={{ value: 'none', label: t('group.take_out') }}
      options={groups?.map(({ id, name }) => ({ value: id, label: name }))}
      value={choice}
      onChange={setChoice}
      none={t('group.no_groups')}
      create={<NewGroup onCreated={({ id }) => setChoice(id)} />}
    />,
    () => onSubmit({ kind: 'group', input: { groupId: choice === 'none' ? null : choice } }),
    choice === null,
  )
}
