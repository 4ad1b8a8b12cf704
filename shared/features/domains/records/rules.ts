import { parseContent, showData } from './record-content.ts'
import type { RecordContent } from './record-content.ts'
import { hasControls, parseName } from './record-names.ts'
import type { RecordFault } from './record-names.ts'
import { hasPriority, isProxiable, ttlRange } from './record-types.ts'
import type { RecordInput, RecordType } from './schema.ts'

export { canonicalContent, comparableContent, parseContent, showData } from './record-content.ts'
export type { RecordContent } from './record-content.ts'
export { parseName } from './record-names.ts'
export type { RecordFault } from './record-names.ts'
export { hasPriority, isProxiable, proxiableTypes, recordExamples, ttlPresets, ttlRange, typesWithPriority } from './record-types.ts'

type RecordField = 'name' | 'content' | 'ttl' | 'proxied' | 'priority' | 'comment' | 'tags'

/** `code` is a key of the `validation` texts. */
export interface RecordProblem extends RecordFault {
  readonly field: RecordField
}

/** Ready to be sent: absolute name in Punycode, canonical content. */
export interface CheckedRecord extends RecordContent {
  readonly type: RecordType
  readonly name: string
  readonly ttl: number
  readonly proxied: boolean
  readonly priority: number | null
  readonly comment: string | null
  readonly tags: readonly string[]
}

type RecordCheck =
  | { readonly record: CheckedRecord; readonly problems: readonly [] }
  | { readonly record: null; readonly problems: readonly RecordProblem[] }

type Given = RecordInput & { readonly data?: Readonly<Record<string, unknown>> | undefined }

const longestComment = 500
const mostTags = 20

/** A priority pasted before the content (`10 mail.example.com`) is used if none is given. */
function priorityFirst(record: Given): { readonly priority: number | undefined; readonly content: string } {
  const { content, priority } = record
  const parts = hasPriority(record.type) && priority === undefined ? /^\s*(\d{1,5})\s+(.*)$/s.exec(content) : null
  const rest = parts?.[2] ?? ''
  // The first number of SRV and URI may be the weight.
  const whole = record.type === 'MX' ? 1 : record.type === 'SRV' ? 3 : 2
  if (parts === null || rest.trim().split(/\s+/).length !== whole) return { priority, content }
  return { priority: Number(parts[1]), content: rest }
}

/**
 * Validates a record, for the form and the server (R-DNS-02, R-DNS-03). Returns all problems together; `data`, if given, is used when the content
 * is empty.
 */
export function checkRecord(given: Given, zoneName: string): RecordCheck {
  const problems: RecordProblem[] = []
  const fault = (field: RecordField, { code, params }: RecordFault) => {
    problems.push({ field, code, ...(params === undefined ? {} : { params }) })
  }
  const { type, comment = '', tags = [], data } = given
  const proxied = given.proxied ?? false
  const ttl = proxied && isProxiable(type) ? 1 : (given.ttl ?? 1)
  const asText = given.content.trim() === '' && data !== undefined ? { ...given, content: showData(type, data) } : given
  const dataPriority = data?.['priority']
  const { priority, content } = priorityFirst(
    asText.priority === undefined && typeof dataPriority === 'number' ? { ...asText, priority: dataPriority } : asText,
  )

  const name = parseName(given.name, zoneName)
  const whole = parseName('@', zoneName)
  if ('fault' in name) fault('name', name.fault)
  else if (type === 'SRV' && !/^_[^.]+\._[^.]+\./.test(name.value)) fault('name', { code: 'record_service_name' })
  else if (type === 'TLSA' && !/^(_\d{1,5}|\*)\._[^.]+\./.test(name.value)) fault('name', { code: 'record_port_name' })
  else if (type === 'DS' && 'value' in whole && name.value === whole.value) fault('name', { code: 'record_ds_apex' })

  const parsed = parseContent(type, content, zoneName)
  if ('fault' in parsed) fault('content', parsed.fault)
  else if (type === 'CNAME' && 'value' in name && parsed.value.content === name.value) fault('content', { code: 'record_cname_self' })

  if (proxied && !isProxiable(type)) fault('proxied', { code: 'record_not_proxiable' })
  if (ttl !== 1 && !(Number.isInteger(ttl) && ttl >= ttlRange.min && ttl <= ttlRange.max))
    fault('ttl', { code: 'record_ttl', params: ttlRange })
  if (hasPriority(type)) {
    const range = { min: 0, max: 65_535 }
    if (priority === undefined) fault('priority', { code: 'required' })
    else if (!(Number.isInteger(priority) && priority >= range.min && priority <= range.max))
      fault('priority', { code: 'record_number', params: { field: 'priority', ...range } })
  }
  if (comment.length > longestComment) fault('comment', { code: 'too_long', params: { max: longestComment } })
  if (hasControls(comment.replaceAll('\n', ' '))) fault('comment', { code: 'invalid_characters' })
  if (tags.length > mostTags || tags.some((tag) => !/^[\w -]{1,32}(:.{0,100})?$/.test(tag)))
    fault('tags', { code: 'record_tags', params: { max: mostTags } })

  if (problems.length > 0 || 'fault' in name || 'fault' in parsed) return { record: null, problems }
  return {
    record: {
      type,
      name: name.value,
      ...withPriority(type, parsed.value, priority),
      ttl,
      proxied,
      priority: hasPriority(type) ? (priority ?? null) : null,
      comment: comment.trim() === '' ? null : comment.trim(),
      tags,
    },
    problems: [],
  }
}

/** The provider expects the priority of SRV in its data. */
export const withPriority = (type: RecordType, read: RecordContent, priority: number | undefined): RecordContent =>
  type === 'SRV' && read.data !== null && priority !== undefined ? { ...read, data: { priority, ...read.data } } : read
