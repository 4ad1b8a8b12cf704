import { recordExamples } from './record-types.ts'
import { caught, Fault, hasControls, readHost, readIpv4, readIpv6, readTarget } from './record-names.ts'
import { bytesOf, partsOf, quote, unquote, readBase64, wordsOf } from './record-parts.ts'
import type { Part } from './record-parts.ts'
import { recordType } from './schema.ts'
import type { RecordType } from './schema.ts'

/** `data` is the provider's form of structured types, and null for the others, whose `content` is sent as it is. */
export interface RecordContent {
  readonly content: string
  readonly data: Readonly<Record<string, string | number>> | null
}

/** Strings in their quoted form. */
const longestContent = 2_048

const quotedString = /^"(?:[^"\\]|\\.)*"$/

/** The number of hexadecimal digits of a digest, by its kind. */
const digests: Readonly<Partial<Record<RecordType, { readonly kind: string; readonly digits: Readonly<Record<number, number>> }>>> = {
  DS: { kind: 'digest_type', digits: { 1: 40, 2: 64, 4: 96 } },
  SSHFP: { kind: 'type', digits: { 1: 40, 2: 64 } },
  TLSA: { kind: 'matching_type', digits: { 1: 64, 2: 128 } },
  SMIMEA: { kind: 'matching_type', digits: { 1: 64, 2: 128 } },
}

type Data = Record<string, string | number>

function checkTogether(type: RecordType, data: Data, field: string): void {
  const digest = digests[type]
  const digits = digest === undefined ? undefined : digest.digits[Number(data[digest.kind])]
  if (digits !== undefined && String(data[field]).length !== digits) throw new Fault('record_digest', { field, digits })
  if ((type === 'HTTPS' || type === 'SVCB') && data['priority'] === 0 && data['value'] !== '') throw new Fault('record_service_alias')
  if (type !== 'CAA') return
  const value = String(data['value'])
  if (data['tag'] === 'iodef' && !/^(mailto:[^\s@]+@[^\s@]+|https?:\/\/\S+)$/i.test(value)) throw new Fault('record_caa_iodef')
  const issuer = value.split(';')[0]?.trim() ?? ''
  if (String(data['tag']).startsWith('issue') && issuer !== '' && 'fault' in caught(() => readHost(issuer, '')))
    throw new Fault('record_caa_issuer')
}

const misfit = (type: RecordType) => new Fault('record_parts', { parts: recordExamples[type].parts })

function showParts(parts: readonly Part[], data: Readonly<Record<string, unknown>>): string {
  return parts
    .map(({ name, show }) => {
      const given = data[name]
      const value = typeof given === 'string' || typeof given === 'number' ? String(given) : ''
      return show === undefined ? value : show(value)
    })
    .filter((word) => word !== '')
    .join(' ')
}

function readParts(type: RecordType, parts: readonly Part[], content: string, zoneName: string): RecordContent {
  const words = wordsOf(content)
  const last = parts.at(-1)
  const mayLack = type === 'HTTPS' || type === 'SVCB' ? 1 : 0
  if (words.length < parts.length - mayLack || (last?.rest === undefined && words.length > parts.length)) throw misfit(type)
  const data: Data = {}
  for (const [index, { name, read, rest }] of parts.entries()) {
    data[name] = read(rest === undefined ? (words[index] ?? '') : words.slice(index).join(rest), zoneName)
  }
  checkTogether(type, data, last?.name ?? '')
  return { content: showParts(parts, data), data }
}

// ---- LOC

const latitude = ['N', 'S'] as const
const longitude = ['E', 'W'] as const

function readLocation(content: string): RecordContent {
  const words = content.toUpperCase().split(/\s+/)
  const measure = (name: string, min: number, max: number, fallback: number): [string, number] => {
    const word = words.shift()
    if (word === undefined) return [name, fallback]
    const value = /^-?\d{1,8}(\.\d{1,3})?M?$/.test(word) ? Number.parseFloat(word) : Number.NaN
    if (!(value >= min && value <= max)) throw new Fault('record_number', { field: name, min, max })
    return [name, value]
  }
  const angle = (prefix: string, most: number, directions: readonly string[]): [string, string | number][] => {
    const end = words.findIndex((word) => directions.includes(word))
    if (end < 1 || end > 3) throw misfit('LOC')
    const [degrees, minutes = '0', seconds = '0', ...directionFirst] = words.splice(0, end)
    const direction = words.shift() ?? directionFirst.join('')
    const within = (name: string, word: string | undefined, max: number, digits: RegExp): [string, number] => {
      const value = word !== undefined && digits.test(word) ? Number(word) : Number.NaN
      if (!(value >= 0 && value <= max)) throw new Fault('record_number', { field: `${prefix}_${name}`, min: 0, max })
      return [`${prefix}_${name}`, value]
    }
    return [
      within('degrees', degrees, most, /^\d{1,3}$/),
      within('minutes', minutes, 59, /^\d{1,2}$/),
      within('seconds', seconds, 59.999, /^\d{1,2}(\.\d{1,3})?$/),
      [`${prefix}_direction`, direction],
    ]
  }
  const data: Data = Object.fromEntries([
    ...angle('lat', 90, latitude),
    ...angle('long', 180, longitude),
    measure('altitude', -100_000, 42_849_672.95, 0),
    measure('size', 0, 90_000_000, 1),
    measure('precision_horz', 0, 90_000_000, 10_000),
    measure('precision_vert', 0, 90_000_000, 10),
  ])
  if (words.length > 0) throw misfit('LOC')
  return { content: showLocation(data), data }
}

