import { inputOf } from './record-types.ts'
import { parseZoneFile } from './parse-zone-file.ts'
import type { ZoneFileFault, ZoneFileRecord } from './parse-zone-file.ts'
import { canonicalContent, checkRecord, hasPriority, isProxiable, ttlRange } from './rules.ts'
import type { CheckedRecord } from './rules.ts'
import { mostPlanned, recordType } from './schema.ts'
import type { DnsRecord, ImportPlan } from './schema.ts'

/** The limits of the zone's plan. */
interface ZoneFileLimits {
  readonly longestComment: number
  readonly tags: boolean
}

/** Without a plan, the strictest limits. */
export const zoneFileLimitsOf = (plan: string | null): ZoneFileLimits =>
  plan === null || /free/i.test(plan) ? { longestComment: 100, tags: false } : { longestComment: 500, tags: true }

export interface ZoneFileInput {
  readonly text: string
  readonly zoneName: string
  readonly current: readonly DnsRecord[]
  readonly mode: 'add' | 'replace'
  /** The default for new records. */
  readonly proxied: boolean
  readonly limits: ZoneFileLimits
}

/** All changes of a file, without a limit on their number. */
export type ZoneFilePlan = Pick<ImportPlan, 'added' | 'changed' | 'deleted' | 'unchanged' | 'refused' | 'refusedCount'>
type Refused = ZoneFilePlan['refused'][number]

/** A record of the file in the form in which it would be written. */
interface Wanted {
  readonly from: ZoneFileRecord
  readonly record: CheckedRecord
}

const shownText = 200

/** A TXT value is one text however it is split into strings. */
function comparable(type: string, content: string, zoneName: string): string {
  const canonical = canonicalContent(type, content, zoneName)
  if (type !== 'TXT' || !canonical.startsWith('"')) return canonical
  return [...canonical.matchAll(/"((?:[^"\\]|\\.)*)"?/g)].map(([, text = '']) => text).join('')
}

const keyOf = (record: Pick<DnsRecord, 'type' | 'name' | 'content' | 'priority'>, zoneName: string) =>
  [
    record.type,
    record.name.toLowerCase(),
    hasPriority(record.type) ? record.priority : '',
    comparable(record.type, record.content, zoneName),
  ].join(' ')
const placeOf = (record: { readonly type: string; readonly name: string }) => `${record.type} ${record.name.toLowerCase()}`
const addressTypes: readonly string[] = ['A', 'AAAA']

/** A TTL outside the provider's range is clamped to it. */
const ttlOf = (given: number | null) => (given === null || given === 1 ? 1 : Math.min(ttlRange.max, Math.max(ttlRange.min, given)))

/** The fields that would be sent to the provider. */
function check(from: ZoneFileRecord, { zoneName, proxied, limits }: ZoneFileInput) {
  const { type, name, content, priority } = from
  // eslint-disable-next-line no-control-regex
  const comment = from.comment?.replaceAll(/[\x00-\x1f\x7f]/g, ' ').slice(0, limits.longestComment)
  return checkRecord(
    {
      type,
      name: `${name}.`,
      content,
      ttl: ttlOf(from.ttl),
      proxied: isProxiable(type) && (from.proxied ?? proxied),
      ...(priority === null ? {} : { priority }),
      ...(comment === undefined ? {} : { comment }),
      ...(from.tags === null || !limits.tags ? {} : { tags: [...from.tags] }),
    },
    zoneName,
  )
}

/** The record with the fields of the file; other fields stay unchanged. */
function merge(now: DnsRecord, { from, record }: Wanted): CheckedRecord {
  const proxied = from.proxied === null ? now.proxied : record.proxied
  return {
    ...record,
    content: record.content,
    proxied,
    ttl: proxied ? 1 : from.ttl === null || from.ttl === now.ttl ? now.ttl : ttlOf(from.ttl),
    comment: from.comment === null ? now.comment : record.comment,
    tags: from.tags === null || record.tags.length === 0 ? now.tags : record.tags,
  }
}

const sameTags = (one: readonly string[], other: readonly string[]) =>
  one.length === other.length && one.every((tag) => other.includes(tag))
const isSame = (now: DnsRecord, then: CheckedRecord) =>
  now.proxied === then.proxied && (now.proxied || now.ttl === then.ttl) && now.comment === then.comment && sameTags(now.tags, then.tags)

