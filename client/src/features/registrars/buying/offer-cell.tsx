import { VisuallyHidden } from '@mantine/core'
import { IconCircle, IconCircleDot } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { Registrar } from '#shared/features/registrars/schema.ts'
import { issueText } from '#client/lib/errors.ts'
import { formatMoney } from '#client/lib/format.ts'
import { Skeleton } from '#client/ui/feedback/skeleton.tsx'
import type { RegistrarCheck } from './check-store.ts'
import { draft } from './draft.ts'
import { isPriced, type Offer, type Priced } from './offers.ts'
import tags from '#client/ui/display/tag.module.css'
import classes from './buying.module.css'

/** The offer of one registrar for a name; a price can be selected. */
export function OfferCell({
  offer,
  check,
  registrar,
  selected,
  onChoose,
}: {
  offer: Offer | undefined
  check: RegistrarCheck | undefined
  registrar: Pick<Registrar, 'name'>
  selected: boolean
  onChoose: (offer: Priced) => void
}) {
  const { t } = useTranslation('buying')
  const { years: asked } = draft.use()
  if (offer === undefined) {
    return check?.state === 'running' ? <Skeleton width={64} /> : <span className={classes['quiet']}>{t('offer.unasked')}</span>
  }
  if (isPriced(offer)) {
    const { price, renewal, years, premium } = offer
    const words = [
      `${registrar.name}: ${formatMoney(price)}`,
      years > 1 ? t('offer.for_years', { count: years, formatted: String(years) }) : null,
      renewal === null ? null : t('offer.renewal', { price: formatMoney(renewal) }),
      premium ? t('offer.premium_help') : null,
    ].filter((part) => part !== null)
    const Symbol = selected ? IconCircleDot : IconCircle
    return (
      <button
        type="button"
        className={classes['offer']}
        aria-pressed={selected}
        title={words.join('\n')}
        onClick={(event) => {
          event.stopPropagation()
          onChoose(offer)
        }}
      >
        <Symbol size={14} stroke={selected ? 2.2 : 1.6} aria-hidden />
        <VisuallyHidden>{registrar.name}: </VisuallyHidden>
        {premium ? (
          <span className={tags['tag']} data-tone="warn">
            {t('offer.premium')}
          </span>
        ) : null}
        {formatMoney(price)}
        {years === asked ? null : <small>{t('offer.years', { count: years, formatted: String(years) })}</small>}
      </button>
    )
  }
  const why =
    offer.state === 'invalid'
      ? issueText({ path: '', message: offer.code })
      : offer.state === 'unknown' || offer.state === 'unsupported'
        ? [offer.code, offer.message].filter((part) => part !== null && part !== '').join(': ')
        : ''
  const isOnWebsite = (offer.state === 'unsupported' || offer.state === 'unknown') && offer.onWebsite === true
  const ours =
    offer.state !== 'available'
      ? t(isOnWebsite ? 'offer.on_website' : `offer.${offer.state}`)
      : offer.onlyFor === undefined
        ? t('offer.no_price')
        : t('offer.only_for', { count: offer.onlyFor, formatted: String(offer.onlyFor) })
  const words = why === '' ? ours : `${ours} · ${why}`
  const help = offer.state === 'available' && offer.onlyFor === undefined ? t('offer.no_price_help') : words
  return (
    <span className={classes['quiet']} data-state={offer.state} title={help}>
      {words}
    </span>
  )
}
