import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer as createTcpServer, isIP } from 'node:net'
import type { Server, Socket } from 'node:net'
import { createSecureContext, createServer as createTlsServer } from 'node:tls'
import type { SecureContext } from 'node:tls'
import { startDnsSimulator } from '#server/simulators/dns.ts'
import type { DsRecord } from '../dns.ts'
import { listen } from '../listen.ts'
import { createAuthority } from './authority.ts'
import { nameInClientHello } from './client-hello.ts'
import { openUnresponsivePort } from './unresponsive-port.ts'
import { deliver } from './deliver.ts'
import { goodSite } from './site.ts'
import type { Handshake, Site } from './site.ts'

export interface TargetsOptions {
  /** Absent: free ones. */
  readonly ports?: { readonly dns: number; readonly http: number; readonly https: number }
  /** DS records of a name at its parent; absent: none. */
  readonly dsRecords?: (name: string) => readonly DsRecord[] | null
  /** For names not `set`: null: the name does not exist; undefined: DNS does not respond. Absent: no other names exist. */
  readonly sites?: (name: string) => Partial<Site> | null | undefined
  /** Also opens a port for sites that ignore connections; it costs a thread. */
  readonly withUnresponsivePort?: boolean
  readonly now?: () => number
}

export type Targets = Awaited<ReturnType<typeof startTargetsSimulator>>

const closedPort = 1
const dayMs = 86_400_000
const mostContexts = 5_000

/** Validity of a certificate as days from now. */
const daysOf: Partial<Record<Handshake, readonly [number, number]>> = {
  'expires-soon': [-80, 5.5],
  'short-lived': [-0.5, 6.5],
  expired: [-93, -2.5],
  'not-yet': [3, 93],
}

/**
 * The simulated internet of checked domains: DNS, HTTP and HTTPS on this machine for every name and address, each healthy or broken as
 * configured.
 */
export async function startTargetsSimulator(options: TargetsOptions = {}) {
  const now = options.now ?? Date.now
  const authority = createAuthority(now())
  const changes = new Map<string, Partial<Site>>()
  const counts = { lookUps: new Map<string, number>(), requests: new Map<string, number>() }
  const sockets = new Set<Socket>()
  let isOffline = false

  const siteOf = (name: string): Site | null | undefined => {
    const known = options.sites?.(name) ?? null
    const change = changes.get(name)
    if (change === undefined && known === null) return options.sites === undefined ? null : (options.sites(name) as null | undefined)
    return { ...goodSite, ...known, ...change }
  }
  const count = (kind: keyof typeof counts, name: string) => {
    const seen = counts[kind].get(name) ?? 0
    counts[kind].set(name, seen + 1)
    return seen
  }
  /** Null: the name does not exist; undefined: no response. */
  const found = (name: string) => {
    const site = siteOf(name)
    if (isOffline || site === undefined || site?.dns === 'silent') return undefined
    return site === null || site.dns === 'no-name' ? null : site
  }
  const dns = await startDnsSimulator((name) => nameServersOf(found(name)), {
    port: options.ports?.dns ?? 0,
    ...(options.dsRecords === undefined ? {} : { dsRecords: options.dsRecords }),
    addresses(name) {
      const site = found(name)
      if (site === undefined || site === null) return site
      // Two queries, one per family, are one look-up.
      return Math.floor(count('lookUps', name) / 2) > 0 && site.laterAddresses !== null ? site.laterAddresses : site.addresses
    },
    faultOf(name) {
      const fault = siteOf(name)?.dns ?? 'good'
      return fault === 'good' || fault === 'silent' || fault === 'no-name' ? null : fault
    },
  })

  const answer = (request: IncomingMessage, response: ServerResponse) => {
    const name = nameOf(request)
    count('requests', name)
    deliver(siteOf(name)?.page ?? { kind: 'page', status: 404 }, request, response)
  }
  const http = createServer({ keepAliveTimeout: 5_000 }, answer)
  const https = createHttps(http, createCertificates(authority, now), (name) => siteOf(name)?.handshake ?? 'good')
  for (const server of [http, https]) {
    server.on('connection', (socket: Socket) => {
      sockets.add(socket)
      socket.once('close', () => sockets.delete(socket))
      socket.on('error', () => socket.destroy())
    })
  }
  const web = await listen(http, options.ports?.http)
  const secure = await listen(https, options.ports?.https)
  const unresponsive = options.withUnresponsivePort === true ? await openUnresponsivePort() : null

  return {
    /** In the format of `DNS_SERVERS`. */
    dnsServer: dns.address,
    /** In the format of `CHECK_VIA`. */
    viaText: `127.0.0.1:${web.port}/${secure.port}`,
    /** Its authority, PEM. */
    root: authority.root,
    /** The local endpoint of a site's address: for `createRegionProbe`. */
    via(address: string, port: number): { readonly host: string; readonly port: number } {
      const site = [...changes.values()].find(({ addresses }) => addresses?.includes(address) === true)
      const open = port === 80 ? web.port : port === 443 ? secure.port : closedPort
      return { host: '127.0.0.1', port: portFor(site, address, port, open, unresponsive?.port ?? closedPort) }
    },
    /** Resets all sites to the state before any `set`. */
    reset: () => changes.clear(),
    /** Changes part of a site from now on; the rest stays. */
    set(name: string, site: Partial<Site>): void {
      changes.set(name, { ...changes.get(name), ...site })
    },
    /** As it was before all `set`. */
    repair(name: string): void {
      changes.delete(name)
    },
    /** DNS does not respond and connections are closed, as if the probe had lost its network. */
    setOffline(offline: boolean): void {
      isOffline = offline
      if (offline) for (const socket of sockets) socket.destroy()
    },
    requests: (name: string): number => counts.requests.get(name) ?? 0,
    /** Address look-ups of both families. */
    lookUps: (name: string): number => counts.lookUps.get(name) ?? 0,
    openSockets: (): number => sockets.size,
    async close(): Promise<void> {
      for (const socket of sockets) socket.destroy()
      await dns.close()
      await unresponsive?.close()
      await Promise.all([web.close(), secure.close()])
    },
  }
}

