import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ConfirmDialog } from '#client/ui/overlay/confirm-dialog.tsx'
import { Dialog } from '#client/ui/overlay/dialog.tsx'
import { RuleForm } from './rule-form.tsx'
import { useRuleForm, type RuleDialogProps } from './use-rule-form.ts'
import { usePhaseWords } from './use-rule-words.ts'

/** Adds or edits a rule. Escape and the close button ask before they discard changes. */
export function RuleDialog(props: RuleDialogProps) {
  const { t } = useTranslation('rulesets')
  const { name } = usePhaseWords()(props.phase)
  const rule = useRuleForm(props)
  const [asks, setAsks] = useState(false)
  return (
    <Dialog
      onClose={() => (rule.isChanged ? setAsks(true) : props.onClose())}
      title={t(rule.isNew ? 'form.new' : 'form.edit', { phase: name })}
      size={640}
    >
      <RuleForm {...props} state={rule} />
      {asks ? (
        <ConfirmDialog
          title={t('discard.title')}
          consequence={t('discard.text')}
          action={t('discard.confirm')}
          count={1}
          onConfirm={async () => props.onClose()}
          onClose={() => setAsks(false)}
        />
      ) : null}
    </Dialog>
  )
}
