import { IconAlertTriangle } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { Registrar } from '#shared/features/registrars/schema.ts'
import { formatMoney, formatNumber } from '#client/lib/format.ts'
import type { Check } from './check-store.ts'
import { isEnough, type Sum } from './offers.ts'
import classes from './buying.module.css'

/** What each registrar is paid, beside what is on its account. */
export function OrderSummary({
  sums,
  registrars,
  asked,
  years,
}: {
  sums: readonly Sum[]
  registrars: readonly Registrar[]
  asked: Check
  /** For how long names are bought. */
  years: number
}) {
  const { t } = useTranslation(['buying', 'failures'])
  return (
    <ul className={classes['sums']}>
      {sums.map(({ registrarId, names, total, renewal }) => {
        const registrar = registrars.find(({ id }) => id === registrarId)
        const balance = asked.byRegistrar.get(registrarId)?.balance ?? registrar?.balance ?? null
        const enough = isEnough(total, balance)
        const lines = [
          { label: t('sum.names'), value: formatNumber(names) },
          { label: t('term.label'), value: t('term.years', { count: years, formatted: formatNumber(years) }) },
          { label: t('sum.renewal'), value: renewal === null ? t('sum.unknown') : formatMoney(renewal) },
          { label: t('sum.balance'), value: balance === null ? t('sum.no_balance') : formatMoney(balance) },
          ...(enough === true && balance !== null
            ? [{ label: t('sum.left'), value: formatMoney({ minor: balance.minor - total.minor, currency: total.currency }) }]
            : []),
        ]
        return (
          <li key={`${registrarId} ${total.currency}`} data-short={enough === false || undefined}>
            <div className={classes['sumHead']}>
              <bdi>{registrar?.name ?? ''}</bdi>
              <strong>{formatMoney(total)}</strong>
            </div>
            <dl>
              {lines.map(({ label, value }) => (
                <div key={label}>
                  <dt>{label}</dt>
                  <dd>{value}</dd>
                </div>
              ))}
            </dl>
            {enough === false && balance !== null ? (
              <p className={classes['short']} role="alert">
                <IconAlertTriangle size={14} stroke={1.8} aria-hidden />
                {t('sum.short', {
                  words: t('failures:codes.registrar_money'),
                  missing: formatMoney({ minor: total.minor - balance.minor, currency: total.currency }),
                })}
              </p>
            ) : null}
          </li>
        )
      })}
    </ul>
  )
}
