import type { Clock } from '#server/platform/clock.ts'
import type { CallOptions, HostConnection, IpRuleScope } from '#server/ports/dns-host.ts'
import { AppError } from '#shared/errors/app-error.ts'
import type { ErrorCode } from '#shared/errors/codes.ts'
import type { IpAccessMode, IpAccessValue } from '#shared/features/domains/ip-access/values.ts'
import { toStoredIpRule } from './logged-ip-rule.ts'
import type { Expiries, StoredIpRule } from './logged-ip-rule.ts'
import { expiryFrom, isTooShort } from './rule-expiry.ts'
import type { RuleExpiry } from './rule-expiry.ts'

type IsExpected = (rule: Pick<StoredIpRule, 'mode' | 'note'>) => boolean

/** `revertsId`: the history entry that the change reverts. */
export type IpRuleChange = { readonly revertsId?: string | undefined } & (
  | {
      readonly kind: 'create'
      readonly rule: IpAccessValue & { readonly mode: IpAccessMode; readonly note: string; readonly expiry: RuleExpiry }
    }
  | {
      readonly kind: 'update'
      readonly ruleId: string
      /** Whether the rule is the one that the change was made for; if not, it is held back. */
      readonly isExpected: IsExpected
      readonly set: {
        readonly mode?: IpAccessMode | undefined
        readonly note?: string | undefined
        readonly expiresAt?: Date | null | undefined
      }
    }
  | {
      readonly kind: 'delete'
      /** By its id or by its value. */
      readonly of: { readonly ruleId: string } | IpAccessValue
      /** As that of an update. */
      readonly isExpected: IsExpected
      /** Asked just before the call: somebody may have given the rule another expiry. */
      readonly isStillDue?: (() => Promise<boolean>) | undefined
    }
)

export interface MadeIpRule {
  readonly change: IpRuleChange
  readonly before: StoredIpRule | null
  readonly after: StoredIpRule | null
  /** When a created or extended rule expires; undefined if the change is no creation. */
  readonly expiresAt?: Date | null
}

export interface SentIpRules {
  /** The rules after the changes. */
  readonly rules: readonly StoredIpRule[]
  readonly made: readonly MadeIpRule[]
  /** Changes without an effect: the rule is there already, or gone already. */
  readonly unchanged: number
  /** Not sent, because another rule has the value or the rule was changed meanwhile. */
  readonly heldBack: readonly { readonly change: IpRuleChange; readonly rule: StoredIpRule }[]
  /** Changes that the provider refused, with its words; the others were sent all the same. */
  readonly refused: readonly RefusedIpRule[]
  /** What ended it early, because every other change would have failed too; with the change that failed and those that were not sent. */
  readonly stopped: { readonly error: Error; readonly changes: readonly IpRuleChange[] } | null
}

export interface RefusedIpRule {
  readonly change: IpRuleChange
  readonly error: AppError
  /** The value of its rule; null if that is unknown. */
  readonly value: string | null
}

/** Errors of one change. Any other error stops all. */
const ofTheChange: ReadonlySet<ErrorCode> = new Set([
  'provider_rejected',
  'provider_not_found',
  'not_found',
  'conflict',
  'ip_access_exists',
])

/** The error to report; null if everything was sent. Of several refusals it has the words of each, with the values that they are about. */
export function failureOf({ refused, stopped }: Pick<SentIpRules, 'refused' | 'stopped'>): Error | null {
  if (stopped !== null) return stopped.error
  const first = (refused.find(({ error }) => error.provider !== undefined) ?? refused[0])?.error
  if (first?.provider === undefined) return first ?? null
  const message = [...Map.groupBy(refused, ({ error }) => error.provider?.message ?? error.code)]
    .map(([words, some]) => [some.flatMap(({ value }) => value ?? []).join(', '), words].filter((part) => part !== '').join(': '))
    .join('; ')
  return new AppError(first.code, { params: first.params, provider: { ...first.provider, message }, cause: first })
}

export const isSameValue = (one: IpAccessValue, other: IpAccessValue): boolean => one.target === other.target && one.value === other.value

/** What a change has to do, given the rules as they are. */
type Step = 'unchanged' | { readonly heldBack: StoredIpRule } | { readonly on: StoredIpRule | null }

async function stepOf(change: IpRuleChange, rules: readonly StoredIpRule[], expiries: Expiries): Promise<Step> {
  if (change.kind === 'create') {
    const present = rules.find((rule) => isSameValue(rule, change.rule))
    if (present === undefined) return { on: null }
    if (present.mode !== change.rule.mode) return { heldBack: present }
    return isTooShort(expiries.get(present.id), change.rule.expiry) ? { on: present } : 'unchanged'
  }
  const of = change.kind === 'update' ? { ruleId: change.ruleId } : change.of
  const rule = rules.find((each) => ('ruleId' in of ? each.id === of.ruleId : isSameValue(each, of)))
  if (rule === undefined) {
    if (change.kind === 'update') throw new AppError('not_found')
    return 'unchanged'
  }
  if (!change.isExpected(rule)) return { heldBack: rule }
  const isDue = change.kind === 'update' || change.isStillDue === undefined || (await change.isStillDue())
  return isDue ? { on: rule } : { heldBack: rule }
}

