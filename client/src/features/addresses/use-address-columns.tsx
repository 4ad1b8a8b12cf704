import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { OriginAddress } from '#shared/features/addresses/schema.ts'
import { formatNumber } from '#client/lib/format.ts'
import type { DataColumn } from '#client/ui/table/data-table.types.ts'

export function useAddressColumns(): readonly DataColumn<OriginAddress>[] {
  const { t } = useTranslation('addresses')
  return useMemo(
    () => [
      {
        id: 'address',
        title: t('column.address'),
        width: 320,
        minWidth: 180,
        grow: true,
        hideable: false,
        sortKey: 'address',
        cell: ({ address }) => (
          <bdi className="cut block shrink mono" dir="ltr" title={address}>
            {address}
          </bdi>
        ),
      },
      {
        id: 'type',
        title: t('column.type'),
        width: 100,
        cell: ({ type }) => <span className="fixed size-12 regular secondary code">{type}</span>,
      },
      {
        id: 'domains',
        title: t('column.domains'),
        width: 120,
        align: 'end',
        sortKey: 'domains',
        cell: ({ domains }) => <strong>{formatNumber(domains)}</strong>,
      },
      {
        id: 'records',
        title: t('column.records'),
        width: 120,
        align: 'end',
        sortKey: 'records',
        cell: ({ records }) => formatNumber(records),
      },
      { id: 'proxied', title: t('column.proxied'), width: 140, align: 'end', cell: ({ proxied }) => <Count count={proxied} /> },
      {
        id: 'unproxied',
        title: t('column.unproxied'),
        width: 140,
        align: 'end',
        cell: ({ records, proxied }) => <Count count={records - proxied} />,
      },
    ],
    [t],
  )
}

function Count({ count }: { count: number }) {
  return <span className={count === 0 ? 'muted' : undefined}>{formatNumber(count)}</span>
}
