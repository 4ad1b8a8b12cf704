import { useTranslation } from 'react-i18next'
import { CreateRegistrar, useManagedRegistrars } from '#client/features/registrars/index.ts'
import type { DomainDetails } from '#shared/features/domains/schema.ts'
import { auth } from '#client/lib/auth.ts'
import { toast } from '#client/lib/toast.ts'
import { trpc } from '#client/lib/trpc.ts'
import { PickOrCreateDialog } from '#client/ui/form/pick-or-create.tsx'
import { renewZone } from './queries.ts'

/** Sets the registrar of a domain (R-DOM-10). */
export function RegistrarDialog({ zone, onClose }: { zone: DomainDetails; onClose: () => void }) {
  const { t } = useTranslation(['zone', 'shell'])
  // A new registrar belongs to the current user, who may be an administrator viewing another user's domain.
  const userId = auth.use().user?.id
  const utils = trpc.useUtils()
  const registrars = useManagedRegistrars(zone.ownerId)
  const change = trpc.registrars.setOfDomain.useMutation({ meta: { failure: t('failed.registrar') } })

  return (
    <PickOrCreateDialog
      title={t('registrar.title', { domain: zone.displayName })}
      label={t('registrar.label')}
      placeholder={t('registrar.none')}
      none={t('registrar.no_registrars')}
      save={t('registrar.save')}
      options={registrars?.map(({ id, name }) => ({ value: id, label: name }))}
      present={zone.registrarId}
      create={zone.ownerId === userId ? { label: t('shell:quick_add.registrar'), Dialog: CreateRegistrar } : null}
      onSave={async (registrarId) => {
        const answer = await change.mutateAsync({ id: zone.id, registrarId })
        await Promise.all([renewZone(answer.zone), utils.registrars.invalidate()])
        const { registrar } = answer.zone
        toast.success(registrar === null ? t('registrar.cleared') : t('registrar.done', { registrar: registrar.name }))
      }}
      onClose={onClose}
    />
  )
}
