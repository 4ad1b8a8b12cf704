import { isPossibleName } from '#shared/possible-host.ts'
import { z } from 'zod'

/** A problem with a field: a key of the `validation` texts and its parameters. */
export interface RecordFault {
  readonly code: string
  readonly params?: Readonly<Record<string, string | number>>
}

export class Fault extends Error {
  readonly fault: RecordFault
  constructor(code: string, params?: RecordFault['params']) {
    super(code)
    this.fault = params === undefined ? { code } : { code, params }
  }
}

/** Returns the value, or the thrown problem. */
export function caught<T>(read: () => T): { readonly value: T } | { readonly fault: RecordFault } {
  try {
    return { value: read() }
  } catch (error) {
    if (error instanceof Fault) return { fault: error.fault }
    throw error
  }
}

/** Tabs count as spaces. */
export const hasControls = (text: string): boolean => /[^\P{Cc}\t]/u.test(text)

const label = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/
const longestName = 253

/** Lower case and Punycode; null if a part cannot be converted. It works label by label, because a whole name may look like an IP address. */
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

/**
 * Normalizes `@`, a label or a whole name, in Unicode or Punycode, to the absolute name in Punycode. A whole name ends with the zone's name or
 * with a dot.
 */
export const parseName = (given: string, zoneName: string) => caught(() => readName(given, zoneName))

const ipv4 = z.ipv4()

export function readIpv4(text: string): string {
  if (!ipv4.safeParse(text).success) throw new Fault('record_ipv4')
  return text
}

/** In its shortest notation. */
export function readIpv6(text: string): string {
  if (!/^[0-9a-f:.]+$/i.test(text) || !URL.canParse(`http://[${text}]`)) throw new Fault('record_ipv6')
  return new URL(`http://[${text}]`).hostname.slice(1, -1)
}

const isAddress = (text: string) => ipv4.safeParse(text).success || (text.includes(':') && /^[0-9a-f:.]+$/i.test(text))

export function readHost(text: string, zoneName: string): string {
  if (text === '@') return zoneName
  if (isAddress(text)) throw new Fault('record_host_address')
  const host = toAscii(text.replace(/\.$/, ''))
  const labels = host?.split('.') ?? []
  const last = labels.at(-1) ?? ''
  if (host === null || host.length > longestName || labels.length < 2 || /^\d+$/.test(last) || !labels.every((part) => label.test(part)))
    throw new Fault('record_host')
  return host
}

/** Also accepts `.`, which means none or the record's own name. */
export const readTarget = (text: string, zoneName: string) => (text === '.' ? text : readHost(text, zoneName))
