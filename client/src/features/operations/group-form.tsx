import { Loader, Select } from '@mantine/core'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { NewGroup, useManagedGroups } from '#client/features/groups/index.ts'
import type { BulkFormProps } from './bulk-form.ts'
import classes from './operations.module.css'

/** Another group for all, or none (R-DOM-10). */
export function GroupForm({ onSubmit, frame }: BulkFormProps) {
  const { t } = useTranslation(['operations', 'common'])
  /** `none`: out of the one that each has; null: nothing is chosen yet. */
  const [choice, setChoice] = useState<string | null>(null)
  const managed = useManagedGroups()
  const groups = managed ?? []
  return frame(
    managed === undefined ? (
      <Loader size="xs" />
    ) : (
      <>
        <Select
          label={t('group.label')}
          placeholder={t('group.choose')}
          data={[{ value: 'none', label: t('group.take_out') }, ...groups.map(({ id, name }) => ({ value: id, label: name }))]}
          value={choice}
          onChange={setChoice}
          nothingFoundMessage={t('common:filters.none')}
          searchable
          openOnFocus={false}
          data-autofocus
        />
        {groups.length === 0 ? <p className={`size-12 muted ${classes['quiet']}`}>{t('group.no_groups')}</p> : null}
        <Suspense fallback={null}>
          <NewGroup onCreated={({ id }) => setChoice(id)} />
        </Suspense>
      </>
    ),
    () => onSubmit({ kind: 'group', input: { groupId: choice === 'none' ? null : choice } }),
    choice === null,
  )
}
