import { isIPv4, isIPv6 } from 'node:net'
import type { RecordChanges } from '#server/features/domains/index.ts'
import { AppError } from '#shared/errors/app-error.ts'
import { conflictOf, isSameRecord } from '#shared/features/domains/records/conflict.ts'
import { canonicalContent, checkRecord, isProxiable } from '#shared/features/domains/records/rules.ts'
import type { CheckedRecord, RecordProblem } from '#shared/features/domains/records/rules.ts'
import { recordType } from '#shared/features/domains/records/schema.ts'
import type { DnsRecord, RecordInput, RecordPatch } from '#shared/features/domains/records/schema.ts'
import { fillRecord, fillTemplate } from '#shared/features/domains/records/template.ts'
import type { TemplateValues } from '#shared/features/domains/records/template.ts'
import { replaceContent } from './match-content.ts'
import type { ContentMatch } from './match-content.ts'
import { patched } from './records.ts'

const refuse = (path: string, { code: message, params = {} }: Pick<RecordProblem, 'code' | 'params'>): never => {
  throw new AppError('validation_failed', { issues: [{ path, message, params }] })
}

const isAddress = (type: string): boolean => type === 'A' || type === 'AAAA'
const isHost = (type: string): boolean => isAddress(type) || type === 'CNAME'

