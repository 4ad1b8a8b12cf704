import { lookup } from 'node:dns'
import type { LookupAddress, LookupAllOptions } from 'node:dns'
import { isIP } from 'node:net'
import type { LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'
import { isInRange, isMetadataAddress } from '#server/platform/metadata-addresses.ts'

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
  /** Whether a connection to this literal address is permitted; false for invalid addresses. Without a port: to every port. */
  allows(address: string, port?: number): boolean
  /**
   * Resolves a name for `net.connect`, and fails with `OutboundRefused` if any of its addresses is not permitted. A missing name fails in
   * the same way, so that names of a private network cannot be discovered. Not called for literals: check those with `allows`.
   */
  lookupFor(port: number): LookupFunction
}

/** Globally routed IPv6; everything else is private, reserved, or a tunnel to IPv4. */
const globalIpv6 = ipaddr.IPv6.parseCIDR('2000::/3')

/** `10.0.0.0/8`, or `10.0.0.5/32:8443` for one port only. */
function parseAllowed(text: string) {
  const [, range = text, port] = /^(.*\/\d+):(\d+)$/.exec(text) ?? []
  return { range: ipaddr.parseCIDR(range), port: port === undefined ? null : Number(port) }
}

/**
 * @param allow non-public ranges that may be reached, as `10.0.0.0/8` or `fd00::/8`, also of one port: `10.0.0.5/32:8443`
 * @param others which other addresses may be reached
 * @param resolve resolves names like the system
 */
export function createOutboundGuard(
  allow: readonly string[],
  others: 'public' | 'none' = 'public',
  resolve: (hostname: string, options: LookupAllOptions, callback: Found) => void = lookup,
): OutboundGuard {
  const allowed = allow.map(parseAllowed)
  const allows = (address: string, port?: number): boolean => {
    if (isIP(address) === 0) return false
    // Extracts IPv4 embedded in IPv6.
    const parsed = ipaddr.process(address)
    if (isMetadataAddress(parsed)) return false
    if (allowed.some((each) => (each.port === null || each.port === port) && isInRange(parsed, each.range))) return true
    return others === 'public' && parsed.range() === 'unicast' && (parsed instanceof ipaddr.IPv4 || parsed.match(globalIpv6))
  }
  return {
    allows,
    lookupFor: (port) => (hostname, options, callback) => {
      resolve(hostname, { ...options, all: true }, (error, found) => {
        if (error !== null && error.code !== 'ENOTFOUND') {
          callback(error, '')
          return
        }
        const [first] = found ?? []
        if (first === undefined || !found.every(({ address }) => allows(address, port))) {
          callback(new OutboundRefused(hostname), '')
          return
        }
        if (options.all === true) callback(null, found)
        else callback(null, first.address, first.family)
      })
    },
  }
}
