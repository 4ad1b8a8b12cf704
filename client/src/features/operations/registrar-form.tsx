import { Loader, Select } from '@mantine/core'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { NewRegistrar, useManagedRegistrars } from '#client/features/registrars/index.ts'
import type { BulkFormProps } from './bulk-form.ts'
import classes from './operations.module.css'

/** The registrar of all, or none (R-DOM-10). */
export function RegistrarForm({ onSubmit, frame }: BulkFormProps) {
  const { t } = useTranslation(['operations', 'common'])
  /** `none`: out of the one that each has; null: nothing is chosen yet. */
  const [choice, setChoice] = useState<string | null>(null)
  const managed = useManagedRegistrars()
  const registrars = managed ?? []
  return frame(
    managed === undefined ? (
      <Loader size="xs" />
    ) : (
      <>
        <Select
          label={t('registrar.label')}
          placeholder={t('registrar.choose')}
          data={[{ value: 'none', label: t('registrar.take_out') }, ...registrars.map(({ id, name }) => ({ value: id, label: name }))]}
          value={choice}
          onChange={setChoice}
          nothingFoundMessage={t('common:filters.none')}
          searchable
          openOnFocus={false}
          data-autofocus
        />
        {registrars.length === 0 ? <p className={`size-12 muted ${classes['quiet']}`}>{t('registrar.no_registrars')}</p> : null}
        <Suspense fallback={null}>
          <NewRegistrar onCreated={({ id }) => setChoice(id)} />
        </Suspense>
      </>
    ),
    () => onSubmit({ kind: 'registrar', input: { registrarId: choice === 'none' ? null : choice } }),
    choice === null,
  )
}
