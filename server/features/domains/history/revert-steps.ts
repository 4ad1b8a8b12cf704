import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { dnsRecord, recordType } from '#shared/features/domains/records/schema.ts'
import type { DnsRecord, RecordType } from '#shared/features/domains/records/schema.ts'
import type { RulePhase } from '#shared/features/domains/rulesets/phases.ts'
import { loggedIpRule } from '#shared/features/domains/ip-access/schema.ts'
import type { LoggedIpRule } from '#shared/features/domains/ip-access/schema.ts'
import { loggedRule, rulePhase } from '#shared/features/domains/rulesets/schema.ts'
import type { LoggedRule } from '#shared/features/domains/rulesets/schema.ts'
import type { RevertPlan, ZoneChange } from '#shared/features/domains/history/schema.ts'

type RevertStep = RevertPlan['steps'][number]
type Reason = NonNullable<RevertStep['reason']>

/** A subject of the entries with its current value and the value after the revert. */
export interface Slot {
  readonly subject: ZoneChange['subject']
  readonly key: string
  readonly now: unknown
  wanted: unknown
  /** Time of the newest of its entries. */
  readonly at: string
  /** The reverted entries, newest first. */
  readonly entryIds: string[]
}

/** The current state in the mirror. */
export interface Present {
  /** Null before the first reading. */
  readonly records: readonly DnsRecord[] | null
  /** Those that the provider no longer lists, but may still have. */
  readonly missingRecords: readonly DnsRecord[]
  /** Of all phases, in order; null before the first reading. */
  readonly rules: readonly LoggedRule[] | null
  /** Null before the first reading. */
  readonly ipRules: readonly LoggedIpRule[] | null
  /** Whether a revert created the rule with this id in place of the one with the other id. */
  readonly isRestoredIpRule: (id: string, formerId: string) => boolean
  /** How many rules of this phase the zone's plan includes; null if unknown. */
  readonly ruleLimit: (phase: RulePhase) => number | null
  /** Undefined if unknown. */
  readonly setting: (key: string) => unknown
  /** Attributes of the zone: `group`, `profile`, `registrar` and `tracker` (their ids) and `paused`. */
  readonly zone: (key: string) => unknown
  readonly nowMs: number
  /** The value that a revert of this entry set; undefined if it was never reverted. */
  readonly takenBackTo: (entry: ZoneChange) => unknown
  /** The reason if this value cannot be set. */
  readonly refusal: (subject: 'setting' | 'zone', key: string, value: unknown) => Reason | null
}

const fields = ['type', 'name', 'content', 'ttl', 'proxied', 'priority', 'comment'] as const

export const isSameRecord = (one: DnsRecord, other: DnsRecord): boolean =>
  fields.every((field) => one[field] === other[field]) && isDeepStrictEqual(one.tags.toSorted(), other.tags.toSorted())

const hasOwnRef = ({ ref, id }: LoggedRule): boolean => ref !== null && ref !== id

/** Regardless of its place, which other rules change, and of its `ref`, which is its id by default. */
function isSameRule(one: LoggedRule, other: LoggedRule): boolean {
  const [{ ref: _, ...left }, { ref: __, ...right }] = [one.definition, other.definition]
  return one.phase === other.phase && isDeepStrictEqual(left, right)
}

/** Regardless of its id, which is another one after it was created again. */
const isSameIpRule = (one: LoggedIpRule, other: LoggedIpRule): boolean => isDeepStrictEqual({ ...one, id: '' }, { ...other, id: '' })

/** Whether the rules that are in both orders have the same order. */
function isSameOrder(one: readonly unknown[], other: readonly unknown[]): boolean {
  const common = (these: readonly unknown[], those: readonly unknown[]) => these.filter((id) => those.includes(id))
  return isDeepStrictEqual(common(one, other), common(other, one))
}

function isSame(subject: ZoneChange['subject'], one: unknown, other: unknown): boolean {
  if (one === null || other === null) return one === other
  if (subject === 'record') {
    const [left, right] = [dnsRecord.safeParse(one), dnsRecord.safeParse(other)]
    if (left.success && right.success) return isSameRecord(left.data, right.data)
  }
  if (subject === 'rule') {
    const [left, right] = [loggedRule.safeParse(one), loggedRule.safeParse(other)]
    if (left.success && right.success) return isSameRule(left.data, right.data)
  }
  if (subject === 'ip_rule') {
    const [left, right] = [loggedIpRule.safeParse(one), loggedIpRule.safeParse(other)]
    if (left.success && right.success) return isSameIpRule(left.data, right.data)
  }
  if (subject === 'zone' && typeof one === 'string' && typeof other === 'string' && profilePattern.test(one) && profilePattern.test(other))
    return isSameProfile(one, other)
  if (subject === 'rule_order' && Array.isArray(one) && Array.isArray(other)) return isSameOrder(one, other)
  return isDeepStrictEqual(one, other)
}

