import { useTranslation } from 'react-i18next'
import { formatNumber, formatRelative } from '#client/lib/format.ts'
import { Freshness } from '#client/ui/freshness.tsx'
import type { DomainRows } from './use-domain-rows.ts'
import classes from './domains-freshness.module.css'

/** How many there are, how old the list is, and what is still being read. */
export function DomainsFreshness({ rows, filtered }: { rows: DomainRows; filtered: boolean }) {
  const { t } = useTranslation('domains')
  const { summary } = rows
  if (summary === undefined) return null
  const { oldest, newest, syncing, detailsPending } = summary.freshness
  const many = (count: number) => ({ count, total: formatNumber(count) })
  const notes = [
    newest === null ? null : t('sync.newest', { when: formatRelative(newest) }),
    oldest === null ? null : t('sync.oldest', { when: formatRelative(oldest) }),
  ].filter((note) => note !== null)
  return (
    <span className={classes['meta']}>
      <span role="status" aria-live="polite">
        {t(filtered ? 'found' : 'count', many(rows.count))}
      </span>
      <Freshness at={oldest} updating={syncing > 0} {...(notes.length > 0 && { note: notes.join('\n') })} />
      {syncing > 0 ? <span>{t('sync.syncing', many(syncing))}</span> : null}
      {detailsPending > 0 ? <span title={t('sync.details_hint')}>{t('sync.details', many(detailsPending))}</span> : null}
    </span>
  )
}
