import ipaddr from 'ipaddr.js'
import { parseAddressFilter } from '#shared/features/addresses/address-filter.ts'

type Place = (value: unknown) => string
type Network = readonly [ipaddr.IPv4 | ipaddr.IPv6, number]

/** Text as a lexeme of a `tsquery`; `:*` makes it a prefix search. */
const lexeme = (text: string, begins: boolean) => `'${text}'${begins ? ':*' : ''}`
const escaped = (text: string) => text.replaceAll('.', String.raw`\.`)

/** All values of an octet whose first `bits` bits are given. */
function octetsOf(octet: number, bits: number): readonly number[] {
  const size = 2 ** (8 - bits)
  const first = Math.floor(octet / size) * size
  return Array.from({ length: size }, (_, index) => first + index)
}

/** Text forms of a network's addresses: the fixed octets, then the possible values of the first open one. */
function ipv4Tests([address, bits]: Network): { readonly pattern: string; readonly begins: readonly string[] } {
  const octets = address.toByteArray()
  const whole = octets.slice(0, Math.floor(bits / 8)).map((octet) => `${octet}.`)
  const last = octets[whole.length]
  if (last === undefined || bits % 8 === 0) return { pattern: ` ${escaped(whole.join('')) || String.raw`\d+\.`}`, begins: [whole.join('')] }
  const open = octetsOf(last, bits % 8)
  const end = whole.length === 3 ? '( |$)' : String.raw`\.`
  return {
    pattern: ` ${escaped(whole.join(''))}(${open.join('|')})${end}`,
    begins: open.map((octet) => `${whole.join('')}${octet}${whole.length === 3 ? '' : '.'}`),
  }
}

/** The common prefix of the network's addresses in their shortest notation; empty if it varies. */
function ipv6Beginning([address, bits]: Network): string {
  const groups = (address as ipaddr.IPv6).parts.slice(0, Math.floor(bits / 16))
  const zero = groups.indexOf(0)
  return (zero === -1 ? groups : groups.slice(0, zero)).map((group) => `${group.toString(16)}:`).join('')
}

/** Matches what PostgreSQL can parse as an address; other text would fail the whole statement. */
const ipv6Shape = String.raw`^(([0-9a-f]{1,4}:){7}[0-9a-f]{1,4}|(?!([^:]*:){8})([0-9a-f]{1,4}(:[0-9a-f]{1,4})*)?::([0-9a-f]{1,4}(:[0-9a-f]{1,4})*)?)$`

/** Tests of a zone's addresses, stored as one text with a space before each. `indexed`: conditions for the index precede the exact test. */
function networkTests(network: Network, indexed: boolean, place: Place): string[] {
  const narrowed = (begins: readonly string[]) =>
    `address_terms(z.origin_ips) @@ ${place(begins.map((text) => lexeme(text, true)).join(' | '))}::tsquery`
  if (network[0] instanceof ipaddr.IPv4) {
    const { pattern, begins } = ipv4Tests(network)
    const known = begins[0] !== ''
    return [...(indexed && known ? [narrowed(begins)] : []), `z.addresses ~ ${place(pattern)}::text`]
  }
  const beginning = ipv6Beginning(network)
  const exact = `exists (select from unnest(string_to_array(z.addresses, ' ')) as each(address)
    where case when each.address ~ '${ipv6Shape}' then each.address::inet <<= ${place(`${network[0].toString()}/${network[1]}`)}::text::inet else false end)`
  return [...(indexed && beginning !== '' ? [narrowed([beginning])] : []), exact]
}

/** Tests of the addresses of a zone `z` (R-DOM-02): an exact address, a network, or a prefix before `*`. Other text matches nothing. */
export function addressTests(filter: string, use: 'row' | 'indexed', place: Place): string[] {
  if (filter === '') return []
  const parsed = parseAddressFilter(filter)
  if (parsed === null) return ['false']
  const { kind, value } = parsed
  if (kind === 'network' && !/^[\d.]+\/32$/.test(value)) return networkTests(ipaddr.parseCIDR(value), use === 'indexed', place)
  const whole = kind !== 'prefix'
  const [given = ''] = value.split('/')
  const text = whole && given.includes(':') ? ipaddr.IPv6.parse(given).toRFC5952String() : given
  if (use === 'indexed') return [`address_terms(z.origin_ips) @@ ${place(lexeme(text, !whole))}::tsquery`]
  return whole ? [`(z.addresses || ' ') like ${place(`% ${text} %`)}::text`] : [`z.addresses like ${place(`% ${text}%`)}::text`]
}
