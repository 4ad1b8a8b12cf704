import { Button } from '@mantine/core'
import { IconPlugConnectedX } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { Account } from '#shared/features/accounts/schema.ts'
import { formatRelative } from '#client/lib/format.ts'
import { trpc } from '#client/lib/trpc.ts'
import { EmptyState } from '#client/ui/feedback/empty-state.tsx'

const isUnreachable = ({ healthCode, sync }: Account): boolean => (healthCode ?? sync.errorCode) === 'provider_unreachable'

/** An account that could not be checked while no other one works: a sign of a connection problem. */
export const findUnreachable = (accounts: readonly Account[]): Account | undefined =>
  accounts.some(({ health }) => health === 'working') ? undefined : accounts.find(isUnreachable)

/** States that Cloudflare is unreachable, why, and when it is retried, with a button to retry now. */
export function Unreachable({ account, as }: { account: Account; as: 'page' | 'notice' }) {
  const { t } = useTranslation()
  const utils = trpc.useUtils()
  const check = trpc.accounts.check.useMutation({ onSettled: () => void utils.accounts.invalidate() })
  const sync = trpc.accounts.requestSync.useMutation({ onSettled: () => void utils.invalidate() })
  const reason = account.healthMessage ?? account.sync.errorMessage
  const text = [
    reason === null ? undefined : t('unreachable.reason', { reason }),
    t('unreachable.next', { when: formatRelative(account.sync.nextAt) }),
  ]
  const retry = (
    <Button
      variant="default"
      size={as === 'notice' ? 'xs' : 'sm'}
      loading={check.isPending || sync.isPending || account.checking}
      onClick={() => {
        check.mutate({})
        sync.mutate({})
      }}
    >
      {t('retry')}
    </Button>
  )
  const words = text.filter((part) => part !== undefined).join(' ')
  return as === 'page' ? (
    <EmptyState picture="lost" title={t('unreachable.title')} text={words} action={retry} />
  ) : (
    <div className="card grid gap-8 size-13 secondary mt-12 p-12-16" role="status">
      <p>
        <IconPlugConnectedX size={16} stroke={1.8} aria-hidden />
        <strong>{t('unreachable.title')}</strong>
      </p>
      <p>{words}</p>
      <div>{retry}</div>
    </div>
  )
}
