import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@mantine/core'
import { IconKey } from '@tabler/icons-react'
import type { ApiToken } from '#shared/features/api-tokens/schema.ts'
import { toast } from '#client/lib/toast.ts'
import { trpc } from '#client/lib/trpc.ts'
import { ConfirmDialog } from '#client/ui/overlay/confirm-dialog.tsx'
import { ErrorState } from '#client/ui/feedback/error-state.tsx'
import { Skeleton } from '#client/ui/feedback/skeleton.tsx'
import { formatDate, formatMoney, useNow } from '#client/lib/format.ts'
import { RelativeTime } from '#client/ui/display/relative-time.tsx'
import rows from '#client/ui/table/row-list.module.css'
import tags from '#client/ui/display/tag.module.css'
import classes from './api-tokens.module.css'

/** The tokens of a user, each of which can be revoked; without `userId` those of the current user. */
export function TokenList({ userId }: { userId?: string }) {
  const { t } = useTranslation('api-tokens')
  const utils = trpc.useUtils()
  const list = trpc.apiTokens.list.useQuery(userId === undefined ? {} : { userId }, { staleTime: 0 })
  const revoke = trpc.apiTokens.revoke.useMutation({ meta: { failure: t('failed_revoke') } })
  const [revoked, setRevoked] = useState<ApiToken | null>(null)
  const tokens = list.data?.tokens

  if (list.isError && tokens === undefined) {
    return <ErrorState title={t('failed_load')} error={list.error} onRetry={() => void list.refetch()} />
  }
  return (
    <>
      <ul className="card" aria-busy={list.isPending || undefined} aria-label={t('title')}>
        {tokens === undefined ? (
          <li className={`divided ${rows['row']}`}>
            <Skeleton width="50%" />
          </li>
        ) : tokens.length === 0 ? (
          <li className={`divided ${rows['row']}`}>
            <span className={`muted pretty ${rows['about']}`}>{t('empty')}</span>
          </li>
        ) : (
          tokens.map((token) => <TokenRow key={token.id} token={token} onRevoke={() => setRevoked(token)} />)
        )}
      </ul>
      {revoked === null ? null : (
        <ConfirmDialog
          title={t('revoke_title', { name: revoked.name })}
          consequence={t('revoke_text')}
          action={t('revoke')}
          count={1}
          onConfirm={async () => {
            // A token that was already revoked elsewhere is removed from the list as well.
            await revoke.mutateAsync({ id: revoked.id }).finally(() => void utils.apiTokens.list.invalidate())
            toast.success(t('revoked'), revoked.name)
          }}
          onClose={() => setRevoked(null)}
        />
      )}
    </>
  )
}

/** One token: scope, expiry and last use. */
function TokenRow({ token, onRevoke }: { token: ApiToken; onRevoke: () => void }) {
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
