import { useTranslation } from 'react-i18next'
import type { Registrar } from '#shared/features/registrars/schema.ts'
import { formatNumber } from '#client/lib/format.ts'
import { toast } from '#client/lib/toast.ts'
import { trpc } from '#client/lib/trpc.ts'
import { ConfirmDialog } from '#client/ui/confirm-dialog.tsx'
import { refreshRegistrars } from './refresh-registrars.ts'

/** Asks with what stays; a registrar with domains is refused, and the refusal names them (R-REG-04). */
export function DeleteRegistrarDialog({ registrar, onClose }: { registrar: Registrar; onClose: () => void }) {
  const { t } = useTranslation('registrars')
  const remove = trpc.registrars.remove.useMutation({ meta: { failure: t('failed.delete') } })
  const { id, name, domainsCount: count } = registrar
  return (
    <ConfirmDialog
      title={t('delete.title', { registrar: name })}
      consequence={<p>{count === 0 ? t('delete.text') : t('delete.attached', { count, formatted: formatNumber(count) })}</p>}
      action={t('delete.confirm')}
      things={1}
      failure={t('failed.delete')}
      onConfirm={async () => {
        await remove.mutateAsync({ id })
        await refreshRegistrars()
        toast.success(t('done.deleted'), name)
      }}
      onClose={onClose}
    />
  )
}
