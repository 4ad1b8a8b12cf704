import { Button, Loader, Select } from '@mantine/core'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { NewRegistrar, useManagedRegistrars } from '#client/features/registrars/index.ts'
import type { DomainDetails } from '#shared/features/domains/schema.ts'
import { auth } from '#client/lib/auth.ts'
import { toast } from '#client/lib/toast.ts'
import { trpc } from '#client/lib/trpc.ts'
import { Dialog } from '#client/ui/dialog.tsx'
import { renewZone } from './use-zone.ts'

/** Tells where a domain was bought (R-DOM-10). */
export function RegistrarDialog({ zone, onClose }: { zone: DomainDetails; onClose: () => void }) {
  const { t } = useTranslation(['zone', 'common'])
  // A new registrar is the person's own; an administrator may look at somebody else's domain.
  const userId = auth.use().user?.id
  const utils = trpc.useUtils()
  const [registrarId, setRegistrarId] = useState(zone.registrarId)
  const managed = useManagedRegistrars(zone.ownerId)
  const registrars = managed ?? []
  const change = trpc.registrars.setOfDomain.useMutation({ meta: { failure: t('failed.registrar') } })

  const save = async (): Promise<void> => {
    if (change.isPending) return
    try {
      const answer = await change.mutateAsync({ id: zone.id, registrarId })
      await Promise.all([renewZone(answer.zone), utils.registrars.invalidate()])
      const { registrar } = answer.zone
      toast.success(registrar === null ? t('registrar.cleared') : t('registrar.done', { registrar: registrar.name }))
      onClose()
    } catch {
      // The toast has told of it.
    }
  }

  return (
    <Dialog onClose={change.isPending ? () => undefined : onClose} title={t('registrar.title', { domain: zone.displayName })} size={440}>
      <form
        className="column gap-16"
        onSubmit={(event) => {
          event.preventDefault()
          void save()
        }}
      >
        {managed === undefined ? (
          <Loader size="xs" />
        ) : registrars.length === 0 ? (
          <p className="column gap-8 top size-13 secondary">{t('registrar.no_registrars')}</p>
        ) : (
          <Select
            label={t('registrar.label')}
            placeholder={t('registrar.none')}
            data={registrars.map(({ id, name }) => ({ value: id, label: name }))}
            value={registrarId}
            onChange={setRegistrarId}
            nothingFoundMessage={t('common:filters.none')}
            searchable
            clearable
            openOnFocus={false}
            data-autofocus
          />
        )}
        {managed === undefined || zone.ownerId !== userId ? null : (
          <Suspense fallback={null}>
            <NewRegistrar onCreated={({ id }) => setRegistrarId(id)} />
          </Suspense>
        )}
        <div className="flex gap-8 end mt-4">
          <Button variant="default" onClick={onClose} disabled={change.isPending}>
            {t(registrars.length === 0 ? 'common:close' : 'common:cancel')}
          </Button>
          {registrars.length === 0 ? null : (
            <Button type="submit" loading={change.isPending} disabled={registrarId === zone.registrarId}>
              {t('registrar.save')}
            </Button>
          )}
        </div>
      </form>
    </Dialog>
  )
}
