import { hasPriority, isProxiable, recordExamples } from '#shared/features/domains/records/record-types.ts'
import type { DnsRecord, RecordInput, RecordPatch, RecordType } from '#shared/features/domains/records/schema.ts'

/** The most frequent type, used as the default. */
const usualTypes: readonly RecordType[] = ['A', 'AAAA', 'CNAME', 'MX', 'TXT', 'NS', 'SRV', 'CAA']
const allTypes = Object.keys(recordExamples) as RecordType[]

export const recordTypes: readonly RecordType[] = [...usualTypes, ...allTypes.filter((type) => !usualTypes.includes(type)).toSorted()]

/** Null for types that cannot be created, such as SOA. */
export const knownType = (type: string): RecordType | null => recordTypes.find((each) => each === type) ?? null

export const autoTtl = 1
/** In seconds; for bulk edits. */
export const bulkTtls: readonly number[] = [autoTtl, 60, 300, 3_600, 86_400]

/** The record's name relative to the zone; `@` is the apex. A name outside the zone stays whole. */
export function labelOf(name: string, zoneName: string): string {
  if (name === zoneName) return '@'
  return name.endsWith(`.${zoneName}`) ? name.slice(0, -zoneName.length - 1) : name
}

/** The form state of a record. */
export interface RecordDraft {
  type: RecordType
  name: string
  content: string
  ttl: number
  proxied: boolean
  priority: string
  comment: string
}

export const emptyDraft: RecordDraft = { type: 'A', name: '', content: '', ttl: autoTtl, proxied: true, priority: '', comment: '' }

export const draftOf = (record: DnsRecord, zoneName: string): RecordDraft => ({
  type: knownType(record.type) ?? 'TXT',
  name: labelOf(record.name, zoneName),
  content: record.content,
  ttl: record.ttl,
  proxied: record.proxied,
  priority: record.priority === null ? '' : String(record.priority),
  comment: record.comment ?? '',
})

/** Converts a draft to input. An invalid priority is omitted, so that validation reports it as missing. */
export function inputOf(draft: RecordDraft): RecordInput {
  const proxied = draft.proxied && isProxiable(draft.type)
  const priority = draft.priority.trim()
  const comment = draft.comment.trim()
  return {
    type: draft.type,
    name: draft.name.trim(),
    content: draft.content.trim(),
    // A proxied record always has an automatic TTL.
    ttl: proxied ? autoTtl : draft.ttl,
    proxied,
    ...(hasPriority(draft.type) && /^\d+$/.test(priority) && { priority: Number(priority) }),
    ...(comment !== '' && { comment }),
  }
}

/** The fields that a draft changes; another type sends all fields. */
export function patchOf(record: DnsRecord, draft: RecordDraft, zoneName: string): RecordPatch {
  const after = inputOf(draft)
  const before = inputOf(draftOf(record, zoneName))
  if (after.type !== record.type) return { ...after, comment: after.comment ?? null }
  return {
    ...(after.name !== before.name && { name: after.name }),
    ...(after.content !== before.content && { content: after.content }),
    ...(after.ttl !== before.ttl && { ttl: after.ttl }),
    ...(after.proxied !== before.proxied && { proxied: after.proxied }),
    ...(after.priority !== before.priority && after.priority !== undefined && { priority: after.priority }),
    ...(after.comment !== before.comment && { comment: after.comment ?? null }),
  }
}

/** The input that recreates a record. Null for a type that cannot be created. */
export function copyOf(record: DnsRecord): RecordInput | null {
  const type = knownType(record.type)
  if (type === null) return null
  return {
    type,
    name: record.name,
    content: record.content,
    ttl: record.ttl,
    proxied: record.proxied,
    ...(record.priority !== null && { priority: record.priority }),
    ...(record.comment !== null && { comment: record.comment }),
    ...(record.tags.length > 0 && { tags: record.tags }),
  }
}
