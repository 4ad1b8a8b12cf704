import { Select } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useManagedRegistrars } from '#client/features/registrars/index.ts'

/** Where new domains were bought; one with an API is reported their name servers (R-DOM-06). Nothing where there are no registrars. */
export function RegistrarField({
  value,
  ownerId,
  onChange,
}: {
  value: string | null
  /** Whose accounts are chosen; undefined while none is. */
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
      description={selected === undefined ? undefined : t(selected.type === 'MANUAL' ? 'add.registrar_by_hand' : 'add.registrar_by_api')}
      value={selected?.id ?? null}
      onChange={onChange}
      data={registrars.map(({ id, name }) => ({ value: id, label: name }))}
      searchable
      clearable
    />
  )
}
