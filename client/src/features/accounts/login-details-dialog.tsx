import { Anchor, Button } from '@mantine/core'
import { IconExternalLink } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { Account } from '#shared/features/accounts/schema.ts'
import { trpc } from '#client/lib/trpc.ts'
import { Dialog } from '#client/ui/overlay/dialog.tsx'
import { SecretField } from '#client/ui/form/secret-field.tsx'
import classes from './accounts.module.css'

/** The credentials for the Cloudflare website. Secrets are fetched separately, which is logged. */
export function LoginDetailsDialog({ account, onClose }: { account: Account; onClose: () => void }) {
  const { t } = useTranslation('accounts')
  const reveal = trpc.accounts.reveal.useMutation({ gcTime: 0, meta: { failure: t('failed.login') } })
  const details = reveal.data
  return (
    <Dialog onClose={onClose} title={t('login.title')} size={480}>
      <div className="column gap-16">
        <SecretField label={t('login.email')} value={account.email} secret={false} />
        {details === undefined ? (
          <>
            <Button variant="default" loading={reveal.isPending} onClick={() => reveal.mutate({ id: account.id })} data-autofocus>
              {t('login.reveal')}
            </Button>
            <span className={classes['muted']}>{t('login.logged')}</span>
          </>
        ) : (
          <>
            {details.password === null ? (
              <span className={classes['muted']}>
                {t('login.password')}: {t('login.no_password')}
              </span>
            ) : (
              <SecretField label={t('login.password')} value={details.password} />
            )}
            <SecretField label={t(details.kind === 'global_key' ? 'form.key' : 'form.token')} value={details.apiKey} />
          </>
        )}
        <Anchor href="https://dash.cloudflare.com/login" target="_blank" rel="noopener noreferrer" size="sm">
          {t('login.open')} <IconExternalLink size={13} />
        </Anchor>
      </div>
    </Dialog>
  )
}
