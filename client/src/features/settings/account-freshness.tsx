import { useTranslation } from 'react-i18next'
import type { AccountState } from '#shared/features/settings/schema.ts'
import { Freshness } from '#client/ui/feedback/freshness.tsx'
import { StateBadge } from '#client/ui/display/state-badge.tsx'

/** The age of an account's list of domains, or why there is none. */
export function AccountFreshness({ account: { sync } }: { account: AccountState }) {
  const { t } = useTranslation('settings')
  if (sync.state === 'failed') {
    return (
      <span title={[sync.errorCode, sync.errorMessage].filter((part) => part !== null).join(': ')}>
        <StateBadge quiet tone="bad" label={t('fresh.failed')} />
      </span>
    )
  }
  if (sync.state === 'queued') return <StateBadge quiet tone="idle" label={t('fresh.queued')} />
  return <Freshness at={sync.syncedAt} updating={sync.state === 'running'} />
}
