import type { DnsRecord } from '#shared/features/domains/records/schema.ts'
import type { Sort } from '#client/ui/table/data-table.types.ts'
import { isProxiable } from '#shared/features/domains/records/record-types.ts'
import { autoTtl } from './record-draft.ts'
import type { RecordSortKey } from './search.ts'

const texts = new WeakMap<DnsRecord, string>()

/** The searchable text of a record, cached per record object. */
function textOf(record: DnsRecord): string {
  const known = texts.get(record)
  if (known !== undefined) return known
  const text = [record.name, record.content, record.type, record.comment, ...record.tags].filter(Boolean).join('\n').toLowerCase()
  texts.set(record, text)
  return text
}

interface RecordFilter {
  /** Words that must all occur, in any order. */
  text: string
  /** Empty: all. */
  types: readonly string[]
  proxied: 'yes' | 'no' | undefined
}

/** The records that match a filter, sorted, and the number of records per type and proxy state. */
export function findRecords(records: readonly DnsRecord[], filter: RecordFilter) {
  const words = filter.text.toLowerCase().split(/\s+/).filter(Boolean)
  const types = new Set(filter.types)
  const rows: DnsRecord[] = []
  const byType = new Map<string, number>()
  const byProxied = { yes: 0, no: 0 }
  for (const record of records) {
    const text = words.length === 0 ? '' : textOf(record)
    if (!words.every((word) => text.includes(word))) continue
    const ofType = types.size === 0 || types.has(record.type)
    // The proxy filter does not apply to types that cannot be proxied.
    const state = record.proxied ? 'yes' : isProxiable(record.type) ? 'no' : undefined
    const ofProxied = filter.proxied === undefined || filter.proxied === state
    if (ofProxied) byType.set(record.type, (byType.get(record.type) ?? 0) + 1)
    if (ofType && state !== undefined) byProxied[state] += 1
    if (ofType && ofProxied) rows.push(record)
  }
  return { rows, byType, byProxied }
}

type Key = string | number

const keys: Readonly<Record<RecordSortKey, (record: DnsRecord, zoneName: string) => Key>> = {
  // The apex first, then names below it by their relative part.
  name: (record, zoneName) => (record.name === zoneName ? '' : record.name.slice(0, -zoneName.length - 1)),
  type: (record) => record.type,
  content: (record) => contentKey(record),
  proxied: (record) => (record.proxied ? 0 : isProxiable(record.type) ? 1 : 2),
  ttl: (record) => (record.ttl === autoTtl ? 0 : record.ttl),
  priority: (record) => record.priority ?? Number.POSITIVE_INFINITY,
  comment: (record) => record.comment?.toLowerCase() ?? '\uffff',
  modified: (record) => record.modifiedAt ?? '',
}

/** IP addresses in numeric order. */
function contentKey({ type, content }: DnsRecord): string {
  return type === 'A' ? content.replaceAll(/\d+/g, (part) => part.padStart(3, '0')) : content.toLowerCase()
}

/** Equal ones by name, type and content, so that the order is stable. */
export function sortRecords(
  records: readonly DnsRecord[],
  { key, direction }: Sort & { key: RecordSortKey },
  zoneName: string,
): DnsRecord[] {
  const first = keys[key]
  const sign = direction === 'asc' ? 1 : -1
  const compare = (a: Key, b: Key): number => (a === b ? 0 : a < b ? -1 : 1)
  return records
    .map((record) => ({
      record,
      first: first(record, zoneName),
      rest: `${keys.name(record, zoneName)} ${record.type} ${contentKey(record)}`,
    }))
    .toSorted((a, b) => sign * compare(a.first, b.first) || compare(a.rest, b.rest))
    .map(({ record }) => record)
}

const recordLine = /(?:^|\s)(?:IN|A|AAAA|CAA|CNAME|MX|NS|PTR|SRV|TXT|DS|TLSA|HTTPS|SVCB|SOA)\s+\S/

/** Whether a pasted text is lines of a zone file, and not one value with line breaks. */
export const isZoneText = (text: string): boolean => {
  const lines = text.split(/\r\n|\n|\r/).filter((line) => line.trim() !== '')
  return lines.length > 1 && lines.some((line) => recordLine.test(line.replace(/;.*/, '')))
}
