import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ApiToken } from '#shared/features/api-tokens/schema.ts'
import { toast } from '#client/lib/toast.ts'
import { trpc } from '#client/lib/trpc.ts'
import { ConfirmDialog } from '#client/ui/confirm-dialog.tsx'
import { ErrorState } from '#client/ui/error-state.tsx'
import { Skeleton } from '#client/ui/skeleton.tsx'
import { TokenRow } from './token-row.tsx'
import rows from '#client/ui/row-list.module.css'

/** The tokens of a person, each of which can be revoked; without `userId` one's own. */
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
          things={1}
          onConfirm={async () => {
            // Revoked meanwhile from elsewhere, it goes from the list all the same.
            await revoke.mutateAsync({ id: revoked.id }).finally(() => void utils.apiTokens.list.invalidate())
            toast.success(t('revoked'), revoked.name)
          }}
          onClose={() => setRevoked(null)}
        />
      )}
    </>
  )
}
