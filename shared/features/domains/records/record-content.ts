import { z } from 'zod'
import { recordExamples } from './record-types.ts'
import { recordType } from './schema.ts'
import type { RecordType } from './schema.ts'
import { isPossibleName } from '#shared/possible-host.ts'

/** What is wrong with a field: a key of the `validation` texts and what it says of it. */
export interface RecordFault {
  readonly code: string
  readonly params?: Readonly<Record<string, string | number>>
}

/** `data` is what the provider wants for structured types, null for the others, whose `content` it takes as it stands. */
export interface RecordContent {
  readonly content: string
  readonly data: Readonly<Record<string, string | number>> | null
}

class Fault extends Error {
  readonly fault: RecordFault
  constructor(code: string, params?: RecordFault['params']) {
    super(code)
    this.fault = params === undefined ? { code } : { code, params }
  }
}

/** The value of what throws faults, or the fault. */
function caught<T>(read: () => T): { readonly value: T } | { readonly fault: RecordFault } {
  try {
    return { value: read() }
  } catch (error) {
    if (error instanceof Fault) return { fault: error.fault }
    throw error
  }
}

const bytesOf = (text: string): number => new TextEncoder().encode(text).length

/** Tabs are spaces. */
export const hasControls = (text: string): boolean => /[^\P{Cc}\t]/u.test(text)

// ---- names

const label = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/
const longestName = 253
/** Of texts, as they are written. */
const longestContent = 2_048

/** Lower case and Punycode; null where some part cannot be written so. Labels one by one, because a whole name may look like an address. */
function toAscii(name: string): string | null {
  const labels = name.replaceAll(/[。．｡]/g, '.').split('.')
  const ascii = labels.map((part) => {
    if (/^[\x21-\x7e]*$/.test(part)) return part.toLowerCase()
    if (!isPossibleName(part)) return null
    if (/[\p{Cc}\s/?#@:\\%[\]<>^|"`{}*]/u.test(part) || !URL.canParse(`http://${part}.x`)) return null
    return new URL(`http://${part}.x`).hostname.slice(0, -2)
  })
  return ascii.includes(null) ? null : ascii.join('.')
}

function readName(given: string, zoneName: string): string {
  const text = given.trim()
  if (text === '') throw new Fault('required')
  const zone = toAscii(zoneName) ?? zoneName
  if (text === '@') return zone
  const absolute = /[.。．｡]$/.test(text)
  const own = toAscii(absolute ? text.slice(0, -1) : text)
  if (own === null || own === '') throw new Fault('record_name')
  const within = own === zone || own.endsWith(`.${zone}`)
  if (!within && absolute) throw new Fault('record_name_outside', { zone: zoneName })
  const name = within ? own : `${own}.${zone}`
  if (name.length > longestName) throw new Fault('too_long', { max: longestName })
  for (const [index, part] of name.split('.').entries()) {
    if (part === '*' && index === 0) continue
    if (part.includes('*')) throw new Fault('record_wildcard')
    if (!label.test(part)) throw new Fault('record_name')
  }
  return name
}

/** `@`, a label or a whole name, in either writing, as the whole name in Punycode. A whole name ends with the zone's or with a dot. */
export const parseName = (given: string, zoneName: string) => caught(() => readName(given, zoneName))

// ---- parts of contents

const ipv4 = z.ipv4()

function readIpv4(text: string): string {
  if (!ipv4.safeParse(text).success) throw new Fault('record_ipv4')
  return text
}

/** In its shortest writing. */
function readIpv6(text: string): string {
  if (!/^[0-9a-f:.]+$/i.test(text) || !URL.canParse(`http://[${text}]`)) throw new Fault('record_ipv6')
  return new URL(`http://[${text}]`).hostname.slice(1, -1)
}

const isAddress = (text: string) => ipv4.safeParse(text).success || (text.includes(':') && /^[0-9a-f:.]+$/i.test(text))

function readHost(text: string, zoneName: string): string {
  if (text === '@') return zoneName
  if (isAddress(text)) throw new Fault('record_host_address')
  const host = toAscii(text.replace(/\.$/, ''))
  const labels = host?.split('.') ?? []
  const last = labels.at(-1) ?? ''
  if (host === null || host.length > longestName || labels.length < 2 || /^\d+$/.test(last) || !labels.every((part) => label.test(part)))
    throw new Fault('record_host')
  return host
}

/** With `.`, which says that there is none or that it is the record's own name. */
const readTarget = (text: string, zoneName: string) => (text === '.' ? text : readHost(text, zoneName))

const quotedString = /^"(?:[^"\\]|\\.)*"$/

