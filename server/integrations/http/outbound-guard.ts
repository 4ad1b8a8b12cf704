import { lookup } from 'node:dns'
import type { LookupAddress, LookupAllOptions } from 'node:dns'
import { isIP } from 'node:net'
import type { LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'

/** The host has no address that is public or allowed by the operator, so no connection was made. */
export class OutboundRefused extends Error {
  constructor(host: string) {
    super(`${host} has no public address`)
    this.name = 'OutboundRefused'
  }
}

type Found = (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void

/** Keeps requests to user-entered URLs away from private networks. */
export interface OutboundGuard {
  /** Whether a connection to this literal address is permitted; false for invalid addresses. */
  allows(address: string): boolean
  /**
   * Resolves a name for `net.connect`, and fails with `OutboundRefused` if any of its addresses is not permitted. A missing name fails in
   * the same way, so that names of a private network cannot be discovered. Not called for literals: check those with `allows`.
   */
  readonly lookup: LookupFunction
}

/**
 * Cloud metadata services and link-local addresses: never reachable, regardless of the operator's settings. Metadata of AWS, Azure, Google,
 * Oracle, Alibaba, Scaleway, Linode; those of other clouds are link-local.
 */
const never = [
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

/** IPv4 embedded in IPv6, with its position: NAT64 and 6to4. */
const translated = [
  { range: ipaddr.IPv6.parseCIDR('64:ff9b::/96'), at: 12 },
  { range: ipaddr.IPv6.parseCIDR('2002::/16'), at: 2 },
] as const

type Address = ipaddr.IPv4 | ipaddr.IPv6
const isIn = (address: Address, ranges: readonly [Address, number][]) =>
  ranges.some(([network, bits]) => network.kind() === address.kind() && address.match(network, bits))

const isNever = (address: Address): boolean =>
  isIn(address, never) ||
  (address instanceof ipaddr.IPv6 &&
    translated.some(({ range, at }) => address.match(range) && isIn(new ipaddr.IPv4(address.toByteArray().slice(at, at + 4)), never)))

/** Globally routed IPv6; everything else is private, reserved, or a tunnel to IPv4. */
const globalIpv6 = ipaddr.IPv6.parseCIDR('2000::/3')

/**
 * @param allow non-public ranges that may be reached, as `10.0.0.0/8` or `fd00::/8`.
 * @param others which other addresses may be reached
 * @param resolve resolves names like the system
 */
export function createOutboundGuard(
  allow: readonly string[],
  others: 'public' | 'none' = 'public',
  resolve: (hostname: string, options: LookupAllOptions, callback: Found) => void = lookup,
): OutboundGuard {
  const allowed = allow.map((range) => ipaddr.parseCIDR(range))
  const allows = (address: string): boolean => {
    if (isIP(address) === 0) return false
    // Extracts IPv4 embedded in IPv6.
    const parsed = ipaddr.process(address)
    if (isNever(parsed)) return false
    if (isIn(parsed, allowed)) return true
    return others === 'public' && parsed.range() === 'unicast' && (parsed instanceof ipaddr.IPv4 || parsed.match(globalIpv6))
  }
  return {
    allows,
    lookup(hostname, options, callback) {
      resolve(hostname, { ...options, all: true }, (error, found) => {
        if (error !== null && error.code !== 'ENOTFOUND') {
          callback(error, '')
          return
        }
        const [first] = found ?? []
        if (first === undefined || !found.every(({ address }) => allows(address))) {
          callback(new OutboundRefused(hostname), '')
          return
        }
        if (options.all === true) callback(null, found)
        else callback(null, first.address, first.family)
      })
    },
  }
}
