import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { RulePhase } from '#shared/features/domains/rulesets/phases.ts'
import type { RuleDefinition } from '#shared/features/domains/rulesets/schema.ts'
import { failureOf, failureWords } from '#client/lib/errors.ts'
import { toast } from '#client/lib/toast.ts'
import { trpc } from '#client/lib/trpc.ts'
import { offerUndoOfLastChange } from '../history/undo-last-change.ts'
import type { Rule, Ruleset } from './queries.ts'
import { useRuleTitle } from './use-rule-words.ts'

/** A position in the ruleset of this version; null if there is no ruleset yet. */
export interface RulePlace {
  readonly position: number
  readonly version: string | null
}

export interface RuleChanges {
  /** Rules with pending changes. */
  busy: ReadonlySet<string>
  /** Why the last change of a rule failed, by its id. */
  refusals: ReadonlyMap<string, string>
  /** Optimistic; rolled back on failure. */
  toggle: (phase: RulePhase, rule: Rule) => void
  /** Optimistic; rolled back on failure. 1 is the first position. */
  move: (phase: RulePhase, rule: Rule, position: number) => void
  /** Throws if it failed; the reason is shown at the rule. A rule that no longer exists counts as deleted. */
  remove: (phase: RulePhase, rule: Rule) => Promise<void>
  /** Throws the server's error. */
  create: (phase: RulePhase, rule: RuleDefinition, place: RulePlace | null) => Promise<void>
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
  /** Every change makes a new version of the ruleset, so a move needs the answer of the change before it. */
  const last = useRef<Promise<void>>(Promise.resolve())
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

  const rulesetNow = (phase: RulePhase): Ruleset | undefined =>
    utils.rulesets.list.getData({ id: domainId })?.rulesets.find((each) => each.phase === phase)
  const find = (phase: RulePhase, ruleId: string): Rule | undefined => rulesetNow(phase)?.rules.find(({ id }) => id === ruleId)
  const offerUndo = (title: string): void => {
    offerUndoOfLastChange(domainId, title, 'rule').catch(() => toast.success(title))
  }

  /** Changes an existing rule; a refusal is shown at it. False: the rule no longer exists, which was reported by `onGone`. */
  const change = async (
    { id }: Rule,
    failure: string,
    send: () => Promise<{ ruleset: Ruleset }>,
    phase: RulePhase,
    meanwhile: (ruleset: Ruleset) => Ruleset = (ruleset) => ruleset,
    onGone: (error: unknown) => void = (error) => toast.failure(error, failure),
  ): Promise<boolean> => {
    mark(id, true)
    setRefusal(id, null)
    await stopReading()
    show(phase, meanwhile)
    const turn = last.current
    const { promise, resolve: end } = Promise.withResolvers<undefined>()
    last.current = promise
    try {
      await turn
      take(await send())
      return true
    } catch (error) {
      await renew()
      if (find(phase, id) === undefined) {
        onGone(error)
        return false
      }
      setRefusal(id, failureWords(failure, error))
      throw error
    } finally {
      end(undefined)
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
      })).then(
        (done) => done && offerUndo(t(enabled ? 'switched_on' : 'switched_off', { rule: titleOf(rule) })),
        () => undefined,
      )
    },
    move: (phase, rule, position) => {
      if (busy.has(rule.id)) return
      const seen = rulesetNow(phase)
      const send = () => {
        const now = rulesetNow(phase)
        // Own changes before it made a newer version with the same order.
        const version = (isSameOrder(seen, now) ? now : seen)?.version ?? undefined
        return moving.mutateAsync({ id: domainId, phase, ruleId: rule.id, position, ...(version !== undefined && { version }) })
      }
      change(rule, t('failed.move'), send, phase, (ruleset) => ({
        ...ruleset,
        rules: ruleset.rules.filter(({ id }) => id !== rule.id).toSpliced(position - 1, 0, rule),
      })).then(
        (done) => done && offerUndo(t('moved', { rule: titleOf(rule) })),
        () => undefined,
      )
    },
    remove: async (phase, rule) => {
      const send = () => removing.mutateAsync({ id: domainId, phase, ruleId: rule.id, version: rule.version })
      const done = await change(rule, t('failed.delete'), send, phase, undefined, () => toast.info(t('already_deleted')))
      if (done) offerUndo(t('deleted', { rule: titleOf(rule) }))
    },
    create: async (phase, rule, place) => {
      await stopReading()
      const at = place === null ? {} : { position: place.position, ...(place.version !== null && { version: place.version }) }
      take(await creating.mutateAsync({ id: domainId, phase, rule, ...at }))
      offerUndo(t('added', { rule: titleOf(rule) }))
    },
    update: async (phase, ruleId, rule, version) => {
      await stopReading()
      setRefusal(ruleId, null)
      take(await updating.mutateAsync({ id: domainId, phase, ruleId, rule, ...(version !== null && { version }) }))
      const title = t('saved', { rule: titleOf(rule) })
      // A save without a change sends nothing, so there is nothing to undo.
      if (find(phase, ruleId)?.version === version) toast.success(title)
      else offerUndo(title)
    },
  }
}

const isSameOrder = (one: Ruleset | undefined, other: Ruleset | undefined): boolean =>
  JSON.stringify(one?.rules.map(({ id }) => id)) === JSON.stringify(other?.rules.map(({ id }) => id))

/** Whether a change failed because the rule was changed or deleted at the provider in the meantime. */
export function isConflict(error: unknown): boolean {
  const failure = failureOf(error)
  return failure.kind === 'answered' && (failure.data.code === 'conflict' || failure.data.code === 'not_found')
}
