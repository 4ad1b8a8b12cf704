import {
  IconInfoCircle,
  IconListDetails,
  IconPencil,
  IconRefresh,
  IconShare2,
  IconStethoscope,
  IconTrash,
  IconUserMinus,
} from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useLock, useSharedWords } from '#client/features/sharing/index.ts'
import type { Registrar } from '#shared/features/registrars/schema.ts'
import { RowMenu } from '#client/ui/table/row-menu.tsx'

export type RegistrarAction = 'details' | 'names' | 'check' | 'sync' | 'edit' | 'share' | 'leave' | 'delete'

/** All actions on one registrar; disabled ones state the reason. */
export function RegistrarMenu({
  registrar: { name, type, shared },
  onAction,
}: {
  registrar: Registrar
  onAction: (action: RegistrarAction) => void
}) {
  const { t } = useTranslation('registrars')
  const lock = useLock(shared)
  const off = type === 'MANUAL' ? t('actions.no_api') : null
  return (
    <RowMenu
      label={t('actions.label', { registrar: name })}
      hint={t('actions.title')}
      note={useSharedWords()(shared)}
      items={[
        { action: 'details', icon: IconInfoCircle, label: t('actions.details') },
        { action: 'names', icon: IconListDetails, label: t('actions.names'), off },
        { action: 'check', icon: IconStethoscope, label: t('actions.check'), off: off ?? lock('operate') },
        { action: 'sync', icon: IconRefresh, label: t('actions.sync'), off: off ?? lock('operate') },
        { action: 'edit', icon: IconPencil, label: t('actions.edit'), off: lock('manage') },
        { action: 'share', icon: IconShare2, label: t('actions.share'), off: lock('own') },
        { action: 'delete', icon: IconTrash, label: t('actions.delete'), off: lock('own'), danger: true },
        ...(shared === null ? [] : [{ action: 'leave' as const, icon: IconUserMinus, label: t('actions.leave'), danger: true }]),
      ]}
      onAction={onAction}
    />
  )
}
