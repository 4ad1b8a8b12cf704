import { useTranslation } from 'react-i18next'
import { counted, formatDateTime, formatMoney } from '#client/lib/format.ts'
import { trpc } from '#client/lib/trpc.ts'
import { EmptyState } from '#client/ui/feedback/empty-state.tsx'
import { ErrorState } from '#client/ui/feedback/error-state.tsx'
import { Skeleton } from '#client/ui/feedback/skeleton.tsx'
import tables from '#client/ui/table/plain-table.module.css'
import classes from './operations.module.css'

const mostNames = 1_000
const againMs = 5_000

/** The names bought by an operation, with price, fees, term, registrar and total. */
export function Receipt({ id, going }: { id: string; going: boolean }) {
  const { t } = useTranslation(['operations', 'common'])
  const query = trpc.buying.purchases.useQuery(
    { operationId: id, limit: mostNames },
    { refetchInterval: going ? againMs : false, staleTime: 0 },
  )
  if (query.isError && query.data === undefined) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />
  if (query.data === undefined) return <Skeleton width={320} height={48} />
  const { purchases, totals } = query.data
  if (purchases.length === 0) return <EmptyState picture="empty" title={t('receipt.empty')} text={t('receipt.empty_text')} />
  return (
    <div className={`framed ${classes['receipt']}`} role="region" aria-label={t('views.receipt')} tabIndex={0}>
      <table className={`numeric nowrap ${tables['table']}`}>
        <thead>
          <tr>
            {(['domain', 'registrar', 'term', 'price', 'fees', 'total', 'order', 'bought'] as const).map((column) => (
              <th key={column} scope="col">
                {t(`receipt.${column}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {purchases.map((each) => (
            <tr key={each.id}>
              <th scope="row">
                <bdi>{each.displayName}</bdi>
              </th>
              <td>
                <bdi>{each.registrar ?? t('receipt.gone')}</bdi>
              </td>
              <td>
                {t('receipt.years', counted(each.years))}
                {each.renewal ? `, ${t('receipt.renewal')}` : null}
              </td>
              <td>{formatMoney(each.price)}</td>
              <td>{each.fees === null ? t('receipt.included') : formatMoney(each.fees)}</td>
              <td>{formatMoney(each.total)}</td>
              <td className="mono">{each.orderId ?? '—'}</td>
              <td>{each.boughtAt === null ? '—' : formatDateTime(each.boughtAt)}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          {totals.map(({ names, total }) => (
            <tr key={total.currency}>
              <th scope="row" colSpan={5}>
                {t('common:domains', counted(names))}
              </th>
              <td colSpan={3}>{formatMoney(total)}</td>
            </tr>
          ))}
        </tfoot>
      </table>
    </div>
  )
}