/**
 * Plans an import. Records are the same by type, name, content and priority; in replace mode, the others are changed in place by type and name. A
 * record that a rejected line may refer to is not deleted.
 */
export function planZoneFile(input: ZoneFileInput): ZoneFilePlan {
  const { zoneName, current, mode } = input
  const { records, faults, lines } = parseZoneFile(input.text, zoneName)
  const refused: Refused[] = []
  const kept = new Set<string>()
  const refuse = ({ line, code, problem, type, name }: ZoneFileFault) => {
    if (type !== undefined && name !== undefined) kept.add(placeOf({ type, name }))
    const text = (lines[line - 1] ?? '').trim().slice(0, shownText)
    refused.push({ line, text, code, problem: problem === undefined ? null : { ...problem, params: problem.params ?? {} } })
  }
  faults.forEach(refuse)

  const left = new Map<string, DnsRecord[]>()
  for (const record of current) {
    const key = keyOf(record, zoneName)
    const same = left.get(key)
    if (same === undefined) left.set(key, [record])
    else same.push(record)
  }
  const seen = new Set<string>()
  const changed: ZoneFilePlan['changed'] = []
  const newRecords: Wanted[] = []
  let unchanged = 0
  const matchRecord = (wanted: Wanted, now: DnsRecord) => {
    const then = merge(now, wanted)
    const sameContent = keyOf(now, zoneName) === keyOf(then, zoneName)
    if (sameContent && isSame(now, then)) unchanged += 1
    else changed.push({ line: wanted.from.line, before: now, after: inputOf(sameContent ? { ...then, content: now.content } : then) })
  }
  for (const from of records) {
    const { line, type, name } = from
    const { record, problems } = check(from, input)
    if (record === null) {
      const [problem] = problems
      refuse({
        line,
        code: problem?.field === 'name' ? 'bad_name' : 'invalid_content',
        type,
        name,
        ...(problem === undefined ? {} : { problem }),
      })
      continue
    }
    const key = keyOf(record, zoneName)
    if (seen.has(key)) {
      refuse({ line, code: 'duplicate', type, name })
      continue
    }
    seen.add(key)
    const now = left.get(key)?.shift()
    if (now === undefined) newRecords.push({ from, record })
    else matchRecord({ from, record }, now)
  }

  const others = [...left.values()].flat()
  const inPlace = Map.groupBy(others, placeOf)
  const replaced = new Set<DnsRecord>()
  const additions: Wanted[] = []
  for (const wanted of newRecords) {
    const { record } = wanted
    const now = mode === 'replace' || record.type === 'CNAME' ? inPlace.get(placeOf(record))?.shift() : undefined
    if (now === undefined) additions.push(wanted)
    else {
      replaced.add(now)
      matchRecord(wanted, now)
    }
  }

  // NS records of the apex and types that a file cannot contain are not touched.
  const mayGo = (record: DnsRecord) =>
    !replaced.has(record) &&
    !kept.has(placeOf(record)) &&
    recordType.safeParse(record.type).success &&
    !(record.type === 'NS' && record.name.toLowerCase() === zoneName)
  const deleted = mode === 'replace' ? others.filter(mayGo) : []

  const gone = new Set(deleted)
  const taken = new Map<string, 'CNAME' | 'address'>()
  const claim = ({ type, name }: { readonly type: string; readonly name: string }): boolean => {
    const kind = type === 'CNAME' ? 'CNAME' : addressTypes.includes(type) ? 'address' : null
    const there = taken.get(name.toLowerCase())
    if (kind === null) return true
    if (there !== undefined && (kind === 'CNAME' || there === 'CNAME')) return false
    taken.set(name.toLowerCase(), kind)
    return true
  }
  for (const record of current) if (!gone.has(record)) claim(record)
  const added: ZoneFilePlan['added'] = []
  for (const { from, record } of additions) {
    if (claim(record)) added.push({ ...inputOf(record), line: from.line })
    else refuse({ line: from.line, code: 'cname_conflict', type: record.type, name: record.name })
  }
  const listed = refused.toSorted((one, other) => one.line - other.line).slice(0, mostPlanned)
  return { added, changed, deleted, unchanged, refusedCount: refused.length, refused: listed }
}
