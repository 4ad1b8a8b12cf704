import { useTranslation } from 'react-i18next'
import type { RulePhase } from '#shared/features/domains/rulesets/phases.ts'
import { ConfirmDialog } from '#client/ui/overlay/confirm-dialog.tsx'
import type { RuleChanges } from './mutations.ts'
import type { Rule } from './queries.ts'
import { usePhaseWords, useRuleTitle } from './use-rule-words.ts'

/** Confirms the deletion of a rule with what stops then. */
export function DeleteRule({ phase, rule, changes, onClose }: { phase: RulePhase; rule: Rule; changes: RuleChanges; onClose: () => void }) {
  const { t } = useTranslation('rulesets')
  const titleOf = useRuleTitle()
  const phaseWords = usePhaseWords()
  return (
    <ConfirmDialog
      title={t('delete.title', { rule: titleOf(rule) })}
      consequence={
        <>
          {rule.enabled ? phaseWords(phase).consequence : t('delete.disabled')}
          {rule.isOurs ? null : ` ${t('delete.foreign')}`}
          {rule.profile === null ? null : ` ${t('delete.of_profile', { profile: rule.profile.name })}`}
        </>
      }
      action={t('delete.confirm')}
      count={1}
      failure={changes.refusals.get(rule.id) ?? t('failed.delete')}
      onConfirm={() => changes.remove(phase, rule)}
      onClose={onClose}
    />
  )
}
