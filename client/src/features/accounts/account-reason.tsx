import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { allows } from '#shared/features/sharing/rules.ts'
import type { Account } from '#shared/features/accounts/schema.ts'
import { formatDateTime, formatRelative } from '#client/lib/format.ts'
import { PopoverButton } from '#client/ui/overlay/popup-button.tsx'
import classes from './accounts.module.css'

/** Whether nothing works until the key is changed. */
export const keyRefused = ({ health }: Account): boolean => health === 'auth_error'

/** Cloudflare's own codes are numbers. */
const isOurs = (code: string | null): boolean => code?.startsWith('provider_') === true

/** Why an account does not work, what to do about it, and the provider's message. */
export function ReasonText({ account }: { account: Account }) {
  const { t } = useTranslation(['accounts', 'common'])
  const { healthCode, healthMessage, sync } = account
  const [code, message] = healthCode === null ? [sync.errorCode, sync.errorMessage] : [healthCode, healthMessage]
  const refused = keyRefused(account)
  const unreadable = code === 'secret_unreadable'
  const ours = isOurs(code)
  return (
    <div className={`grid gap-4 size-13 ${classes['reason']}`}>
      <strong>
        {unreadable
          ? t('reason.unreadable')
          : refused
            ? t('reason.key')
            : code === 'provider_unreachable'
              ? t('common:unreachable.title')
              : t('reason.api')}
      </strong>
      <p>
        {unreadable
          ? t('reason.unreadable_help')
          : refused
            ? t('reason.key_help')
            : t('reason.api_help', { when: formatRelative(sync.nextAt) })}
      </p>
      {message === null ? null : (
        <p className={classes['words']}>
          {ours ? (
            t('common:unreachable.reason', { reason: message })
          ) : (
            <>
              {t('reason.provider')} <bdi>{code === null ? message : `${code}: ${message}`}</bdi>
            </>
          )}
        </p>
      )}
      {account.checkedAt === null ? null : (
        <p className={classes['muted']}>{t('health.checked', { when: formatDateTime(account.checkedAt) })}</p>
      )}
    </div>
  )
}

/** A status that opens its reason by mouse, keyboard or touch. */
export function WithReason({ account, onChangeKey, children }: { account: Account; onChangeKey: () => void; children: ReactNode }) {
  const { t } = useTranslation('accounts')
  return (
    <PopoverButton
      position="bottom-start"
      width={320}
      padding={12}
      label={t('reason.title')}
      button={
        <button type="button" className={`bare text-start pointer radius-s ${classes['why']}`}>
          {children}
        </button>
      }
    >
      {(close) => (
        <>
          <ReasonText account={account} />
          {keyRefused(account) && allows(account.shared, 'own') ? (
            <Button
              size="xs"
              variant="default"
              mt={10}
              onClick={() => {
                close()
                onChangeKey()
              }}
            >
              {t('reason.change_key')}
            </Button>
          ) : null}
        </>
      )}
    </PopoverButton>
  )
}
