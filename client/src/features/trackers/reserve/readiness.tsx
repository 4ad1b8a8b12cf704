import { useTranslation } from 'react-i18next'
import type { ReserveDomain } from '#shared/features/trackers/schema.ts'
import { StateBadge } from '#client/ui/state-badge.tsx'

/** Whether a domain could take another's place now, or what keeps it from it. */
export function Readiness({ problems }: Pick<ReserveDomain, 'problems'>) {
  const { t } = useTranslation(['trackers', 'operations'])
  const words = problems.map((problem) => t(`operations:unready.${problem}`)).join(', ')
  const label = words.slice(0, 1).toUpperCase() + words.slice(1)
  return (
    <span title={words === '' ? undefined : words}>
      <StateBadge quiet tone={problems.length === 0 ? 'good' : 'warn'} label={problems.length === 0 ? t('reserve.ready') : label} />
    </span>
  )
}
