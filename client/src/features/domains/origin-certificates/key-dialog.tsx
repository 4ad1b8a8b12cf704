import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { toast } from '#client/lib/toast.ts'
import { trpc } from '#client/lib/trpc.ts'
import { ConfirmDialog } from '#client/ui/overlay/confirm-dialog.tsx'
import { Dialog } from '#client/ui/overlay/dialog.tsx'
import { PemField } from './pem-field.tsx'
import { useReread, type OriginCertificate } from './queries.ts'

interface KeyDialogProps {
  domainId: string
  certificate: OriginCertificate
  action: 'show' | 'forget'
  onClose: () => void
}

/** Shows or deletes a kept key; both are logged. */
export function KeyDialog({ action, ...props }: KeyDialogProps) {
  return action === 'show' ? <ShowKey {...props} /> : <ForgetKey {...props} />
}

function ShowKey({ domainId, certificate, onClose }: Omit<KeyDialogProps, 'action'>) {
  const { t } = useTranslation('security')
  const reveal = trpc.originCertificates.reveal.useMutation({ gcTime: 0, meta: { failure: t('origin.show_failed') } })
  const name = certificate.hostnames[0]?.replace('*.', '') ?? 'origin'
  return (
    <Dialog onClose={onClose} title={t('origin.key')} size={560}>
      <div className="column gap-16">
        {reveal.data === undefined ? (
          <>
            <Button
              variant="default"
              loading={reveal.isPending}
              onClick={() => reveal.mutate({ id: domainId, certificateId: certificate.id })}
              data-autofocus
            >
              {t('origin.show_key')}
            </Button>
            <span className="size-12 muted">{t('origin.logged')}</span>
          </>
        ) : (
          <PemField label={t('origin.key')} text={reveal.data.privateKey} fileName={`${name}.key`} />
        )}
      </div>
    </Dialog>
  )
}

function ForgetKey({ domainId, certificate, onClose }: Omit<KeyDialogProps, 'action'>) {
  const { t } = useTranslation('security')
  const forget = trpc.originCertificates.forgetKey.useMutation({
    meta: { failure: t('origin.forget_failed') },
    onSettled: useReread(domainId),
  })
  return (
    <ConfirmDialog
      title={t('origin.forget_title')}
      consequence={t('origin.forget_text')}
      action={t('origin.forget_key')}
      count={1}
      onConfirm={async () => {
        await forget.mutateAsync({ id: domainId, certificateId: certificate.id })
        toast.success(t('origin.forgotten'))
      }}
      onClose={onClose}
    />
  )
}
