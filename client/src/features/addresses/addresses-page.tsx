import { Button } from '@mantine/core'
import { keepPreviousData } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useCallback, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { AddressSort, OriginAddress } from '#shared/features/addresses/schema.ts'
import { counted, formatNumber } from '#client/lib/format.ts'
import { trpc } from '#client/lib/trpc.ts'
import type { Sort } from '#client/ui/table/data-table.types.ts'
import { EmptyState } from '#client/ui/feedback/empty-state.tsx'
import { EntityListPage } from '#client/ui/layout/entity-list-page.tsx'
import { FilterSelect } from '#client/ui/filter/filter-select.tsx'
import { useColumnLayout } from '#client/ui/table/use-column-layout.ts'
import { lateDialog } from '#client/ui/overlay/layer.tsx'
import { addressTypes, parseAddressesSearch } from './search.ts'
import { useAddressColumns } from './use-address-columns.tsx'
import classes from './addresses.module.css'

const AddressDialog = lateDialog(async () => (await import('./address-dialog.tsx')).AddressDialog)

const route = getRouteApi('/_app/addresses')
const pageSize = 100
const cardHeight = 92

const sortKeys: Record<string, AddressSort['by']> = { domains: 'domains', records: 'records', address: 'address' }

/** The addresses that domains point to, with the option to move all domains of one address. */
export function AddressesPage() {
  const { t } = useTranslation('addresses')
  // Parsed again, because the router keeps unknown parameters of the first parse.
  const { q = '', type, move, owner } = parseAddressesSearch(route.useSearch())
  const navigate = route.useNavigate()
  const [sort, setSort] = useState<Sort>({ key: 'domains', direction: 'desc' })
  const [opened, setOpened] = useState<OriginAddress | null>(null)
  const list = trpc.addresses.list.useInfiniteQuery(
    {
      ...(q !== '' && { search: q }),
      ...(type && { type }),
      sort: { by: sortKeys[sort.key] ?? 'domains', direction: sort.direction },
      limit: pageSize,
    },
    { getNextPageParam: (page) => page.nextCursor, placeholderData: keepPreviousData, staleTime: 0 },
  )
  const addresses = useMemo(() => list.data?.pages.flatMap((page) => page.addresses) ?? [], [list.data])
  const { hasNextPage, isFetching, fetchNextPage } = list
  const onRange = useCallback(
    (_from: number, to: number): void => {
      if (hasNextPage && !isFetching && to >= addresses.length - 20) void fetchNextPage()
    },
    [hasNextPage, isFetching, fetchNextPage, addresses.length],
  )
  const columns = useAddressColumns()
  const layout = useColumnLayout('addresses', columns)
  const total = list.data?.pages[0]?.total
  const filtered = q !== '' || type !== undefined
  const change = (part: { q?: string; type?: OriginAddress['type'] | undefined }): void =>
    void navigate({ replace: true, search: (before) => parseAddressesSearch({ ...before, ...part }) })

  return (
    <EntityListPage
      title={t('title')}
      count={total}
      list={list}
      failed={t('failed')}
      untouched={
        total === 0 && !filtered && !list.isPlaceholderData ? (
          <EmptyState
            picture="empty"
            title={t('empty.title')}
            text={t('empty.text')}
            action={
              <Button variant="default" renderRoot={(props) => <Link to="/domains" {...props} />}>
                {t('empty.action')}
              </Button>
            }
          />
        ) : null
      }
      rows={addresses}
      onRangeVisible={onRange}
      filter={{
        label: t('search'),
        text: q,
        onText: (text) => change({ q: text }),
        filters: (
          <FilterSelect
            label={t('column.type')}
            options={addressTypes.map((each) => ({ value: each, label: each }))}
            values={type === undefined ? [] : [type]}
            onChange={([selected]) => change({ type: selected })}
          />
        ),
        active: type === undefined ? 0 : 1,
        onReset: () => change({ q: '', type: undefined }),
      }}
      noMatch={{
        title: t('no_match.title'),
        onReset: () => change({ q: '', type: undefined }),
      }}
      table={{
        getRowId: ({ address }) => address,
        getRowLabel: ({ address }) => address,
        columns,
        layout,
        sort,
        onSort: setSort,
        onOpen: setOpened,
      }}
      card={(row) => <Card row={row} onOpen={() => setOpened(row)} />}
      cardHeight={cardHeight}
      scrollKey={`${q} ${type ?? ''} ${sort.key} ${sort.direction}`}
    >
      {opened === null ? null : <AddressDialog origin={opened} onClose={() => setOpened(null)} />}
      {move === undefined ? null : (
        <MoveDialog
          address={move}
          ownerId={owner}
          onClose={() => void navigate({ replace: true, search: ({ move: _move, owner: _owner, ...rest }) => rest })}
        />
      )}
    </EntityListPage>
  )
}

/** The dialog of exactly this address, opened by a link. It is not shown if no domain points there any more. */
function MoveDialog({ address, ownerId, onClose }: { address: string; ownerId: string | undefined; onClose: () => void }) {
  const found = trpc.addresses.list.useQuery({ search: address, ...(ownerId && { ownerId }), sort: { by: 'address', direction: 'asc' } })
  const origin = found.data?.addresses.find((each) => each.address === address)
  return origin === undefined ? null : <AddressDialog origin={origin} ownerId={ownerId} moves onClose={onClose} />
}

function Card({ row: { address, type, domains, records, proxied }, onOpen }: { row: OriginAddress; onOpen: () => void }) {
  const { t } = useTranslation(['addresses', 'common'])
  return (
    <button type="button" className={`focus-inside ${classes['card']}`} onClick={onOpen}>
      <span className="flex gap-10 baseline between shrink semibold size-14">
        <bdi className="cut block shrink mono" dir="ltr">
          {address}
        </bdi>
        <span className="fixed size-12 regular secondary code">{type}</span>
      </span>
      <span>
        {t('common:domains', counted(domains))} · {t('records', counted(records))}
      </span>
      <span className="size-12 muted">
        {t('proxied_of', { proxied: formatNumber(proxied), unproxied: formatNumber(records - proxied) })}
      </span>
    </button>
  )
}