/** What white space separates; within quotation marks it does not, and a backslash there takes the next character. */
function wordsOf(text: string): string[] {
  const words: string[] = []
  let word = ''
  let quoted = false
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at)
    if (!quoted && /\s/.test(character)) {
      if (word !== '') words.push(word)
      word = ''
      continue
    }
    if (character === '"') quoted = !quoted
    word += character
    if (quoted && character === '\\') {
      at += 1
      word += text.charAt(at)
    }
  }
  if (quoted) throw new Fault('record_quotes')
  return word === '' ? words : [...words, word]
}

const isQuoted = (word: string) => word.length > 1 && word.startsWith('"') && word.endsWith('"')
const unquote = (word: string) => (isQuoted(word) ? word.slice(1, -1).replaceAll(/\\(.)/g, '$1') : word)
const quote = (text: string) => `"${text.replaceAll(/[\\"]/g, String.raw`\$&`)}"`

/** One part of a structured content. */
interface Part {
  readonly name: string
  readonly read: (word: string, zoneName: string) => string | number
  readonly show?: (value: string) => string
  /** Takes all words that are left, with this between them. */
  readonly rest?: string
}

const number = (name: string, max: number, min = 0): Part => ({
  name,
  read: (word) => {
    const value = /^\d{1,10}$/.test(word) ? Number(word) : Number.NaN
    if (!(value >= min && value <= max)) throw new Fault('record_number', { field: name, min, max })
    return value
  },
})
const byte = (name: string) => number(name, 255)
const short = (name: string) => number(name, 65_535)
const target: Part = { name: 'target', read: readTarget }
const hex = (name: string): Part => ({
  name,
  rest: '',
  read: (text) => {
    if (text.length % 2 === 1 || !/^[0-9a-f]+$/i.test(text)) throw new Fault('record_hex', { field: name })
    return text.toLowerCase()
  },
})
function readBase64(name: string, text: string): string {
  if (text.length % 4 === 1 || !/^[a-z0-9+/]+={0,2}$/i.test(text)) throw new Fault('record_base64', { field: name })
  return text
}
const base64 = (name: string): Part => ({ name, rest: '', read: (text) => readBase64(name, text) })
const text = (name: string, read: (text: string) => string = (given) => given): Part => ({
  name,
  read: (word) => {
    const given = unquote(word)
    if (bytesOf(given) > 255) throw new Fault('too_long', { max: 255 })
    return read(given)
  },
  show: quote,
})

const uri = z.url()
function readUri(given: string): string {
  if (!uri.safeParse(given).success) throw new Fault('invalid_url')
  return given
}

const caaTags = ['issue', 'issuewild', 'iodef', 'issuemail', 'issuevmc', 'contactemail', 'contactphone']

function readTag(word: string): string {
  const tag = unquote(word).toLowerCase()
  if (!caaTags.includes(tag)) throw new Fault('record_caa_tag')
  return tag
}

const alphabet = /^[a-z0-9-]+$/

/** `alpn="h3,h2" port=443 …` of HTTPS and SVCB. */
function readServiceParams(given: string): string {
  const seen = new Set<string>()
  const required: string[] = []
  const written = wordsOf(given)
    .map((word) => {
      const at = word.indexOf('=')
      const key = (at === -1 ? word : word.slice(0, at)).toLowerCase()
      const value = at === -1 ? null : unquote(word.slice(at + 1))
      const bad = (why: string) => new Fault(why, { key })
      if (!alphabet.test(key) || !isServiceKey(key)) throw bad('record_service_key')
      if (seen.has(key)) throw bad('record_service_twice')
      seen.add(key)
      if (!isServiceValue(key, value)) throw bad('record_service_value')
      if (key === 'mandatory') required.push(...(value ?? '').split(','))
      return value === null ? key : `${key}=${/^[a-z0-9]+$/i.test(value) ? value : quote(value)}`
    })
    .join(' ')
  const lacking = required.find((key) => !seen.has(key) || key === 'mandatory')
  if (lacking !== undefined) throw new Fault('record_service_mandatory', { key: lacking })
  return written
}

