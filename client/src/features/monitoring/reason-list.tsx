import { useTranslation } from 'react-i18next'
import type { Reason } from '#shared/features/monitoring/schema.ts'
import { useReasonWords } from './use-reason-words.ts'
import classes from './monitoring.module.css'

/** The reasons, the regions that see them, and what to do about each; reasons that follow each other with the same code have one advice. */
export function ReasonList({ reasons }: { reasons: readonly Reason[] }) {
  const { t } = useTranslation('monitoring')
  const words = useReasonWords()
  return (
    <ul className={`column gap-10 ${classes['reasons']}`}>
      {reasons.map((reason, index) => {
        const { what, detail, advice } = words(reason)
        return (
          <li key={`${reason.code} ${JSON.stringify(reason.params)}`}>
            <strong className="medium">{what}</strong>
            {detail === null ? null : <span className="size-12 secondary anywhere mono">{detail}</span>}
            {reason.regions.length === 0 ? null : (
              <span className="size-12 muted">
                {t('seen_from', { regions: reason.regions.map((each) => t(`region.${each}`)).join(', ') })}
              </span>
            )}
            {reasons[index + 1]?.code === reason.code ? null : <span className={`secondary pretty ${classes['advice']}`}>{advice}</span>}
          </li>
        )
      })}
    </ul>
  )
}
