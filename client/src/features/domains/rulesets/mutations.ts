import { TRPCClientError } from '@trpc/client'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { RulePhase } from '#shared/features/domains/rulesets/phases.ts'
import type { RuleDefinition } from '#shared/features/domains/rulesets/schema.ts'
import { failureOf, failureWords } from '#client/lib/errors.ts'
import { toast } from '#client/lib/toast.ts'
import { trpc } from '#client/lib/trpc.ts'
import { offerUndoOfLastChange } from '../history/undo-last-change.ts'
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

/** A change that was sent or waits for its turn. */
interface Pending {
  readonly ruleId: string
  readonly phase: RulePhase
  /** The expected result; the same if it is already there. */
  readonly expect: (ruleset: Ruleset) => Ruleset
}

/** As the server refuses a change of an outdated list. */
const outdated = {
  error: { code: -32_009, message: 'conflict', data: { code: 'conflict', httpStatus: 409, retryable: false, params: {}, requestId: null } },
} as const

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
  /**
   * Every change makes a new version of the ruleset, so a move needs the answer of the change before it; and the undo of a change is looked for
   * before the next one.
   */
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
  /** `keys`: the ids of the changed rules, or the phase whose order changed. */
  const offerUndo = (title: string, keys: readonly string[]): Promise<void> =>
    offerUndoOfLastChange(domainId, title, 'rule', (key) => keys.includes(key)).catch(() => toast.success(title))

  /** Changes an existing rule and offers to undo that; a refusal is shown at it. `onGone` reports that it no longer exists. */
  const change = async (
    { id }: Rule,
    failure: string,
    send: () => Promise<{ ruleset: Ruleset }>,
    phase: RulePhase,
    done: { readonly title: string; readonly key: string },
    expect: Pending['expect'] = (ruleset) => ruleset,
    onGone: (error: unknown) => void = (error) => toast.failure(error, failure),
  ): Promise<void> => {
    const own: Pending = { ruleId: id, phase, expect }
    setPending((before) => [...before, own])
    setRefusal(id, null)
    const turn = last.current
    const { promise, resolve: end } = Promise.withResolvers<undefined>()
    last.current = promise
    let offered: Promise<void> = Promise.resolve()
    try {
      await turn
      await stopReading()
      take(await send())
      offered = offerUndo(done.title, [done.key])
    } catch (error) {
      await renew()
      if (find(phase, id) === undefined) return onGone(error)
      setRefusal(id, failureWords(failure, error))
      throw error
    } finally {
      void offered.finally(() => end(undefined))
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
      const done = { title: t(enabled ? 'switched_on' : 'switched_off', { rule: titleOf(rule) }), key: rule.id }
      change(rule, t('failed.toggle'), send, phase, done, (ruleset) => ({
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
        if (!isSameOrder(seen, now)) return Promise.reject(TRPCClientError.from(outdated))
        // Own changes before it made a newer version with the same order.
        const version = now?.version ?? undefined
        return moving.mutateAsync({ id: domainId, phase, ruleId: rule.id, position, ...(version !== undefined && { version }) })
      }
      const done = { title: t('moved', { rule: titleOf(rule) }), key: phase }
      change(rule, t('failed.move'), send, phase, done, (ruleset) => ({
        ...ruleset,
        rules: ruleset.rules
          .filter(({ id }) => id !== rule.id)
          .toSpliced(position - 1, 0, ruleset.rules.find(({ id }) => id === rule.id) ?? rule),
      })).catch(() => undefined)
    },
    remove: async (phase, rule) => {
      const send = () => removing.mutateAsync({ id: domainId, phase, ruleId: rule.id, version: rule.version })
      const done = { title: t('deleted', { rule: titleOf(rule) }), key: rule.id }
      await change(rule, t('failed.delete'), send, phase, done, undefined, () => toast.info(t('already_deleted')))
    },
    create: async (phase, rule, place) => {
      await stopReading()
      const at = place === null ? {} : { position: place.position, ...(place.version !== null && { version: place.version }) }
      const known = new Set(rulesetNow(phase)?.rules.map(({ id }) => id))
      const answer = await creating.mutateAsync({ id: domainId, phase, rule, ...at })
      take(answer)
      const title = t('added', { rule: titleOf(rule) })
      const added = answer.ruleset.rules.filter(({ id }) => !known.has(id)).map(({ id }) => id)
      void offerUndo(title, added)
    },
    update: async (phase, ruleId, rule, version) => {
      await stopReading()
      setRefusal(ruleId, null)
      take(await updating.mutateAsync({ id: domainId, phase, ruleId, rule, ...(version !== null && { version }) }))
      const title = t('saved', { rule: titleOf(rule) })
      // A save without a change sends nothing, so there is nothing to undo.
      if (find(phase, ruleId)?.version === version) toast.success(title)
      else void offerUndo(title, [ruleId])
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