export const isWritable = (record: DnsRecord): record is DnsRecord & { readonly type: RecordType } =>
  recordType.safeParse(record.type).success

const wrapped = z.object({ value: z.unknown() })
const entityRef = z.object({ id: z.string(), version: z.int().nullish() })
/** A profile with its version, if that is known, as one value. */
export const profileValue = (id: string, version: number | null | undefined): string => (version == null ? id : `${id} ${version}`)
export const readProfile = (value: string): { readonly id: string; readonly version: number | null } => {
  const [id = '', version] = value.split(' ')
  return { id, version: version === undefined ? null : Number(version) }
}
const profilePattern = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}(?: \d+)?$/
/** Entries of earlier versions of the panel have no version. */
function isSameProfile(one: string, other: string): boolean {
  const [left, right] = [readProfile(one), readProfile(other)]
  return left.id === right.id && (left.version === null || right.version === null || left.version === right.version)
}
const entityTypes: ReadonlySet<string> = new Set(['group', 'profile', 'registrar', 'tracker'])

/** The value in an entry of a setting, an order of rules or the zone; undefined if it has none. */
export function valueOf(entry: ZoneChange, side: 'before' | 'after'): unknown {
  const parsed = wrapped.safeParse(entry[side])
  if (!parsed.success) return undefined
  const { value } = parsed.data
  if (entry.subject !== 'zone' || !entityTypes.has(entry.key) || value === null) return value
  const { data } = entityRef.safeParse(value)
  return data !== undefined && entry.key === 'profile' ? profileValue(data.id, data.version) : data?.id
}

/** What exists at the provider under an id of its own; everything else has a key that stays. */
type ResourceSubject = 'record' | 'rule' | 'ip_rule'
type Resource = DnsRecord | LoggedRule | LoggedIpRule
const isResource = (subject: ZoneChange['subject']): subject is ResourceSubject =>
  subject === 'record' || subject === 'rule' || subject === 'ip_rule'
const schemas = { record: dnsRecord, rule: loggedRule, ip_rule: loggedIpRule }
const identified = z.object({ id: z.string() })
const idOf = (resource: unknown): string | null => identified.safeParse(resource).data?.id ?? null
const isRecord = (value: unknown): value is DnsRecord => dnsRecord.safeParse(value).success

/** The phase of the rules that the slot changes; null if it changes something else. */
export function phaseOf({ subject, key, now, wanted }: Slot): RulePhase | null {
  if (subject !== 'rule' && subject !== 'rule_order') return null
  const rule = loggedRule.safeParse(wanted ?? now).data
  return rulePhase.safeParse(subject === 'rule' ? rule?.phase : key).data ?? null
}

/** Whether the resource may be the wanted one, created again. A rule with a `ref` of its own is only that rule, whatever others say. */
function isSuccessor(subject: ResourceSubject, each: Resource, wanted: Resource): boolean {
  const [one, other] = [loggedRule.safeParse(each).data, loggedRule.safeParse(wanted).data]
  if (subject === 'rule' && one !== undefined && other !== undefined && (hasOwnRef(one) || hasOwnRef(other))) return one.ref === other.ref
  return isSame(subject, each, wanted)
}

/** Whether the rule would be deleted immediately after it is created again. */
function isExpired(subject: ResourceSubject, rule: unknown, nowMs: number): boolean {
  const expiresAt = subject === 'ip_rule' ? (loggedIpRule.safeParse(rule).data?.expiresAt ?? null) : null
  return expiresAt !== null && Date.parse(expiresAt) <= nowMs
}

const orderSchema = z.array(z.string())

/** One side of an entry: null if the resource did not exist, undefined if the stored value cannot be read. */
export function sideOf(entry: ZoneChange, side: 'before' | 'after'): unknown {
  const { subject, [side]: value } = entry
  if (subject === 'rule_order') return rulePhase.safeParse(entry.key).success ? orderSchema.safeParse(valueOf(entry, side)).data : undefined
  if (!isResource(subject)) return valueOf(entry, side)
  return value === null ? null : schemas[subject].safeParse(value).data
}

/**
 * Plans reverting entries from newest to oldest, each on top of the previous result. With `force` also resources that have changed since.
 */
