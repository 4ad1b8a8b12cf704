import { useTranslation } from 'react-i18next'
import type { Reason } from '#shared/features/monitoring/schema.ts'
import { useReasonWords } from './use-reason-words.ts'
import classes from './monitoring.module.css'

/** What is wrong, from where it is seen, and what to do about each. */
export function ReasonList({ reasons }: { reasons: readonly Reason[] }) {
  const { t } = useTranslation('monitoring')
  const words = useReasonWords()
  return (
    <ul className={classes['reasons']}>
      {reasons.map((reason) => {
        const { what, detail, advice } = words(reason)
        return (
          <li key={reason.code}>
            <strong>{what}</strong>
            {detail === null ? null : <span className={`${classes['detail']} mono`}>{detail}</span>}
            {reason.regions.length === 0 ? null : (
              <span className={classes['muted']}>
                {t('seen_from', { regions: reason.regions.map((each) => t(`region.${each}`)).join(', ') })}
              </span>
            )}
            <span className={classes['advice']}>{advice}</span>
          </li>
        )
      })}
    </ul>
  )
}
