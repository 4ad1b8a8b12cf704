import { Checkbox } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { SharedMark } from '#client/features/sharing/index.ts'
import type { Account } from '#shared/features/accounts/schema.ts'
import { formatNumber } from '#client/lib/format.ts'
import { AccountHealth } from './account-health.tsx'
import { AccountMenu, type AccountAction } from './account-menu.tsx'
import { keyRefused } from './account-reason.tsx'
import { AccountSync } from './account-sync.tsx'
import cards from '#client/ui/row-card.module.css'
import links from '#client/ui/text-link.module.css'

export const accountCardHeight = 108

/** An account on a phone. */
export function AccountCard({
  account,
  selected,
  onSelect,
  onAction,
}: {
  account: Account
  selected: boolean
  onSelect: (selected: boolean) => void
  onAction: (action: AccountAction) => void
}) {
  const { t } = useTranslation(['accounts', 'common'])
  return (
    <div className={cards['card']}>
      <div className={cards['line']}>
        <Checkbox
          aria-label={t('common:table.select_row', { row: account.email })}
          checked={selected}
          onChange={(event) => onSelect(event.currentTarget.checked)}
        />
        <bdi className={cards['title']}>{account.name || account.email}</bdi>
        <SharedMark shared={account.shared} sharedWith={account.sharedWith} />
        <AccountMenu account={account} onAction={onAction} />
      </div>
      <div className={cards['line']}>
        <bdi className={cards['quiet']}>{account.name ? account.email : t(`kind.${account.kind}`)}</bdi>
        <button type="button" className={links['link']} onClick={() => onAction('domains')}>
          {t('domains_count', { count: account.zonesCount, formatted: formatNumber(account.zonesCount) })}
        </button>
      </div>
      <div className={cards['line']}>
        <AccountHealth account={account} onChangeKey={() => onAction('edit')} />
        {!account.checking && keyRefused(account) ? (
          <span className={cards['quiet']}>{t('reason.key')}</span>
        ) : (
          <AccountSync account={account} onChangeKey={() => onAction('edit')} />
        )}
      </div>
    </div>
  )
}