export function planSteps(entries: readonly ZoneChange[], present: Present, force: boolean): { steps: RevertStep[]; slots: Slot[] } {
  const slots: Slot[] = []
  const byKey = new Map<string, Slot>()
  const steps: RevertStep[] = []
  const resources = { record: present.records, rule: present.rules, ip_rule: present.ipRules }

  /** A resource that was created again has another id and is recognized by its content. Undefined: whether it exists is unknown. */
  function findResource(subject: ResourceSubject, key: string, wanted: Resource | null): Resource | null | undefined {
    const findIn = (all: readonly Resource[]) =>
      all.find(({ id }) => id === key) ?? (wanted === null ? undefined : all.find((each) => isSuccessor(subject, each, wanted)))
    const isMissing = () => subject === 'record' && findIn(present.missingRecords) !== undefined
    return findIn(resources[subject] ?? []) ?? (isMissing() ? undefined : null)
  }

  /** The ids of a phase's rules in their order. */
  const orderOf = (phase: string): unknown =>
    present.rules === null ? undefined : present.rules.filter((rule) => rule.phase === phase).map(({ id }) => id)

  /** Whether the phase has no place for one more rule after the changes planned so far. */
  function isFull(phase: RulePhase): boolean {
    const limit = present.ruleLimit(phase)
    const planned = slots.filter((slot) => slot.subject === 'rule' && slot.entryIds.length > 0 && phaseOf(slot) === phase)
    const added = planned.filter(({ now }) => now === null).length - planned.filter(({ wanted }) => wanted === null).length
    return limit !== null && (present.rules ?? []).filter((rule) => rule.phase === phase).length + added >= limit
  }

  function slotOf({ subject, key, at }: ZoneChange, before: Resource | null, after: Resource | null): Slot {
    const names = [key, before?.id, after?.id].flatMap((name) => (name === undefined ? [] : [`${subject} ${name}`]))
    const known = names.map((name) => byKey.get(name)).find((slot) => slot !== undefined)
    const open = (): Slot => {
      const now = isResource(subject)
        ? findResource(subject, key, after ?? before)
        : subject === 'rule_order'
          ? orderOf(key)
          : subject === 'setting'
            ? present.setting(key)
            : present.zone(key)
      const id = isResource(subject) ? idOf(now) : null
      const taken = id === null ? undefined : byKey.get(`${subject} ${id}`)
      if (taken !== undefined) return taken
      const slot = { subject, key, now, wanted: now, at, entryIds: [] }
      slots.push(slot)
      return slot
    }
    const slot = known ?? open()
    for (const name of names) byKey.set(name, slot)
    return slot
  }

  for (const entry of entries) {
    const { subject } = entry
    const [before, after] = [sideOf(entry, 'before'), sideOf(entry, 'after')]
    const asResource = (value: unknown) => (isResource(subject) ? ((value ?? null) as Resource | null) : null)
    const slot = slotOf(entry, asResource(before), asResource(after))
    const { wanted: now } = slot
    const step = (state: RevertStep['state'], reason: Reason | null = null) => {
      steps.push({ entryId: entry.id, label: entry.label, state, reason, now: now ?? null, wanted: before ?? null })
    }

    const same = (one: unknown, other: unknown) => isSame(subject, one, other)
    const nowId = subject === 'ip_rule' ? idOf(now) : null
    // The same rule of somebody else, added after the one of this entry was deleted.
    const isForeign =
      nowId !== null &&
      ![entry.key, idOf(before), idOf(after)].some((id) => id !== null && (id === nowId || present.isRestoredIpRule(nowId, id)))
    const takenBack = present.takenBackTo(entry)
    const refusal = isResource(subject)
      ? resources[subject] === null
        ? 'not_read'
        : now === undefined
          ? 'record_missing'
          : subject === 'record' && isRecord(before) && !isWritable(before)
            ? 'not_writable'
            : isExpired(subject, before, present.nowMs)
              ? 'expired'
              : null
      : now === undefined
        ? 'not_read'
        : before === undefined || subject === 'rule_order'
          ? null
          : present.refusal(subject, entry.key, before)
    if (before === undefined) step('impossible', 'unreadable')
    // An unread or missing resource is not necessarily a deleted one.
    else if (refusal !== null && (refusal === 'not_read' || refusal === 'record_missing' || !same(now, before))) step('impossible', refusal)
    else if (same(now, before)) step('already')
    // Reverted together with earlier entries, it already has their value.
    else if (takenBack !== undefined && same(now, takenBack)) step('already')
    else {
      const unchanged = after !== undefined && same(now, after) && !isForeign
      const isRecreated = isResource(subject) && now === null
      const gone = subject === 'record' ? 'record_gone' : 'rule_gone'
      const rule = loggedRule.safeParse(before).data
      const recreated = rule !== undefined && isFull(rule.phase) ? 'limit_reached' : 'new_id'
      step(unchanged ? 'will_change' : 'changed_since', isRecreated ? (unchanged ? recreated : gone) : null)
      if (!unchanged && !force) continue
      slot.wanted = before
      slot.entryIds.push(entry.id)
    }
  }
  return { steps, slots: slots.filter((slot) => slot.entryIds.length > 0 && !isSame(slot.subject, slot.now, slot.wanted)) }
}
