import { NativeSelect, TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { actionsFor, planTier } from '#shared/features/domains/rulesets/phases.ts'
import { longestDescription } from '#shared/features/domains/rulesets/schema.ts'
import type { KnownVariable } from '#shared/features/profiles/variables.ts'
import { templatesOf, type RuleTemplate } from '#shared/features/domains/rulesets/templates.ts'
import { NamedSwitch } from '#client/ui/form/named-switch.tsx'
import { FormEnd } from '#client/ui/form/form-end.tsx'
import { ExpressionEditor } from './expression-editor.tsx'
import { JsonFields } from './json-fields.tsx'
import { ParameterFields } from './parameters/parameter-fields.tsx'
import { RatelimitFields } from './parameters/ratelimit-fields.tsx'
import type { RuleFormState } from './use-rule-form.ts'
import { useActionName } from './use-rule-words.ts'

/** The fields of a rule. What depends on where the rule is kept is given by the caller. */
export function RuleForm({
  state,
  plan,
  variables,
  startFrom,
  intro,
  submit,
  incomplete = false,
  onCancel,
  children,
}: {
  state: Pick<RuleFormState, 'phase' | 'form' | 'errorOf' | 'action' | 'setAction' | 'template'>
  /** The plan's name at Cloudflare; null: unknown. */
  plan: string | null
  /** Of a profile: they stand for values in expressions. */
  variables?: readonly KnownVariable[]
  /** Fills the form with a ready rule; null: none is offered. */
  startFrom: ((template: RuleTemplate | null) => void) | null
  intro?: ReactNode
  /** The label of the submit button. */
  submit: string
  incomplete?: boolean
  onCancel: () => void
  /** The fields that follow the definition of the rule. */
  children?: ReactNode
}) {
  const { t } = useTranslation('rulesets')
  const nameOf = useActionName()
  const { phase, form, errorOf, action, setAction, template } = state
  const { actionParameters, ratelimit } = form.values
  const tier = planTier(plan)
  const [isJson, setJson] = useState(false)
  const [isReadable, setReadable] = useState(true)
  const offered = actionsFor(phase, tier)
  const actions = offered.includes(action) ? offered : [...offered, action]
  return (
    <form className="column gap-16" noValidate onSubmit={form.submit}>
      {intro}
      {startFrom === null ? null : <StartFrom templates={templatesOf(phase)} value={template} onChange={startFrom} />}
      <TextInput
        {...form.text('description')}
        label={t('form.description')}
        placeholder={t('form.description_example')}
        maxLength={longestDescription}
        autoComplete="off"
        data-autofocus
      />
      <ExpressionEditor
        phase={phase}
        plan={plan}
        {...(variables && { variables })}
        label={t('form.expression')}
        value={form.values.expression}
        error={errorOf('expression')}
        onChange={(expression) => form.set('expression', expression)}
      />
      {actions.length === 1 ? null : (
        <NativeSelect
          label={t('form.action')}
          value={action}
          data={actions.map((value) => ({ value, label: nameOf(value) }))}
          onChange={(event) => setAction(event.currentTarget.value)}
        />
      )}
      {phase === 'http_ratelimit' && ratelimit !== null && !isJson ? (
        <RatelimitFields value={ratelimit} tier={tier} errorOf={errorOf} onChange={(next) => form.set('ratelimit', next)} />
      ) : null}
      {isJson ? (
        <JsonFields
          actionParameters={actionParameters}
          ratelimit={ratelimit}
          errors={form.errors}
          onReadable={setReadable}
          onChange={(next) => form.merge(next)}
        />
      ) : (
        <ParameterFields
          key={`${action} ${template}`}
          phase={phase}
          action={action}
          tier={tier}
          value={actionParameters ?? {}}
          errorOf={errorOf}
          onChange={(next) => form.set('actionParameters', next)}
        />
      )}
      <NamedSwitch
        name={t('form.as_json')}
        help={t('form.as_json_help')}
        on={isJson}
        onChange={(on) => {
          setJson(on)
          setReadable(true)
        }}
      />
      <NamedSwitch name={t('form.enabled')} on={form.values.enabled} onChange={(on) => form.set('enabled', on)} />
      {children}
      <FormEnd
        refusal={form.refusal}
        action={submit}
        busy={form.submitting}
        incomplete={!isReadable || incomplete}
        sticky
        stays
        onCancel={onCancel}
      />
    </form>
  )
}

/** Fills the form with a ready rule. */
function StartFrom({
  templates,
  value,
  onChange,
}: {
  templates: readonly RuleTemplate[]
  value: RuleTemplate | null
  onChange: (template: RuleTemplate | null) => void
}) {
  const { t } = useTranslation('rulesets')
  if (templates.length === 0) return null
  return (
    <NativeSelect
      label={t('form.template')}
      description={value === null ? undefined : t(`templates.${value}.text`)}
      inputWrapperOrder={['label', 'input', 'description']}
      value={value ?? ''}
      data={[
        { value: '', label: t('form.no_template') },
        ...templates.map((each) => ({ value: each, label: t(`templates.${each}.name`) })),
      ]}
      onChange={(event) => onChange(templates.find((each) => each === event.currentTarget.value) ?? null)}
    />
  )
}
