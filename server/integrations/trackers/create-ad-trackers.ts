import { createHash } from 'node:crypto'
import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { AppError } from '#shared/errors/app-error.ts'
import type { TrackerKind } from '#shared/features/trackers/schema.ts'
import type { Sql } from '#server/db/client.ts'
import { connectBinom } from '#server/integrations/binom/adapter.ts'
import { createHttpClient } from '#server/integrations/http/http-client.ts'
import type { HttpError } from '#server/integrations/http/http-client.ts'
import { createOutboundGuard } from '#server/integrations/http/outbound-guard.ts'
import { createProviderClients, getRecent, slowProvider } from '#server/integrations/http/provider-client.ts'
import type { ProviderProfile } from '#server/integrations/http/provider-client.ts'
import type { TrackerClient } from './ask.ts'
import { connectKeitaro } from '#server/integrations/keitaro/adapter.ts'
import type { BudgetLimit } from '#server/platform/call-budget.policy.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Log } from '#server/platform/log.ts'
import { trackerBase, trackerPace } from '#server/ports/ad-tracker.ts'
import type { AdTrackers, TrackerConnection } from '#server/ports/ad-tracker.ts'

interface AdTrackersOptions {
  /** Non-public ranges that may be reached, as `10.0.0.0/8`. */
  readonly allow: readonly string[]
  readonly sql: Sql
  readonly clock: Clock
  readonly log: Log
  readonly userAgent: string
  /** Replaces `trackerPace`. */
  readonly limit?: BudgetLimit
}

/** Tens of thousands of domains arrive in one response. */
const mostBytes = 32 * 1024 * 1024
/** The tracker also serves visitors. */
const concurrency = 4
const mostConnections = 5_000

const kinds: Readonly<Record<TrackerKind, (client: TrackerClient, base: string, apiKey: string) => TrackerConnection>> = {
  KEITARO: connectKeitaro,
  BINOM: connectBinom,
}

/**
 * Connects to trackers at user-entered URLs: only public addresses and those of `allow`, over https or http, without following redirects.
 */
export function createAdTrackers({ allow, sql, clock, log, userAgent, limit = trackerPace }: AdTrackersOptions): AdTrackers {
  const guard = createOutboundGuard(allow)
  const publicOnly = createOutboundGuard([])
  const http = createHttpClient({ userAgent, maxBytes: mostBytes, connectionsPerOrigin: concurrency, guard })
  const clients = createProviderClients({ http, sql, clock, log, profile })
  const connections = new Map<string, TrackerConnection>()
  return {
    connect: ({ kind, url, apiKey }) => {
      const base = trackerBase(url)
      const fingerprint = createHash('sha256')
        .update(JSON.stringify([kind, base, apiKey]))
        .digest('hex')
        .slice(0, 24)
      const key = `tracker:${kind}:${fingerprint}`
      return getRecent(connections, key, mostConnections, () =>
        kinds[kind](
          {
            client: clients.clientOf({ name: kind, budgetKey: () => key, secrets: [apiKey], limit, concurrency }),
            isPublic: allow.length === 0,
          },
          base,
          apiKey,
        ),
      )
    },
    findAddresses: async (url) => {
      const host = new URL(url).hostname.replace(/^\[|\]$/g, '')
      if (isIP(host) !== 0) return [host]
      const found = await lookup(host, { all: true }).catch(() => [])
      // No addresses of a private network, even if it may be reached: its names must not be revealed, and no domain points there.
      return [...new Set(found.map(({ address }) => address).filter(publicOnly.allows))].toSorted()
    },
    close: clients.close,
  }
}

const profile: ProviderProfile = {
  ...slowProvider,
  family: 'tracker',
  // A slow tracker is not retried, which would slow it down further.
  retryTimeouts: false,
  retry: { ...slowProvider.retry, person: { ...slowProvider.retry.person, tries: 2 } },
  isUserAddress: true,
  mapFailure(error) {
    switch (error.failure) {
      case 'forbidden':
        return new AppError('tracker_private', { cause: error })
      case 'unreached':
      case 'lost':
      case 'aborted': {
        const words = wordsOf(error)
        const code = /CERT|SELF_SIGNED|UNABLE_TO_VERIFY/.test(words?.code ?? '') ? 'tracker_certificate' : 'tracker_unavailable'
        return new AppError(code, { cause: error, ...(words !== null && { provider: words }) })
      }
      default:
        return null
    }
  },
}

/** `ECONNREFUSED`, `CERT_HAS_EXPIRED`. Not the system's message, which contains the IP address, possibly of a private network. */
function wordsOf({ cause }: HttpError): { readonly code: string; readonly message: string } | null {
  if (!(cause instanceof Error) || !('code' in cause) || typeof cause.code !== 'string') return null
  const reason = cause.code.startsWith('ERR_SSL') && 'reason' in cause && typeof cause.reason === 'string' ? cause.reason : cause.code
  return { code: cause.code, message: reason }
}
