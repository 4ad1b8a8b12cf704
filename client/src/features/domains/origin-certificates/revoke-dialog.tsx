import { Button, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { handleSubmit } from '#client/lib/forms.ts'
import { toast } from '#client/lib/toast.ts'
import { trpc } from '#client/lib/trpc.ts'
import { Dialog } from '#client/ui/overlay/dialog.tsx'
import { useReread, type OriginCertificate } from './queries.ts'

/** Revokes a certificate after its first hostname has been typed. */
export function RevokeDialog({
  domainId,
  certificate: { id, hostnames, hasKey },
  onClose,
}: {
  domainId: string
  certificate: OriginCertificate
  onClose: () => void
}) {
  const { t } = useTranslation(['security', 'common'])
  const [typed, setTyped] = useState('')
  const revoke = trpc.originCertificates.revoke.useMutation({
    meta: { failure: t('origin.revoke_failed') },
    onSettled: useReread(domainId),
  })
  const [hostname = ''] = hostnames
  const ready = typed.trim().toLowerCase() === hostname
  const run = async (): Promise<void> => {
    if (!ready || revoke.isPending) return
    try {
      await revoke.mutateAsync({ id: domainId, certificateId: id, hostname })
    } catch {
      // The toast has reported it.
      return
    }
    toast.success(t('origin.revoked'))
    onClose()
  }
  return (
    <Dialog onClose={revoke.isPending ? () => undefined : onClose} title={t('origin.revoke_title')} size={480}>
      <form className="column gap-16" onSubmit={(event) => handleSubmit(event, run)}>
        <div className="column gap-8 size-13 secondary">
          <p>{t('origin.revoke_text')}</p>
          {hasKey ? <p>{t('origin.revoke_key_text')}</p> : null}
        </div>
        <TextInput
          label={t('origin.revoke_type', { hostname })}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          classNames={{ input: 'mono' }}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          data-autofocus
        />
        <div className="flex gap-8 end mt-4">
          <Button variant="default" onClick={onClose} disabled={revoke.isPending}>
            {t('common:cancel')}
          </Button>
          <Button type="submit" color="red" disabled={!ready} loading={revoke.isPending}>
            {t('origin.revoke')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
