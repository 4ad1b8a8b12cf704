import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import type { Account } from '#shared/features/accounts/schema.ts'
import { allows } from '#shared/features/sharing/rules.ts'
import { counted } from '#client/lib/format.ts'
import { toast } from '#client/lib/toast.ts'
import { trpc } from '#client/lib/trpc.ts'
import { WarningBox } from '#client/ui/overlay/warning-box.tsx'

const problems = ['no_permission', 'account_unclear', 'failed'] as const
const mostNames = 5

/** The accounts whose abuse reports cannot be read, why, and what to do: each reason once. */
export function FeedNotices({ accounts }: { accounts: readonly Account[] }) {
  return problems.map((problem) => {
    const affected = accounts.filter(({ abuseFeed }) => abuseFeed?.state === problem)
    return affected.length === 0 ? null : <Notice key={problem} problem={problem} accounts={affected} />
  })
}

function Notice({ problem, accounts }: { problem: (typeof problems)[number]; accounts: readonly Account[] }) {
  const { t } = useTranslation(['abuse-reports', 'common'])
  const retry = trpc.accounts.requestSync.useMutation({
    meta: { failure: t('feed.retry_failed') },
    onSuccess: () => toast.info(t('feed.retried')),
  })
  const names = accounts.slice(0, mostNames).map(({ name, email }) => name || email)
  const more = accounts.length - names.length
  const feeds = accounts.flatMap(({ abuseFeed }) => abuseFeed ?? [])
  const permission = feeds.find((feed) => feed.permission !== null)?.permission ?? ''
  const message = feeds.find((feed) => feed.message !== null)?.message
  const ids = accounts.filter(({ shared }) => allows(shared, 'operate')).map(({ id }) => id)
  return (
    <div className="mb-12">
      <WarningBox
        tone="warn"
        title={t(`feed.${problem}`, counted(accounts.length))}
        actions={
          <>
            <Button variant="default" size="xs" renderRoot={(props) => <Link to="/accounts" {...props} />}>
              {t('feed.accounts')}
            </Button>
            {ids.length === 0 ? null : (
              <Button variant="default" size="xs" loading={retry.isPending} onClick={() => retry.mutate({ ids })}>
                {t('feed.retry')}
              </Button>
            )}
          </>
        }
      >
        <bdi>{[...names, ...(more > 0 ? [t('common:and_more', counted(more))] : [])].join(', ')}</bdi>.{' '}
        {t(`feed.${problem}_text`, { permission })}
        {message === undefined || problem !== 'failed' ? null : (
          <>
            {' '}
            {t('feed.message')} <bdi>{message}</bdi>
          </>
        )}
      </WarningBox>
    </div>
  )
}
