import { useTranslation } from 'react-i18next'
import { SharedMark } from '#client/features/sharing/index.ts'
import type { Account } from '#shared/features/accounts/schema.ts'
import { counted, formatNumber } from '#client/lib/format.ts'
import { SelectBox } from '#client/ui/table/select-box.tsx'
import { AccountHealth } from './account-health.tsx'
import { AccountMenu, type AccountAction } from './account-menu.tsx'
import { keyRefused } from './account-reason.tsx'
import { AccountSync } from './account-sync.tsx'
import { BudgetUse, Room, type AccountUse } from './account-use.tsx'
import { problemOf } from './use-account-columns.tsx'
import classes from './accounts.module.css'
import links from '#client/ui/display/text-link.module.css'

/** Four lines, and one or two for an error. */
export const accountCardHeight = (account: Account | undefined): number =>
  126 + (account === undefined ? 0 : keyRefused(account) ? 43 : lineHeights(problemOf(account)))

const lineHeights = (words: string | null): number => (words === null ? 0 : words.length > 44 ? 43 : 24)

/** An account on a phone. */
export function AccountCard({
  account,
  use: { standings, budgets },
  selected,
  onSelect,
  onAction,
}: {
  account: Account
  use: AccountUse
  selected: boolean
  onSelect: (selected: boolean) => void
  onAction: (action: AccountAction) => void
}) {
  const { t } = useTranslation(['accounts', 'common'])
  const capacity = standings.get(account.id)
  const refused = !account.checking && keyRefused(account)
  const words = [refused ? t('reason.key') : null, problemOf(account)].filter((each) => each !== null).join(': ')
  return (
    <div className="column gap-6 grow shrink size-13">
      <div className="row gap-8 between shrink">
        <SelectBox label={t('common:table.select_row', { row: account.email })} checked={selected} onClick={() => onSelect(!selected)} />
        <bdi className="grow shrink medium cut">{account.name || account.email}</bdi>
        <SharedMark shared={account.shared} sharedWith={account.sharedWith} />
        <AccountMenu account={account} onAction={onAction} />
      </div>
      <div className="row gap-8 between shrink">
        <bdi className="muted cut">{account.name ? account.email : t(`kind.${account.kind}`)}</bdi>
        <button type="button" className={`underlined ${links['link']}`} onClick={() => onAction('domains')}>
          {t('common:domains', counted(account.zonesCount))}
        </button>
      </div>
      <div className="row gap-8 between shrink">
        <AccountHealth account={account} onChangeKey={() => onAction('edit')} />
        {refused ? null : <AccountSync account={account} onChangeKey={() => onAction('edit')} />}
      </div>
      <dl className={`flex gap-12 between size-12 line-18 ${classes['figures']}`}>
        <div className="flex gap-6 fixed">
          <dt title={t('room.help')}>{t('room.short')}</dt>
          <dd>{capacity === undefined ? '…' : <Room capacity={capacity} />}</dd>
        </div>
        <div className="flex gap-6 fixed">
          <dt>{t('column.pending')}</dt>
          <dd>{capacity === undefined ? '…' : formatNumber(capacity.pending)}</dd>
        </div>
        <div className="flex gap-6 fixed">
          <dt>{t('column.budget')}</dt>
          <dd>
            <BudgetUse budget={budgets.get(account.id)} />
          </dd>
        </div>
      </dl>
      {words === '' ? null : <p className={classes['words']}>{words}</p>}
    </div>
  )
}
