import { hashKey } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { RulePhase } from '#shared/features/domains/rulesets/phases.ts'
import type { RuleDefinition } from '#shared/features/domains/rulesets/schema.ts'
import { errorCatalog } from '#shared/errors/codes.ts'
import { OutdatedError, failureOf, failureWords } from '#client/lib/errors.ts'
import { inTurn } from '#client/lib/in-turn.ts'
import { toast } from '#client/lib/toast.ts'
import { trpc, type Outputs } from '#client/lib/trpc.ts'
import { offerUndo } from '../history/undo-change.ts'
import type { Rule, Ruleset } from './queries.ts'
import { showMoreRules } from './show-more-rules.ts'
import { useRuleTitle } from './use-rule-words.ts'

/** A position in the order that was seen. */
export interface RulePlace {
  readonly position: number
  /** The ids of the rules. */
  readonly order: readonly string[]
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
  /** `seen` is the rule as it was opened. Throws the server's error. */
  update: (phase: RulePhase, seen: Rule, rule: RuleDefinition) => Promise<void>
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

  /** The version of the ruleset, if its order is the one that was seen; own changes before it may have made a newer one. */
  const requireOrder = (phase: RulePhase, seen: readonly string[]): { version?: string } => {
    const now = rulesetNow(phase)
    // A change before it failed, or the rules were read again: the position was chosen in an order that does not exist.
    if (seen.join() !== idsOf(now).join()) throw new OutdatedError('the order of the rules has changed')
    return now === undefined || now.version === null ? {} : { version: now.version }
  }
  /** The version of a rule as it was seen; own changes before it may have made a newer one. */
  const versionOf = (phase: RulePhase, seen: Rule): string => {
    const now = find(phase, seen.id)
    return now !== undefined && hashOf(now) === hashOf(seen) ? now.version : seen.version
  }

  /**
   * Makes a change after those before it and offers to undo it. A failure is thrown immediately, unless it is `explained` by the rules as they
   * are now; the next change waits for the rules.
   */
  const makeChange = (title: string, send: () => Promise<RulesetAnswer>, explained = isConflict): Promise<void> => {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    inTurn(domainId, async () => {
      await stopReading()
      try {
        const answer = await send()
        take(answer)
        announce(title, answer)
        resolve()
      } catch (error) {
        if (!explained(error)) reject(error)
        await renew()
        reject(error)
      }
    }).catch(reject)
    return promise
  }
  /** The same for an existing rule. */
  const changeRule = async (own: Pending, title: string, send: () => Promise<RulesetAnswer>, explained = isConflict): Promise<void> => {
    setPending((before) => [...before, own])
    setRefusal(own.ruleId, null)
    try {
      await makeChange(title, send, explained)
    } finally {
      setPending((before) => before.filter((each) => each !== own))
    }
  }
  /** The same from the list, which shows the refusal at the rule. `onGone` reports that the rule no longer exists. */
  const changeInList = async (
    own: Pending,
    title: string,
    failure: string,
    send: () => Promise<RulesetAnswer>,
    onGone: (error: unknown) => void = (error) => toast.failure(error, failure),
    explained = isConflict,
  ): Promise<void> => {
    try {
      await changeRule(own, title, send, explained)
    } catch (error) {
      const isGone = (): boolean => find(own.phase, own.ruleId) === undefined
      if (isGone()) return onGone(error)
      setRefusal(own.ruleId, failureWords(failure, error))
      // Once the rules have been read again, the rule that shows the refusal may no longer be there.
      void inTurn(domainId, async () => isGone() && onGone(error))
      throw error
    }
  }

  const busy = new Set(pending.map(({ ruleId }) => ruleId))
  const shown = (ruleset: Ruleset): Ruleset =>
    pending.reduce((before, { phase, expect }) => (phase === ruleset.phase ? expect(before) : before), ruleset)
  return {
    shown,
    busy,
    refusals,
    toggle: (phase, rule) => {
      if (busy.has(rule.id)) return
      const enabled = !rule.enabled
      const expect: Pending['expect'] = (ruleset) => ({
        ...ruleset,
        rules: ruleset.rules.map((each) => (each.id === rule.id ? { ...each, enabled } : each)),
      })
      const title = t(enabled ? 'switched_on' : 'switched_off', { rule: titleOf(rule) })
      const send = () => updating.mutateAsync({ id: domainId, phase, ruleId: rule.id, rule: { enabled } })
      changeInList({ ruleId: rule.id, phase, expect }, title, t('failed.toggle'), send).catch(() => undefined)
    },
    move: (phase, rule, position) => {
      if (busy.has(rule.id)) return
      const before = rulesetNow(phase)
      const order = idsOf(before && shown(before))
      const expect: Pending['expect'] = (ruleset) => ({
        ...ruleset,
        rules: ruleset.rules
          .filter(({ id }) => id !== rule.id)
          .toSpliced(position - 1, 0, ruleset.rules.find(({ id }) => id === rule.id) ?? rule),
      })
      const send = async () => moving.mutateAsync({ id: domainId, phase, ruleId: rule.id, position, ...requireOrder(phase, order) })
      changeInList({ ruleId: rule.id, phase, expect }, t('moved', { rule: titleOf(rule) }), t('failed.move'), send).catch(() => undefined)
    },
    remove: async (phase, rule) => {
      const send = () => removing.mutateAsync({ id: domainId, phase, ruleId: rule.id, version: versionOf(phase, rule) })
      const own: Pending = { ruleId: rule.id, phase, expect: asBefore }
      const title = t('deleted', { rule: titleOf(rule) })
      const onGone = (error: unknown): void => (mayHaveWorked(error) ? toast.success(title) : toast.info(t('already_deleted')))
      // If the answer was lost, whether the rule is still there says what happened.
      await changeInList(own, title, t('failed.delete'), send, onGone, (error) => isConflict(error) || mayHaveWorked(error))
    },
    create: (phase, rule, place) =>
      makeChange(t('added', { rule: titleOf(rule) }), async () => {
        const at = place === null ? {} : { position: place.position, ...requireOrder(phase, place.order) }
        return creating.mutateAsync({ id: domainId, phase, rule, ...at })
      }),
    update: (phase, seen, rule) => {
      const send = () => updating.mutateAsync({ id: domainId, phase, ruleId: seen.id, rule, version: versionOf(phase, seen) })
      return changeRule({ ruleId: seen.id, phase, expect: asBefore }, t('saved', { rule: titleOf(rule) }), send)
    },
  }
}

const asBefore = (ruleset: Ruleset): Ruleset => ruleset
const idsOf = (ruleset: Ruleset | undefined): string[] => (ruleset?.rules ?? []).map(({ id }) => id)
/** What people see of a rule. */
const hashOf = ({ version: _version, modifiedAt: _modifiedAt, ...rule }: Rule): string => hashKey([rule])

/** Whether a change failed because the rule was changed or deleted at the provider in the meantime. */
export function isConflict(error: unknown): boolean {
  if (error instanceof OutdatedError) return true
  const failure = failureOf(error)
  return failure.kind === 'answered' && (failure.data.code === 'conflict' || failure.data.code === 'not_found')
}

/** Whether a change may have taken effect although it failed: its answer was lost. */
function mayHaveWorked(error: unknown): boolean {
  const failure = failureOf(error)
  return failure.kind === 'no_response' || (failure.kind === 'answered' && errorCatalog[failure.data.code].effect === 'unknown')
}
