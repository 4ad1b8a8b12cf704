import { unreachable } from './errors.ts'

export interface PanelOptions {
  /** Address of the panel: `https://panel.example.com`. */
  readonly url: string
  /** An API token (`zd_…`) or a session token; a function is called before each request. */
  readonly token?: string | (() => string | undefined)
  /** Default: the global `fetch`. */
  readonly fetch?: typeof fetch
  /** Timeout of a call in milliseconds; default 60,000. */
  readonly timeoutMs?: number
}

/** Whether the text is an HTTP or HTTPS URL. */
export const isAddress = (url: string): boolean => URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)

export interface Http {
  readonly base: string
  readonly timeoutMs: number
  /** The authorization header. @throws TypeError if the token is not a valid header value */
  headers(): Record<string, string>
  /** @throws the reason of the caller's signal; ZonedeckError if there is no response in time */
  send(path: string, init: RequestInit, own: AbortSignal, given: AbortSignal | undefined): Promise<Response>
}

/** @throws TypeError if `url` is not an HTTP or HTTPS URL */
export function createHttp({ url, token, fetch: ask = fetch, timeoutMs = 60_000 }: PanelOptions): Http {
  if (!isAddress(url)) throw new TypeError(`"${url}" is not a panel URL such as https://panel.example.com`)
  let end = url.length
  while (url[end - 1] === '/') end -= 1
  const base = url.slice(0, end)
  return {
    base,
    timeoutMs,
    headers() {
      const given = typeof token === 'function' ? token() : token
      if (given === undefined || given === '') return {}
      // Makes no request and does not reveal the token.
      if (!/^[\x21-\x7e]+$/.test(given))
        throw new TypeError('the token contains invalid characters: a line break, a space, or a non-ASCII character')
      return { authorization: `Bearer ${given}` }
    },
    async send(path, init, own, given) {
      const signal = given === undefined ? own : AbortSignal.any([given, own])
      try {
        return await ask(`${base}${path}`, { ...init, signal })
      } catch (error) {
        given?.throwIfAborted()
        throw unreachable(base, error)
      }
    },
  }
}