/** The endpoint for connections to this address of a site: `open`, or one of the unresponsive ports. */
function portFor(site: Partial<Site> | undefined, address: string, port: number, open: number, unresponsive: number): number {
  const family = site?.connectingFamily ?? null
  const connecting = family === null || isIP(address) === family ? (site?.connecting ?? 'taken') : 'taken'
  if (connecting === 'refused' || (connecting === 'https-refused' && port === 443)) return closedPort
  return connecting === 'ignored' ? unresponsive : open
}

/** Certificates of this authority, as the handshake of a site has them. */
function createCertificates(authority: ReturnType<typeof createAuthority>, now: () => number) {
  const contexts = new Map<string, SecureContext>()
  return (name: string, handshake: Handshake): SecureContext => {
    const key = `${handshake} ${name}`
    const known = contexts.get(key)
    if (known !== undefined) return known
    const [from, until] = daysOf[handshake] ?? [-10, 80]
    const nowMs = now()
    const certificate = authority.issue({
      names: handshake === 'wrong-name' ? ['other.example'] : [name, `*.${name}`],
      notBefore: new Date(nowMs + from * dayMs),
      notAfter: new Date(nowMs + until * dayMs),
      selfSigned: handshake === 'self-signed',
    })
    // Without a certificate the handshake ends with an alert.
    const context = createSecureContext(handshake === 'alert' ? {} : certificate)
    if (contexts.size >= mostContexts) contexts.clear()
    contexts.set(key, context)
    return context
  }
}

/** TLS in front of `http`, except for sites that are silent, close the connection, or do not use TLS. */
function createHttps(http: Server, contextFor: ReturnType<typeof createCertificates>, handshakeOf: (name: string) => Handshake): Server {
  const tls = createTlsServer({
    ALPNProtocols: ['http/1.1'],
    SNICallback(name, callback) {
      callback(null, contextFor(name, handshakeOf(name)))
    },
  })
  tls.on('secureConnection', (socket) => http.emit('connection', socket))
  tls.on('tlsClientError', () => undefined)
  return createTcpServer({ noDelay: true }, (socket) => {
    socket.once('data', (hello) => {
      const handshake = handshakeOf(nameInClientHello(hello) ?? '')
      if (handshake === 'silent') return
      if (handshake === 'closed') socket.destroy()
      else if (handshake === 'plain') socket.end('HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\n\r\n')
      else {
        socket.pause()
        socket.unshift(hello)
        tls.emit('connection', socket)
      }
    })
  })
}

const nameServersOf = (site: Site | null | undefined) => (site === null || site === undefined ? site : site.nameServers)
const nameOf = ({ headers }: IncomingMessage): string => (headers.host ?? '').replace(/:\d+$/, '').toLowerCase()
