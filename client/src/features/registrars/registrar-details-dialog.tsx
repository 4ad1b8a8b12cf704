import { Anchor, Button } from '@mantine/core'
import { IconExternalLink } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { registrarCatalog } from '#shared/features/registrars/catalog.ts'
import { companyOf, fieldsOf } from '#shared/features/registrars/rules.ts'
import type { Registrar } from '#shared/features/registrars/schema.ts'
import { formatDateTime, formatMoney, formatNumber } from '#client/lib/format.ts'
import { trpc } from '#client/lib/trpc.ts'
import { Dialog } from '#client/ui/overlay/dialog.tsx'
import { SecretField } from '#client/ui/form/secret-field.tsx'
import { fieldLabel } from './field-label.ts'
import { RegistrarState } from './registrar-state.tsx'
import classes from './registrars.module.css'

/** The details of a registrar. Secrets are fetched separately, which is logged. */
export function RegistrarDetailsDialog({
  registrar,
  children,
  onClose,
}: {
  registrar: Registrar
  /** Links to related pages. */
  children?: ReactNode
  onClose: () => void
}) {
  const { t } = useTranslation('registrars')
  const reveal = trpc.registrars.reveal.useMutation({ gcTime: 0, meta: { failure: t('failed.reveal') } })
  const { type, provider, sandbox, balance, balanceAt, namesCount, domainsCount, sync, healthMessage, healthCode, apiUrl, email } =
    registrar
  const company = companyOf(registrar)
  const help = type === 'MANUAL' || provider === 'OTHER' ? null : registrarCatalog[provider].help
  const details = reveal.data
  const facts = [
    [t('column.provider'), [company, sandbox ? t('sandbox') : null].filter(Boolean).join(' · ')],
    [t('column.domains'), formatNumber(domainsCount)],
    ...(type === 'MANUAL'
      ? []
      : [
          [t('column.names'), formatNumber(namesCount)],
          [
            t('column.balance'),
            balance === null
              ? t(provider !== 'OTHER' && !registrarCatalog[provider].hasBalance ? 'details.no_balance' : 'details.balance_unread')
              : `${formatMoney(balance)}${balanceAt === null ? '' : ` · ${formatDateTime(balanceAt)}`}`,
          ],
          [t('column.read'), sync.syncedAt === null ? t('state.unread') : formatDateTime(sync.syncedAt)],
        ]),
    ...(email === null ? [] : [[t('form.email'), email]]),
    [t('column.created'), formatDateTime(registrar.createdAt)],
  ]
  return (
    <Dialog onClose={onClose} title={registrar.name} size={480}>
      <div className="column gap-16">
        <dl className="facts">
          <dt>{t('column.state')}</dt>
          <dd>
            <RegistrarState registrar={registrar} />
          </dd>
          {facts.map(([label = '', value = '']) => (
            <div key={label} className={classes['fact']}>
              <dt>{label}</dt>
              <dd>
                <bdi>{value}</bdi>
              </dd>
            </div>
          ))}
        </dl>
        {healthMessage === null ? null : (
          <p className="size-13 primary radius-8 on-bad p-8-12">
            {t('details.response', { provider: company })}{' '}
            <bdi className="mono">{[healthCode, healthMessage].filter(Boolean).join(': ')}</bdi>
          </p>
        )}
        {registrar.shared !== null ? null : details === undefined ? (
          <>
            <Button variant="default" loading={reveal.isPending} onClick={() => reveal.mutate({ id: registrar.id })} data-autofocus>
              {t('details.reveal')}
            </Button>
            <span className={classes['muted']}>{t('details.logged')}</span>
          </>
        ) : (
          <>
            {fieldsOf({ type, provider }).map((field) => {
              const value = details.credential[field]
              const secret = field !== 'username' && field !== 'login' && field !== 'clientIp'
              return value === undefined ? null : (
                <SecretField
                  key={field}
                  label={t(fieldLabel(type === 'MANUAL' || provider === 'OTHER' ? 'MANUAL' : provider, field))}
                  value={value}
                  secret={secret}
                />
              )
            })}
            {details.accountPassword === null ? null : <SecretField label={t('form.account_password')} value={details.accountPassword} />}
          </>
        )}
        {apiUrl === null ? null : (
          <Anchor href={apiUrl} target="_blank" rel="noopener noreferrer" size="sm">
            {t('details.open')} <IconExternalLink size={13} />
          </Anchor>
        )}
        {help === null ? null : (
          <Anchor href={help} target="_blank" rel="noopener noreferrer" size="sm">
            {t('hint.open')} <IconExternalLink size={13} />
          </Anchor>
        )}
        {children}
      </div>
    </Dialog>
  )
}
