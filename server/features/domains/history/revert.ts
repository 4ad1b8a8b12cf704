import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { setProfile } from '#server/features/profiles/index.ts'
import { applyRecordChanges } from '../records/apply-changes.ts'
import type { RecordChanges } from '../records/plan-changes.ts'
import { attachToRegistrar } from '#server/features/registrars/index.ts'
import { rebindDomain } from '#server/features/trackers/index.ts'
import type { OpenZone } from '../access/open-zone.ts'
import { applySettings } from '../settings/apply-settings.ts'
import { patchOf } from '../settings/setting-words.ts'
import { pauseZone } from '../settings/pause-zone.ts'
import { setGroup } from '../settings/set-group.ts'
import { applyIpRules, recordEarlierIpRules } from '../ip-access/index.ts'
import type { IpRuleChange, SentIpRules } from '../ip-access/index.ts'
import { applyRuleChanges } from '../rulesets/index.ts'
import type { RuleChange } from '../rulesets/index.ts'
import type { Ctx } from '#server/platform/context.ts'
import type { Priority } from '#server/ports/dns-host.ts'
import { AppError } from '#shared/errors/app-error.ts'
import type { confirmRevertInput, revertOutput } from '#shared/features/domains/history/schema.ts'
import { inputOf, seenOf } from '#shared/features/domains/records/record-types.ts'
import type { DnsRecord } from '#shared/features/domains/records/schema.ts'
import { loggedIpRule } from '#shared/features/domains/ip-access/schema.ts'
import { loggedRule } from '#shared/features/domains/rulesets/schema.ts'
import type { RulePhase } from '#shared/features/domains/rulesets/phases.ts'
import { planRevert } from './plan-revert.ts'
import { isWritable, phaseOf, readProfile } from './revert-steps.ts'
import type { Slot } from './revert-steps.ts'

type Output = z.output<typeof revertOutput>
type Given<T> = T extends readonly (infer Item)[] ? Item : never
type RecordChange =
  | { readonly kind: 'delete'; readonly change: Given<NonNullable<RecordChanges['deletes']>> }
  | { readonly kind: 'update'; readonly change: Given<NonNullable<RecordChanges['updates']>> }
  | { readonly kind: 'create'; readonly change: Given<NonNullable<RecordChanges['creates']>> }

/** The change from `now` to `then`; its history entry refers to the oldest entry that it reverts. */
function changeOf(now: DnsRecord | null, then: DnsRecord | null, revertsId: string | undefined): RecordChange {
  if (then === null) {
    if (now === null) throw new Error('there is nothing to change')
    return { kind: 'delete', change: { recordId: now.id, seen: seenOf(now), revertsId } }
  }
  if (!isWritable(then)) throw new Error('a plan has writable records only')
  if (now === null) return { kind: 'create', change: { record: inputOf(then), revertsId } }
  const { type, name, content, ttl, proxied, priority, comment, tags } = then
  const patch = {
    ...(type === now.type ? {} : { type }),
    ...(name === now.name ? {} : { name }),
    ...(content === now.content && type === now.type ? {} : { content }),
    ...(ttl === now.ttl ? {} : { ttl }),
    ...(proxied === now.proxied ? {} : { proxied }),
    ...(priority === now.priority || priority === null ? {} : { priority }),
    ...(comment === now.comment ? {} : { comment }),
    tags,
  }
  return { kind: 'update', change: { recordId: now.id, patch, seen: seenOf(now), revertsId } }
}

interface Failure {
  readonly code: string
  readonly message: string | null
}
const failureOf = (error: AppError): Failure => ({ code: error.code, message: error.provider?.message ?? null })
/** Not sent, because another change failed before. */
const heldBack: Failure = { code: 'held_back', message: null }

interface CarryOut {
  readonly priority: Priority
  readonly batchId: string
}

/** Reverts all records in as few calls as possible; returns the failures by slot. */
async function revertRecords(
  ctx: Ctx,
  zone: OpenZone,
  slots: readonly Slot[],
  { priority, batchId }: CarryOut,
): Promise<Map<Slot, Failure>> {
  const made = slots.map((slot) => ({
    slot,
    ...changeOf(slot.now as DnsRecord | null, slot.wanted as DnsRecord | null, slot.entryIds.at(-1)),
  }))
  const deletes = made.flatMap((one) => (one.kind === 'delete' ? [one.change] : []))
  const updates = made.flatMap((one) => (one.kind === 'update' ? [one.change] : []))
  const creates = made.flatMap((one) => (one.kind === 'create' ? [one.change] : []))
  try {
    const options = { priority, source: 'revert', batchId } as const
    const { failed } = await applyRecordChanges(ctx, zone, { deletes, updates, creates }, options)
    return new Map(
      failed.flatMap(({ kind, index, code, message }) => {
        const slot = made.filter((one) => one.kind === kind)[index]?.slot
        return slot === undefined ? [] : [[slot, { code, message }] as const]
      }),
    )
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const failure = failureOf(error)
    return new Map(slots.map((slot) => [slot, failure]))
  }
}

