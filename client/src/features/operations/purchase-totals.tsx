import { Checkbox } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { findKind } from '#shared/features/operations/registry.ts'
import type { PurchaseTotal } from '#shared/features/registrars/buying/schema.ts'
import { formatMoney } from '#client/lib/format.ts'
import { useOperationWords } from './use-operation-words.ts'
import classes from './operations.module.css'

/** The cost of a purchase or renewal at each registrar, and the confirmation that it cannot be undone. */
export function PurchaseTotals({
  kind,
  totals,
  agreed,
  onAgree,
}: {
  kind: string
  totals: readonly PurchaseTotal[]
  agreed: boolean
  onAgree: (agreed: boolean) => void
}) {
  const { t } = useTranslation('operations')
  const words = useOperationWords()
  const paid = totals.map(({ registrar, total }) => t('purchase.paid', { registrar, total: formatMoney(total) }))
  return (
    <>
      <ul className={`column scroll-y size-13 ${classes['shares']}`} aria-label={t('purchase.totals')}>
        {totals.map(({ registrarId, registrar, names, total, renewal, balance }) => (
          <li className="grid baseline" key={`${registrarId} ${total.currency}`}>
            <bdi>{registrar}</bdi>
            <strong className="medium numeric">{formatMoney(total)}</strong>
            <span className={`size-12 muted ${classes['quiet']}`}>
              {[
                words.domains(names),
                findKind(kind)?.target === 'registrar_names'
                  ? null
                  : renewal === null
                    ? t('purchase.renewal_unknown')
                    : t('purchase.renewal', { price: formatMoney(renewal) }),
                balance === null ? null : t('purchase.balance', { balance: formatMoney(balance) }),
              ]
                .filter((part) => part !== null)
                .join(' · ')}
            </span>
          </li>
        ))}
      </ul>
      <Checkbox
        size="sm"
        label={t('purchase.agree', { paid: paid.join(', ') })}
        checked={agreed}
        onChange={(event) => onAgree(event.currentTarget.checked)}
      />
    </>
  )
}
