import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { AccountState } from '#shared/features/settings/schema.ts'
import { counted, formatNumber, formatShare } from '#client/lib/format.ts'
import type { DataColumn } from '#client/ui/table/data-table.types.ts'
import { RelativeTime } from '#client/ui/display/relative-time.tsx'
import { PersonName } from '#client/ui/display/person-name.tsx'
import { AccountFreshness } from './account-freshness.tsx'
import { shareOf, type Budget } from './budgets.ts'

/** `withOwner`: the list contains accounts of other users. */
export function useStateColumns(withOwner: boolean, budgets: readonly Budget[]): readonly DataColumn<AccountState>[] {
  const { t } = useTranslation('settings')
  return useMemo(
    () => [
      {
        id: 'account',
        title: t('fresh.account'),
        width: 240,
        minWidth: 160,
        grow: true,
        hideable: false,
        sortKey: 'email',
        cell: ({ name, email }) => (
          <span className="cut primary" title={[name, email].filter(Boolean).join('\n')}>
            <bdi>{name || email}</bdi>
          </span>
        ),
      },
      ...(withOwner
        ? [{ id: 'owner', title: t('fresh.owner'), width: 140, cell: (account: AccountState) => <PersonName label={account.ownerName} /> }]
        : []),
      {
        id: 'zones',
        title: t('fresh.zones'),
        width: 100,
        align: 'end',
        sortKey: 'zonesCount',
        cell: ({ zonesCount }) => formatNumber(zonesCount),
      },
      {
        id: 'list',
        title: t('fresh.list'),
        width: 200,
        sortKey: 'syncedAt',
        cell: (account) => <AccountFreshness account={account} />,
      },
      {
        id: 'details',
        title: t('fresh.details'),
        width: 175,
        sortKey: 'detailsPending',
        cell: ({ sync }) => (
          <span className="muted">
            {sync.refused !== null
              ? t(`fresh.refused_${sync.refused}`)
              : sync.detailsPending === 0
                ? // If the list failed, it is unknown whether everything was read.
                  sync.state === 'failed'
                  ? '—'
                  : t('fresh.details_done')
                : t('fresh.details_left', counted(sync.detailsPending))}
          </span>
        ),
      },
      {
        id: 'next',
        title: t('fresh.next'),
        width: 140,
        hiddenAtFirst: 'narrow',
        cell: ({ sync }) =>
          sync.state === 'queued' || sync.state === 'running' ? null : (
            <span className="muted">
              <RelativeTime at={sync.nextAt} />
            </span>
          ),
      },
      {
        id: 'budget',
        title: t('fresh.budget'),
        width: 110,
        align: 'end',
        sortKey: 'budget',
        cell: ({ budget }) => formatShare(shareOf(budgets[budget])),
      },
    ],
    [t, withOwner, budgets],
  )
}
