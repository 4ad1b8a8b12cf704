import { hasPriority, parseName } from './rules.ts'
import type { RecordProblem } from './rules.ts'
import { recordType } from './schema.ts'
import type { RecordType } from './schema.ts'

/** Why a line of a zone file is rejected; each has a text `zone_file.problems.<code>` in the namespace `records`. */
export const zoneFileProblems = [
  /** `$INCLUDE`: other files are not available. */
  'include',
  /** `$GENERATE` */
  'generate',
  /** Any other `$` directive. */
  'unknown_directive',
  /** `$ORIGIN` without a name, or a relative name after such a line. */
  'bad_origin',
  /** Neither seconds nor `1h30m`. */
  'bad_ttl',
  /** The line begins with a blank, which means the previous name, and there is none. */
  'no_owner',
  'bad_name',
  /** The name does not belong to this domain. */
  'outside_zone',
  /** A class other than IN. */
  'bad_class',
  /** No record type on the line. */
  'no_type',
  /** A type that the provider does not support. */
  'unknown_type',
  'no_content',
  /** The content is invalid for the type. */
  'invalid_content',
  'too_long',
  'unclosed_quote',
  'unclosed_parenthesis',
  'stray_parenthesis',
  /** The provider manages the SOA record. */
  'soa',
  /** The provider manages the NS records of the apex. */
  'apex_ns',
  /** The same record is above. */
  'duplicate',
  /** A CNAME excludes A, AAAA and other CNAME records of its name. */
  'cname_conflict',
] as const
export type ZoneFileProblem = (typeof zoneFileProblems)[number]

export interface ZoneFileFault {
  /** From 1. */
  readonly line: number
  readonly code: ZoneFileProblem
  /** The type and name of the record, if they could be parsed. */
  readonly type?: string
  readonly name?: string
  readonly problem?: RecordProblem
}

/** A record of a file; null means that the file does not specify the field. */
export interface ZoneFileRecord {
  readonly line: number
  readonly type: RecordType
  /** Absolute, in Punycode. */
  readonly name: string
  readonly content: string
  readonly priority: number | null
  readonly ttl: number | null
  readonly proxied: boolean | null
  readonly comment: string | null
  readonly tags: readonly string[] | null
}

const longestLine = 20_000
/** More lines than any domain has records. */
export const mostZoneFileLines = 50_000
const longestContent = 10_000

// ---- tokens

/** A token, verbatim with its quotes and escapes. */
interface Entry {
  readonly words: readonly string[]
  readonly comment: string
  readonly blank: boolean
  readonly next: number
  readonly fault: ZoneFileProblem | null
}

