import { useTranslation } from 'react-i18next'
import { Dialog } from '#client/ui/overlay/dialog.tsx'
import { RuleForm } from './rule-form.tsx'
import type { RuleDialogProps } from './use-rule-form.ts'
import { usePhaseWords } from './use-rule-words.ts'

/** Adds or edits a rule. */
export function RuleDialog(props: RuleDialogProps) {
  const { t } = useTranslation('rulesets')
  const { name } = usePhaseWords()(props.phase)
  const isNew = props.rule === null || props.isCopy
  return (
    <Dialog onClose={props.onClose} title={t(isNew ? 'form.new' : 'form.edit', { phase: name })} size={640}>
      <RuleForm {...props} />
    </Dialog>
  )
}
