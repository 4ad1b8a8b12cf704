import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { RelativeTime } from '../display/relative-time.tsx'
import { StatusDot } from '../display/state-badge.tsx'
import classes from '../layout/page-header.module.css'

const staleMs = 3_600_000

/** The age of a list, and whether it is being refreshed. */
export function Freshness({
  at,
  updating = false,
  reading,
  note,
}: {
  /** When the oldest part was last read from the provider; null: never. */
  at: string | null
  updating?: boolean
  /** What is being read, if it is known in detail. */
  reading?: ReactNode
  /** Why it is outdated or waits. */
  note?: string
}) {
  const { t } = useTranslation()
  const stale = at === null || Date.now() - new Date(at).getTime() > staleMs
  return (
    <span className="inline gap-6 size-12 muted nowrap" title={note}>
      <StatusDot tone={updating ? 'info' : stale ? 'warn' : 'good'} pulse={updating} />
      {updating ? (
        (reading ?? t('fresh.updating'))
      ) : at === null ? (
        t('fresh.never')
      ) : (
        <span>
          <span className={classes['word']}>{t('fresh.at')} </span>
          <RelativeTime at={at} />
        </span>
      )}
    </span>
  )
}
