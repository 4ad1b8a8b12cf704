import { useTranslation } from 'react-i18next'
import type { Account } from '#shared/features/accounts/schema.ts'
import { formatDateTime } from '#client/lib/format.ts'
import { StateBadge } from '#client/ui/display/state-badge.tsx'
import type { Tone } from '#client/ui/display/state-badge.tsx'
import { WithReason } from './account-reason.tsx'

const tones = { working: 'good', auth_error: 'bad', api_error: 'warn', unknown: 'idle' } as const satisfies Record<Account['health'], Tone>

/** Whether the credential works; if not, the reason opens on click. */
export function AccountHealth({ account, onChangeKey }: { account: Account; onChangeKey: () => void }) {
  const { t } = useTranslation('accounts')
  if (account.checking) return <StateBadge quiet pulse tone="info" label={t('health.checking')} />
  const badge = <StateBadge quiet tone={tones[account.health]} label={t(`health.${account.health}`)} />
  if (account.health === 'auth_error' || account.health === 'api_error') {
    return (
      <WithReason account={account} onChangeKey={onChangeKey}>
        {badge}
      </WithReason>
    )
  }
  const when = account.checkedAt === null ? t('health.never') : t('health.checked', { when: formatDateTime(account.checkedAt) })
  return <span title={when}>{badge}</span>
}
