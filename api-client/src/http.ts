import { unreachable } from './errors.ts'

export interface PanelOptions {
  /** Where people open the panel: `https://panel.example.com`. */
  readonly url: string
  /** An API token (`zd_…`), or the token of a sign-in; a function is asked before each call. */
  readonly token?: string | (() => string | undefined)
  /** Absent: the platform's own. */
  readonly fetch?: typeof fetch
  /** How long a call may take; 60,000 where nothing is said. */
  readonly timeoutMs?: number
}

/** Whether a panel may be there: `http://…` or `https://…`. */
export const isAddress = (url: string): boolean => URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)

export interface Http {
  readonly base: string
  readonly timeoutMs: number
  /** Who calls. @throws TypeError where the token can be no header */
  headers(): Record<string, string>
  /** @throws the reason of the caller's own signal, as it is; ZonedeckError where nobody answered in time */
  send(path: string, init: RequestInit, own: AbortSignal, given: AbortSignal | undefined): Promise<Response>
}

/** @throws TypeError where `url` is no address of HTTP */
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
      // Nobody is asked, and the token itself is not shown.
      if (!/^[\x21-\x7e]+$/.test(given))
        throw new TypeError('the token contains invalid characters: a line break, a space or a non-ASCII character')
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
