import { unicodeHost } from '#shared/punycode.ts'
import type { RedirectIssue } from './issues.ts'

/** Cloudflare allows 32 KB. Longer addresses than this one are cut off by browsers and servers anyway. */
export const longestRedirectUrl = 2_048
/** Cloudflare's limit for the path of a source with subpath matching. */
export const mostSlashes = 16

/** A source, split as requests are matched. */
export interface RedirectSource {
  /** Null matches both. */
  readonly scheme: 'http' | 'https' | null
  /** Punycode, lower case. */
  readonly host: string
  /** Starts with a slash. */
  readonly path: string
}

/** The source as it is sent and compared: without a default scheme, with a path. */
export const writeSource = ({ scheme, host, path }: RedirectSource): string => `${scheme === null ? '' : `${scheme}://`}${host}${path}`

const schemeOf = (text: string): string | null => /^([a-z][a-z0-9+.-]{0,30}):\/\//i.exec(text)?.[1]?.toLowerCase() ?? null

/** Parses `example.com/path`, with or without `http://` or `https://`. */
export function parseSource(given: string): RedirectSource | { readonly issue: RedirectIssue } {
  const text = given.trim()
  if (text === '') return { issue: 'source_required' }
  if (text.length > longestRedirectUrl) return { issue: 'source_too_long' }
  const scheme = schemeOf(text)
  if (scheme !== null && scheme !== 'http' && scheme !== 'https') return { issue: 'source_scheme' }
  const rest = scheme === null ? text : text.slice(scheme.length + 3)
  const host = /^[^/?#\\]*/.exec(rest)?.[0] ?? ''
  if (host.includes('@')) return { issue: 'source_credentials' }
  if (rest.includes('*')) return { issue: 'source_wildcard' }
  if (host.includes(':')) return { issue: 'source_port' }
  const plain = splitPlain(rest)
  if (plain !== null) return { scheme, ...plain }
  const url = parseUrl(`https://${rest}`)
  if (url === null || !url.hostname.includes('.') || /^[\d.]+$/.test(url.hostname)) return { issue: 'source_invalid' }
  if (rest.includes('?')) return { issue: 'source_query' }
  if (rest.includes('#')) return { issue: 'source_fragment' }
  return { scheme, host: withoutDot(url.hostname), path: url.pathname }
}

/** Where a redirect leads, as a browser requests it. */
export interface RedirectTarget extends RedirectSource {
  readonly scheme: 'http' | 'https'
  readonly hasQuery: boolean
}

/** Parses the complete address where a redirect leads. */
export function parseTarget(given: string): RedirectTarget | { readonly issue: RedirectIssue } {
  const text = given.trim()
  if (text === '') return { issue: 'target_required' }
  if (text.length > longestRedirectUrl) return { issue: 'target_too_long' }
  const scheme = schemeOf(text)
  if (scheme === null) return { issue: 'target_incomplete' }
  if (scheme !== 'http' && scheme !== 'https') return { issue: 'target_scheme' }
  const plain = splitPlain(text.slice(scheme.length + 3))
  if (plain !== null) return { scheme, ...plain, hasQuery: false }
  const url = parseUrl(text)
  return url === null ? { issue: 'target_invalid' } : { ...requestOf(url), hasQuery: url.search !== '' }
}

/** The scheme, host and path of an address that a browser requests. */
export const requestOf = (url: URL): RedirectSource & { readonly scheme: 'http' | 'https' } => ({
  scheme: url.protocol === 'http:' ? 'http' : 'https',
  host: withoutDot(url.hostname),
  path: url.pathname,
})

/** Parses the URL of a request; HTTPS is assumed without a scheme. Null if no browser could request it from a domain. */
export function parseRequest(given: string): URL | null {
  const text = given.trim()
  const url = URL.parse(/^https?:\/\//i.test(text) ? text : `https://${text}`)
  return url === null || !/[^.]\.[^.]/.test(url.hostname) || url.hostname.startsWith('[') ? null : url
}

const withoutDot = (host: string): string => (host.endsWith('.') ? host.slice(0, -1) : host)

const plainAddress = /^((?:[a-z\d-]+\.)+[a-z][a-z\d-]*)((?:\/[\w~-][\w.~-]*)*\/?)$/

/** An address that a browser does not change, split; null if it may. Parsing a URL takes ten times as long. */
function splitPlain(text: string): { readonly host: string; readonly path: string } | null {
  const [, host, path] = text.includes('xn--') ? [] : (plainAddress.exec(text) ?? [])
  return host === undefined ? null : { host, path: path === undefined || path === '' ? '/' : path }
}

function parseUrl(text: string): URL | null {
  return /[\s\p{Cc}]/u.test(text) ? null : URL.parse(text)
}

/** For display: the host in Unicode. */
export function displayAddress(text: string): string {
  const [, start = '', host = '', rest = ''] = /^((?:[a-z][a-z0-9+.-]{0,30}:\/\/)?)([^/?#\\]*)([\s\S]*)$/i.exec(text) ?? []
  return `${start}${unicodeHost(host)}${rest}`
}
