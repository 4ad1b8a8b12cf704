import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { NewRegistrar, useManagedRegistrars } from '#client/features/registrars/index.ts'
import { PickOrCreateField } from '#client/ui/pick-or-create.tsx'
import type { BulkFormProps } from './bulk-form.ts'

/** The registrar of all, or none (R-DOM-10). */
export function RegistrarForm({ onSubmit, frame }: BulkFormProps) {
  const { t } = useTranslation('operations')
  /** `none`: out of the one that each has; null: nothing is chosen yet. */
  const [choice, setChoice] = useState<string | null>(null)
  const registrars = useManagedRegistrars()
  return frame(
    <PickOrCreateField
      label={t('registrar.label')}
      placeholder={t('registrar.choose')}
      first={{ value: 'none', label: t('registrar.take_out') }}
      options={registrars?.map(({ id, name }) => ({ value: id, label: name }))}
      value={choice}
      onChange={setChoice}
      none={t('registrar.no_registrars')}
      create={<NewRegistrar onCreated={({ id }) => setChoice(id)} />}
    />,
    () => onSubmit({ kind: 'registrar', input: { registrarId: choice === 'none' ? null : choice } }),
    choice === null,
  )
}
