import { IconInfoCircle, IconListDetails, IconPencil, IconRefresh, IconStethoscope, IconTrash } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { Registrar } from '#shared/features/registrars/schema.ts'
import { RowMenu } from '#client/ui/row-menu.tsx'

export type RegistrarAction = 'details' | 'names' | 'check' | 'sync' | 'edit' | 'delete'

/** Everything that can be done with one registrar. */
export function RegistrarMenu({
  registrar: { name, type },
  onAction,
}: {
  registrar: Registrar
  onAction: (action: RegistrarAction) => void
}) {
  const { t } = useTranslation('registrars')
  const off = type === 'MANUAL' ? t('actions.no_api') : null
  return (
    <RowMenu
      label={t('actions.label', { registrar: name })}
      hint={t('actions.title')}
      items={[
        { action: 'details', icon: IconInfoCircle, label: t('actions.details') },
        { action: 'names', icon: IconListDetails, label: t('actions.names'), off },
        { action: 'check', icon: IconStethoscope, label: t('actions.check'), off },
        { action: 'sync', icon: IconRefresh, label: t('actions.sync'), off },
        { action: 'edit', icon: IconPencil, label: t('actions.edit') },
        { action: 'delete', icon: IconTrash, label: t('actions.delete'), danger: true },
      ]}
      onAction={onAction}
    />
  )
}
