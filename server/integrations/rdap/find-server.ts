import { HttpError } from '#server/integrations/http/http-client.ts'
import type { HttpClient } from '#server/integrations/http/http-client.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Log } from '#server/platform/log.ts'
import * as wire from './wire.ts'
import { stripEnd } from '#shared/text.ts'

/** The list of registries is unreadable, and there is no older one. */
export class NoDirectory extends Error {}

interface Servers {
  /**
   * The registry URL of a name, without the trailing slash; null: none.
   * @throws NoDirectory
   */
  find(name: string): Promise<string | null>
}

const dayMs = 86_400_000
const againMs = 60_000

/** IANA's list of registries, read once a day. The previous one is used until the new one arrives. */
export function createServers(parts: {
  readonly url: string
  readonly http: HttpClient
  readonly clock: Clock
  readonly log: Log
}): Servers {
  let known: ReadonlyMap<string, string> | null = null
  let nextAtMs = 0
  let reading: Promise<void> | null = null

  async function read(): Promise<void> {
    try {
      const { status, text } = await parts.http.request({
        method: 'GET',
        url: parts.url,
        headers: { accept: 'application/json' },
        headersTimeoutMs: 10_000,
        timeoutMs: 15_000,
      })
      if (status !== 200) throw new Error(`HTTP ${status}`)
      const { services } = wire.directory.parse(JSON.parse(text))
      known = new Map(
        services.flatMap(({ tlds, urls }) => {
          const url = urls.find((each) => each.startsWith('https:')) ?? urls[0]
          return url === undefined ? [] : tlds.map((tld) => [tld.toLowerCase(), stripEnd(url, '/')] as const)
        }),
      )
      nextAtMs = parts.clock.now() + dayMs
    } catch (error) {
      nextAtMs = parts.clock.now() + againMs
      parts.log.warn({ err: error instanceof HttpError ? error.failure : error }, 'failed to read the RDAP bootstrap file')
    }
  }

  return {
    async find(name) {
      if (parts.clock.now() >= nextAtMs) {
        reading ??= read().finally(() => {
          reading = null
        })
        await reading
      }
      if (known === null) throw new NoDirectory()
      // The longest match: `co.uk` before `uk`.
      for (let rest = name; rest !== ''; rest = rest.slice(rest.indexOf('.') + 1)) {
        const found = known.get(rest)
        if (found !== undefined) return found
        if (!rest.includes('.')) return null
      }
      return null
    },
  }
}
