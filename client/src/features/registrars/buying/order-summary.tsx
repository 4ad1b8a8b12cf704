import { Button } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { registrarCatalog } from '#shared/features/registrars/catalog.ts'
import type { MoneyView, Registrar } from '#shared/features/registrars/schema.ts'
import { counted, formatMoney, formatNumber } from '#client/lib/format.ts'
import type { Check } from './check-store.ts'
import { draft } from './draft.ts'
import { alternativesFor, isEnough, type Sum, type Taken } from './offers.ts'
import classes from './buying.module.css'

const alternativesShown = 2

/** Moves all of these names to another registrar, with its price; confirmed with the order. */
const buyAt = (registrarId: string, moved: readonly Taken[]): void =>
  draft.set((before) => ({
    ...before,
    choices: {
      ...before.choices,
      picks: new Map([...before.choices.picks, ...moved.map(({ row }) => [row.name, { registrarId, agreed: null }] as const)]),
    },
  }))

const isCharged = (registrar: Registrar | undefined): boolean =>
  registrar !== undefined && registrar.provider !== 'OTHER' && !registrarCatalog[registrar.provider].hasBalance

/** The total of each registrar, beside its balance. */
export function OrderSummary({
  sums,
  taken,
  registrars,
  asked,
  years,
}: {
  sums: readonly Sum[]
  taken: readonly Taken[]
  registrars: readonly Registrar[]
  asked: Check
  /** The terms of the names. */
  years: number
}) {
  const { t } = useTranslation(['buying', 'failures'])
  const nameOf = (id: string): string => registrars.find((each) => each.id === id)?.name ?? ''
  const balanceOf = (id: string): MoneyView | null =>
    asked.byRegistrar.get(id)?.balance ?? registrars.find((each) => each.id === id)?.balance ?? null
  return (
    <ul className={`column ${classes['sums']}`}>
      {sums.map(({ registrarId, names, total, renewal }) => {
        const registrar = registrars.find(({ id }) => id === registrarId)
        const balance = balanceOf(registrarId)
        const enough = isEnough(total, balance)
        const lines = [
          { label: t('sum.names'), value: formatNumber(names) },
          { label: t('term.label'), value: t('term.years', counted(years)) },
          { label: t('sum.renewal'), value: renewal === null ? t('sum.unknown') : formatMoney(renewal) },
          {
            label: t('sum.balance'),
            value: balance === null ? t(isCharged(registrar) ? 'sum.charged' : 'sum.balance_unread') : formatMoney(balance),
          },
          ...(enough === true && balance !== null
            ? [{ label: t('sum.left'), value: formatMoney({ minor: balance.minor - total.minor, currency: total.currency }) }]
            : []),
        ]
        return (
          <li className="size-13 numeric" key={`${registrarId} ${total.currency}`} data-short={enough === false || undefined}>
            <div className="flex gap-12 between medium">
              <bdi>{registrar?.name ?? ''}</bdi>
              <strong className="semibold">{formatMoney(total)}</strong>
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
              <p className={`flex gap-6 top size-12 bad ${classes['short']}`} role="alert">
                <IconAlertTriangle size={14} stroke={1.8} aria-hidden />
                {t('sum.short', {
                  words: t('failures:codes.registrar_money'),
                  missing: formatMoney({ minor: total.minor - balance.minor, currency: total.currency }),
                })}
              </p>
            ) : null}
            {enough === false
              ? alternativesFor({ registrarId, total }, taken, asked.registrarIds, balanceOf)
                  .slice(0, alternativesShown)
                  .map((other) => (
                    <Button
                      key={other.registrarId}
                      mt={6}
                      variant="default"
                      size="xs"
                      onClick={() =>
                        buyAt(
                          other.registrarId,
                          taken.filter((each) => each.registrarId === registrarId && each.offer.price.currency === total.currency),
                        )
                      }
                    >
                      {t('sum.instead', { registrar: nameOf(other.registrarId), total: formatMoney(other.total) })}
                    </Button>
                  ))
              : null}
          </li>
        )
      })}
    </ul>
  )
}
