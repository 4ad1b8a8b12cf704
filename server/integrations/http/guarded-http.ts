import { createHttpClient, HttpError } from './http-client.ts'
import type { HttpAnswer, HttpRequest } from './http-client.ts'
import { hasPossibleHost } from '#shared/possible-host.ts'
import { createOutboundGuard } from './outbound-guard.ts'

interface GuardedHttp {
  /**
   * For URLs chosen by third parties. Every hop is checked, and the checked address is the one connected to.
   * @throws HttpError; `forbidden`: no public address, or not https; `redirects`: one too many
   */
  get(request: Omit<HttpRequest, 'method' | 'body'>): Promise<HttpAnswer>
  close(): Promise<void>
}

const mostRedirects = 3
const redirects = new Set([301, 302, 303, 307, 308])

/** Reads from public addresses over https, and from those in `allow` (`10.0.0.0/8`) also over http. */
export function createGuardedHttp(options: {
  readonly userAgent: string
  readonly maxBytes: number
  readonly allow: readonly string[]
}): GuardedHttp {
  const clientFor = (others: 'public' | 'none') =>
    createHttpClient({
      userAgent: options.userAgent,
      maxBytes: options.maxBytes,
      connectionsPerOrigin: 4,
      guard: createOutboundGuard(options.allow, others),
    })
  const clients = { 'https:': clientFor('public'), 'http:': clientFor('none') } as const

  return {
    async get(request) {
      let url = new URL(request.url)
      for (let hop = 0; ; hop += 1) {
        const { protocol } = url
        if (protocol !== 'https:' && protocol !== 'http:') throw new HttpError('forbidden', `${protocol} is not https`)
        const answer = await clients[protocol].request({ ...request, method: 'GET', url: url.href })
        const { location } = answer.headers
        if (!redirects.has(answer.status) || typeof location !== 'string') return answer
        if (!hasPossibleHost(location) || !URL.canParse(location, url.href)) return answer
        if (hop === mostRedirects) throw new HttpError('redirects', url.host)
        url = new URL(location, url)
      }
    },
    close: async () => void (await Promise.all(Object.values(clients).map((client) => client.close()))),
  }
}
