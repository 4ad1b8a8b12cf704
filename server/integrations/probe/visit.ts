import { isIP } from 'node:net'
import type { Socket } from 'node:net'
import { ask } from './ask.ts'
import type { Answer } from './ask.ts'
import { evaluateCertificate } from './certificate.ts'
import { open, secure, seconds } from './connect.ts'
import { createCookies } from './cookies.ts'
import { findAddresses } from './run.ts'
import type { Run } from './run.ts'
import { ofOtherHost, plain, ProbeError } from './probe-error.ts'
import { hasPossibleHost } from '#shared/possible-host.ts'

interface Endpoint {
  readonly protocol: 'https:' | 'http:'
  readonly port: number
}

const defaultEndpoints: readonly Endpoint[] = [
  { protocol: 'https:', port: 443 },
  { protocol: 'http:', port: 80 },
]
/** Ports to which redirects are followed: those on which Cloudflare serves sites. */
const knownPorts = new Set([80, 443, 2052, 2053, 2082, 2083, 2086, 2087, 2095, 2096, 8080, 8443, 8880])
const redirects = new Set([301, 302, 303, 307, 308])
const mostRedirects = 10
const mostTried = 3
/** Share of the time reserved for the other family. */
const firstFamilyShare = 0.6
const longestLocation = 8_192
/** Enough to see that a page is being sent, and the range in which a keyword is searched. */
const bytesOfPage = 16 * 1024
const bytesOfSearch = 256 * 1024

/**
 * Opens a domain like a browser: HTTPS, or HTTP if nothing listens there; then follows redirects.
 * @returns the final response.
 * @throws Trouble
 */
export async function visit(run: Run, name: string): Promise<Answer> {
  const { options } = run
  const cookies = createCookies()
  const been = new Set<string>()
  let url = addressOf(name, options.path)
  let endpoints = defaultEndpoints
  for (let hop = 0; ; hop += 1) {
    const { hostname } = url
    const opened = openPage(run, url, endpoints, hop === 0, name, cookies.of(hostname))
    const { answer, protocol } = await opened.catch((error: unknown) => {
      throw error instanceof ProbeError && !isOwn(hostname, name) ? ofOtherHost(error, hostname) : error
    })
    run.seen.status = answer.status
    url.protocol = protocol
    cookies.keep(url.hostname, answer.headers['set-cookie'])
    const next = options.followRedirects ? nextOf(answer, url) : null
    if (next === null) return answer
    const step = `${next.url.href}\n${cookies.of(next.url.hostname) ?? ''}`
    if (been.has(step) || hop >= mostRedirects) throw new ProbeError('redirect_loop', { location: plain(next.url.href) })
    been.add(step)
    url = next.url
    endpoints = [next.endpoint]
  }
}

const isOwn = (host: string, name: string) => host === name || host.endsWith(`.${name}`)

function addressOf(name: string, path: string): URL {
  const url = URL.parse(`https://${name}${path}`)
  if (url?.hostname !== name) throw new ProbeError('dns_no_such_name', { name: plain(name), error: 'BADNAME' })
  return url
}

/** The redirect target; null: none, or one that cannot be followed (another scheme, an unusual port). */
function nextOf({ status, headers }: Answer, from: URL): { readonly url: URL; readonly endpoint: Endpoint } | null {
  const location = headers.location
  if (!redirects.has(status) || location === undefined || location.length > longestLocation) return null
  // Headers are bytes; URLs in them are UTF-8.
  const address = Buffer.from(location, 'latin1').toString()
  const url = hasPossibleHost(address) ? URL.parse(address, from.href) : null
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) return null
  const port = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port)
  return knownPorts.has(port) ? { url, endpoint: { protocol: url.protocol, port } } : null
}

async function openPage(run: Run, url: URL, endpoints: readonly Endpoint[], isFirst: boolean, name: string, cookie: string | null) {
  const { seen, options } = run
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  const { socket, address, endpoint } = await connectToHost(run, host, endpoints, isFirst)
  const timeUp = () => new ProbeError('answer_timeout', { address, seconds: options.timeoutSeconds })
  let channel = socket
  try {
    if (endpoint.protocol === 'https:') channel = await shake(run, socket, { host, address, isFirst, isOwn: host === name }, timeUp)
    const answer = await ask(
      channel,
      {
        host: url.host,
        path: url.pathname + url.search,
        address,
        cookie,
        bytesWanted: (status) =>
          redirects.has(status) && options.followRedirects ? 0 : options.keyword === null ? bytesOfPage : bytesOfSearch,
      },
      () => (run.signal.aborted ? timeUp() : null),
    )
    if (isFirst) seen.timings.firstByteMs = answer.firstByteMs
    return { answer, protocol: endpoint.protocol }
  } finally {
    channel.destroy()
  }
}

