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

/** What every use case may reach; made once, in `compose.ts`. */
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
  /** Calls that a user of the provider may make in a window; for reporting beforehand how long something takes. */
  readonly callBudget: { readonly limit: number; readonly windowMs: number }
  readonly delegation: Delegation
  readonly registrars: Registrars
  readonly trackers: AdTrackers
  readonly messenger: Messenger
  readonly webhooks: WebhookSender
  /** Where people open the panel; for links in messages. */
  readonly publicUrl: string
  readonly registry: Registry
  readonly version: string
  /** As the operator says in the environment; null: nothing, and it is open until an administrator decides. */
  readonly registration: 'open' | 'closed' | null
  /** Aborts when the process is about to end; what runs long stops at its next step. */
  readonly stopping: AbortSignal
  /** Accounts that were opened for one work over many domains, which forgets them when it ends. Absent: each is opened again. */
  readonly connections?: Map<string, HostConnection> | undefined
}

/** Cookies of a page of ours that no script can read. */
export interface BrowserCookies {
  get(name: BrowserCookie): string | null
  set(name: BrowserCookie, value: string): void
  clear(name: BrowserCookie): void
  /** What a page is answered as its token: the token, or a word that stands for it where it is kept in a cookie. */
  keepSession(token: string): string
}
/** `device`: people who have signed in there; `session`: the token of the one who is signed in. */
type BrowserCookie = 'device' | 'session'

/** One request or job. `A` says who acts: `UserActor` behind a sign-in, `null` before it. */
export interface Ctx<A extends Actor | null = UserActor> extends Services {
  readonly actor: A
  readonly requestId: string
  /** The caller's address as reported by the socket or a trusted proxy; null for jobs. */
  readonly address: string | null
  readonly userAgent: string | null
  /** Where the page that calls was opened, reported by the browser and checked to be ours; null for tools and jobs. */
  readonly origin: string | null
  /** What the request was counted against, reported with its answer; absent for jobs. */
  readonly limits?: Limits | undefined
  /** Absent for programs and jobs. */
  readonly cookies?: BrowserCookies | null | undefined
}
