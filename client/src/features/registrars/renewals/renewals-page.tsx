import { Button } from '@mantine/core'
import { IconCalendarPlus, IconCalendarShare, IconRefresh } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { Suspense, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { BulkDialog, type BulkKind } from '#client/features/operations/index.ts'
import { registrarCatalog } from '#shared/features/registrars/catalog.ts'
import type { Expiry, Renewals } from '#shared/features/registrars/schema.ts'
import { useLiveQueries } from '#client/lib/live-queries.ts'
import { counted, formatDate, formatMoney, formatMonth, formatNumber } from '#client/lib/format.ts'
import { api, trpc } from '#client/lib/trpc.ts'
import { BulkBar, bulkBarSpace } from '#client/ui/table/bulk-bar.tsx'
import { DataTable } from '#client/ui/table/data-table.tsx'
import type { DataColumn } from '#client/ui/table/data-table.types.ts'
import { EmptyState } from '#client/ui/feedback/empty-state.tsx'
import { ErrorState } from '#client/ui/feedback/error-state.tsx'
import { pagedRows } from '#client/ui/table/paged-rows.ts'
import { PageHeader } from '#client/ui/layout/page-header.tsx'
import { RelativeTime } from '#client/ui/display/relative-time.tsx'
import { Skeleton } from '#client/ui/feedback/skeleton.tsx'
import { useColumnLayout } from '#client/ui/table/use-column-layout.ts'
import { useSelection } from '#client/ui/table/use-selection.ts'
import { lateDialog } from '#client/ui/overlay/layer.tsx'
import { ExpiryMark } from '../expiry-mark.tsx'
import { NameCheckbox, SelectAllButton } from '../select-names.tsx'
import { RegistrarMark } from '../registrar-state.tsx'
import { RegistrarTabs } from '../registrar-tabs.tsx'
import { MonthGrid, noonOf } from './month-grid.tsx'
import nameClasses from '../registrars.module.css'
import classes from './renewals.module.css'

const FeedDialog = lateDialog(async () => (await import('./feed-dialog.tsx')).FeedDialog)

const icon = { size: 15, stroke: 1.8, 'aria-hidden': true } as const

/** The last day of the month. */
const endOf = (month: string): string => {
  const first = new Date(month)
  return new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).toISOString().slice(0, 10)
}

/** Expiry dates, renewal costs, and what the balances cover. */
export function RenewalsPage() {
  const { t } = useTranslation(['registrars', 'common'])
  const renewals = trpc.registrars.renewals.useQuery({})
  const [selectedMonth, setSelected] = useState<string | null>(null)
  const [day, setDay] = useState<string | null>(null)
  const [sharing, setSharing] = useState(false)
  useLiveQueries('registrars')
  const overview = renewals.data
  const month = selectedMonth ?? overview?.months.find((each) => each.names > 0)?.month ?? overview?.months[0]?.month
  const counts = useMemo(() => new Map(overview?.days.map((each) => [each.day, each.names])), [overview])
  const inMonth = overview?.months.find((each) => each.month === month)?.names
  const meta =
    overview === undefined
      ? undefined
      : [
          ...(overview.ended === 0 ? [] : [t('renewals.ended', counted(overview.ended))]),
          ...(overview.unknown === 0 ? [] : [t('renewals.unknown', counted(overview.unknown))]),
        ].join(' · ')
  return (
    <>
      <PageHeader
        title={t('renewals.title')}
        meta={meta === '' ? undefined : meta}
        actions={
          <Button variant="default" leftSection={<IconCalendarShare size={15} stroke={1.8} aria-hidden />} onClick={() => setSharing(true)}>
            {t('feed.open')}
          </Button>
        }
      />
      <RegistrarTabs />
      {renewals.isError && overview === undefined ? (
        <ErrorState title={t('renewals.failed')} error={renewals.error} onRetry={() => void renewals.refetch()} />
      ) : overview === undefined || month === undefined ? (
        <Skeleton width={420} height={84} />
      ) : (
        <>
          <Balances balances={overview.balances} />
          <div className={`grid gap-8 ${classes['months']}`} role="group" aria-label={t('renewals.months')}>
            {overview.months.map((each) => (
              <button
                key={each.month}
                type="button"
                className={classes['month']}
                aria-pressed={each.month === month}
                onClick={() => {
                  setSelected(each.month)
                  setDay(null)
                }}
              >
                <strong className="size-13 semibold primary">{formatMonth(noonOf(each.month))}</strong>
                <span className="numeric">{t('common:domains', counted(each.names))}</span>
                {each.costs.map((cost) => (
                  <span className="numeric" key={cost.currency}>
                    {formatMoney(cost)}
                  </span>
                ))}
                {each.unpriced === 0 ? null : (
                  <span className={`numeric ${nameClasses['muted']}`}>{t('renewals.unpriced', counted(each.unpriced))}</span>
                )}
              </button>
            ))}
          </div>
          <div className={`grid gap-16 start ${classes['chosen']}`}>
            <MonthGrid month={month} counts={counts} selectedMonth={day} onChoose={setDay} />
            <Expiries
              key={day ?? month}
              from={day ?? month}
              to={day ?? endOf(month)}
              total={day === null ? inMonth : (counts.get(day) ?? 0)}
              {...(day !== null && { onWholeMonth: () => setDay(null) })}
            />
          </div>
        </>
      )}
      {sharing ? <FeedDialog onClose={() => setSharing(false)} /> : null}
    </>
  )
}

