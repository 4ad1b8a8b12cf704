import type { Database } from '#server/db/client.ts'
import type { Actor, UserActor } from '#server/platform/actor.ts'
import type { Limits } from '#server/platform/limiter.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Events } from '#server/platform/events.ts'
import type { Limiter } from '#server/platform/limiter.ts'
import type { Log } from '#server/platform/log.ts'
import type { LoopCounts } from '#server/platform/run-loop.ts'
import type { Secrets } from '#server/platform/secrets.ts'
import type { Sessions } from '#server/platform/sessions.ts'
import type { Delegation } from '#server/ports/registry.ts'
import type { AdTrackers } from '#server/ports/ad-tracker.ts'
import type { DnsHost, HostConnection } from '#server/ports/dns-host.ts'
import type { Messenger } from '#server/ports/messenger.ts'
import type { Registrars } from '#server/ports/registrar.ts'
import type { WebhookSender } from '#server/ports/webhook-sender.ts'
import type { Registry } from '#server/ports/registry.ts'

/** Dependencies of every use case; created once, in `compose.ts`. */
export interface Services {
  readonly db: Database
  readonly clock: Clock
  readonly log: Log
  readonly loops: LoopCounts
  readonly secrets: Secrets
  readonly events: Events
  readonly sessions: Sessions
  readonly limiter: Limiter
  readonly dnsHost: DnsHost
  /** Calls that a user of the provider may make in a window; used to estimate durations. */
  readonly callBudget: { readonly limit: number; readonly windowMs: number }
  readonly delegation: Delegation
  readonly registrars: Registrars
  readonly trackers: AdTrackers
  readonly messenger: Messenger
  readonly webhooks: WebhookSender
  /** The public URL of the panel, for links in messages. */
  readonly publicUrl: string
  readonly registry: Registry
  readonly version: string
  /** Registration as configured in the environment; null if not configured: open until an administrator decides. */
  readonly registration: 'open' | 'closed' | null
  /** Aborts when the process is about to stop; long work ends at its next step. */
  readonly stopping: AbortSignal
  /** Accounts opened once for work over many domains, released when it ends. If absent, each one is opened again. */
  readonly connections?: Map<string, HostConnection> | undefined
}

/** Cookies of the panel's own pages that scripts cannot read. */
export interface BrowserCookies {
  get(name: BrowserCookie): string | null
  set(name: BrowserCookie, value: string): void
  clear(name: BrowserCookie): void
  /** The value returned to a page as its token: the token, or a placeholder if the token is kept in a cookie. */
  keepSession(token: string): string
}
/** `device`: people who have signed in there; `session`: the token of the one who is signed in. */
type BrowserCookie = 'device' | 'session'

/** One request or job. `A` is the actor: `UserActor` after a sign-in, `null` before it. */
export interface Ctx<A extends Actor | null = UserActor> extends Services {
  readonly actor: A
  readonly requestId: string
  /** The caller's address as reported by the socket or a trusted proxy; null for jobs. */
  readonly address: string | null
  readonly userAgent: string | null
  /** The origin of the calling page as reported by the browser and verified as ours; null for API clients and jobs. */
  readonly origin: string | null
  /** The rate limits the request counted against, reported with its response; absent for jobs. */
  readonly limits?: Limits | undefined
  /** Absent for API clients and jobs. */
  readonly cookies?: BrowserCookies | null | undefined
}
