import { NativeSelect } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { parseExpression } from '#shared/features/domains/rulesets/expression/parse.ts'
import { planTier } from '#shared/features/domains/rulesets/phases.ts'
import { DraftDialog } from '#client/ui/overlay/draft-dialog.tsx'
import { CheckRule } from './check-rule.tsx'
import { RuleConflict } from './rule-conflict.tsx'
import { RuleForm } from './rule-form.tsx'
import { useZoneRule, type RuleDialogProps } from './use-zone-rule.ts'
import { usePhaseWords, useRuleTitle } from './use-rule-words.ts'

/** Adds or edits a rule of a domain. */
export function RuleDialog(props: RuleDialogProps) {
  const { domainId, phase, ruleset, plan, onClose } = props
  const { t } = useTranslation('rulesets')
  const { name } = usePhaseWords()(phase)
  const state = useZoneRule(props)
  const { form, action, isNew, conflict } = state
  const ofProfile = isNew ? null : (props.rule?.profile ?? null)
  const full = !isNew && ruleset !== undefined && ruleset.limit !== null && ruleset.rules.length >= ruleset.limit
  const refusedExpression = state.errorOf('expression')
  // The editor shows an error of its own instead.
  const isShown = refusedExpression !== undefined && parseExpression(form.values.expression, { phase, tier: planTier(plan) }).ok
  return (
    <DraftDialog
      isChanged={state.isChanged}
      busy={form.submitting}
      onClose={onClose}
      title={t(isNew ? 'form.new' : 'form.edit', { phase: name })}
      size={640}
    >
      <RuleForm
        state={state}
        plan={plan}
        startFrom={state.startFrom}
        {...(ofProfile !== null && {
          intro: <p className="size-13 warn radius on-warn p-8-10 pretty">{t('form.of_profile', { profile: ofProfile.name })}</p>,
        })}
        submit={t(isNew ? 'form.add' : 'form.save')}
        incomplete={conflict !== null}
        onCancel={onClose}
      >
        {isNew && ruleset !== undefined && ruleset.rules.length > 0 ? (
          <Position ruleset={ruleset} value={state.position} onChange={state.setPosition} />
        ) : null}
        {full ? (
          <p className="size-13 secondary">{t('check.full')}</p>
        ) : (
          <CheckRule
            domainId={domainId}
            phase={phase}
            rule={{ ...form.values, action }}
            shown={[isShown ? refusedExpression : null, form.refusal]}
          />
        )}
        {conflict === null ? null : (
          <RuleConflict
            before={props.rule}
            now={conflict.now}
            saving={form.submitting}
            onTakeTheirs={state.takeTheirs}
            onSaveMine={state.saveMine}
          />
        )}
      </RuleForm>
    </DraftDialog>
  )
}

function Position({
  ruleset,
  value,
  onChange,
}: {
  ruleset: NonNullable<RuleDialogProps['ruleset']>
  value: number | null
  onChange: (position: number | null) => void
}) {
  const { t } = useTranslation('rulesets')
  const titleOf = useRuleTitle()
  return (
    <NativeSelect
      label={t('form.position')}
      value={value === null ? '' : String(value)}
      data={[
        { value: '', label: t('form.last') },
        { value: '1', label: t('form.first') },
        ...ruleset.rules.slice(0, -1).map((rule, index) => ({
          value: String(index + 2),
          label: t('form.after', { number: String(index + 1), rule: titleOf(rule) }),
        })),
      ]}
      onChange={(event) => onChange(event.currentTarget.value === '' ? null : Number(event.currentTarget.value))}
    />
  )
}