/** The purpose of a TXT record, taken from its prefix (`v=spf1`, `google-site-verification=`). Records with other purposes are kept. */
const purposeOf = (content: string): string => {
  const text = content.replace(/^"/, '').trimStart().toLowerCase()
  const version = /^v=[a-z\d]+/.exec(text)?.[0]
  return version ?? (text.includes('=') ? text.slice(0, text.indexOf('=')) : '')
}

/** Whether a new record of the same purpose replaces this one. */
function makesWay(record: DnsRecord, wanted: CheckedRecord): boolean {
  if (record.name !== wanted.name) return false
  if (record.type !== wanted.type) return (record.type === 'CNAME' || wanted.type === 'CNAME') && isHost(record.type) && isHost(wanted.type)
  return wanted.type !== 'TXT' || purposeOf(record.content) === purposeOf(wanted.content)
}

/** Plans new records; with `replace` they replace those with the same name and purpose. */
export function planAddition(
  records: readonly DnsRecord[],
  given: readonly RecordInput[],
  mode: 'add' | 'replace',
  values: TemplateValues,
): RecordChanges {
  const { domain } = values
  const wanted = given.map((record) => {
    const filled = fillRecord(record, values)
    const { record: checked, problems } = checkRecord(filled, domain)
    if (checked === null) return refuse('records', problems[0] ?? { code: 'invalid_value' })
    const { name, content, priority } = checked
    // The priority at the start of the content becomes its own field.
    return { checked, input: { ...filled, name, ...(priority === null ? {} : { content, priority }) } }
  })
  if (mode === 'replace') return planSubstitution(records, wanted, domain)
  const creates = wanted.flatMap(({ checked, input }) => {
    const conflict = conflictOf(checked, records, domain)
    if (conflict === 'record_there') return []
    return conflict === null ? [{ record: input }] : refuse('records', { code: conflict })
  })
  return { creates }
}

interface Wanted {
  readonly checked: CheckedRecord
  readonly input: RecordInput
}

/** Identical records stay, others of the same purpose are updated to the new ones, and the rest is deleted. */
function planSubstitution(records: readonly DnsRecord[], wanted: readonly Wanted[], domain: string): RecordChanges {
  const left = new Set(records.filter((record) => wanted.some(({ checked }) => makesWay(record, checked))))
  const updates: { recordId: string; patch: RecordPatch }[] = []
  const update = (record: DnsRecord, { checked, input }: Wanted): void => {
    left.delete(record)
    const { type, content, ttl, proxied, priority } = checked
    const patch = {
      ...(type === record.type ? {} : { type }),
      ...(canonicalContent(record.type, record.content, domain) === content && type === record.type ? {} : { content }),
      ...(proxied === record.proxied ? {} : { proxied }),
      ...(ttl === record.ttl ? {} : { ttl }),
      ...(priority === null || priority === record.priority ? {} : { priority }),
      ...(input.comment === undefined || checked.comment === record.comment ? {} : { comment: checked.comment }),
    }
    if (Object.keys(patch).length > 0) updates.push({ recordId: record.id, patch })
  }
  const missing = wanted.filter((each) => {
    const there = [...left].find((record) => isSameRecord(record, each.checked, domain))
    if (there !== undefined) update(there, each)
    return there === undefined
  })
  const creates = missing.filter((each) => {
    const fitting = [...left].filter((record) => makesWay(record, each.checked))
    const before = fitting.find(({ type }) => type === each.checked.type) ?? fitting[0]
    if (before !== undefined) update(before, each)
    return before === undefined
  })
  return { deletes: [...left].map(({ id }) => ({ recordId: id })), updates, creates: creates.map(({ input }) => ({ record: input })) }
}

export interface RecordEdit {
  readonly content?: string | undefined
  readonly ttl?: number | undefined
  readonly proxied?: boolean | undefined
  readonly comment?: string | null | undefined
}

interface Meant {
  readonly record: DnsRecord
  /** With the content in the provider's notation. */
  readonly patch: RecordPatch
}

/** The provider refuses duplicates, so a record is deleted if its updated form already exists. */
function changesOf(records: readonly DnsRecord[], meant: readonly Meant[], domain: string): RecordChanges {
  const keyOf = ({ type, name, content, priority }: DnsRecord): string =>
    JSON.stringify([type, name, canonicalContent(type, content, domain), priority])
  const going = new Set(meant.map(({ record }) => record))
  const there = new Set(records.filter((record) => !going.has(record)).map(keyOf))
  const deletes: { recordId: string }[] = []
  const updates: { recordId: string; patch: RecordPatch }[] = []
  for (const { record, patch } of meant) {
    const key = keyOf(patched(record, patch))
    if (there.has(key)) deletes.push({ recordId: record.id })
    else if (Object.keys(patch).length > 0) updates.push({ recordId: record.id, patch })
    there.add(key)
  }
  return { deletes, updates }
}

/** @throws AppError validation_failed if the new content does not fit a record's type */
function checkedContent(record: DnsRecord, type: string, content: string, path: string, domain: string): string {
  const known = recordType.safeParse(type).data
  if (known === undefined) return content
  const { name, proxied, ttl, priority } = record
  const checked = checkRecord({ type: known, name, content, proxied, ttl, ...(priority === null ? {} : { priority }) }, domain)
  // Only the content is checked: the name was accepted by the provider.
  const problem = checked.problems.find(({ field }) => field === 'content')
  if (problem !== undefined) refuse(path, problem)
  return checked.record?.content ?? content
}

/** Plans an edit of the matching records; records that already have the values are left out. */
export function planEdit(
  records: readonly DnsRecord[],
  matching: readonly DnsRecord[],
  set: RecordEdit,
  values: TemplateValues,
): RecordChanges {
  const { domain } = values
  const meant = matching.map((record): Meant => {
    // Records that cannot be proxied stay DNS only, and the provider keeps no TTL for a proxied record.
    const proxied = set.proxied !== undefined && record.proxiable && isProxiable(record.type) ? set.proxied : record.proxied
    const ttl = proxied ? 1 : (set.ttl ?? record.ttl)
    const comment = typeof set.comment === 'string' ? fillTemplate(set.comment, values).trim() || null : set.comment
    const content =
      set.content === undefined ? undefined : checkedContent(record, record.type, fillTemplate(set.content, values), 'set', domain)
    return {
      record,
      patch: {
        ...(content === undefined || content === canonicalContent(record.type, record.content, domain) ? {} : { content }),
        ...(proxied === record.proxied ? {} : { proxied }),
        ...(ttl === record.ttl || proxied ? {} : { ttl }),
        ...(comment === undefined || comment === record.comment ? {} : { comment }),
      },
    }
  })
  return changesOf(records, meant, domain)
}

export interface Replacement {
  readonly find: string
  readonly replace: string
  readonly match: ContentMatch
  readonly types: readonly string[]
}

/** Replaces one content with another in every record that has it. */
export function planReplacement(
  records: readonly DnsRecord[],
  { find, replace, match, types }: Replacement,
  domain: string,
): RecordChanges {
  const meant = records.flatMap((record): Meant[] => {
    if (types.length > 0 && !types.includes(record.type)) return []
    const next = replaceContent(record, find, replace, match, domain)
    if (next === null || !recordType.safeParse(record.type).success) return []
    // Both are addresses, and another address family needs another record type.
    const family = isIPv4(next) ? 'A' : isIPv6(next) ? 'AAAA' : null
    const type = isAddress(record.type) && family !== null ? family : record.type
    const content = checkedContent(record, type, next, 'replace', domain)
    if (type === record.type && content === canonicalContent(record.type, record.content, domain)) return []
    return [{ record, patch: { ...(type === record.type ? {} : { type: recordType.parse(type) }), content } }]
  })
  return changesOf(records, meant, domain)
}
