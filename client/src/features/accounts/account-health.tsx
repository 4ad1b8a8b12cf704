import { useTranslation } from 'react-i18next'
import type { Account } from '#shared/features/accounts/schema.ts'
import { formatDateTime } from '#client/lib/format.ts'
import { StateBadge } from '#client/ui/state-badge.tsx'
import type { Tone } from '#client/ui/status-dot.tsx'

const tones = { working: 'good', auth_error: 'bad', api_error: 'warn', unknown: 'idle' } as const satisfies Record<Account['health'], Tone>

/** Whether the credential works, with the provider's own words behind it. */
export function AccountHealth({ account }: { account: Account }) {
  const { t } = useTranslation('accounts')
  if (account.checking) return <StateBadge quiet pulse tone="info" label={t('health.checking')} />
  const when = account.checkedAt === null ? t('health.never') : t('health.checked', { when: formatDateTime(account.checkedAt) })
  return (
    <span title={[healthWords(account), when].filter((line) => line !== null).join('\n')}>
      <StateBadge quiet tone={tones[account.health]} label={t(`health.${account.health}`)} />
    </span>
  )
}

/** `9103: Unknown X-Auth-Key or X-Auth-Email`, as the provider said it. */
export const healthWords = ({ healthCode, healthMessage }: Account): string | null =>
  healthMessage === null ? null : healthCode === null ? healthMessage : `${healthCode}: ${healthMessage}`
