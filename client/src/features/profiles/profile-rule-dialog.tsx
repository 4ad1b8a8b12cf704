import { NativeSelect } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { RuleForm, usePhaseWords, useRuleForm } from '#client/features/domains/index.ts'
import type { RulePhase } from '#shared/features/domains/rulesets/phases.ts'
import { isFirst, variablesOf } from '#shared/features/domains/rulesets/templates.ts'
import type { ProfileRule } from '#shared/features/profiles/schema.ts'
import type { ProfileVariable } from '#shared/features/profiles/variables.ts'
import { DraftDialog } from '#client/ui/overlay/draft-dialog.tsx'

/** Adds or edits a rule of a profile; it is saved with the profile. */
export function ProfileRuleDialog({
  phase,
  rule,
  isNew,
  variables,
  onSave,
  onClose,
}: {
  phase: RulePhase
  /** What it starts from; null: an empty rule. */
  rule: ProfileRule | null
  isNew: boolean
  /** Those of the profile. */
  variables: readonly ProfileVariable[]
  /** `added`: variables that a ready rule brings. */
  onSave: (rule: Omit<ProfileRule, 'key'>, added: readonly ProfileVariable[]) => void
  onClose: () => void
}) {
  const { t } = useTranslation(['profiles', 'rulesets'])
  const { name } = usePhaseWords()(phase)
  const [place, setPlace] = useState(rule?.place ?? 'last')
  const [brought, setBrought] = useState<readonly ProfileVariable[]>([])
  const known = [...variables, ...brought.filter(({ name }) => !variables.some((each) => each.name === name))]
  const state = useRuleForm({
    phase,
    rule,
    schema: async (action) => (await import('#shared/features/profiles/schema.ts')).profileRuleFields(phase, action, known),
    onSubmit: async (definition) => {
      onSave(
        { ...definition, phase, place },
        brought.filter(({ name }) => definition.expression.includes(`{{${name}}}`)),
      )
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
        variables={known}
        startFrom={
          rule !== null
            ? null
            : (template) => {
                setPlace(template !== null && isFirst(template) ? 'first' : 'last')
                setBrought(template === null ? [] : variablesOf(template))
                state.startFrom(template, '{{domain}}', true)
              }
        }
        intro={
          <div className="column gap-4 size-12 secondary">
            <p className="pretty">{t('rules.variables', { domain: '{{domain}}', tracker_host: '{{tracker_host}}' })}</p>
            {known.length === 0 ? null : (
              <p className="anywhere">{t('rules.own_variables', { names: known.map(({ name }) => `{{${name}}}`).join(', ') })}</p>
            )}
          </div>
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
