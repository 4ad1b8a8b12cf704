import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { z } from 'zod'
import type { RulePhase } from '#shared/features/domains/rulesets/phases.ts'
import type { RuleDefinition } from '#shared/features/domains/rulesets/schema.ts'
import { ruleFrom, type RuleTemplate } from '#shared/features/domains/rulesets/templates.ts'
import { useForm } from '#client/lib/forms.ts'
import { draftOf, emptyDraft, firstAction, firstParameters, type RuleDraft } from './rule-draft.ts'

/** The form of a rule, wherever the rule is kept. */
export function useRuleForm({
  phase,
  rule,
  schema,
  onSubmit,
  refusalOf,
}: {
  phase: RulePhase
  /** Null: an empty rule. */
  rule: RuleDefinition | null
  /** The schema of the fields beside the action, loaded with the first input. */
  schema: (action: string) => Promise<z.ZodType<Omit<RuleDefinition, 'action'>>>
  onSubmit: (rule: RuleDefinition, values: RuleDraft) => Promise<void>
  refusalOf?: (error: unknown) => string | null
}) {
  const { t } = useTranslation('rulesets')
  const [action, setAction] = useState(rule?.action ?? firstAction(phase))
  const [initial] = useState(() => (rule === null ? emptyDraft(phase) : draftOf(rule)))
  const [template, setTemplate] = useState<RuleTemplate | null>(null)
  const form = useForm({
    initial,
    schema: () => schema(action),
    onSubmit: (fields, values: RuleDraft) => onSubmit({ ...fields, action }, values),
    ...(refusalOf && { refusalOf }),
  })
  return {
    phase,
    form,
    isChanged: action !== (rule?.action ?? firstAction(phase)) || JSON.stringify(form.values) !== JSON.stringify(initial),
    // The server names fields as in its input.
    errorOf: (path: string): string | undefined => form.errors[path] ?? form.errors[`rule.${path}`],
    action,
    setAction: (next: string): void => {
      setAction(next)
      form.set('actionParameters', rule?.action === next ? rule.actionParameters : firstParameters(phase, next))
    },
    /** The ready rule that the form was filled with. */
    template,
    startFrom: (next: RuleTemplate | null, zoneName: string, withVariables = false): void => {
      setTemplate(next)
      const chosen = next === null ? null : ruleFrom(next, zoneName, withVariables)
      setAction(chosen?.action ?? firstAction(phase))
      form.merge(next === null || chosen === null ? emptyDraft(phase) : draftOf({ ...chosen, description: t(`templates.${next}.name`) }))
    },
  }
}
export type RuleFormState = ReturnType<typeof useRuleForm>