const quoted = /"(?:[^"\\]|\\.)*"/y
/** `alpn="h3,h2"` is one token. */
const bare = /(?:[^\s"();\\]|\\.|\\$|"(?:[^"\\]|\\.)*")+/y

function matchAt(pattern: RegExp, line: string, at: number): string | null {
  pattern.lastIndex = at
  return pattern.exec(line)?.[0] ?? null
}

/** One entry starting at the line `start`; parentheses can extend it over several lines. */
function readEntry(lines: readonly string[], start: number): Entry {
  const words: string[] = []
  const blank = /^[ \t]/.test(lines[start] ?? '')
  let open = false
  let fault: ZoneFileProblem | null = null
  for (let at = start; at < lines.length; at += 1) {
    const line = lines[at] ?? ''
    let comment = ''
    if (line.length > longestLine) return { words, comment, blank, next: at + 1, fault: 'too_long' }
    for (let place = 0; place < line.length;) {
      const character = line[place] ?? ''
      if (character === ';') {
        comment = line.slice(place + 1)
        break
      }
      if (character === '(') {
        // Parentheses do not nest, so the previous one was not closed.
        if (open) return { words, comment: '', blank, next: start + 1, fault: 'unclosed_parenthesis' }
        open = true
      } else if (character === ')') {
        if (!open) fault ??= 'stray_parenthesis'
        open = false
      } else if (character.trim() !== '') {
        const word = matchAt(character === '"' ? quoted : bare, line, place)
        if (word === null) {
          fault ??= 'unclosed_quote'
          break
        }
        words.push(word)
        place += word.length
        continue
      }
      place += 1
    }
    if (!open) return { words, comment, blank, next: at + 1, fault }
  }
  return { words, comment: '', blank, next: start + 1, fault: 'unclosed_parenthesis' }
}

/** Without quotes and escapes; `\DDD` are bytes of UTF-8. Null if they are invalid. */
function decode(word: string): string | null {
  const text = word.startsWith('"') ? word.slice(1, -1) : word
  if (!text.includes('\\')) return text
  if (/\\(?:25[6-9]|2[6-9]\d|[3-9]\d\d)/.test(text)) return null
  try {
    return decodeURIComponent(
      text.replaceAll(
        /\\(\d{3})|\\(.)|([^\\])/gu,
        (_all, byte: string | undefined, escaped: string | undefined, plain: string | undefined) =>
          byte === undefined ? encodeURIComponent(escaped ?? plain ?? '') : `%${Number(byte).toString(16).padStart(2, '0')}`,
      ),
    )
  } catch {
    return null
  }
}

const isAddress = (word: string) => /^\d{1,3}(?:\.\d{1,3}){3}\.?$/.test(word) || word.includes(':')

const quote = (text: string) => `"${text.replaceAll(/[\\"]/g, String.raw`\$&`)}"`

const units: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400, w: 604_800 }
const isTtl = (word: string) => /^(?:\d{1,10}|(?:\d{1,7}[smhdw])+)$/i.test(word)

function secondsOf(word: string): number {
  if (/^\d+$/.test(word)) return Number(word)
  let seconds = 0
  for (const [, count = '', unit = ''] of word.matchAll(/(\d{1,7})([smhdw])/gi)) seconds += Number(count) * (units[unit.toLowerCase()] ?? 0)
  return seconds
}

// ---- records

const classes = new Set(['IN', 'CH', 'HS', 'CS', 'NONE', 'ANY'])
/** The index of the host name in the content. */
export const hostAt: Readonly<Partial<Record<RecordType, number>>> = { CNAME: 0, NS: 0, PTR: 0, MX: 1, SRV: 3, HTTPS: 1, SVCB: 1, NAPTR: 5 }
/** Types of other software, recognized as types so that the error is accurate. */
const otherTypes = new Set(
  'A6 AFSDB ALIAS ANAME APL AVC CDNSKEY CDS CSYNC DHCID DLV DNAME EUI48 EUI64 GPOS HINFO HIP IPSECKEY ISDN KEY KX L32 L64 LP MB MD MF MG MINFO MR NID NINFO NSEC NSEC3 NSEC3PARAM NULL NXT PX RKEY RP RRSIG RT SIG SINK SOA SPF TALINK TSIG UID UINFO UNSPEC WKS X25 ZONEMD'.split(
    ' ',
  ),
)
const isType = (word: string) =>
  recordType.safeParse(word.toUpperCase()).success || otherTypes.has(word.toUpperCase()) || /^TYPE\d{1,5}$/i.test(word)

/** `a comment cf_tags=cf-proxied:true,team:web` in the provider's format. */
function readComment(text: string): Pick<ZoneFileRecord, 'comment' | 'proxied' | 'tags'> {
  const at = text.indexOf('cf_tags=')
  const comment = (at === -1 ? text : text.slice(0, at)).trim()
  const tags =
    at === -1
      ? []
      : text
          .slice(at + 'cf_tags='.length)
          .split(',')
          .map((tag) => tag.trim())
  const proxied = tags.find((tag) => tag.startsWith('cf-proxied:'))
  const own = tags.filter((tag) => tag !== '' && !/^cf-\w+:/.test(tag))
  return {
    comment: comment === '' ? null : comment,
    proxied: proxied === undefined ? null : proxied === 'cf-proxied:true',
    tags: own.length === 0 ? null : own,
  }
}

/** Relative to `origin` unless it ends with a dot; null if the origin is unknown. */
function absolute(name: string, origin: string | null): string | null {
  if (name.endsWith('.') && !name.endsWith('\\.')) return name.slice(0, -1)
  if (origin === null) return null
  return name === '@' ? origin : origin === '' ? name : `${name}.${origin}`
}

/** The content in the form that `checkRecord` reads, with the priority separate; or the problem. */
function readContent(type: RecordType, words: readonly string[], origin: string | null) {
  if (type === 'TXT') {
    const texts = words.map(decode)
    return texts.includes(null) ? 'invalid_content' : { content: texts.map((text) => quote(text ?? '')).join(' '), priority: null }
  }
  const parts: string[] = []
  for (const [index, word] of words.entries()) {
    const decoded = word.startsWith('"') ? decode(word) : word
    if (decoded === null) return 'invalid_content'
    // An IP address in place of a host is a mistake, not a name below the origin.
    if (index !== hostAt[type] || word === '.' || isAddress(decoded)) {
      parts.push(word.startsWith('"') ? quote(decoded) : word)
      continue
    }
    const host = absolute(decoded, origin)
    if (host === null) return 'bad_origin'
    parts.push(host)
  }
  if (!hasPriority(type)) return { content: parts.join(' '), priority: null }
  const [first = '', ...rest] = parts
  if (!/^\d{1,5}$/.test(first) || rest.length === 0) return 'invalid_content'
  return { content: rest.join(' '), priority: Number(first) }
}

/**
 * Parses a zone file, or lines of one, like BIND: `$ORIGIN`, `$TTL`, relative names, `@`, an omitted name for the previous one, parentheses, TTL
 * and class in either order. An invalid line does not affect the others.
 */
export function parseZoneFile(
  text: string,
  zoneName: string,
): { records: ZoneFileRecord[]; faults: ZoneFileFault[]; lines: readonly string[] } {
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/)
  const records: ZoneFileRecord[] = []
  const faults: ZoneFileFault[] = []
  let origin: string | null = zoneName
  let defaultTtl: number | null = null
  /** Null before the first name. */
  let owner: string | null = null
  /** The previous name was invalid, so lines without a name are too. */
  let ownerFault: ZoneFileProblem = 'no_owner'

  function readDirective(line: number, directive: string, argument: string | undefined): void {
    const name = directive.toUpperCase()
    if (name === '$ORIGIN') {
      origin = argument === undefined ? null : absolute(argument, origin)
      if (origin === null) faults.push({ line, code: 'bad_origin' })
    } else if (name === '$TTL') {
      if (argument !== undefined && isTtl(argument)) defaultTtl = secondsOf(argument)
      else faults.push({ line, code: 'bad_ttl' })
    } else faults.push({ line, code: name === '$INCLUDE' ? 'include' : name === '$GENERATE' ? 'generate' : 'unknown_directive' })
  }

  function readOwner(word: string): void {
    owner = absolute(word, origin)
    ownerFault = 'bad_origin'
  }

  function readRecord(line: number, entry: Entry): ZoneFileFault | null {
    const words = [...entry.words]
    const [first = ''] = words
    const isName = !entry.blank || !(isTtl(first) || classes.has(first.toUpperCase()) || isType(first))
    if (isName) readOwner(words.shift() ?? '')
    let ttl = defaultTtl
    for (let word = words[0]; word !== undefined; word = words[0]) {
      if (isTtl(word)) ttl = secondsOf(word)
      else if (!classes.has(word.toUpperCase())) break
      else if (word.toUpperCase() !== 'IN') return { line, code: 'bad_class' }
      words.shift()
    }
    const typeWord = words.shift()?.toUpperCase()
    if (typeWord === undefined) return { line, code: 'no_type' }
    if (owner === null) return { line, code: ownerFault }
    if (typeWord === 'SOA') return { line, code: 'soa' }
    const type = recordType.safeParse(typeWord)
    if (!type.success) {
      // `www 1x A 192.0.2.1`: the token was meant to be a TTL.
      return { line, code: !isType(typeWord) && /^\d/.test(typeWord) ? 'bad_ttl' : 'unknown_type', name: owner }
    }
    const name = parseName(`${owner}.`, zoneName)
    if ('fault' in name) {
      const { code } = name.fault
      if (code === 'record_name_outside') return { line, code: 'outside_zone', name: owner }
      return { line, code: 'bad_name', problem: { field: 'name', ...name.fault } }
    }
    const place = { line, type: type.data, name: name.value }
    if (type.data === 'NS' && name.value === zoneName) return { ...place, code: 'apex_ns' }
    if (words.length === 0) return { ...place, code: 'no_content' }
    const content = readContent(type.data, words, origin)
    if (typeof content === 'string') return { ...place, code: content }
    if (content.content.length > longestContent) return { ...place, code: 'too_long' }
    records.push({ ...place, ...content, ttl, ...readComment(entry.comment) })
    return null
  }

  for (let at = 0; at < lines.length;) {
    const line = at + 1
    const entry = readEntry(lines, at)
    at = entry.next
    const [first = ''] = entry.words
    if (entry.fault !== null) {
      // The name still applies to the following lines.
      if (!entry.blank && entry.words.length > 0 && !first.startsWith('$')) readOwner(first)
      const type = entry.words.find((word, index) => (index > 0 || entry.blank) && isType(word))?.toUpperCase()
      const name = owner === null ? null : parseName(`${String(owner)}.`, zoneName)
      faults.push({
        line,
        code: entry.fault,
        ...(type === undefined ? {} : { type }),
        ...(name !== null && 'value' in name ? { name: name.value } : {}),
      })
    } else if (first.startsWith('$')) readDirective(line, first, entry.words[1])
    else if (entry.words.length > 0) {
      const fault = readRecord(line, entry)
      if (fault !== null) faults.push(fault)
    }
  }
  return { records, faults, lines }
}
