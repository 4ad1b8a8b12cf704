import { Select } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useManagedRegistrars } from '#client/features/registrars/index.ts'

/** The registrar of new domains; the name servers are set at one with an API (R-DOM-06). Not shown without registrars. */
export function RegistrarField({
  value,
  ownerId,
  onChange,
}: {
  value: string | null
  /** The owner of the selected accounts; undefined if none is selected. */
  ownerId: string | undefined
  onChange: (registrarId: string | null) => void
}) {
  const { t } = useTranslation('domains')
  const registrars = useManagedRegistrars(ownerId) ?? []
  const selected = registrars.find(({ id }) => id === value)
  if (registrars.length === 0) return null
  return (
    <Select
      label={t('add.registrar')}
      placeholder={t('add.no_registrar')}
      description={selected === undefined ? undefined : t(selected.type === 'MANUAL' ? 'add.registrar_manual' : 'add.registrar_api')}
      value={selected?.id ?? null}
      onChange={onChange}
      data={registrars.map(({ id, name }) => ({ value: id, label: name }))}
      searchable
      clearable
    />
  )
}
