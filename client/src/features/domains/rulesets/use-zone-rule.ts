import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { RulePhase } from '#shared/features/domains/rulesets/phases.ts'
import type { RuleDefinition } from '#shared/features/domains/rulesets/schema.ts'
import { isFirst, type RuleTemplate } from '#shared/features/domains/rulesets/templates.ts'
import { failureOf, failureWords, providerWords } from '#client/lib/errors.ts'
import { trpc, utils } from '#client/lib/trpc.ts'
import { isConflict, type RuleChanges, type RulePlace } from './mutations.ts'
import type { Rule, Ruleset } from './queries.ts'
import { useRuleForm } from './use-rule-form.ts'

export interface RuleDialogProps {
  domainId: string
  phase: RulePhase
  /** Null: a new rule. */
  rule: Rule | null
  /** A new rule that starts as a copy of `rule`. */
  isCopy: boolean
  ruleset: Ruleset | undefined
  plan: string | null
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

/** The form of a domain's rule: its position, its saving, and a concurrent change of the rule at the provider. */
export function useZoneRule({ domainId, phase, rule, isCopy, ruleset, changes, onClose }: RuleDialogProps) {
  const { t } = useTranslation('rulesets')
  const isNew = rule === null || isCopy
  const zoneName = trpc.domains.full.useQuery({ id: domainId }).data?.zone.name
  const [place, setPlace] = useState<RulePlace | null>(null)
  const [conflict, setConflict] = useState<{ now: Rule | null } | null>(null)
  const [refusedExpression, setRefusedExpression] = useState<{ expression: string; words: string } | null>(null)

  const rulesetNow = () => utils.rulesets.list.getData({ id: domainId })?.rulesets.find((each) => each.phase === phase)
  const orderOf = (of: Ruleset | undefined): string[] => (of?.rules ?? []).map(({ id }) => id)
  const setPosition = (position: number | null): void => setPlace(position === null ? null : { position, order: orderOf(ruleset) })
  const save = async (definition: RuleDefinition): Promise<void> => {
    if (isNew || conflict?.now === null) await changes.create(phase, definition, place)
    else await changes.update(phase, conflict?.now ?? rule, definition)
    onClose()
  }
  const failure = t(isNew ? 'failed.create' : 'failed.update')
  const state = useRuleForm({
    phase,
    rule,
    schema: async (action) => (await import('#shared/features/domains/rulesets/parameters.ts')).ruleFields(phase, action),
    onSubmit: async (definition, { expression }) => {
      try {
        await save(definition)
      } catch (error) {
        const words = expressionRefusal(error)
        if (words !== null) setRefusedExpression({ expression, words })
        if (!isConflict(error)) throw error
        if (isNew) {
          // The position is now one in the renewed list, which the form shows.
          setPlace((before) => before && { ...before, order: orderOf(rulesetNow()) })
          throw error
        }
        const now = rulesetNow()?.rules
        setConflict({ now: now?.find(({ id }) => id === rule.id) ?? null })
      }
    },
    refusalOf: (error) => (expressionRefusal(error) === null ? failureWords(failure, error) : null),
  })
  return {
    ...state,
    isChanged: place !== null || state.isChanged,
    errorOf: (path: string): string | undefined =>
      state.errorOf(path) ??
      (path === 'expression' && refusedExpression?.expression === state.form.values.expression ? refusedExpression.words : undefined),
    /** Null: there is nothing to start from. */
    startFrom:
      rule !== null || zoneName === undefined
        ? null
        : (template: RuleTemplate | null): void => {
            setPosition(template !== null && isFirst(template) ? 1 : null)
            state.startFrom(template, zoneName)
          },
    position: place?.position ?? null,
    setPosition,
    isNew,
    conflict,
    saveMine: (): void => void state.form.submit(),
    takeTheirs: onClose,
  }
}
