import { NativeSelect, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { parseExpression } from '#shared/features/domains/rulesets/expression/parse.ts'
import { rulesetCatalog } from '#shared/features/domains/rulesets/phases.ts'
import { longestDescription } from '#shared/features/domains/rulesets/schema.ts'
import { templatesOf } from '#shared/features/domains/rulesets/templates.ts'
import { trpc } from '#client/lib/trpc.ts'
import { NamedSwitch } from '#client/ui/form/named-switch.tsx'
import { FormEnd } from '#client/ui/form/form-end.tsx'
import { CheckRule } from './check-rule.tsx'
import { ExpressionEditor } from './expression-editor.tsx'
import { JsonFields } from './json-fields.tsx'
import { ParameterFields } from './parameters/parameter-fields.tsx'
import { RatelimitFields } from './parameters/ratelimit-fields.tsx'
import { RuleConflict } from './rule-conflict.tsx'
import type { RuleDialogProps, useRuleForm } from './use-rule-form.ts'
import { useActionName, useRuleTitle } from './use-rule-words.ts'

export function RuleForm(props: RuleDialogProps & { state: ReturnType<typeof useRuleForm> }) {
  const { state, domainId, phase, ruleset, plan, tier, onClose } = props
  const { t } = useTranslation(['rulesets', 'common'])
  const nameOf = useActionName()
  const { form, errorOf, action, setAction, position, setPosition, isNew, conflict, saveMine, takeTheirs } = state
  const full = !isNew && ruleset !== undefined && ruleset.limit !== null && ruleset.rules.length >= ruleset.limit
  const { actionParameters, ratelimit } = form.values
  const refusedExpression = errorOf('expression')
  // The editor shows an error of its own instead.
  const isExpressionReadable = refusedExpression === undefined || parseExpression(form.values.expression, { phase, tier }).ok
  const [isJson, setJson] = useState(false)
  const [isReadable, setReadable] = useState(true)
  const actions: readonly string[] = rulesetCatalog[phase].actions.filter((each) => each !== 'log' || tier !== 'free' || each === action)
  return (
    <form className="column gap-16" noValidate onSubmit={form.submit}>
      {props.rule === null ? <StartFrom domainId={domainId} phase={phase} state={state} /> : null}
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
        label={t('form.expression')}
        value={form.values.expression}
        error={refusedExpression}
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
          key={`${action} ${state.template}`}
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
      {isNew && ruleset !== undefined && ruleset.rules.length > 0 ? (
        <Position ruleset={ruleset} value={position} onChange={setPosition} />
      ) : null}
      {full ? (
        <p className="size-13 secondary">{t('check.full')}</p>
      ) : (
        <CheckRule
          domainId={domainId}
          phase={phase}
          rule={{ ...form.values, action }}
          shown={[isExpressionReadable ? refusedExpression : null, form.refusal]}
        />
      )}
      {conflict === null ? null : (
        <RuleConflict before={props.rule} now={conflict.now} saving={form.submitting} onTakeTheirs={takeTheirs} onSaveMine={saveMine} />
      )}
      <FormEnd
        refusal={form.refusal}
        action={t(isNew ? 'form.add' : 'form.save')}
        busy={form.submitting}
        incomplete={!isReadable || conflict !== null}
        sticky
        stays
        onCancel={onClose}
      />
    </form>
  )
}

/** Fills the form with a ready rule. */
function StartFrom({
  domainId,
  phase,
  state: { template, startFrom },
}: Pick<RuleDialogProps, 'domainId' | 'phase'> & { state: ReturnType<typeof useRuleForm> }) {
  const { t } = useTranslation('rulesets')
  const zoneName = trpc.domains.full.useQuery({ id: domainId }).data?.zone.name
  const templates = templatesOf(phase)
  if (templates.length === 0 || zoneName === undefined) return null
  return (
    <NativeSelect
      label={t('form.template')}
      description={template === null ? undefined : t(`templates.${template}.text`)}
      inputWrapperOrder={['label', 'input', 'description']}
      value={template ?? ''}
      data={[{ value: '', label: t('form.no_template') }, ...templates.map((value) => ({ value, label: t(`templates.${value}.name`) }))]}
      onChange={(event) => startFrom(templates.find((each) => each === event.currentTarget.value) ?? null, zoneName)}
    />
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
