import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { RulePhase } from '#shared/features/domains/rulesets/phases.ts'
import type { RuleDefinition } from '#shared/features/domains/rulesets/schema.ts'
import { failureOf, failureWords } from '#client/lib/errors.ts'
import { toast } from '#client/lib/toast.ts'
import { trpc } from '#client/lib/trpc.ts'
import { offerUndoOfLastChange } from '../history/undo-last-change.ts'
import type { Rule, Ruleset } from './queries.ts'
import { useRuleTitle } from './use-rule-words.ts'

export interface RuleChanges {
  /** Rules with pending changes. */
  busy: ReadonlySet<string>
  /** Why the last change of a rule failed, by its id. */
  refusals: ReadonlyMap<string, string>
  /** Optimistic; rolled back on failure. */
  toggle: (phase: RulePhase, rule: Rule) => void
  /** Optimistic; rolled back on failure. 1 is the first position. */
  move: (phase: RulePhase, rule: Rule, position: number) => void
  /** Throws if it failed; the reason is shown at the rule. */
  remove: (phase: RulePhase, rule: Rule) => Promise<void>
  /** Throws the server's error. */
  create: (phase: RulePhase, rule: RuleDefinition, position: number | null) => Promise<void>
  /** `version` is that of the rule when it was opened; null overwrites a concurrent change. Throws the server's error. */
  update: (phase: RulePhase, ruleId: string, rule: RuleDefinition, version: string | null) => Promise<void>
  /** Reads the rules of the domain again. */
  renew: () => Promise<void>
}

const silent = { meta: { failure: false } } as const

/** All changes to the rules of a domain. */
export function useRuleChanges(domainId: string): RuleChanges {
  const { t } = useTranslation('rulesets')
  const titleOf = useRuleTitle()
  const utils = trpc.useUtils()
  const [busy, setBusy] = useState<ReadonlySet<string>>(new Set())
  const [refusals, setRefusals] = useState<ReadonlyMap<string, string>>(new Map())
  const creating = trpc.rulesets.createRule.useMutation(silent)
  const updating = trpc.rulesets.updateRule.useMutation(silent)
  const moving = trpc.rulesets.moveRule.useMutation(silent)
  const removing = trpc.rulesets.deleteRule.useMutation(silent)

  const show = (phase: RulePhase, change: (ruleset: Ruleset) => Ruleset): void => {
    utils.rulesets.list.setData(
      { id: domainId },
      (before) => before && { ...before, rulesets: before.rulesets.map((each) => (each.phase === phase ? change(each) : each)) },
    )
  }
  const take = ({ ruleset }: { ruleset: Ruleset }): void => {
    show(ruleset.phase, () => ruleset)
    void utils.history.invalidate()
  }
  const renew = (): Promise<void> => utils.rulesets.list.invalidate({ id: domainId })
  /** Cancels a fetch that began before a change, because it would show the old state. */
  const stopReading = (): Promise<void> => utils.rulesets.list.cancel({ id: domainId })
  const mark = (ruleId: string, on: boolean): void =>
    setBusy((before) => (on ? before.union(new Set([ruleId])) : before.difference(new Set([ruleId]))))
  const setRefusal = (ruleId: string, text: string | null): void =>
    setRefusals((before) => new Map([...[...before].filter(([id]) => id !== ruleId), ...(text === null ? [] : [[ruleId, text] as const])]))

  /** Changes an existing rule; a refusal is shown at it. */
  const change = async (
    { id }: Rule,
    failure: string,
    send: () => Promise<{ ruleset: Ruleset }>,
    phase: RulePhase,
    meanwhile: (ruleset: Ruleset) => Ruleset = (ruleset) => ruleset,
  ): Promise<void> => {
    mark(id, true)
    setRefusal(id, null)
    await stopReading()
    show(phase, meanwhile)
    try {
      take(await send())
    } catch (error) {
      setRefusal(id, failureWords(failure, error))
      await renew()
      throw error
    } finally {
      mark(id, false)
    }
  }

  return {
    busy,
    refusals,
    renew,
    toggle: (phase, rule) => {
      if (busy.has(rule.id)) return
      const enabled = !rule.enabled
      const send = () => updating.mutateAsync({ id: domainId, phase, ruleId: rule.id, rule: { enabled } })
      change(rule, t('failed.toggle'), send, phase, (ruleset) => ({
        ...ruleset,
        rules: ruleset.rules.map((each) => (each.id === rule.id ? { ...each, enabled } : each)),
      })).catch(() => undefined)
    },
    move: (phase, rule, position) => {
      if (busy.has(rule.id)) return
      const send = () => moving.mutateAsync({ id: domainId, phase, ruleId: rule.id, position })
      change(rule, t('failed.move'), send, phase, (ruleset) => ({
        ...ruleset,
        rules: ruleset.rules.filter(({ id }) => id !== rule.id).toSpliced(position - 1, 0, rule),
      })).catch(() => undefined)
    },
    remove: async (phase, rule) => {
      const send = () => removing.mutateAsync({ id: domainId, phase, ruleId: rule.id, version: rule.version })
      await change(rule, t('failed.delete'), send, phase)
      const title = t('deleted', { rule: titleOf(rule) })
      await offerUndoOfLastChange(domainId, title, 'rule').catch(() => toast.success(title))
    },
    create: async (phase, rule, position) => {
      await stopReading()
      take(await creating.mutateAsync({ id: domainId, phase, rule, ...(position !== null && { position }) }))
      toast.success(t('added'), titleOf(rule))
    },
    update: async (phase, ruleId, rule, version) => {
      await stopReading()
      setRefusal(ruleId, null)
      take(await updating.mutateAsync({ id: domainId, phase, ruleId, rule, ...(version !== null && { version }) }))
    },
  }
}

/** Whether a change failed because the rule was changed or deleted at the provider in the meantime. */
export function isConflict(error: unknown): boolean {
  const failure = failureOf(error)
  return failure.kind === 'answered' && (failure.data.code === 'conflict' || failure.data.code === 'not_found')
}
