import ipaddr from 'ipaddr.js'
import { AppError } from '#shared/errors/app-error.ts'

/**
 * Cloud metadata services and link-local addresses: never reachable, regardless of the operator's settings. Metadata of AWS, Azure, Google,
 * Oracle, Alibaba, Scaleway, Linode; those of other clouds are link-local.
 */
const ranges = [
  '169.254.0.0/16',
  'fe80::/10',
  '168.63.129.16/32',
  '100.100.100.200/32',
  '192.0.0.192/32',
  'fd00:ec2::/32',
  'fd20:ce::254/128',
  'fd00:c1::a9fe:a9fe/128',
  'fd00:42::42/128',
  'fd00:a9fe:a9fe::1/128',
  'fd00:100::100:200/128',
  // With a network-specific NAT64 prefix, the meaning of an address is unknown.
  '64:ff9b:1::/48',
].map((range) => ipaddr.parseCIDR(range))

/** IPv4 embedded in IPv6, with its position: IPv4-compatible, NAT64 and 6to4. */
const translated = [
  { range: ipaddr.IPv6.parseCIDR('::/96'), at: 12 },
  { range: ipaddr.IPv6.parseCIDR('64:ff9b::/96'), at: 12 },
  { range: ipaddr.IPv6.parseCIDR('2002::/16'), at: 2 },
] as const

export type Address = ipaddr.IPv4 | ipaddr.IPv6

export const isInRange = (address: Address, [network, bits]: readonly [Address, number]): boolean =>
  network.kind() === address.kind() && address.match(network, bits)

const isIn = (address: Address) => ranges.some((range) => isInRange(address, range))

/** Whether nothing may be sent to this address, as `ipaddr.process` returns it. */
export const isMetadataAddress = (address: Address): boolean =>
  isIn(address) ||
  (address instanceof ipaddr.IPv6 &&
    translated.some(({ range, at }) => address.match(range) && isIn(new ipaddr.IPv4(address.toByteArray().slice(at, at + 4)))))

/**
 * Rejects a URL whose host is such an address, in any notation. Names are checked by the outbound guard when they are resolved.
 * @throws AppError validation_failed
 */
export function rejectMetadataAddress(url: string, field: string): void {
  // Decimal, octal and hexadecimal notations of IPv4 are converted by `URL`.
  const host = new URL(url).hostname.replace(/^\[|\]$/g, '')
  if (!ipaddr.isValid(host) || !isMetadataAddress(ipaddr.process(host))) return
  throw new AppError('validation_failed', { issues: [{ path: field, message: 'metadata_address' }] })
}
