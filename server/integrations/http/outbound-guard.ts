import { lookup } from 'node:dns'
import { isIP } from 'node:net'
import type { LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'

/** A connection to an address that is not public, and not allowed by the operator, was not made. */
export class OutboundRefused extends Error {
  readonly address: string

  constructor(address: string) {
    super(`${address} is not a public address`)
    this.name = 'OutboundRefused'
    this.address = address
  }
}

/** Keeps requests to places that people name away from private networks. */
export interface OutboundGuard {
  /** Whether a connection to this literal address may be made; what is no address may not. */
  allows(address: string): boolean
  /**
   * Looks a name up as `net.connect` wants it, and fails with `OutboundRefused` when any of its addresses is not allowed. It is not asked for
   * literals: check those with `allows`.
   */
  readonly lookup: LookupFunction
}

/** What the internet routes; all else of IPv6 is private, reserved, or a way round to IPv4. */
const globalIpv6 = ipaddr.IPv6.parseCIDR('2000::/3')

/**
 * @param allow ranges that may be reached although they are not public, as `10.0.0.0/8` or `fd00::/8`.
 * @param others what may be reached beside them
 */
export function createOutboundGuard(allow: readonly string[], others: 'public' | 'none' = 'public'): OutboundGuard {
  const allowed = allow.map((range) => ipaddr.parseCIDR(range))
  const allows = (address: string): boolean => {
    if (isIP(address) === 0) return false
    // Unwraps IPv4 inside IPv6.
    const parsed = ipaddr.process(address)
    if (allowed.some(([network, bits]) => network.kind() === parsed.kind() && parsed.match(network, bits))) return true
    return others === 'public' && parsed.range() === 'unicast' && (parsed instanceof ipaddr.IPv4 || parsed.match(globalIpv6))
  }
  return {
    allows,
    lookup(hostname, options, callback) {
      lookup(hostname, { ...options, all: true }, (error, found) => {
        const refused = error === null ? found.find(({ address }) => !allows(address)) : undefined
        const [first] = found ?? []
        if (error !== null || refused !== undefined || first === undefined) {
          callback(error ?? new OutboundRefused(refused?.address ?? hostname), '')
          return
        }
        if (options.all === true) callback(null, found)
        else callback(null, first.address, first.family)
      })
    },
  }
}
