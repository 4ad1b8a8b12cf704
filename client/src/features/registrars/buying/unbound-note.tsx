import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { counted } from '#client/lib/format.ts'
import { trpc } from '#client/lib/trpc.ts'
import classes from './buying.module.css'

const named = 5

/** Purchased names without a Cloudflare zone, which need no purchase (R-BUY-01, R-BUY-04). */
export function UnboundNote() {
  const { t } = useTranslation(['buying', 'common'])
  const found = trpc.registrars.names.useQuery({ which: 'unbound', limit: named }).data
  if (found === undefined || found.total === 0) return null
  const more = found.total - found.names.length
  return (
    <section className={`grid gap-6 size-13 ${classes['unbound']}`} aria-label={t('unbound.label')}>
      <p className="anywhere">{t('unbound.text', counted(found.total))}</p>
      <p className={`anywhere ${classes['quiet']} mono`}>
        {found.names.map(({ displayName }) => displayName).join(', ')}
        {more > 0 ? ` ${t('common:and_more', counted(more))}` : ''}
      </p>
      <Link to="/registrars/unbound" className={classes['link']}>
        {t('unbound.show')}
      </Link>
    </section>
  )
}
