import { useTranslation } from 'react-i18next'
import type { Account } from '#shared/features/accounts/schema.ts'
import { formatAbout } from '#client/lib/format.ts'
import { StateBadge, type Tone } from '#client/ui/display/state-badge.tsx'

type Feed = NonNullable<Account['changeFeed']>

const tones = {
  waiting: 'idle',
  working: 'good',
  no_permission: 'warn',
  account_unclear: 'warn',
  failed: 'bad',
} as const satisfies Record<Feed['state'], Tone>

/** Whether changes made at the provider can be read, and how late they appear; otherwise the reason. */
export function AccountChangeFeed({ feed }: { feed: Feed | null }) {
  const { t } = useTranslation('accounts')
  if (feed === null) return null
  const { state, permission, message, delaySeconds } = feed
  const label =
    state === 'working' && delaySeconds !== null ? t('changes.delay', { time: formatAbout(delaySeconds) }) : t(`changes.${state}`)
  const reason = permission === null ? message : t('changes.permission', { permission })
  return (
    <span title={reason ?? undefined}>
      <StateBadge quiet tone={tones[state]} label={label} />
    </span>
  )
}
