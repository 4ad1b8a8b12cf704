import { NativeSelect } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { RuleForm, usePhaseWords, useRuleForm } from '#client/features/domains/index.ts'
import type { RulePhase } from '#shared/features/domains/rulesets/phases.ts'
import { isFirst } from '#shared/features/domains/rulesets/templates.ts'
import type { ProfileRule } from '#shared/features/profiles/schema.ts'
import { DraftDialog } from '#client/ui/overlay/draft-dialog.tsx'

/** Adds or edits a rule of a profile; it is saved with the profile. */
export function ProfileRuleDialog({
  phase,
  rule,
  isNew,
  onSave,
  onClose,
}: {
  phase: RulePhase
  /** What it starts from; null: an empty rule. */
  rule: ProfileRule | null
  isNew: boolean
  onSave: (rule: Omit<ProfileRule, 'key'>) => void
  onClose: () => void
}) {
  const { t } = useTranslation(['profiles', 'rulesets'])
  const { name } = usePhaseWords()(phase)
  const [place, setPlace] = useState(rule?.place ?? 'last')
  const state = useRuleForm({
    phase,
    rule,
    schema: async (action) => (await import('#shared/features/profiles/schema.ts')).profileRuleFields(phase, action),
    onSubmit: async (definition) => {
      onSave({ ...definition, phase, place })
      onClose()
    },
  })
  return (
    <DraftDialog
      isChanged={state.isChanged || place !== (rule?.place ?? 'last')}
      onClose={onClose}
      title={t(isNew ? 'rules.new' : 'rules.edit', { phase: name })}
      size={640}
    >
      <RuleForm
        state={state}
        plan={null}
        startFrom={
          rule !== null
            ? null
            : (template) => {
                setPlace(template !== null && isFirst(template) ? 'first' : 'last')
                state.startFrom(template, '{{domain}}')
              }
        }
        intro={
          <p className="size-12 secondary pretty">{t('rules.variables', { domain: '{{domain}}', tracker_host: '{{tracker_host}}' })}</p>
        }
        submit={t(isNew ? 'rules.add' : 'rules.save')}
        onCancel={onClose}
      >
        <NativeSelect
          label={t('rules.place')}
          description={t('rules.place_help')}
          inputWrapperOrder={['label', 'input', 'description']}
          value={place}
          data={[
            { value: 'first', label: t('rules.before') },
            { value: 'last', label: t('rules.after') },
          ]}
          onChange={(event) => setPlace(event.currentTarget.value === 'first' ? 'first' : 'last')}
        />
      </RuleForm>
    </DraftDialog>
  )
}