const serviceKeys = ['mandatory', 'alpn', 'no-default-alpn', 'port', 'ipv4hint', 'ech', 'ipv6hint', 'dohpath', 'ohttp']
const isServiceKey = (key: string) => serviceKeys.includes(key) || /^key\d{1,5}$/.test(key)

function isServiceValue(key: string, value: string | null): boolean {
  if (key === 'no-default-alpn' || key === 'ohttp') return value === null || value === ''
  if (key.startsWith('key')) return true
  if (value === null || value === '') return false
  const items = value.split(',')
  if (key === 'port') return /^\d{1,5}$/.test(value) && Number(value) <= 65_535
  if (key === 'ipv4hint') return items.every((item) => 'value' in caught(() => readIpv4(item)))
  if (key === 'ipv6hint') return items.every((item) => 'value' in caught(() => readIpv6(item)))
  if (key === 'mandatory') return items.every(isServiceKey)
  if (key === 'ech') return 'value' in caught(() => readBase64(key, value))
  return items.every((item) => item !== '')
}

const service: readonly Part[] = [short('priority'), target, { name: 'value', rest: ' ', read: readServiceParams }]
const association: readonly Part[] = [number('usage', 3), number('selector', 1), number('matching_type', 2), hex('certificate')]

/** Of the types whose content has parts, in their order. LOC has a reader of its own. */
const partsOf: Readonly<Partial<Record<RecordType, readonly Part[]>>> = {
  CAA: [byte('flags'), { name: 'tag', read: readTag }, text('value')],
  CERT: [short('type'), short('key_tag'), byte('algorithm'), base64('certificate')],
  DNSKEY: [short('flags'), number('protocol', 3, 3), byte('algorithm'), base64('public_key')],
  DS: [short('key_tag'), byte('algorithm'), byte('digest_type'), hex('digest')],
  HTTPS: service,
  NAPTR: [short('order'), short('preference'), text('flags'), text('service'), text('regex'), { name: 'replacement', read: readTarget }],
  SMIMEA: association,
  SRV: [short('weight'), short('port'), target],
  SSHFP: [byte('algorithm'), byte('type'), hex('fingerprint')],
  SVCB: service,
  TLSA: association,
  URI: [short('weight'), text('target', readUri)],
}

/** Hexadecimal digits of digests, by the number that names their kind. */
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

/** Cut where no character is cut. */
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

/** Quoted strings of at most 255 bytes: as given, or made of the bare text. */
function readText(given: string): string {
  if (given.length > 2 * longestContent) throw new Fault('record_text_long', { max: longestContent, length: bytesOf(given) })
  const quoted = given.startsWith('"')
  const words = quoted ? wordsOf(given) : []
  if (!words.every((word) => quotedString.test(word))) throw new Fault('record_quotes')
  const strings = quoted ? words.map(unquote) : [given]
  if (strings.join('') === '') throw new Fault('required')
  // What is well-formed stays as it is: other escapes than ours mean something too.
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
 * A content in the form of zone files as its canonical text and, for structured types, the provider's `data`. A priority that has a
 * field of its own is no part of it.
 */
export const parseContent = (type: RecordType, content: string, zoneName: string) => caught(() => readContent(type, content, zoneName))

/** The content of a structured type as text; what `data` lacks is left out, so that reading it tells. */
export function showData(type: RecordType, data: Readonly<Record<string, unknown>>): string {
  return type === 'LOC' ? showLocation(data) : showParts(partsOf[type] ?? [], data)
}

/** For comparing: the canonical text, or where it cannot be read (an older record of the provider's) what stands there. */
export function canonicalContent(type: string, content: string, zoneName: string): string {
  const known = recordType.safeParse(type)
  const read = known.success ? parseContent(known.data, content, zoneName) : null
  return read !== null && 'value' in read ? read.value.content : content.trim()
}

/**
 * For finding out whether the provider has what was sent: as `canonicalContent`, and of texts what they say, however they are quoted and cut into strings.
 */
export function comparableContent(type: string, content: string, zoneName: string): string {
  const canonical = canonicalContent(type, content, zoneName)
  if (type !== 'TXT' || !canonical.startsWith('"')) return canonical
  const words = caught(() => wordsOf(canonical))
  return 'value' in words ? words.value.map(unquote).join('') : canonical
}
