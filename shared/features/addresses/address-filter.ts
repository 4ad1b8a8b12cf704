/** The selection of an address filter: exactly one address, a network, or, with a trailing `*`, every address with that prefix. */
interface AddressFilter {
  readonly kind: 'address' | 'network' | 'prefix'
  /** In lower case; a prefix without the `*`. */
  readonly value: string
}

// Without schemas, because the URL of the list of domains is parsed with the first load, which includes none.
const ipv4 = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)\.){3}(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)$/
const ipv6 = /^[\da-f:.]{2,45}$/
const prefix = /^(?:\d{1,3}(?:\.\d{1,3}){0,3}\.?|[\da-f]{1,4}(?::[\da-f]{0,4}){0,7})\*$/

const isIpv6 = (text: string): boolean => ipv6.test(text) && URL.canParse(`http://[${text}]`)

function isNetwork(text: string): boolean {
  const [base = '', bits = '', ...rest] = text.split('/')
  if (rest.length > 0 || !/^(?:0|[1-9]\d{0,2})$/.test(bits)) return false
  return ipv4.test(base) ? Number(bits) <= 32 : isIpv6(base) && Number(bits) <= 128
}

/** Null if the text has none of the three forms: a partial address selects nothing. */
export function parseAddressFilter(text: string): AddressFilter | null {
  const value = text.trim().toLowerCase()
  if (ipv4.test(value) || isIpv6(value)) return { kind: 'address', value }
  if (isNetwork(value)) return { kind: 'network', value }
  return prefix.test(value) ? { kind: 'prefix', value: value.slice(0, -1) } : null
}
