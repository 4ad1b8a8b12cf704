import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { ManagedUser } from '#shared/features/users/schema.ts'
import { formatDateTime } from '#client/lib/format.ts'
import { trpc } from '#client/lib/trpc.ts'
import { Dialog } from '#client/ui/dialog.tsx'
import { SecretField } from '#client/ui/secret-field.tsx'
import forms from '#client/ui/form.module.css'

/** Makes a link with which the user gives themselves another password: nobody else ever knows it. */
export function ResetPasswordDialog({ user, onClose }: { user: ManagedUser; onClose: () => void }) {
  const { t } = useTranslation(['users', 'common'])
  const create = trpc.users.createResetLink.useMutation({ meta: { failure: t('failed.link') }, gcTime: 0 })
  const link = create.data
  return (
    <Dialog onClose={onClose} title={t('reset.title', { user: user.username, email: user.email })} size={480}>
      <div className="column gap-16">
        {link === undefined ? (
          <p className="size-13 secondary pretty">{t('reset.text')}</p>
        ) : (
          <>
            <p className="size-13 secondary pretty" role="status">
              {t('reset.done', { when: formatDateTime(link.expiresAt) })}
            </p>
            <SecretField label={t('reset.link')} value={`${location.origin}${link.path}`} />
          </>
        )}
        <div className={forms['actions']}>
          <Button variant="default" onClick={onClose}>
            {t(link === undefined ? 'common:cancel' : 'common:close')}
          </Button>
          {link === undefined ? (
            <Button loading={create.isPending} onClick={() => create.mutate({ id: user.id })} data-autofocus>
              {t('reset.submit')}
            </Button>
          ) : null}
        </div>
      </div>
    </Dialog>
  )
}
