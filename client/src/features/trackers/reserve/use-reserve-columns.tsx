import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { ReserveDomain } from '#shared/features/trackers/schema.ts'
import { formatDate } from '#client/lib/format.ts'
import type { DataColumn } from '#client/ui/table/data-table.types.ts'
import { StateBadge } from '#client/ui/display/state-badge.tsx'
import { CutName } from '../tracker-mark.tsx'
import { DomainCell } from '../domain-cell.tsx'

export function useReserveColumns(): readonly DataColumn<ReserveDomain & { id: string }>[] {
  const { t } = useTranslation('trackers')
  return useMemo(
    () => [
      {
        id: 'name',
        title: t('column.domain'),
        width: 180,
        minWidth: 150,
        grow: true,
        hideable: false,
        cell: ({ zoneId: domainId, displayName }) => <DomainCell domainId={domainId} displayName={displayName} />,
      },
      { id: 'ready', title: t('reserve.column.ready'), width: 146, grow: true, cell: ({ problems }) => <Readiness problems={problems} /> },
      {
        id: 'group',
        title: t('reserve.column.group'),
        width: 144,
        cell: ({ group }) => (group === null ? <span className="muted">{t('reserve.any_group')}</span> : <CutName name={group.name} />),
      },
      {
        id: 'note',
        title: t('reserve.column.note'),
        width: 110,
        grow: true,
        cell: ({ note }) => (note === null ? null : <CutName name={note} />),
      },
      {
        id: 'account',
        title: t('column.account'),
        width: 150,
        cell: ({ account }) => <CutName name={account} />,
      },
      {
        id: 'paid',
        title: t('reserve.column.paid'),
        width: 116,
        cell: ({ paidUntil }) => (paidUntil === null ? null : formatDate(paidUntil)),
      },
      { id: 'added', title: t('reserve.column.added'), width: 116, hiddenAtFirst: 'narrow', cell: ({ addedAt }) => formatDate(addedAt) },
    ],
    [t],
  )
}

/** Whether a domain can replace another now, or what blocks it. */
export function Readiness({ problems }: Pick<ReserveDomain, 'problems'>) {
  const { t } = useTranslation(['trackers', 'operations'])
  const words = problems.map((problem) => t(`operations:unready.${problem}`)).join(', ')
  const label = words.slice(0, 1).toUpperCase() + words.slice(1)
  return (
    <span title={words === '' ? undefined : words}>
      <StateBadge quiet tone={problems.length === 0 ? 'good' : 'warn'} label={problems.length === 0 ? t('reserve.ready') : label} />
    </span>
  )
}
