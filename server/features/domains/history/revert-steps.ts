import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { dnsRecord, recordType } from '#shared/features/domains/records/schema.ts'
import type { DnsRecord, RecordType } from '#shared/features/domains/records/schema.ts'
import type { RevertPlan, ZoneChange } from '#shared/features/domains/history/schema.ts'

type RevertStep = RevertPlan['steps'][number]
type Reason = NonNullable<RevertStep['reason']>

/** A subject of the entries with its current value and the value after the revert. */
export interface Slot {
  readonly subject: ZoneChange['subject']
  readonly key: string
  readonly now: unknown
  wanted: unknown
  /** The reverted entries, newest first. */
  readonly entryIds: string[]
}

/** The current state in the mirror. */
export interface Present {
  /** Null before the first reading. */
  readonly records: readonly DnsRecord[] | null
  /** Undefined if unknown. */
  readonly setting: (key: string) => unknown
  /** Attributes of the zone: `group`, `profile`, `registrar` and `tracker` (their ids) and `paused`. */
  readonly zone: (key: string) => unknown
  /** The value that a revert of this entry set; undefined if it was never reverted. */
  readonly takenBackTo: (entry: ZoneChange) => unknown
  /** The reason if this value cannot be set. */
  readonly refusal: (subject: 'setting' | 'zone', key: string, value: unknown) => Reason | null
}

const fields = ['type', 'name', 'content', 'ttl', 'proxied', 'priority', 'comment'] as const

export const isSameRecord = (one: DnsRecord, other: DnsRecord): boolean =>
  fields.every((field) => one[field] === other[field]) && isDeepStrictEqual(one.tags.toSorted(), other.tags.toSorted())

const isSame = (one: unknown, other: unknown): boolean => {
  if (one === null || other === null) return one === other
  const [left, right] = [dnsRecord.safeParse(one), dnsRecord.safeParse(other)]
  return left.success && right.success ? isSameRecord(left.data, right.data) : isDeepStrictEqual(one, other)
}

export const isWritable = (record: DnsRecord): record is DnsRecord & { readonly type: RecordType } =>
  recordType.safeParse(record.type).success

const wrapped = z.object({ value: z.unknown() })
const entityRef = z.object({ id: z.string() })
const entityTypes: ReadonlySet<string> = new Set(['group', 'profile', 'registrar', 'tracker'])

/** The value in an entry of a setting or of the zone; undefined if it has none. */
export function valueOf(entry: ZoneChange, side: 'before' | 'after'): unknown {
  const parsed = wrapped.safeParse(entry[side])
  if (!parsed.success) return undefined
  const { value } = parsed.data
  if (entry.subject !== 'zone' || !entityTypes.has(entry.key) || value === null) return value
  return entityRef.safeParse(value).data?.id
}

/**
 * Plans reverting entries from newest to oldest, each on top of the previous result. With `force` also resources that have changed since.
 */
export function planSteps(entries: readonly ZoneChange[], present: Present, force: boolean): { steps: RevertStep[]; slots: Slot[] } {
  const slots: Slot[] = []
  const byKey = new Map<string, Slot>()
  const steps: RevertStep[] = []
  const records = new Map((present.records ?? []).map((record) => [record.id, record]))

  /** A record that was created again has another id and is recognized by its content. */
  const sameAs = (wanted: DnsRecord | null) =>
    wanted === null ? undefined : present.records?.find((record) => isSameRecord(record, wanted))

  function slotOf(entry: ZoneChange, before: DnsRecord | null, after: DnsRecord | null): Slot {
    const names = [entry.key, before?.id, after?.id].flatMap((key) => (key === undefined ? [] : [`${entry.subject} ${key}`]))
    const known = names.map((name) => byKey.get(name)).find((slot) => slot !== undefined)
    const open = (): Slot => {
      const now =
        entry.subject === 'record'
          ? (records.get(entry.key) ?? sameAs(after ?? before) ?? null)
          : entry.subject === 'setting'
            ? present.setting(entry.key)
            : present.zone(entry.key)
      const slot = { subject: entry.subject, key: entry.key, now, wanted: now, entryIds: [] }
      slots.push(slot)
      return slot
    }
    const slot = known ?? open()
    for (const name of names) byKey.set(name, slot)
    return slot
  }

  for (const entry of entries) {
    const isRecord = entry.subject === 'record'
    const [before, after] = (['before', 'after'] as const).map((side) =>
      isRecord ? (entry[side] === null ? null : dnsRecord.safeParse(entry[side]).data) : valueOf(entry, side),
    )
    const asRecord = (value: unknown) => (isRecord ? ((value ?? null) as DnsRecord | null) : null)
    const slot = slotOf(entry, asRecord(before), asRecord(after))
    const { wanted: now } = slot
    const step = (state: RevertStep['state'], reason: Reason | null = null) => {
      steps.push({ entryId: entry.id, label: entry.label, state, reason, now: now ?? null, wanted: before ?? null })
    }

    const target = asRecord(before)
    const takenBack = present.takenBackTo(entry)
    const refusal = isRecord
      ? present.records === null
        ? 'not_read'
        : target !== null && !isWritable(target)
          ? 'not_writable'
          : null
      : now === undefined
        ? 'not_read'
        : before === undefined
          ? null
          : present.refusal(entry.subject === 'zone' ? 'zone' : 'setting', entry.key, before)
    if (before === undefined) step('impossible', 'unreadable')
    // An unread record is not necessarily a deleted one.
    else if (refusal !== null && (refusal === 'not_read' || !isSame(now, before))) step('impossible', refusal)
    else if (isSame(now, before)) step('already')
    // Reverted together with earlier entries, it already has their value.
    else if (takenBack !== undefined && isSame(now, takenBack)) step('already')
    else {
      const unchanged = after !== undefined && isSame(now, after)
      const isRecreated = isRecord && now === null
      step(unchanged ? 'will_change' : 'changed_since', isRecreated ? (unchanged ? 'new_id' : 'record_gone') : null)
      if (!unchanged && !force) continue
      slot.wanted = before
      slot.entryIds.push(entry.id)
    }
  }
  return { steps, slots: slots.filter((slot) => slot.entryIds.length > 0 && !isSame(slot.now, slot.wanted)) }
}
