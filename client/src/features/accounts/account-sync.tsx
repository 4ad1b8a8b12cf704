import { useTranslation } from 'react-i18next'
import type { Account } from '#shared/features/accounts/schema.ts'
import { counted, formatNumber } from '#client/lib/format.ts'
import { Progress } from '#client/ui/chart/progress.tsx'
import { RelativeTime } from '#client/ui/display/relative-time.tsx'
import { StateBadge } from '#client/ui/display/state-badge.tsx'
import { WithReason } from './account-reason.tsx'
import classes from './accounts.module.css'

/** The age of the account's domains, or the progress of their sync. */
export function AccountSync({ account, onChangeKey }: { account: Account; onChangeKey: () => void }) {
  const { sync } = account
  const { t } = useTranslation('accounts')
  switch (sync.state) {
    case 'running':
      return (
        <span className={`grid gap-10 middle secondary ${classes['progress']}`} title={t('sync.listing')}>
          <Progress label={t('sync.listing')} value={sync.done} total={sync.total ?? undefined} />
          <span>
            {sync.total === null
              ? t('sync.listing')
              : t('sync.progress', { done: formatNumber(sync.done), total: formatNumber(sync.total) })}
          </span>
        </span>
      )
    case 'failed':
      return (
        <WithReason account={account} onChangeKey={onChangeKey}>
          <StateBadge quiet tone="bad" label={t('sync.failed')} />
        </WithReason>
      )
    case 'queued':
      return <StateBadge quiet tone="idle" label={t('sync.queued')} />
    case 'idle':
      if (account.disappearance !== null) {
        const { missing } = account.disappearance
        return <StateBadge quiet tone="warn" label={t('sync.missing', counted(missing))} />
      }
      if (sync.refused !== null) return <StateBadge quiet tone="warn" label={t(`sync.refused_${sync.refused}`)} />
      return sync.detailsPending > 0 ? (
        <StateBadge quiet pulse tone="info" label={t('sync.details', counted(sync.detailsPending))} />
      ) : sync.syncedAt === null ? null : (
        <span className={classes['muted']}>
          <RelativeTime at={sync.syncedAt} />
        </span>
      )
  }
}
