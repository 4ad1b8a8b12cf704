import { z } from 'zod'
import { caught, Fault, readIpv4, readIpv6, readTarget } from './record-names.ts'
import type { RecordType } from './schema.ts'

export const bytesOf = (text: string): number => new TextEncoder().encode(text).length

/** Splits at white space outside quotation marks, where a backslash escapes the next character. */
export function wordsOf(text: string): string[] {
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
export const unquote = (word: string) => (isQuoted(word) ? word.slice(1, -1).replaceAll(/\\(.)/g, '$1') : word)
export const quote = (text: string) => `"${text.replaceAll(/[\\"]/g, String.raw`\$&`)}"`

/** A part of a structured content. */
export interface Part {
  readonly name: string
  readonly read: (word: string, zoneName: string) => string | number
  readonly show?: (value: string) => string
  /** Takes all remaining tokens, joined with this separator. */
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
export function readBase64(name: string, text: string): string {
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

/** The parameters `alpn="h3,h2" port=443 …` of HTTPS and SVCB. */
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

/** The types with structured content and their parts, in order. LOC has its own parser. */
export const partsOf: Readonly<Partial<Record<RecordType, readonly Part[]>>> = {
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
