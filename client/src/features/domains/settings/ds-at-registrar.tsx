import { Button } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAllowed, useLock } from '#client/features/sharing/index.ts'
import { registrarCatalog } from '#shared/features/registrars/catalog.ts'
import { trpc } from '#client/lib/trpc.ts'
import { toast } from '#client/lib/toast.ts'
import { ConfirmDialog } from '#client/ui/overlay/confirm-dialog.tsx'

/** Sets or removes the DS record at the registrar, if its API can do that; only for the owner. */
export function DsAtRegistrar({ domainId, enabled }: { domainId: string; enabled: boolean }) {
  const { t } = useTranslation('security')
  const own = useAllowed('own')
  const locked = useLock()('operate')
  const utils = trpc.useUtils()
  const [asked, setAsked] = useState<'set' | 'remove' | null>(null)
  const change = trpc.registrars.setDs.useMutation({
    meta: { failure: t(asked === 'remove' ? 'dnssec.registrar.remove_failed' : 'dnssec.registrar.set_failed') },
    // After a refusal as well: it may be about a key that is not shown yet.
    onSettled: () => utils.zoneSettings.ds.invalidate({ id: domainId }),
  })
  const registrar = trpc.registrars.ofDomain.useQuery({ id: domainId }, { enabled: own }).data?.registrar ?? null
  const domain = trpc.domains.full.useQuery({ id: domainId }).data?.zone.displayName ?? ''
  if (registrar === null) return null
  const { provider, type } = registrar
  if (type === 'MANUAL' || provider === null || provider === 'OTHER' || !registrarCatalog[provider].setsDs)
    return <p className="size-12 secondary">{t('dnssec.registrar.by_hand')}</p>
  const words = { registrar: registrar.name, domain }
  return (
    <div className="row gap-8 wrap">
      {enabled ? (
        <Button variant="default" size="xs" disabled={locked !== null} title={locked ?? undefined} onClick={() => setAsked('set')}>
          {t('dnssec.registrar.set', words)}
        </Button>
      ) : null}
      <Button variant="default" size="xs" disabled={locked !== null} title={locked ?? undefined} onClick={() => setAsked('remove')}>
        {t('dnssec.registrar.remove', words)}
      </Button>
      {asked === null ? null : (
        <ConfirmDialog
          title={t(`dnssec.registrar.${asked}_title`, words)}
          consequence={t(`dnssec.registrar.${asked}_text`, words)}
          action={t(`dnssec.registrar.${asked}`, words)}
          count={1}
          harmless={asked === 'set'}
          onConfirm={async () => {
            await change.mutateAsync({ id: domainId, published: asked === 'set' })
            toast.success(t(`dnssec.registrar.${asked}_done`), domain)
          }}
          onClose={() => setAsked(null)}
        />
      )}
    </div>
  )
}
