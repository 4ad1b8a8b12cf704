import { Modal } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { Registrar } from '#shared/features/registrars/schema.ts'
import { toast } from '#client/lib/toast.ts'
import { useReturnFocus } from '#client/ui/use-return-focus.ts'
import { refreshRegistrars } from './refresh-registrars.ts'
import { RegistrarForm } from './registrar-form.tsx'

/** Adds a registrar, or changes one; opens from anywhere. */
export function RegistrarDialog({
  registrar,
  onSaved,
  onClose,
}: {
  registrar?: Registrar
  onSaved?: (saved: Registrar) => void
  onClose: () => void
}) {
  const { t } = useTranslation('registrars')
  useReturnFocus()
  return (
    <Modal
      opened
      onClose={onClose}
      title={t(registrar === undefined ? 'form.create_title' : 'form.edit_title')}
      size={520}
      closeOnClickOutside={false}
      // It may lie over another dialog, which would close at the same Escape.
      onFocusCapture={({ target }) => target.setAttribute('data-mantine-stop-propagation', 'true')}
      onKeyDown={({ key }) => {
        if (key === 'Escape') onClose()
      }}
    >
      <RegistrarForm
        {...(registrar && { registrar })}
        onCancel={onClose}
        onSaved={(saved) => {
          void refreshRegistrars()
          if (registrar !== undefined) toast.success(t('done.updated'), saved.name)
          else toast.success(t('done.created'), saved.type === 'API_ENABLED' ? t('done.created_api') : saved.name)
          onSaved?.(saved)
          onClose()
        }}
      />
    </Modal>
  )
}
