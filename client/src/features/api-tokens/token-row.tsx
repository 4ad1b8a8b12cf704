import { Button } from '@mantine/core'
import { IconKey } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { ApiToken } from '#shared/features/api-tokens/schema.ts'
import { formatDate, formatMoney, useNow } from '#client/lib/format.ts'
import { RelativeTime } from '#client/ui/relative-time.tsx'
import rows from '#client/ui/row-list.module.css'
import tags from '#client/ui/tag.module.css'
import classes from './api-tokens.module.css'

/** One token: what it may do, until when, and whether it is in use. */
export function TokenRow({ token, onRevoke }: { token: ApiToken; onRevoke: () => void }) {
  const { t } = useTranslation('api-tokens')
  const { name, prefix, scope, spendLimitUsd, expiresAt, lastUsedAt, lastAddress } = token
  const now = useNow()
  const expired = expiresAt !== null && Date.parse(expiresAt) <= now
  return (
    <li className={`divided ${rows['row']}`}>
      <IconKey size={20} stroke={1.6} aria-hidden />
      <div className={rows['words']}>
        <span className={rows['name']}>
          <bdi>{name}</bdi>
          <span className={tags['tag']} data-tone={scope === 'read' ? 'info' : 'warn'}>
            {t(`scope.${scope}`)}
          </span>
        </span>
        <span className={`muted pretty ${rows['about']}`}>
          <span className="mono">{prefix}…</span>
          {' · '}
          {spendLimitUsd === null ? null : (
            <>
              {t('spend_limit', { amount: formatMoney({ minor: spendLimitUsd * 100, currency: 'USD' }) })}
              {' · '}
            </>
          )}
          {lastUsedAt === null ? (
            t('unused')
          ) : (
            <>
              {t('used')} <RelativeTime at={lastUsedAt} />
              {lastAddress === null ? null : (
                <>
                  {', '}
                  <span className="mono">{lastAddress}</span>
                </>
              )}
            </>
          )}
          {' · '}
          <span className={classes['end']} data-over={expired || undefined}>
            {expiresAt === null ? t('endless') : t(expired ? 'expired' : 'expires', { date: formatDate(expiresAt) })}
          </span>
        </span>
      </div>
      <Button variant="subtle" color="red" size="xs" aria-label={t('revoke_one', { name })} onClick={onRevoke}>
        {t('revoke')}
      </Button>
    </li>
  )
}
