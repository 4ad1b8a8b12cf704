import { z } from 'zod'
import type { RecordInput as HostRecord } from '#server/ports/dns-host.ts'
import { AppError } from '#shared/errors/app-error.ts'
import type { ErrorIssue } from '#shared/errors/app-error.ts'
import {
  canonicalContent,
  checkRecord,
  hasPriority,
  isProxiable,
  parseContent,
  parseName,
  showData,
  withPriority,
} from '#shared/features/domains/records/rules.ts'
import type { CheckedRecord, RecordProblem } from '#shared/features/domains/records/rules.ts'
import { recordInput, recordPatch, recordSeen, recordType } from '#shared/features/domains/records/schema.ts'
import type { DnsRecord, RecordInput, RecordPatch, RecordSeen } from '#shared/features/domains/records/schema.ts'

type Data = Readonly<Record<string, unknown>>

/** `revertsId`: the history entry that the change reverts. */
export interface RecordChanges {
  readonly deletes?:
    | readonly {
        readonly recordId: string
        readonly seen?: RecordSeen | undefined
        readonly revertsId?: string | undefined
      }[]
    | undefined
  readonly updates?:
    | readonly {
        readonly recordId: string
        readonly patch: RecordPatch & { readonly data?: Data | undefined }
        readonly seen?: RecordSeen | undefined
        readonly revertsId?: string | undefined
      }[]
    | undefined
  readonly creates?:
    | readonly {
        readonly record: RecordInput & { readonly data?: Data | undefined }
        readonly revertsId?: string | undefined
      }[]
    | undefined
}

const data = z.record(z.string(), z.unknown()).optional()
const seen = recordSeen.optional()
const revertsId = z.string().optional()
/** Comments accepted by Cloudflare may be longer than the panel allows, and copies contain them. */
const comment = z.string().optional()

/** The form stored in a plan. */
export const recordChanges: z.ZodType<RecordChanges> = z.object({
  deletes: z.array(z.object({ recordId: z.string(), seen, revertsId })).optional(),
  updates: z
    .array(z.object({ recordId: z.string(), patch: recordPatch.extend({ data, comment: comment.nullable() }), seen, revertsId }))
    .optional(),
  creates: z.array(z.object({ record: recordInput.extend({ data, comment }), revertsId })).optional(),
})

export type ChangeKind = 'delete' | 'update' | 'create'

/** One change as it is sent. A new type becomes a deletion and a creation. */
export interface PlannedChange {
  readonly kind: ChangeKind
  /** The index in its list. */
  readonly index: number
  readonly recordId: string | null
  readonly before: DnsRecord | null
  readonly revertsId: string | null
  readonly removes: string | null
  readonly patch: (Partial<HostRecord> & { readonly recordId: string }) | null
  readonly post: HostRecord | null
}

const seenFields = ['type', 'name', 'content', 'ttl', 'proxied', 'priority', 'comment'] as const

/** @throws AppError conflict with the current record (JSON; `null` if deleted) and its index in the call */
function requireUnchanged(now: DnsRecord | undefined, seen: RecordSeen | undefined, recordId: string, index: number): DnsRecord {
  const conflict = (record: DnsRecord | null) => new AppError('conflict', { params: { recordId, index, record: JSON.stringify(record) } })
  if (now === undefined) throw seen === undefined ? new AppError('not_found', { params: { recordId, index } }) : conflict(null)
  if (seen !== undefined && seenFields.some((field) => now[field] !== seen[field])) throw conflict(now)
  return now
}

/** A complete record for the provider: structured types as data, others as content. */
const toHost = (record: CheckedRecord): HostRecord => ({
  type: record.type,
  name: record.name,
  ttl: record.ttl,
  ...(isProxiable(record.type) ? { proxied: record.proxied } : {}),
  ...(record.data === null ? { content: record.content } : { data: record.data }),
  ...(record.priority === null ? {} : { priority: record.priority }),
  ...(record.comment === null ? {} : { comment: record.comment }),
  ...(record.tags.length === 0 ? {} : { tags: record.tags }),
})

const sameTags = (one: readonly string[], other: readonly string[]) =>
  one.length === other.length && one.every((tag) => other.includes(tag))

