import { useTranslation } from 'react-i18next'
import type { ReconcileState } from '#shared/features/trackers/schema.ts'
import { StateBadge } from '#client/ui/display/state-badge.tsx'
import type { Tone } from '#client/ui/display/state-badge.tsx'

export const reconcileTones = {
  not_in_cloudflare: 'bad',
  not_linked: 'info',
  not_bound: 'idle',
  address_differs: 'warn',
  ssl_error: 'warn',
  check_error: 'bad',
  gone_there: 'bad',
  agreed: 'good',
} as const satisfies Record<ReconcileState, Tone>

/** The worst difference of a domain, with the number of others. */
export function StateList({ states }: { states: readonly ReconcileState[] }) {
  const { t } = useTranslation('trackers')
  const [worst, ...others] = states
  if (worst === undefined) return null
  return (
    <span className="row gap-8 shrink" title={states.map((state) => t(`differs.${state}`)).join('\n')}>
      <StateBadge quiet tone={reconcileTones[worst]} label={t(`differs.${worst}`)} />
      {others.length === 0 ? null : <small className="fixed size-12 muted">+{others.length}</small>}
    </span>
  )
}