/** Reverts a setting or an attribute of the zone; null on success. */
async function revertOther(ctx: Ctx, zone: OpenZone, slot: Slot, { priority, batchId }: CarryOut): Promise<Failure | null> {
  const history = { source: 'revert', batchId, revertsId: slot.entryIds.at(-1) ?? null } as const
  try {
    if (slot.subject === 'setting') {
      const { refused } = await applySettings(ctx, zone, patchOf(slot.key, slot.wanted) ?? {}, { priority, ...history })
      const [first] = refused
      return first === undefined ? null : failureOf(first.error)
    }
    const id = typeof slot.wanted === 'string' ? slot.wanted : null
    if (slot.key === 'group') await setGroup(ctx, { id: zone.id, groupId: id }, history)
    else if (slot.key === 'registrar') await attachToRegistrar(ctx, { id: zone.id, registrarId: id }, history)
    else if (slot.key === 'tracker') await rebindDomain(ctx, { id: zone.id, trackerId: id }, { call: { priority }, history })
    else if (slot.key === 'profile') {
      const profile = id === null ? null : readProfile(id)
      await setProfile(ctx, zone, profile?.id ?? null, history, profile?.version)
    } else if (slot.key === 'paused') await pauseZone(ctx, { id: zone.id, paused: slot.wanted === true }, history)
    return null
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return failureOf(error)
  }
}

/** The change that gives a rule, or the order of a phase, its former state. */
function ruleChangeOf({ subject, key, now, wanted, entryIds }: Slot): RuleChange {
  const revertsId = entryIds.at(-1)
  if (subject === 'rule_order') return { kind: 'order', ids: ids.parse(wanted), expected: ids.parse(now), revertsId }
  const [present, former] = [loggedRule.safeParse(now).data, loggedRule.safeParse(wanted).data]
  const isExpected = (rule: { readonly definition: unknown }) => isDeepStrictEqual(rule.definition, present?.definition)
  if (former === undefined) return { kind: 'delete', ruleId: present?.id ?? key, isExpected, revertsId }
  const { definition, position, ref, id } = former
  if (present === undefined) return { kind: 'create', ref: ref === id ? null : ref, definition, position, revertsId }
  return { kind: 'update', ruleId: present.id, isExpected, definitionOf: () => definition, revertsId }
}
const ids = z.array(z.string())
const rank = { delete: 0, update: 1, create: 2, move: 3, order: 3 } as const

/** Reverts the rules of one phase. Positions refer to the time of their entry, so the newest deletion is reverted first. */
async function revertRules(
  ctx: Ctx,
  zone: OpenZone,
  phase: RulePhase,
  slots: readonly Slot[],
  { priority, batchId }: CarryOut,
): Promise<Map<Slot, Failure>> {
  const positionOf = ({ wanted }: Slot) => loggedRule.safeParse(wanted).data?.position ?? 0
  const changes = slots
    .map((slot) => ({ slot, change: ruleChangeOf(slot) }))
    .toSorted(
      (a, b) => rank[a.change.kind] - rank[b.change.kind] || b.slot.at.localeCompare(a.slot.at) || positionOf(a.slot) - positionOf(b.slot),
    )
  const failuresFrom = (index: number, first: Failure) =>
    new Map(changes.slice(index).map(({ slot }, at) => [slot, at === 0 ? first : heldBack]))
  try {
    const all = changes.map(({ change }) => change)
    const { refused } = await applyRuleChanges(ctx, zone, phase, all, { priority, source: 'revert', batchId })
    return refused === null ? new Map() : failuresFrom(refused.index, failureOf(refused.error))
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return failuresFrom(0, failureOf(error))
  }
}

/** The change that gives a rule of IP access its former state. */
function ipRuleChangeOf({ key, now, wanted, entryIds }: Slot): IpRuleChange {
  const revertsId = entryIds.at(-1)
  const [present, former] = [loggedIpRule.safeParse(now).data, loggedIpRule.safeParse(wanted).data]
  const isExpected = (rule: { readonly mode: string; readonly note: string }) => rule.mode === present?.mode && rule.note === present.note
  const expiresAt = former?.expiresAt == null ? null : new Date(former.expiresAt)
  if (former === undefined) return { kind: 'delete', of: { ruleId: present?.id ?? key }, isExpected, revertsId }
  const { mode, note, target, value } = former
  if (present === undefined) return { kind: 'create', rule: { mode, note, target, value, expiry: expiresAt }, revertsId }
  return { kind: 'update', ruleId: present.id, isExpected, set: { mode, note, expiresAt }, revertsId }
}

/**
 * Reads the rules of IP access of a zone: what an earlier attempt at the plan has already reverted is recorded as the revert of its entry.
 * @throws AppError provider_*
 */
