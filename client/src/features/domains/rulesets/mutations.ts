import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { RulePhase } from '#shared/features/domains/rulesets/phases.ts'
import type { RuleDefinition } from '#shared/features/domains/rulesets/schema.ts'
import { OutdatedError, failureOf, failureWords } from '#client/lib/errors.ts'
import { toast } from '#client/lib/toast.ts'
import { trpc, type Outputs } from '#client/lib/trpc.ts'
import { offerUndo } from '../history/undo-change.ts'
import type { Rule, Ruleset } from './queries.ts'
import { showMoreRules } from './show-more-rules.ts'
import { useRuleTitle } from './use-rule-words.ts'

/** A position in the ruleset of this version; null if there is no ruleset yet. */
export interface RulePlace {
  readonly position: number
  readonly version: string | null
}

export interface RuleChanges {
  /** A ruleset with the pending changes. */
  shown: (ruleset: Ruleset) => Ruleset
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

type RulesetAnswer = Outputs['rulesets']['updateRule']

/** A change that was sent or waits for its turn. */
interface Pending {
  readonly ruleId: string
  readonly phase: RulePhase
  /** The expected result; the same if it is already there. */
  readonly expect: (ruleset: Ruleset) => Ruleset
}

const silent = { meta: { failure: false } } as const

/** All changes to the rules of a domain. */
export function useRuleChanges(domainId: string): RuleChanges {
  const { t } = useTranslation('rulesets')
  const titleOf = useRuleTitle()
  const utils = trpc.useUtils()
  const [pending, setPending] = useState<readonly Pending[]>([])
  const [refusals, setRefusals] = useState<ReadonlyMap<string, string>>(new Map())
  const creating = trpc.rulesets.createRule.useMutation(silent)
  const updating = trpc.rulesets.updateRule.useMutation(silent)
  const moving = trpc.rulesets.moveRule.useMutation(silent)
  /** Every change makes a new version of the ruleset, so a move needs the answer of the change before it. */
  const last = useRef<Promise<void>>(Promise.resolve())
  const removing = trpc.rulesets.deleteRule.useMutation(silent)

  const take = ({ ruleset }: { ruleset: Ruleset }): void => {
    showMoreRules(domainId, rulesetNow(ruleset.phase)?.rules.length, ruleset.rules.length)
    utils.rulesets.list.setData(
      { id: domainId },
      (before) => before && { ...before, rulesets: before.rulesets.map((each) => (each.phase === ruleset.phase ? ruleset : each)) },
    )
    void utils.history.invalidate()
  }
  const renew = (): Promise<void> => utils.rulesets.list.invalidate({ id: domainId })
  /** Cancels a fetch that began before a change, because it would show the old state. */
  const stopReading = (): Promise<void> => utils.rulesets.list.cancel({ id: domainId })
  const setRefusal = (ruleId: string, text: string | null): void =>
    setRefusals((before) => new Map([...[...before].filter(([id]) => id !== ruleId), ...(text === null ? [] : [[ruleId, text] as const])]))

  /** As last read or answered. */
  const rulesetNow = (phase: RulePhase): Ruleset | undefined =>
    utils.rulesets.list.getData({ id: domainId })?.rulesets.find((each) => each.phase === phase)
  const find = (phase: RulePhase, ruleId: string): Rule | undefined => rulesetNow(phase)?.rules.find(({ id }) => id === ruleId)
  const announce = (title: string, { batchId }: RulesetAnswer): void => {
    offerUndo(domainId, { title, batchId }).catch(() => toast.success(title))
  }

  /** Changes an existing rule and offers to undo that; a refusal is shown at it. `onGone` reports that it no longer exists. */
  const change = async (
    { id }: Rule,
    failure: string,
    send: () => Promise<RulesetAnswer>,
    phase: RulePhase,
    title: string,
    expect: Pending['expect'] = (ruleset) => ruleset,
    onGone: (error: unknown) => void = (error) => toast.failure(error, failure),
  ): Promise<void> => {
    const own: Pending = { ruleId: id, phase, expect }
    setPending((before) => [...before, own])
    setRefusal(id, null)
    const turn = last.current
    const { promise, resolve: end } = Promise.withResolvers<undefined>()
    last.current = promise
    try {
      await turn
      await stopReading()
      const answer = await send()
      take(answer)
      announce(title, answer)
    } catch (error) {
      await renew()
      if (find(phase, id) === undefined) return onGone(error)
      setRefusal(id, failureWords(failure, error))
      throw error
    } finally {
      end(undefined)
      setPending((before) => before.filter((each) => each !== own))
    }
  }

  const busy = new Set(pending.map(({ ruleId }) => ruleId))
  const shown = (ruleset: Ruleset): Ruleset =>
    pending.reduce((before, { phase, expect }) => (phase === ruleset.phase ? expect(before) : before), ruleset)
  return {
    shown,
    busy,
    refusals,
    renew,
    toggle: (phase, rule) => {
      if (busy.has(rule.id)) return
      const enabled = !rule.enabled
      const send = () => updating.mutateAsync({ id: domainId, phase, ruleId: rule.id, rule: { enabled } })
      const title = t(enabled ? 'switched_on' : 'switched_off', { rule: titleOf(rule) })
      change(rule, t('failed.toggle'), send, phase, title, (ruleset) => ({
        ...ruleset,
        rules: ruleset.rules.map((each) => (each.id === rule.id ? { ...each, enabled } : each)),
      })).catch(() => undefined)
    },
    move: (phase, rule, position) => {
      if (busy.has(rule.id)) return
      const before = rulesetNow(phase)
      const seen = before && shown(before)
      const send = () => {
        const now = rulesetNow(phase)
        // A change before it failed, or the rules were read again: the position was chosen in an order that does not exist.
        if (!isSameOrder(seen, now)) return Promise.reject(new OutdatedError('the order of the rules has changed'))
        // Own changes before it made a newer version with the same order.
        const version = now?.version ?? undefined
        return moving.mutateAsync({ id: domainId, phase, ruleId: rule.id, position, ...(version !== undefined && { version }) })
      }
      const title = t('moved', { rule: titleOf(rule) })
      change(rule, t('failed.move'), send, phase, title, (ruleset) => ({
        ...ruleset,
        rules: ruleset.rules
          .filter(({ id }) => id !== rule.id)
          .toSpliced(position - 1, 0, ruleset.rules.find(({ id }) => id === rule.id) ?? rule),
      })).catch(() => undefined)
    },
    remove: async (phase, rule) => {
      const send = () => removing.mutateAsync({ id: domainId, phase, ruleId: rule.id, version: rule.version })
      const title = t('deleted', { rule: titleOf(rule) })
      await change(rule, t('failed.delete'), send, phase, title, undefined, () => toast.info(t('already_deleted')))
    },
    create: async (phase, rule, place) => {
      await stopReading()
      const at = place === null ? {} : { position: place.position, ...(place.version !== null && { version: place.version }) }
      const answer = await creating.mutateAsync({ id: domainId, phase, rule, ...at })
      take(answer)
      announce(t('added', { rule: titleOf(rule) }), answer)
    },
    update: async (phase, ruleId, rule, version) => {
      await stopReading()
      setRefusal(ruleId, null)
      const answer = await updating.mutateAsync({ id: domainId, phase, ruleId, rule, ...(version !== null && { version }) })
      take(answer)
      announce(t('saved', { rule: titleOf(rule) }), answer)
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