async function shake(
  run: Run,
  socket: Socket,
  {
    host,
    address,
    isFirst,
    isOwn,
  }: { readonly host: string; readonly address: string; readonly isFirst: boolean; readonly isOwn: boolean },
  timeUp: () => ProbeError,
): Promise<Socket> {
  const { seen, means } = run
  const startedAtMs = performance.now()
  const secured = await run.within(secure(socket, host, address, means.secureContext), timeUp)
  if (isFirst) seen.timings.tlsMs = performance.now() - startedAtMs
  const evaluated = evaluateCertificate(secured, host, means.now(), run.options.certificateDays)
  if (evaluated === null) return secured
  for (const failure of evaluated.failures) {
    if (!seen.failures.some(({ code }) => code === failure.code)) seen.failures.push(failure)
  }
  // Certificates of redirect targets are renewed by their owners.
  if (isOwn && seen.certificate === null) {
    seen.certificate = evaluated.certificate
    seen.warnings.push(...evaluated.warnings)
  }
  return secured
}

interface Route {
  readonly endpoint: Endpoint
  readonly address: string
}
interface Opened extends Route {
  readonly socket: Socket
}
const routesTo = (endpoints: readonly Endpoint[], addresses: readonly string[]): Route[] =>
  endpoints.flatMap((endpoint) => addresses.map((address) => ({ endpoint, address })))

/**
 * Connects to the first address and endpoint that accepts, or if none does to an address of the other family, which has a share of the
 * time.
 */
async function connectToHost(run: Run, host: string, endpoints: readonly Endpoint[], isFirst: boolean): Promise<Opened> {
  const { seen } = run
  const askedAtMs = performance.now()
  const { addresses, spare } = await findAddresses(run, host)
  const startedAtMs = performance.now()
  if (isFirst) seen.timings.dnsMs = startedAtMs - askedAtMs
  // Answers of both families arrive together, so a missing one need not be waited for.
  const known = await Promise.race([spare, Promise.resolve(undefined)])
  const untilMs = typeof known === 'string' ? startedAtMs + (run.endsAtMs - startedAtMs) * firstFamilyShare : run.endsAtMs
  const first = await tryRoutes(run, routesTo(endpoints, addresses.slice(0, mostTried)), untilMs, isFirst)
  if ('socket' in first) return first
  const other = run.signal.aborted ? null : await run.within(spare, () => gravest(first.errors))
  if (other === null) throw gravest(first.errors)
  const second = await tryRoutes(run, routesTo(endpoints, [other]), run.endsAtMs, isFirst)
  if ('socket' in second) return second
  throw gravest([...first.errors, ...second.errors])
}

/** The error reported if nothing accepted a connection: the target's before our own. */
const gravest = (errors: readonly ProbeError[]): ProbeError =>
  errors.find(({ ours }) => !ours) ?? errors[0] ?? new ProbeError('connect_timeout', { seconds: seconds(0) })

/** One after another; each gets its share of the remaining time. */
async function tryRoutes(
  run: Run,
  routes: readonly Route[],
  untilMs: number,
  isFirst: boolean,
): Promise<Opened | { readonly errors: readonly ProbeError[] }> {
  const { seen, means } = run
  const errors: ProbeError[] = []
  for (const [index, { endpoint, address }] of routes.entries()) {
    const startedAtMs = performance.now()
    const waitMs = Math.max(1, (untilMs - startedAtMs) / (routes.length - index))
    try {
      const socket = await open({ address, ...means.via(address, endpoint.port) }, waitMs, run.signal)
      if (isFirst) {
        seen.timings.connectMs = performance.now() - startedAtMs
        seen.family = isIP(address) === 6 ? 6 : 4
      }
      return { socket, address, endpoint }
    } catch (error) {
      if (!(error instanceof ProbeError)) throw error
      errors.push(error)
      if (run.signal.aborted) break
    }
  }
  return { errors }
}