export async function recordEarlierIpReverts(
  ctx: Ctx,
  { zone, plan: { steps }, entries }: Pick<Awaited<ReturnType<typeof planRevert>>, 'zone' | 'plan' | 'entries'>,
  { priority, batchId, since }: CarryOut & { readonly since: Date },
): Promise<void> {
  const byId = new Map(entries.map((entry) => [entry.id, entry]))
  const changes = steps.flatMap(({ entryId, state, now, wanted }): IpRuleChange[] => {
    const [present, former] = [loggedIpRule.safeParse(now).data, loggedIpRule.safeParse(wanted).data]
    const entry = byId.get(entryId)
    if (former === undefined) {
      const added = loggedIpRule.safeParse(entry?.after).data
      if (entry?.subject !== 'ip_rule' || added === undefined) return []
      // Somebody may have read the rules since: the mirror no longer has a rule that the earlier attempt deleted.
      const ruleIds = new Set([entry.key, ...(present === undefined || state === 'changed_since' ? [] : [present.id])])
      const isExpected = (rule: { readonly mode: string; readonly note: string }) => rule.mode === added.mode && rule.note === added.note
      return [...ruleIds].map((ruleId) => ({ kind: 'delete', of: { ruleId }, isExpected, revertsId: entryId }))
    }
    const { mode, note, target, value, expiresAt } = former
    const rule = { mode, note, target, value, expiry: expiresAt === null ? null : new Date(expiresAt) }
    return [{ kind: 'create', rule, revertsId: entryId }]
  })
  await recordEarlierIpRules(ctx, zone, changes, { priority, source: 'revert', batchId, since })
}

/** Reverts rules of IP access; returns the failures by slot. What must make room for another rule of its value goes first. */
export async function revertIpRules(
  slots: readonly Slot[],
  send: (changes: readonly IpRuleChange[]) => Promise<SentIpRules>,
): Promise<Map<Slot, Failure>> {
  const changes = slots
    .map((slot) => ({ slot, change: ipRuleChangeOf(slot) }))
    .toSorted((a, b) => rank[a.change.kind] - rank[b.change.kind])
  try {
    const sent = await send(changes.map(({ change }) => change))
    const { stopped } = sent
    if (stopped !== null && !(stopped.error instanceof AppError)) throw stopped.error
    const first = stopped?.error instanceof AppError ? failureOf(stopped.error) : null
    const failures = new Map<IpRuleChange, Failure>([
      ...sent.heldBack.map(({ change }) => [change, { code: 'conflict', message: null }] as const),
      ...sent.refused.map(({ change, error }) => [change, failureOf(error)] as const),
      ...(stopped?.changes ?? []).map((change, at) => [change, at === 0 && first !== null ? first : heldBack] as const),
    ])
    return new Map(
      changes.flatMap(({ slot, change }) => {
        const failure = failures.get(change)
        return failure === undefined ? [] : [[slot, failure] as const]
      }),
    )
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return new Map(slots.map((slot) => [slot, failureOf(error)]))
  }
}

/** Runs the plan; returns the failures by slot. */
export async function carryOut(ctx: Ctx, zone: OpenZone, slots: readonly Slot[], options: CarryOut): Promise<Map<Slot, Failure>> {
  const records = slots.filter((slot) => slot.subject === 'record')
  const failures = records.length === 0 ? new Map<Slot, Failure>() : await revertRecords(ctx, zone, records, options)
  for (const [phase, some] of Map.groupBy(slots, phaseOf)) {
    if (phase === null) continue
    for (const [slot, failure] of await revertRules(ctx, zone, phase, some, options)) failures.set(slot, failure)
  }
  const ipRules = slots.filter((slot) => slot.subject === 'ip_rule')
  if (ipRules.length > 0) {
    const send = (changes: readonly IpRuleChange[]) => applyIpRules(ctx, zone, changes, { ...options, source: 'revert' })
    for (const [slot, failure] of await revertIpRules(ipRules, send)) failures.set(slot, failure)
  }
  for (const slot of slots.filter((each) => each.subject !== 'record' && each.subject !== 'ip_rule' && phaseOf(each) === null)) {
    const failure = await revertOther(ctx, zone, slot, options)
    if (failure !== null) failures.set(slot, failure)
  }
  return failures
}

/**
 * Reverts entries as previewed. Refusals by the provider are reported by entry; the others are done.
 * @throws AppError not_found; conflict if the plan no longer matches the token, in which case nothing was sent
 */
export async function revert(ctx: Ctx, { token, ...input }: z.output<typeof confirmRevertInput>): Promise<Output> {
  const { zone, plan, slots } = await planRevert(ctx, input)
  if (plan.token !== token) throw new AppError('conflict')
  return toOutput(slots, await carryOut(ctx, zone, slots, { priority: 'person', batchId: randomUUID() }))
}

export function toOutput(slots: readonly Slot[], failures: ReadonlyMap<Slot, Failure>): Output {
  const failed = [...failures].flatMap(([slot, failure]) => slot.entryIds.map((entryId) => ({ entryId, ...failure })))
  return { done: slots.reduce((sum, slot) => sum + slot.entryIds.length, 0) - failed.length, failed }
}
