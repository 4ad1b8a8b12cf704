import { useTranslation } from 'react-i18next'
import { apiStatus, checkApi } from '#client/lib/api-status.ts'
import { formatRelative, useNow } from '#client/lib/format.ts'
import { StatusDot } from '#client/ui/display/state-badge.tsx'
import classes from './api-indicator.module.css'

const tones = { online: 'good', offline: 'bad', unknown: 'idle' } as const

/**
 * Whether the panel's server answers (R-LAY-09; Cloudflare's state is shown per account), and when it was last checked; a click checks now
 * (R-LAY-04).
 */
export function ApiIndicator() {
  const { t } = useTranslation('shell')
  const { state, checkedAt } = apiStatus.use()
  const now = useNow(60_000)
  const when = checkedAt === null ? null : t('api.checked', { when: formatRelative(checkedAt, Math.max(now, checkedAt)) })
  return (
    <button
      type="button"
      className={classes['root']}
      title={[t(`api.${state}`), when, t('api.about')].filter((part) => part !== null).join('. ')}
      onClick={() => void checkApi()}
    >
      <StatusDot tone={tones[state]} />
      <span className={`column shrink line-18 nowrap ${classes['words']}`}>
        <span className="size-13">{t(`api.${state}`)}</span>
        <span className="size-12 muted">{when}</span>
      </span>
    </button>
  )
}