function Balances({ balances }: { balances: Renewals['balances'] }) {
  const { t } = useTranslation('registrars')
  if (balances.length === 0) return null
  return (
    <ul className={`grid gap-8 ${classes['balances']}`} aria-label={t('renewals.balances')}>
      {balances.map(({ registrarId, name, provider, balance, enoughFor, names: all }) => (
        <li className="framed grid size-13" key={registrarId}>
          <span className={`row gap-10 shrink medium ${nameClasses['name']}`}>
            <RegistrarMark provider={provider} name={name} />
            <bdi>{name}</bdi>
          </span>
          <strong className="semibold numeric">{balance === null ? '—' : formatMoney(balance)}</strong>
          <small className="across size-12 muted" data-short={(enoughFor !== null && enoughFor < all) || undefined}>
            {balance === null
              ? t(provider !== 'OTHER' && !registrarCatalog[provider].hasBalance ? 'renewals.no_balance' : 'renewals.balance_unread')
              : enoughFor === null
                ? t('renewals.no_prices')
                : t('renewals.enough', { count: enoughFor, formatted: formatNumber(enoughFor), all: formatNumber(all) })}
          </small>
        </li>
      ))}
    </ul>
  )
}

type Renewing = Extract<BulkKind, 'renew' | 'auto_renew'>
const entryOf = ({ id, displayName }: Expiry) => [id, displayName] as const

async function readAll(range: { from: string; to: string }): Promise<Expiry[]> {
  const all: Expiry[] = []
  for (let cursor: string | undefined; ;) {
    const page = await api.registrars.expiries.query({ ...range, limit: 1_000, ...(cursor !== undefined && { cursor }) })
    all.push(...page.expiries)
    if (page.nextCursor === null) return all
    cursor = page.nextCursor
  }
}

