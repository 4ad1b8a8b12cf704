import { useTranslation } from 'react-i18next'
import type { Registrar } from '#shared/features/registrars/schema.ts'
import { refresh } from '#client/lib/query-client.ts'
import { toast } from '#client/lib/toast.ts'
import { Dialog } from '#client/ui/overlay/dialog.tsx'
import { RegistrarForm } from './registrar-form.tsx'

/** Adds or edits a registrar; opens on any page. */
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
  return (
    <Dialog onClose={onClose} title={t(registrar === undefined ? 'form.create_title' : 'form.edit_title')} size={520}>
      <RegistrarForm
        {...(registrar && { registrar })}
        onCancel={onClose}
        onSaved={(saved) => {
          void refresh('registrars')
          if (registrar !== undefined) toast.success(t('done.updated'), saved.name)
          else toast.success(t('done.created'), saved.type === 'API_ENABLED' ? t('done.created_api') : saved.name)
          onSaved?.(saved)
          onClose()
        }}
      />
    </Dialog>
  )
}
