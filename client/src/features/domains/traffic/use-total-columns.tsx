import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { TrafficTotalsBy, TrafficTotal } from '#shared/features/domains/traffic-totals.ts'
import { formatBytes, formatNumber, formatShare, formatShort } from '#client/lib/format.ts'
import { RelativeTime } from '#client/ui/display/relative-time.tsx'
import type { DataColumn } from '#client/ui/table/data-table.types.ts'
import { TrendCell } from '../list/domain-cells.tsx'
import type { TrafficPeriod } from './search.ts'

export type TrafficSum = TrafficTotal['month']

export const errorShare = (errors: number, { requests }: Pick<TrafficSum, 'requests'>): string =>
  requests === 0 ? '—' : formatShare(errors / requests, 1)

export function useTotalColumns(by: TrafficTotalsBy, period: TrafficPeriod): readonly DataColumn<TrafficTotal>[] {
  const { t } = useTranslation('traffic')
  return useMemo(() => {
    const amount = (id: keyof TrafficSum, title: string, width: number, shown: (sum: TrafficSum) => string): DataColumn<TrafficTotal> => ({
      id,
      title,
      width,
      align: 'end',
      sortKey: id,
      cell: ({ [period]: sum }) => shown(sum),
    })
    return [
      {
        id: 'name',
        title: t(`by.${by}`),
        width: 260,
        minWidth: 160,
        grow: true,
        hideable: false,
        sortKey: 'name',
        cell: ({ name }) =>
          name === null ? (
            <span className="cut block shrink secondary">
              {t('no_group')} <span className="size-12 muted">· {t('no_group_opens')}</span>
            </span>
          ) : (
            <bdi className="cut block shrink medium" title={name}>
              {name}
            </bdi>
          ),
      },
      {
        id: 'domains',
        title: t('column.domains'),
        width: 104,
        align: 'end',
        sortKey: 'domains',
        cell: ({ domains }) => formatNumber(domains),
      },
      amount('requests', t('column.requests'), 112, ({ requests }) => formatShort(requests)),
      { id: 'trend', title: t('column.trend'), width: 140, hiddenAtFirst: 'narrow', cell: ({ trend }) => <TrendCell trend={trend} /> },
      amount('bytes', t('column.bytes'), 108, ({ bytes }) => formatBytes(bytes)),
      amount('threats', t('column.threats'), 96, ({ threats }) => formatShort(threats)),
      amount('clientErrors', t('column.client_errors'), 112, (sum) => errorShare(sum.clientErrors, sum)),
      amount('serverErrors', t('column.server_errors'), 112, (sum) => errorShare(sum.serverErrors, sum)),
      {
        id: 'readAt',
        title: t('column.read_at'),
        width: 130,
        hiddenAtFirst: true,
        cell: ({ readAt }) => (
          <span className="muted">
            <RelativeTime at={readAt} />
          </span>
        ),
      },
    ]
  }, [t, by, period])
}