/** Whether the rules show the effect of the change. */
function effectOf(change: IpRuleChange, before: StoredIpRule | null, rules: readonly StoredIpRule[]): MadeIpRule | null {
  if (change.kind === 'create') {
    const { mode, note } = change.rule
    const after = rules.find((rule) => isSameValue(rule, change.rule) && rule.mode === mode && rule.note === note)
    return after === undefined ? null : { change, before: null, after }
  }
  const after = rules.find((rule) => rule.id === before?.id) ?? null
  if (change.kind === 'delete') return after === null ? { change, before, after } : null
  const { mode = after?.mode, note = after?.note } = change.set
  return after !== null && after.mode === mode && after.note === note ? { change, before, after } : null
}

/**
 * Makes the changes one call each, given the current rules. If an answer is lost, the rules are read to see whether the change took effect, so
 * that nothing is sent twice. A value that got a rule meanwhile is treated as if it had had one before. A refused change does not end the others.
 */
export async function sendIpRules(
  connection: HostConnection,
  scope: IpRuleScope,
  present: readonly StoredIpRule[],
  changes: readonly IpRuleChange[],
  { expiries, clock, ...call }: CallOptions & { readonly expiries: Expiries; readonly clock: Clock },
): Promise<SentIpRules> {
  let rules = [...present]
  const made: MadeIpRule[] = []
  const heldBack: { change: IpRuleChange; rule: StoredIpRule }[] = []
  const refused: RefusedIpRule[] = []
  let unchanged = 0
  const list = async () => (await connection.listIpRules(scope, call)).map(toStoredIpRule)

  async function send(change: IpRuleChange, on: StoredIpRule | null): Promise<MadeIpRule> {
    if (change.kind === 'create') {
      // It expires later than before, which only the panel knows.
      if (on !== null) return { change, before: on, after: on }
      const { expiry: _, ...rule } = change.rule
      return { change, before: null, after: toStoredIpRule(await connection.createIpRule(scope, rule, call)) }
    }
    if (on === null) throw new AppError('not_found')
    if (change.kind === 'delete') {
      await connection.deleteIpRule(scope, on.id, call)
      return { change, before: on, after: null }
    }
    const { mode = on.mode, note = on.note } = change.set
    if (mode === on.mode && note === on.note) return { change, before: on, after: on }
    return { change, before: on, after: toStoredIpRule(await connection.updateIpRule(scope, on.id, { mode, note }, call)) }
  }

  /** Null: the change has to be looked at again with the rules as they are now. */
  async function make(change: IpRuleChange, on: StoredIpRule | null): Promise<MadeIpRule | null> {
    try {
      return await send(change, on)
    } catch (error) {
      if (!(error instanceof AppError) || !(error.isUnclear || error.code === 'ip_access_exists')) throw error
      const later = await list()
      const effect = error.isUnclear ? effectOf(change, on, later) : null
      if (error.isUnclear && effect === null) throw error
      rules = later
      return effect
    }
  }

  const valueOf = (change: IpRuleChange): string | null => {
    if (change.kind === 'create') return change.rule.value
    const of = change.kind === 'update' ? { ruleId: change.ruleId } : change.of
    return 'ruleId' in of ? (rules.find(({ id }) => id === of.ruleId)?.value ?? null) : of.value
  }

  for (const [index, change] of changes.entries()) {
    try {
      let step = await stepOf(change, rules, expiries)
      if (typeof step === 'object' && 'on' in step) {
        const done = await make(change, step.on)
        if (done !== null) {
          made.push(change.kind === 'create' ? { ...done, expiresAt: expiryFrom(change.rule.expiry, clock.now()) } : done)
          rules = [
            ...rules.filter(({ id }) => id !== done.before?.id && id !== done.after?.id),
            ...(done.after === null ? [] : [done.after]),
          ]
          continue
        }
        step = await stepOf(change, rules, expiries)
      }
      if (step === 'unchanged') unchanged += 1
      else if ('heldBack' in step) heldBack.push({ change, rule: step.heldBack })
      else throw new AppError('conflict')
    } catch (error) {
      if (error instanceof AppError && ofTheChange.has(error.code)) {
        refused.push({ change, error, value: valueOf(change) })
        continue
      }
      const stopped = { error: error instanceof Error ? error : new Error(String(error)), changes: changes.slice(index) }
      return { rules, made, unchanged, heldBack, refused, stopped }
    }
  }
  return { rules, made, unchanged, heldBack, refused, stopped: null }
}
