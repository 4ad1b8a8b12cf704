import { lookup as systemLookup } from 'node:dns'
import { isIP } from 'node:net'
import type { LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'
import { createHttpClient, HttpError } from './http-client.ts'
import type { HttpAnswer, HttpRequest } from './http-client.ts'

/** The panel does not go there: not an address of the public internet, not https, or one redirect too many. */
export class OutboundRefused extends Error {
  readonly reason: 'address' | 'scheme' | 'redirects'

  constructor(reason: OutboundRefused['reason'], about: string) {
    super(`${reason}: ${about}`)
    this.name = 'OutboundRefused'
    this.reason = reason
  }
}

export interface GuardedHttp {
  /**
   * For addresses that somebody outside has chosen. Every hop is checked, and what is checked is what is connected to.
   * @throws OutboundRefused, HttpError
   */
  get(request: Omit<HttpRequest, 'method' | 'body'>): Promise<HttpAnswer>
  close(): Promise<void>
}

const mostRedirects = 3
const redirects = new Set([301, 302, 303, 307, 308])

/** Whether an address is one of the public internet: no loopback, no private or reserved network, nothing that is mapped into one. */
const isPublic = (address: string): boolean => ipaddr.process(address).range() === 'unicast'

/** Reads from addresses of the public internet by https, and from those in `allow` (`10.0.0.0/8`) by http too. */
export function createGuardedHttp(options: {
  readonly userAgent: string
  readonly maxBytes: number
  readonly allow: readonly string[]
}): GuardedHttp {
  const ranges = options.allow.map((range) => ipaddr.parseCIDR(range))
  const isAllowed = (address: string): boolean => {
    const parsed = ipaddr.process(address)
    return ranges.some(([base, bits]) => base.kind() === parsed.kind() && parsed.match(base, bits))
  }
  const mayBe = { 'https:': (address: string) => isPublic(address) || isAllowed(address), 'http:': isAllowed } as const
  const clientFor = (test: (address: string) => boolean) =>
    createHttpClient({ userAgent: options.userAgent, maxBytes: options.maxBytes, connectionsPerOrigin: 4, lookup: checked(test) })
  const clients = { 'https:': clientFor(mayBe['https:']), 'http:': clientFor(mayBe['http:']) } as const

  async function once(request: Omit<HttpRequest, 'method' | 'body'>, url: URL): Promise<HttpAnswer> {
    const { protocol } = url
    if (protocol !== 'https:' && protocol !== 'http:') throw new OutboundRefused('scheme', protocol)
    const host = url.hostname.replace(/^\[|\]$/g, '')
    if (isIP(host) !== 0 && !mayBe[protocol](host)) throw new OutboundRefused('address', host)
    try {
      return await clients[protocol].request({ ...request, method: 'GET', url: url.href })
    } catch (error) {
      if (error instanceof HttpError && error.cause instanceof OutboundRefused) throw error.cause
      throw error
    }
  }

  return {
    async get(request) {
      let url = new URL(request.url)
      for (let hop = 0; ; hop += 1) {
        const answer = await once(request, url)
        const { location } = answer.headers
        if (!redirects.has(answer.status) || typeof location !== 'string' || !URL.canParse(location, url.href)) return answer
        if (hop === mostRedirects) throw new OutboundRefused('redirects', url.host)
        url = new URL(location, url)
      }
    },
    close: async () => void (await Promise.all(Object.values(clients).map((client) => client.close()))),
  }
}

/** Of a name's addresses only those that pass; so a name cannot lead elsewhere between the check and the connection. */
function checked(test: (address: string) => boolean): LookupFunction {
  return (host, options, callback) => {
    systemLookup(host, { ...options, all: true }, (error, found) => {
      if (error !== null) return callback(error, '', 0)
      const good = found.filter(({ address }) => test(address))
      const [first] = good
      if (first === undefined) return callback(new OutboundRefused('address', host), '', 0)
      if (options.all === true) return callback(null, good)
      return callback(null, first.address, first.family)
    })
  }
}
