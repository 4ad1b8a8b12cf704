import type { DnsFault } from '#server/simulators/dns.ts'

/** What a request for a page comes to. */
export type Page =
  | {
      readonly kind: 'page'
      readonly status?: number
      readonly body?: string | Buffer
      readonly headers?: Readonly<Record<string, string>>
      readonly delayMs?: number
    }
  | { readonly kind: 'redirect'; readonly to: string; readonly status?: number }
  /** Leads back to itself until a cookie comes with the request; then it is a page. */
  | { readonly kind: 'cookie-wall' }
  /** Leads to one more address each time. */
  | { readonly kind: 'endless-redirects' }
  /** The request is read, and that is all. */
  | { readonly kind: 'silent' }
  /** A byte at a time, for ever: the status line, or (`drip-body`) a page after whole headers. */
  | { readonly kind: 'drip' }
  | { readonly kind: 'drip-body' }
  /** As fast as it is read, for ever. */
  | { readonly kind: 'endless-body' }
  | { readonly kind: 'endless-headers' }
  /** `100 Continue`, again and again. */
  | { readonly kind: 'endless-continue' }
  | { readonly kind: 'not-http' }
  /** Whatever it is, past the server's own writing; the connection ends after it. */
  | { readonly kind: 'bytes'; readonly bytes: Buffer }
  | { readonly kind: 'upgrade' }
  /** Ends the connection without a word, in disorder, or in the middle of a page. */
  | { readonly kind: 'closed' }
  | { readonly kind: 'reset' }
  | { readonly kind: 'cut' }

/** How it lets itself be connected to. `ignored`: nobody answers, not even with a refusal. */
type Connecting = 'taken' | 'refused' | 'https-refused' | 'ignored'

export type Handshake =
  | 'good'
  | 'expires-soon'
  | 'expired'
  | 'not-yet'
  | 'self-signed'
  | 'wrong-name'
  /** An alert instead of a certificate. */
  | 'alert'
  | 'silent'
  /** HTTP where TLS was expected. */
  | 'plain'
  | 'closed'

/** A domain of the simulated world. */
export interface Site {
  readonly addresses: readonly string[]
  /** What DNS says from the second answer on; null: the same. */
  readonly laterAddresses: readonly string[] | null
  readonly nameServers: readonly string[]
  readonly dns: 'good' | 'silent' | 'no-name' | DnsFault
  readonly connecting: Connecting
  /** `connecting` is so at addresses of this family, and the others are taken; null: at all of them. */
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
