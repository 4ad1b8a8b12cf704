import { useTranslation } from 'react-i18next'
import type { Reason } from '#shared/features/monitoring/schema.ts'
import { useReasonWords } from './use-reason-words.ts'
import classes from './monitoring.module.css'

/** The reasons, the regions that see them, and what to do about each. */
export function ReasonList({ reasons }: { reasons: readonly Reason[] }) {
  const { t } = useTranslation('monitoring')
  const words = useReasonWords()
  return (
    <ul className={`column gap-10 ${classes['reasons']}`}>
      {reasons.map((reason) => {
        const { what, detail, advice } = words(reason)
        return (
          <li key={reason.code}>
            <strong className="medium">{what}</strong>
            {detail === null ? null : <span className="size-12 secondary anywhere mono">{detail}</span>}
            {reason.regions.length === 0 ? null : (
              <span className="size-12 muted">
                {t('seen_from', { regions: reason.regions.map((each) => t(`region.${each}`)).join(', ') })}
              </span>
            )}
            <span className={`secondary pretty ${classes['advice']}`}>{advice}</span>
          </li>
        )
      })}
    </ul>
  )
}
