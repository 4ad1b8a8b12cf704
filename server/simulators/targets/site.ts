import type { DnsFault } from '#server/simulators/dns.ts'

/** The response to a page request. */
export type Page =
  | {
      readonly kind: 'page'
      readonly status?: number
      readonly body?: string | Buffer
      readonly headers?: Readonly<Record<string, string>>
      readonly delayMs?: number
    }
  | { readonly kind: 'redirect'; readonly to: string; readonly status?: number }
  /** Redirects to itself until the request has a cookie; then it is a page. */
  | { readonly kind: 'cookie-wall' }
  /** Redirects to a new URL each time. */
  | { readonly kind: 'endless-redirects' }
  /** The request is read and never answered. */
  | { readonly kind: 'silent' }
  /** One byte at a time, endlessly: the status line, or (`drip-body`) a page after complete headers. */
  | { readonly kind: 'drip' }
  | { readonly kind: 'drip-body' }
  /** At full speed, endlessly. */
  | { readonly kind: 'endless-body' }
  | { readonly kind: 'endless-headers' }
  /** `100 Continue`, repeatedly. */
  | { readonly kind: 'endless-continue' }
  | { readonly kind: 'not-http' }
  /** Raw bytes, bypassing the server's serialization; then the connection closes. */
  | { readonly kind: 'bytes'; readonly bytes: Buffer }
  | { readonly kind: 'upgrade' }
  /** Closes the connection: silently, by a reset, or in the middle of a page. */
  | { readonly kind: 'closed' }
  | { readonly kind: 'reset' }
  | { readonly kind: 'cut' }

/** Connection behavior. `ignored`: no response at all, not even a refusal. */
type Connecting = 'taken' | 'refused' | 'https-refused' | 'ignored'

export type Handshake =
  | 'good'
  | 'expires-soon'
  /** Valid for a week, issued today. */
  | 'short-lived'
  | 'expired'
  | 'not-yet'
  | 'self-signed'
  | 'wrong-name'
  /** An alert instead of a certificate. */
  | 'alert'
  | 'silent'
  /** Plain HTTP instead of TLS. */
  | 'plain'
  | 'closed'

/** A domain of the simulated world. */
export interface Site {
  readonly addresses: readonly string[]
  /** The DNS response from the second query on; null: the same. */
  readonly laterAddresses: readonly string[] | null
  readonly nameServers: readonly string[]
  readonly dns: 'good' | 'silent' | 'no-name' | DnsFault
  readonly connecting: Connecting
  /** The address family to which `connecting` applies; null: both. */
  readonly connectingFamily: 4 | 6 | null
  readonly handshake: Handshake
  readonly page: Page
}

export const goodSite: Site = {
  addresses: ['104.16.1.1'],
  laterAddresses: null,
  nameServers: ['ada.ns.cloudflare.com', 'bob.ns.cloudflare.com'],
  dns: 'good',
  connecting: 'taken',
  connectingFamily: null,
  handshake: 'good',
  page: { kind: 'page' },
}
