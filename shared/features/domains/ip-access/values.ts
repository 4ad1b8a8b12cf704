import { isCountryCode, torCountry } from '#shared/country-codes.ts'
import { checkNetwork, parseAddress } from '#shared/features/domains/rulesets/expression/addresses.ts'

/** What a rule of IP access matches, with Cloudflare's names. */
export const ipAccessTargets = ['ip', 'ip6', 'ip_range', 'asn', 'country'] as const
export type IpAccessTarget = (typeof ipAccessTargets)[number]

/** What happens to its visitors; `whitelist` exempts them from all checks. */
export const ipAccessModes = ['block', 'managed_challenge', 'js_challenge', 'challenge', 'whitelist'] as const
export type IpAccessMode = (typeof ipAccessModes)[number]

/** An address, a network, a country or an AS number in its canonical form. */
export interface IpAccessValue {
  readonly target: IpAccessTarget
  readonly value: string
}

/** Each has a text in `faults`. */
export type IpAccessIssue = 'ip_access_invalid' | 'ip_access_prefix' | 'ip_access_host_bits' | 'ip_access_country' | 'ip_access_asn'

/** The prefixes of networks that Cloudflare accepts. */
const prefixes = { 32: [16, 24], 128: [32, 48, 64] } as const
const highestAsn = 4_294_967_295

/** The IPv6 address in its short form, as in RFC 5952. */
function shortAddress(value: bigint): string {
  const groups = Array.from({ length: 8 }, (_, at) => ((value >> BigInt(112 - 16 * at)) & 0xffffn).toString(16))
  let [start, length] = [0, 0]
  for (let from = 0; from < 8; from += 1) {
    let to = from
    while (groups[to] === '0') to += 1
    if (to - from > length) [start, length] = [from, to - from]
  }
  if (length < 2) return groups.join(':')
  return `${groups.slice(0, start).join(':')}::${groups.slice(start + length).join(':')}`
}

const addressText = (text: string): string => {
  const parsed = parseAddress(text)
  return parsed?.bits === 128 ? shortAddress(parsed.value) : text
}

/** Reads what a person typed: `203.0.113.7`, `2001:db8::/48`, `AS13335`, `de`, `T1`. */
export function parseIpAccessValue(given: string): IpAccessValue | { readonly issue: IpAccessIssue } {
  const text = given.trim()
  if (text.includes('/')) return parseNetwork(text)
  const address = parseAddress(text)
  if (address !== null) return { target: address.bits === 32 ? 'ip' : 'ip6', value: addressText(text) }
  const upper = text.toUpperCase()
  if (/^AS ?\d+$/.test(upper)) {
    const number = Number(upper.slice(2))
    return number > 0 && number <= highestAsn ? { target: 'asn', value: `AS${number}` } : { issue: 'ip_access_asn' }
  }
  if (/^[A-Z][A-Z1]$/.test(upper))
    return isCountryCode(upper) || upper === torCountry ? { target: 'country', value: upper } : { issue: 'ip_access_country' }
  return { issue: 'ip_access_invalid' }
}

function parseNetwork(text: string): ReturnType<typeof parseIpAccessValue> {
  const [address = '', length = ''] = text.split('/')
  const state = checkNetwork(text)
  const parsed = parseAddress(address)
  if (state === 'invalid' || parsed === null) return { issue: 'ip_access_invalid' }
  const prefix = Number(length)
  // A network of one address.
  if (prefix === parsed.bits) return parseIpAccessValue(address)
  const allowed: readonly number[] = prefixes[parsed.bits]
  if (!allowed.includes(prefix)) return { issue: 'ip_access_prefix' }
  if (state === 'host_bits') return { issue: 'ip_access_host_bits' }
  return { target: 'ip_range', value: `${addressText(address)}/${prefix}` }
}

/** The form in which values are compared, because Cloudflare writes out all digits of IPv6 addresses. */
export function canonicalValue({ target, value }: IpAccessValue): string {
  if (target !== 'ip6' && target !== 'ip_range') return value.toUpperCase()
  const [address = '', prefix] = value.split('/')
  return `${addressText(address)}${prefix === undefined ? '' : `/${prefix}`}`
}

export interface IpAccessLines {
  /** Each once, in the order of the text. */
  readonly values: readonly IpAccessValue[]
  readonly lineErrors: readonly { readonly line: number; readonly text: string; readonly issue: IpAccessIssue }[]
}

/** Reads a pasted list: values on lines, or separated by commas, semicolons or spaces; from `#` on a line is a comment. */
export function parseIpAccessLines(text: string): IpAccessLines {
  const values = new Map<string, IpAccessValue>()
  const lineErrors: IpAccessLines['lineErrors'][number][] = []
  for (const [index, line] of text.split('\n').entries()) {
    const [content = ''] = line.split('#')
    for (const word of content.split(/[\s,;]/)) {
      if (word === '') continue
      const parsed = parseIpAccessValue(word)
      if ('issue' in parsed) lineErrors.push({ line: index + 1, text: word.slice(0, 60), issue: parsed.issue })
      else values.set(`${parsed.target} ${parsed.value}`, parsed)
    }
  }
  return { values: [...values.values()], lineErrors }
}
