import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'
import type { RulePhase } from '#shared/features/domains/rulesets/phases.ts'
import { formatNumber } from '#client/lib/format.ts'

export interface FullPhase {
  readonly phase: RulePhase
  readonly rules: number
  readonly limit: number
}

/** ‘Custom rules (WAF): 7 needed, the plan allows 5’. */
export function useFullPhaseWords(): (full: FullPhase) => string {
  const { t } = useTranslation(['operations', 'rule-names'])
  return useCallback(
    ({ phase, rules, limit }) =>
      t('change.full_phase', { phase: t(`rule-names:phases.${phase}`), rules: formatNumber(rules), limit: formatNumber(limit) }),
    [t],
  )
}
