import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { RelativeTime } from '../display/relative-time.tsx'
import { StatusDot } from '../display/status-dot.tsx'
import classes from '../layout/page-header.module.css'

const staleMs = 3_600_000

/** How old a list is, and whether it is being renewed. */
export function Freshness({
  at,
  updating = false,
  reading,
  note,
}: {
  /** When the oldest part was last read from the provider; null: never. */
  at: string | null
  updating?: boolean
  /** What is being read, where more than that is known. */
  reading?: ReactNode
  /** Why it is old or waits. */
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
