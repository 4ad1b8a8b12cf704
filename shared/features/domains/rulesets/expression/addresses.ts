/** An address as a number, with the number of its bits. */
export interface AddressValue {
  readonly bits: 32 | 128
  readonly value: bigint
}

const octet = /^(?:0|[1-9]\d{0,2})$/
const group = /^[0-9a-f]{1,4}$/i

/** Null if it is not an IPv4 or IPv6 address. */
export function parseAddress(text: string): AddressValue | null {
  const value = text.includes(':') ? parseGroups(text) : parseOctets(text)
  return value === null ? null : { bits: text.includes(':') ? 128 : 32, value }
}

function parseOctets(text: string): bigint | null {
  const octets = text.split('.')
  if (octets.length !== 4 || !octets.every((one) => octet.test(one) && Number(one) < 256)) return null
  return octets.reduce((sum, one) => sum * 256n + BigInt(one), 0n)
}

function parseGroups(text: string): bigint | null {
  const [before = '', after, ...more] = text.split('::')
  if (more.length > 0) return null
  const first = splitGroups(before, after === undefined)
  const last = after === undefined ? [] : splitGroups(after, true)
  if (first === null || last === null) return null
  const missing = 8 - first.length - last.length
  if (after === undefined ? missing !== 0 : missing < 1) return null
  return [...first, ...Array.from({ length: missing }, () => 0n), ...last].reduce((sum, one) => sum * 65_536n + one, 0n)
}

/** @param isEnd whether the address ends with these groups, so that the last may be an IPv4 address */
function splitGroups(text: string, isEnd: boolean): readonly bigint[] | null {
  if (text === '') return []
  const parts = text.split(':')
  const groups: bigint[] = []
  for (const [index, part] of parts.entries()) {
    const octets = isEnd && index === parts.length - 1 && part.includes('.') ? parseOctets(part) : null
    if (octets !== null) groups.push(octets / 65_536n, octets % 65_536n)
    else if (group.test(part)) groups.push(BigInt(`0x${part}`))
    else return null
  }
  return groups
}

/** `invalid`, or whether bits after the prefix are set. */
export function checkNetwork(text: string): 'valid' | 'host_bits' | 'invalid' {
  const slash = text.indexOf('/')
  const address = parseAddress(text.slice(0, slash))
  const prefix = text.slice(slash + 1)
  if (address === null || !octet.test(prefix) || Number(prefix) > address.bits) return 'invalid'
  return address.value % 2n ** BigInt(address.bits - Number(prefix)) === 0n ? 'valid' : 'host_bits'
}
