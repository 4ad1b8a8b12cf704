import { lookup } from 'node:dns'
import type { LookupAddress, LookupAllOptions } from 'node:dns'
import { isIP } from 'node:net'
import type { LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'

/** A connection to a host without an address that is public, or allowed by the operator, was not made. */
export class OutboundRefused extends Error {
  constructor(host: string) {
    super(`${host} has no public address`)
    this.name = 'OutboundRefused'
  }
}

type Found = (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void

/** Keeps requests to places that people name away from private networks. */
export interface OutboundGuard {
  /** Whether a connection to this literal address may be made; what is no address may not. */
  allows(address: string): boolean
  /**
   * Looks a name up as `net.connect` wants it, and fails with `OutboundRefused` when any of its addresses is not allowed. So it does for a name that
   * is not there: which names a private network has is not to be found out by asking. It is not asked for literals: check those with `allows`.
   */
  readonly lookup: LookupFunction
}

/**
 * Where clouds report a machine its credentials, and what only the same link reaches: nobody's site, tracker or webhook, whatever the operator
 * allows. Metadata of AWS, Azure, Google, Oracle, Alibaba, Scaleway, Linode; those of other clouds are link-local.
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
  // Where a network translates to IPv4 in a way of its own, nobody knows what an address stands for.
  '64:ff9b:1::/48',
].map((range) => ipaddr.parseCIDR(range))

/** IPv4 inside IPv6, and where: as networks without IPv4 write it (NAT64), and 6to4. */
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

/** What the internet routes; all else of IPv6 is private, reserved, or a way round to IPv4. */
const globalIpv6 = ipaddr.IPv6.parseCIDR('2000::/3')

/**
 * @param allow ranges that may be reached although they are not public, as `10.0.0.0/8` or `fd00::/8`.
 * @param others what may be reached beside them
 * @param resolve looks names up, as the system does
 */
export function createOutboundGuard(
  allow: readonly string[],
  others: 'public' | 'none' = 'public',
  resolve: (hostname: string, options: LookupAllOptions, callback: Found) => void = lookup,
): OutboundGuard {
  const allowed = allow.map((range) => ipaddr.parseCIDR(range))
  const allows = (address: string): boolean => {
    if (isIP(address) === 0) return false
    // Unwraps IPv4 inside IPv6.
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