function Expiries({
  from,
  to,
  total,
  onWholeMonth,
}: {
  from: string
  to: string
  total: number | undefined
  /** If only one day is shown. */
  onWholeMonth?: () => void
}) {
  const { t } = useTranslation(['registrars', 'operations'])
  const list = trpc.registrars.expiries.useInfiniteQuery(
    { from, to, limit: 200 },
    { getNextPageParam: (page) => page.nextCursor ?? undefined },
  )
  const rows = useMemo(() => list.data?.pages.flatMap(({ expiries }) => expiries) ?? [], [list.data])
  const columns = useExpiryColumns()
  const [asking, setAsking] = useState<Renewing | null>(null)
  const { selected, select, selectAll, clear, table } = useSelection({
    rows,
    entryOf,
    rest: { total, readAll: async () => (await readAll({ from, to })).map(entryOf), failure: t('renewals.failed') },
  })
  const layout = useColumnLayout('expiries', columns)
  if (list.isError && list.data === undefined) return <ErrorState error={list.error} onRetry={() => void list.refetch()} />
  return (
    <div className="column min-h-420">
      <DataTable
        label={t('renewals.list')}
        {...pagedRows(list, rows)}
        getRowId={({ id }) => id}
        getRowLabel={({ displayName }) => displayName}
        columns={columns}
        layout={layout}
        scrollKey={`${from} ${to}`}
        selection={table}
        bottomSpace={selected.size > 0 ? bulkBarSpace : 0}
        renderCard={(row) => (
          <div className={`grid middle size-13 ${nameClasses['nameCard']}`}>
            <NameCheckbox name={row.displayName} selected={selected.has(row.id)} onSelect={(value) => select([row], value)} />
            <span className={`${nameClasses['grow']} ${nameClasses['muted']}`}>
              <Source {...row} />
            </span>
            <ExpiryMark expiresAt={row.expiresAt} />
          </div>
        )}
        cardHeight={74}
        empty={
          <EmptyState
            picture="empty"
            title={t('renewals.none')}
            text={t('renewals.none_text')}
            {...(onWholeMonth && {
              action: (
                <Button variant="default" onClick={onWholeMonth}>
                  {t('renewals.whole_month')}
                </Button>
              ),
            })}
          />
        }
      />
      <BulkBar
        count={selected.size}
        label={t('unbound.selected', counted(selected.size))}
        onClear={clear}
        extra={<SelectAllButton selected={selected.size} total={total} onSelectAll={() => void selectAll()} />}
      >
        {(['renew', 'auto_renew'] as const).map((kind) => (
          <Button
            key={kind}
            variant="subtle"
            color="gray"
            size="xs"
            leftSection={kind === 'renew' ? <IconCalendarPlus {...icon} /> : <IconRefresh {...icon} />}
            onClick={() => setAsking(kind)}
          >
            {t(`operations:bulk.${kind}`)}
          </Button>
        ))}
      </BulkBar>
      {asking === null ? null : (
        <Suspense>
          <BulkDialog
            kind={asking}
            count={selected.size}
            targetOf={() => Promise.resolve({ nameIds: [...selected.keys()] })}
            onStarted={() => {
              setAsking(null)
              clear()
            }}
            onClose={() => setAsking(null)}
          />
        </Suspense>
      )}
    </div>
  )
}

/** The source of an expiry date and its age. */
function Source({ source, registrar, heldBy, readAt }: Pick<Expiry, 'source' | 'registrar' | 'heldBy' | 'readAt'>) {
  const { t } = useTranslation('registrars')
  return (
    <span title={source === 'registry' ? (heldBy ?? undefined) : undefined}>
      <bdi>{source === 'registrar' && registrar !== null ? registrar.name : t('renewals.by_registry')}</bdi>
      {', '}
      <RelativeTime at={readAt} />
    </span>
  )
}

function useExpiryColumns(): readonly DataColumn<Expiry>[] {
  const { t } = useTranslation('registrars')
  return useMemo(
    () => [
      {
        id: 'name',
        title: t('unbound.column.name'),
        width: 150,
        minWidth: 130,
        grow: true,
        hideable: false,
        cell: ({ displayName, zoneId: domainId }) =>
          domainId === null ? (
            <bdi className="mono">{displayName}</bdi>
          ) : (
            <Link to="/domains/$id" params={{ id: domainId }} className={`${nameClasses['grow']} mono`}>
              <bdi>{displayName}</bdi>
            </Link>
          ),
      },
      { id: 'expires', title: t('unbound.column.expires'), width: 116, cell: ({ expiresAt }) => formatDate(expiresAt) },
      {
        id: 'cost',
        title: t('renewals.cost'),
        width: 84,
        align: 'end',
        cell: ({ renewal }) =>
          renewal === null ? (
            <span className={nameClasses['muted']} title={t('renewals.no_prices')}>
              {t('renewals.price_unknown')}
            </span>
          ) : (
            formatMoney(renewal)
          ),
      },
      {
        id: 'renew',
        title: t('unbound.column.renew'),
        width: 84,
        cell: ({ autoRenew }) => (autoRenew === null ? null : t(autoRenew ? 'unbound.yes' : 'unbound.no')),
      },
      {
        id: 'registrar',
        title: t('unbound.column.registrar'),
        width: 130,
        hiddenAtFirst: true,
        cell: ({ registrar, heldBy }) => (
          <bdi title={registrar?.name ?? heldBy ?? undefined}>
            {registrar?.name ?? <span className={nameClasses['muted']}>{heldBy}</span>}
          </bdi>
        ),
      },
      { id: 'source', title: t('renewals.source'), width: 88, cell: (row) => <Source {...row} /> },
    ],
    [t],
  )
}
