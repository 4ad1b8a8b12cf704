import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { PlanTier, RulePhase } from '#shared/features/domains/rulesets/phases.ts'
import type { RuleDefinition } from '#shared/features/domains/rulesets/schema.ts'
import { isFirst, ruleFrom, type RuleTemplate } from '#shared/features/domains/rulesets/templates.ts'
import { failureOf, failureWords, providerWords } from '#client/lib/errors.ts'
import { useForm } from '#client/lib/forms.ts'
import { utils } from '#client/lib/trpc.ts'
import { isConflict, type RuleChanges, type RulePlace } from './mutations.ts'
import type { Rule, Ruleset } from './queries.ts'
import { draftOf, emptyDraft, firstAction, firstParameters, type RuleDraft } from './rule-draft.ts'

export interface RuleDialogProps {
  domainId: string
  phase: RulePhase
  /** Null: a new rule. */
  rule: Rule | null
  /** A new rule that starts as a copy of `rule`. */
  isCopy: boolean
  ruleset: Ruleset | undefined
  plan: string | null
  tier: PlanTier | null
  changes: RuleChanges
  onClose: () => void
}

/** Cloudflare's codes for an expression that it cannot parse, or an empty one. */
const expressionCodes: ReadonlySet<string> = new Set(['20125', '20127'])

/** The refusal of an expression in the provider's words; null if something else was refused. */
function expressionRefusal(error: unknown): string | null {
  const failure = failureOf(error)
  const code = failure.kind === 'answered' ? failure.data.provider?.code : undefined
  return code !== undefined && expressionCodes.has(code) ? (providerWords(error) ?? null) : null
}

/** The form of a rule, its saving, and a concurrent change of the rule at the provider. */
export function useRuleForm({ domainId, phase, rule, isCopy, changes, onClose }: RuleDialogProps) {
  const { t } = useTranslation('rulesets')
  const isNew = rule === null || isCopy
  const [action, setAction] = useState(rule?.action ?? firstAction(phase))
  const [initial] = useState(() => (rule === null ? emptyDraft(phase) : draftOf(rule)))
  const [template, setTemplate] = useState<RuleTemplate | null>(null)
  const [place, setPlace] = useState<RulePlace | null>(null)
  const [conflict, setConflict] = useState<{ now: Rule | null } | null>(null)

  const [refusedExpression, setRefusedExpression] = useState<{ expression: string; words: string } | null>(null)

  const rulesetNow = () => utils.rulesets.list.getData({ id: domainId })?.rulesets.find((each) => each.phase === phase)
  const setPosition = (position: number | null): void =>
    setPlace(position === null ? null : { position, version: rulesetNow()?.version ?? null })
  const save = async (definition: RuleDefinition, version: string | null): Promise<void> => {
    if (isNew || conflict?.now === null) await changes.create(phase, definition, place)
    else await changes.update(phase, rule.id, definition, version)
    onClose()
  }
  const failure = t(isNew ? 'failed.create' : 'failed.update')
  const form = useForm({
    initial,
    schema: async () => (await import('#shared/features/domains/rulesets/parameters.ts')).ruleFields(phase, action),
    onSubmit: async (fields, values: RuleDraft) => {
      const definition = { ...fields, action, description: values.description.trim() }
      try {
        await save(definition, conflict === null ? (rule?.version ?? null) : (conflict.now?.version ?? null))
      } catch (error) {
        const words = expressionRefusal(error)
        if (words !== null) setRefusedExpression({ expression: values.expression, words })
        if (!isConflict(error)) throw error
        await changes.renew()
        if (isNew) {
          // The position is now one in the renewed list, which the form shows.
          setPlace((before) => before && { ...before, version: rulesetNow()?.version ?? null })
          throw error
        }
        const now = rulesetNow()?.rules
        setConflict({ now: now?.find(({ id }) => id === rule.id) ?? null })
      }
    },
    refusalOf: (error) => (expressionRefusal(error) === null ? failureWords(failure, error) : null),
  })
  return {
    form,
    isChanged: place !== null || action !== (rule?.action ?? firstAction(phase)) || JSON.stringify(form.values) !== JSON.stringify(initial),
    errorOf: (path: string): string | undefined =>
      // The server names fields as in its input.
      form.errors[path] ??
      form.errors[`rule.${path}`] ??
      (path === 'expression' && refusedExpression?.expression === form.values.expression ? refusedExpression.words : undefined),
    action,
    setAction: (next: string): void => {
      setAction(next)
      form.set('actionParameters', rule?.action === next ? rule.actionParameters : firstParameters(phase, next))
    },
    /** The ready rule that the form was filled with. */
    template,
    startFrom: (next: RuleTemplate | null, zoneName: string): void => {
      setTemplate(next)
      setPosition(next !== null && isFirst(next) ? 1 : null)
      const chosen = next === null ? null : ruleFrom(next, zoneName)
      setAction(chosen?.action ?? firstAction(phase))
      form.merge(next === null || chosen === null ? emptyDraft(phase) : draftOf({ ...chosen, description: t(`templates.${next}.name`) }))
    },
    position: place?.position ?? null,
    setPosition,
    isNew,
    conflict,
    saveMine: (): void => void form.submit(),
    takeTheirs: onClose,
  }
}
