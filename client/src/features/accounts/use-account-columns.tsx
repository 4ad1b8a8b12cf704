import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { SharedMark } from '#client/features/sharing/index.ts'
import type { Account } from '#shared/features/accounts/schema.ts'
import { formatNumber } from '#client/lib/format.ts'
import type { DataColumn } from '#client/ui/table/data-table.types.ts'
import { RelativeTime } from '#client/ui/display/relative-time.tsx'
import { AccountChangeFeed } from './account-change-feed.tsx'
import { AccountHealth } from './account-health.tsx'
import { BudgetUse, Room, type AccountUse } from './account-use.tsx'
import { AccountSync } from './account-sync.tsx'
import links from '#client/ui/display/text-link.module.css'
import { PersonName } from '#client/ui/display/person-name.tsx'
import classes from './accounts.module.css'

/** The last error. */
export const problemOf = ({ healthMessage, healthCode, sync }: Account): string | null =>
  healthMessage ?? healthCode ?? sync.errorMessage ?? sync.errorCode

/** `withOwner`: the list contains accounts of other users. */
export function useAccountColumns(
  withOwner: boolean,
  { standings, budgets }: AccountUse,
  onDomains: (account: Account) => void,
  onEdit: (account: Account) => void,
): readonly DataColumn<Account>[] {
  const { t } = useTranslation('accounts')
  return useMemo(
    () => [
      {
        id: 'account',
        title: t('column.account'),
        width: 180,
        minWidth: 160,
        grow: true,
        hideable: false,
        sortKey: 'email',
        cell: (account) => <Name account={account} />,
      },
      {
        id: 'health',
        title: t('column.health'),
        width: 104,
        sortKey: 'health',
        cell: (account) => <AccountHealth account={account} onChangeKey={() => onEdit(account)} />,
      },
      {
        id: 'zones',
        title: t('column.zones'),
        width: 76,
        align: 'end',
        sortKey: 'zonesCount',
        cell: (account) => <Zones account={account} onOpen={onDomains} />,
      },
      {
        id: 'pending',
        title: t('column.pending'),
        width: 76,
        align: 'end',
        hiddenAtFirst: 'narrow',
        cell: ({ id }) => {
          const pending = standings.get(id)?.pending
          return pending === undefined ? '…' : formatNumber(pending)
        },
      },
      {
        id: 'room',
        title: t('column.room'),
        hint: t('room.help'),
        width: 88,
        cell: ({ id }) => <Room capacity={standings.get(id)} />,
      },
      {
        id: 'budget',
        title: t('column.budget'),
        width: 76,
        hiddenAtFirst: 'narrow',
        cell: ({ id }) => <BudgetUse budget={budgets.get(id)} />,
      },
      {
        id: 'sync',
        title: t('column.sync'),
        width: 112,
        sortKey: 'syncedAt',
        cell: (account) => <AccountSync account={account} onChangeKey={() => onEdit(account)} />,
      },
      {
        id: 'changes',
        title: t('column.changes'),
        hint: t('changes.help'),
        width: 140,
        hiddenAtFirst: true,
        cell: ({ changeFeed }) => <AccountChangeFeed feed={changeFeed} />,
      },
      {
        id: 'problem',
        title: t('column.problem'),
        width: 110,
        // The health has the reason.
        hiddenAtFirst: true,
        cell: (account) => <Problem words={problemOf(account)} />,
      },
      {
        id: 'kind',
        title: t('column.kind'),
        width: 140,
        hiddenAtFirst: true,
        cell: (account) => <span className={classes['muted']}>{t(`kind.${account.kind}`)}</span>,
      },
      ...(withOwner
        ? [{ id: 'owner', title: t('column.owner'), width: 84, cell: (account: Account) => <PersonName label={account.ownerName} /> }]
        : []),
      {
        id: 'created',
        title: t('column.created'),
        width: 118,
        hiddenAtFirst: true,
        sortKey: 'createdAt',
        cell: (account) => (
          <span className={classes['muted']}>
            <RelativeTime at={account.createdAt} />
          </span>
        ),
      },
    ],
    [t, withOwner, standings, budgets, onDomains, onEdit],
  )
}

function Name({ account: { name, email, shared, sharedWith } }: { account: Account }) {
  return (
    <span className={`flex gap-8 baseline shrink ${classes['name']}`} title={[name, email].filter(Boolean).join('\n')}>
      {name ? <bdi className="medium">{name}</bdi> : null}
      <bdi className={name ? classes['muted'] : 'medium'}>{email}</bdi>
      <SharedMark shared={shared} sharedWith={sharedWith} />
    </span>
  )
}

function Zones({ account, onOpen }: { account: Account; onOpen: (account: Account) => void }) {
  const { t } = useTranslation('accounts')
  return (
    <button
      type="button"
      className={`underlined ${links['link']}`}
      aria-label={`${t('actions.domains')}: ${formatNumber(account.zonesCount)}`}
      onClick={() => onOpen(account)}
    >
      {formatNumber(account.zonesCount)}
    </button>
  )
}

function Problem({ words }: { words: string | null }) {
  return words === null ? null : (
    <span className={classes['muted']} title={words}>
      {words}
    </span>
  )
}