function showLocation(data: Readonly<Record<string, unknown>>): string {
  const names = ['degrees', 'minutes', 'seconds', 'direction']
  const angles = ['lat', 'long'].flatMap((prefix) => names.map((name) => String(data[`${prefix}_${name}`])))
  const metres = ['altitude', 'size', 'precision_horz', 'precision_vert'].map((name) => `${String(data[name])}m`)
  return [...angles, ...metres].join(' ')
}

// ---- TXT

const longestString = 255

/** Split only between characters. */
function chunks(given: string): string[] {
  const found: string[] = []
  let current = ''
  let bytes = 0
  for (const character of given) {
    const more = bytesOf(character)
    if (bytes + more > longestString) {
      found.push(current)
      current = ''
      bytes = 0
    }
    current += character
    bytes += more
  }
  return [...found, current]
}

/** Quoted strings of at most 255 bytes: as given, or split from the bare text. */
function readText(given: string): string {
  if (given.length > 2 * longestContent) throw new Fault('record_text_long', { max: longestContent, length: bytesOf(given) })
  const quoted = given.startsWith('"')
  const words = quoted ? wordsOf(given) : []
  if (!words.every((word) => quotedString.test(word))) throw new Fault('record_quotes')
  const strings = quoted ? words.map(unquote) : [given]
  if (strings.join('') === '') throw new Fault('required')
  // Well-formed strings are kept: escapes other than ours are meaningful too.
  const fits = quoted && strings.every((string) => bytesOf(string) <= longestString)
  const content = fits ? words.join(' ') : chunks(strings.join('')).map(quote).join(' ')
  if (bytesOf(content) > longestContent) throw new Fault('record_text_long', { max: longestContent, length: bytesOf(content) })
  return content
}

// ---- all types

function readContent(type: RecordType, given: string, zoneName: string): RecordContent {
  const content = given.trim()
  if (content === '') throw new Fault('required')
  if (hasControls(content)) throw new Fault('invalid_characters')
  const parts = partsOf[type]
  if (parts !== undefined) return readParts(type, parts, content, zoneName)
  const plain = (text: string): RecordContent => ({ content: text, data: null })
  switch (type) {
    case 'A':
      return plain(readIpv4(content))
    case 'AAAA':
      return plain(readIpv6(content))
    case 'MX':
      return plain(readTarget(content, zoneName))
    case 'LOC':
      return readLocation(content)
    case 'OPENPGPKEY':
      return plain(readBase64('key', content.replaceAll(/\s+/g, '')))
    case 'TXT':
      return plain(readText(content))
    default:
      return plain(readHost(content, zoneName))
  }
}

/**
 * Parses content in zone file form into canonical text and, for structured types, the provider's `data`. The priority is a separate field and not
 * part of it.
 */
export const parseContent = (type: RecordType, content: string, zoneName: string) => caught(() => readContent(type, content, zoneName))

/** The content of a structured type as text; missing parts of `data` are omitted, so that parsing it reports them. */
export function showData(type: RecordType, data: Readonly<Record<string, unknown>>): string {
  return type === 'LOC' ? showLocation(data) : showParts(partsOf[type] ?? [], data)
}

/** For comparing: the canonical text, or the verbatim text if it is unreadable, such as an old record at the provider. */
export function canonicalContent(type: string, content: string, zoneName: string): string {
  const known = recordType.safeParse(type)
  const read = known.success ? parseContent(known.data, content, zoneName) : null
  return read !== null && 'value' in read ? read.value.content : content.trim()
}

/**
 * For checking whether the provider has what was sent: like `canonicalContent`, but TXT values are compared by text, regardless of quoting and
 * splitting.
 */
export function comparableContent(type: string, content: string, zoneName: string): string {
  const canonical = canonicalContent(type, content, zoneName)
  if (type !== 'TXT' || !canonical.startsWith('"')) return canonical
  const words = caught(() => wordsOf(canonical))
  return 'value' in words ? words.value.map(unquote).join('') : canonical
}