/** The effect of `patch` on the record: nothing, an update in place, or another record instead. */
function planUpdate(now: DnsRecord, patch: RecordPatch & { readonly data?: Data | undefined }, zoneName: string) {
  const type = patch.type ?? recordType.safeParse(now.type).data
  const otherType = patch.type !== undefined && patch.type !== now.type
  const proxied = patch.proxied ?? (now.proxied && (!otherType || (type !== undefined && isProxiable(type))))
  const content = patch.content ?? (patch.data === undefined ? now.content : '')
  const comment =
    patch.comment === undefined ? now.comment : patch.comment === null || patch.comment.trim() === '' ? null : patch.comment.trim()
  const ttl = proxied ? 1 : (patch.ttl ?? now.ttl)
  const tags = patch.tags ?? now.tags
  const priority = patch.priority ?? now.priority ?? undefined

  // A type that only the provider can create: fields that need no parsing may be changed.
  const checked =
    type === undefined
      ? { record: null, problems: [] }
      : checkRecord(
          {
            type,
            name: patch.name ?? now.name,
            content,
            ttl,
            proxied,
            ...(priority === undefined ? {} : { priority }),
            ...(comment === null ? {} : { comment }),
            tags,
            ...(patch.data === undefined ? {} : { data: patch.data }),
          },
          zoneName,
        )
  const newContent = patch.content !== undefined || patch.data !== undefined
  // Unchanged fields stay valid, even with values that the panel would refuse.
  const problems = checked.problems.filter(
    ({ field, code }) =>
      otherType ||
      (field === 'content' ? newContent || (code === 'record_cname_self' && patch.name !== undefined) : patch[field] !== undefined),
  )
  if (patch.ttl !== undefined && patch.ttl !== 1 && patch.proxied === undefined && proxied)
    problems.push({ field: 'ttl', code: 'record_ttl_proxied' })
  if (otherType) return { problems, patch: null, post: checked.record === null ? null : toHost(checked.record) }

  const name = patch.name === undefined ? { value: now.name } : parseName(patch.name, zoneName)
  const priorityChanged = patch.priority !== undefined && patch.priority !== now.priority && hasPriority(now.type)
  const parsed =
    type === undefined
      ? null
      : parseContent(type, content === '' && patch.data !== undefined ? showData(type, patch.data) : content, zoneName)
  const read = type !== undefined && parsed !== null && 'value' in parsed ? withPriority(type, parsed.value, priority) : null
  const contentChanged = read !== null && newContent && read.content !== canonicalContent(now.type, now.content, zoneName)
  const change = {
    ...('value' in name && name.value !== now.name ? { name: name.value } : {}),
    ...(contentChanged && read.data === null ? { content: read.content } : {}),
    ...((contentChanged || priorityChanged) && read !== null && read.data !== null ? { data: read.data } : {}),
    ...(priorityChanged && priority !== undefined ? { priority } : {}),
    ...(ttl === now.ttl ? {} : { ttl }),
    ...(proxied === now.proxied ? {} : { proxied }),
    ...(comment === now.comment ? {} : { comment: comment ?? '' }),
    ...(sameTags(tags, now.tags) ? {} : { tags }),
  }
  return { problems, patch: Object.keys(change).length === 0 ? null : change, post: null }
}

/**
 * The changes to send, deletions first as the provider executes them; changes without effect are `unchanged`.
 * @throws AppError conflict, not_found (the first one), validation_failed (all issues by path in the call)
 */
export function planChanges(changes: RecordChanges, mirror: ReadonlyMap<string, DnsRecord>, zoneName: string) {
  const planned: PlannedChange[] = []
  const unchanged: DnsRecord[] = []
  const issues: ErrorIssue[] = []
  const complain = (place: string, problems: readonly RecordProblem[]) => {
    for (const { field, code, params } of problems) {
      issues.push({ path: `${place}.${field}`, message: code, ...(params === undefined ? {} : { params }) })
    }
  }
  const nothing = { recordId: null, before: null, removes: null, patch: null, post: null }

  for (const [index, { recordId, seen, revertsId = null }] of (changes.deletes ?? []).entries()) {
    const before = requireUnchanged(mirror.get(recordId), seen, recordId, index)
    planned.push({ ...nothing, kind: 'delete', index, recordId, before, revertsId, removes: recordId })
  }
  for (const [index, { recordId, patch, seen, revertsId = null }] of (changes.updates ?? []).entries()) {
    const before = requireUnchanged(mirror.get(recordId), seen, recordId, index)
    const plan = planUpdate(before, patch, zoneName)
    complain(`updates.${index}`, plan.problems)
    const change = { ...nothing, kind: 'update', index, recordId, before, revertsId } as const
    if (plan.post !== null) planned.push({ ...change, removes: recordId, post: plan.post })
    else if (plan.patch === null) unchanged.push(before)
    else planned.push({ ...change, patch: { recordId, ...plan.patch } })
  }
  for (const [index, { record, revertsId = null }] of (changes.creates ?? []).entries()) {
    const checked = checkRecord(record, zoneName)
    complain(`creates.${index}`, checked.problems)
    if (checked.record !== null) planned.push({ ...nothing, kind: 'create', index, revertsId, post: toHost(checked.record) })
  }
  if (issues.length > 0) throw new AppError('validation_failed', { issues })
  return { planned, unchanged }
}

/** The batch size counts every record. Without a plan name the smaller one applies. */
export const batchSize = (plan: string | null): number => (plan === null || /free/i.test(plan) ? 200 : 3_500)

/** Splits the changes in order into batches; both halves of a type change stay together. */
export function chunkChanges(planned: readonly PlannedChange[], size: number): PlannedChange[][] {
  const chunks: PlannedChange[][] = []
  let room = 0
  for (const change of planned) {
    const cost = change.removes !== null && change.post !== null ? 2 : 1
    const last = chunks.at(-1)
    if (last === undefined || room < cost) {
      chunks.push([change])
      room = size - cost
    } else {
      last.push(change)
      room -= cost
    }
  }
  return chunks
}
