import { useTranslation } from 'react-i18next'
import { formatNumber, formatRelative } from '#client/lib/format.ts'
import { trpc } from '#client/lib/trpc.ts'
import { Freshness } from '#client/ui/feedback/freshness.tsx'
import type { DomainRows } from './use-domain-rows.ts'
import classes from './domains-freshness.module.css'

/** The number of domains, equal to that of the tiles, the age of the list, and running syncs. */
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
    <span className={classes['flow']} data-flows>
      <span role="status" aria-live="polite">
        {t(filtered ? 'found' : 'count', many(summary.matching))}
      </span>
      <Freshness
        at={oldest}
        updating={syncing > 0}
        reading={<Syncing count={syncing} />}
        {...(notes.length > 0 && { note: notes.join('\n') })}
      />
      {detailsPending > 0 && syncing === 0 ? (
        <span className="size-12 nowrap" title={t('sync.details_hint')}>
          {t('sync.details', { total: formatNumber(detailsPending) })}
        </span>
      ) : null}
    </span>
  )
}

const mostNamed = 12

/** The number of accounts being synced; on hover, which ones and their progress. */
function Syncing({ count }: { count: number }) {
  const { t } = useTranslation('domains')
  const accounts = trpc.accounts.list.useQuery({}).data?.accounts ?? []
  const named = accounts
    .filter(({ sync }) => sync.state === 'running' || sync.state === 'queued')
    .slice(0, mostNamed)
    .map(({ name, email, sync }) => {
      const account = name || email
      return sync.state === 'queued' || sync.total === null
        ? t('sync.account_waits', { account })
        : t('sync.account_progress', { account, done: formatNumber(sync.done), all: formatNumber(sync.total) })
    })
  return <span title={named.join('\n') || undefined}>{t('sync.syncing', { count, total: formatNumber(count) })}</span>
}
