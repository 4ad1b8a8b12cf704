import { createPendingEvents } from '#server/features/live/coalesce-events.ts'
import { listAccountsBehind, readGrants } from '#server/platform/access-scope.ts'
import type { Grant } from '#server/platform/access-scope.ts'
import type { Ctx } from '#server/platform/context.ts'
import { AppError } from '#shared/errors/app-error.ts'
import type { LiveEvent } from '#shared/features/live/schema.ts'

/** Per user and process: more tabs and tools than anyone has open. */
export const mostStreams = 50
const openStreams = new WeakMap<Ctx['events'], Map<string, number>>()

/** @throws AppError too_many_streams */
function openStream({ events, actor: { userId } }: Ctx): () => void {
  const counts = openStreams.get(events) ?? new Map<string, number>()
  openStreams.set(events, counts)
  const open = counts.get(userId) ?? 0
  if (open >= mostStreams) throw new AppError('too_many_streams', { params: { max: mostStreams } })
  counts.set(userId, open + 1)
  return () => {
    const left = (counts.get(userId) ?? 1) - 1
    if (left === 0) counts.delete(userId)
    else counts.set(userId, left)
  }
}

/** At most one message per kind in this time. */
const quietMs = 250
/** Longest time until a session that ended elsewhere stops receiving events. */
const recheckMs = 10_000

/** Events of these do not say which object changed. */
type Connection = 'registrars' | 'trackers'
const isOfConnection = (event: LiveEvent): event is LiveEvent & { readonly kind: Connection } =>
  event.kind === 'registrars' || event.kind === 'trackers'

interface Watch {
  readonly ctx: Ctx
  /** Throws when the user may receive no more events. */
  readonly recheck: () => Promise<void>
  /** Events may have been missed: clients are asked to refetch everything immediately. */
  readonly resumed: boolean
  readonly signal: AbortSignal
}

/**
 * Change events of other users who share something with this user. Access is checked when an event is sent, so that revoked access ends it; objects
 * visible the last time are sent once more, so that clients notice their removal.
 */
function createSharedEvents({ db, actor }: Ctx) {
  /** Users whose events are relevant; null (all) until loaded. */
  let sharers: ReadonlySet<string> | null = null
  /** Those who share registrars, or trackers. */
  let connections: Readonly<Record<Connection, ReadonlySet<string>>> = { registrars: new Set(), trackers: new Set() }
  /** The accounts whose domains were visible the last time. */
  let behind: ReadonlySet<string> = new Set()
  let stale = true
  const waiting: { readonly ownerId: string; readonly event: LiveEvent }[] = []
  return {
    /** Whether there is anything to send. */
    add(ownerId: string, event: LiveEvent): boolean {
      if (sharers !== null && !sharers.has(ownerId)) return false
      if (event.kind !== 'accounts' && event.kind !== 'domains' && !isOfConnection(event)) return false
      waiting.push({ ownerId, event })
      return true
    },
    /** Shares changed: events of all users are kept until they are loaded again. */
    forget(): void {
      sharers = null
      behind = new Set()
      stale = true
    },
    async renew(): Promise<void> {
      while (stale) {
        stale = false
        const { accounts, groups, registrars, trackers } = await readGrants(db, actor.userId)
        const ownersOf = (...grants: readonly ReadonlyMap<string, Grant>[]) =>
          new Set(grants.flatMap((each) => [...each.values()].map(({ ownerId }) => ownerId)))
        const owners = ownersOf(accounts, groups, registrars, trackers)
        const seen = owners.size === 0 ? new Set<string>() : await listAccountsBehind(db, actor.userId)
        if (!stale) [sharers, connections, behind] = [owners, { registrars: ownersOf(registrars), trackers: ownersOf(trackers) }, seen]
      }
    },
    async take(): Promise<LiveEvent[]> {
      const taken = waiting.splice(0)
      if (taken.length === 0) return []
      const ofConnections = taken.flatMap(({ ownerId, event }) =>
        isOfConnection(event) && connections[event.kind].has(ownerId) ? [event] : [],
      )
      const events = taken.flatMap(({ event }) => (isOfConnection(event) ? [] : [event]))
      const before = behind
      const now = await listAccountsBehind(db, actor.userId)
      if (!stale) behind = now
      if (before.size + now.size === 0) return ofConnections
      const seen = events.flatMap(({ kind, accountIds }) => {
        const theirs = accountIds.filter((id) => before.has(id) || now.has(id))
        return accountIds.length > 0 && theirs.length === 0 ? [] : [{ kind, accountIds: theirs }]
      })
      return [...ofConnections, ...seen]
    },
  }
}

/**
 * Streams changes of a user's own and shared resources; for an administrator those of all users.
 * @throws AppError what `recheck` throws, too_many_streams, shutting_down when the process stops
 */
export async function* watchEvents({ ctx, recheck, resumed, signal }: Watch): AsyncGenerator<LiveEvent> {
  const close = openStream(ctx)
  const pending = createPendingEvents()
  let wake = Promise.withResolvers<void>()
  const shared = createSharedEvents(ctx)
  const hear = (ownerId: string | null, event: LiveEvent) => {
    const own = ownerId === null || ctx.actor.role === 'admin' || ownerId === ctx.actor.userId
    if (own) pending.add(event)
    if (ownerId === null || (own && event.kind === 'shares')) shared.forget()
    if (own || shared.add(ownerId, event)) wake.resolve()
  }
  const unsubscribe = ctx.events.subscribe(hear, { withRecent: true })
  const ended = AbortSignal.any([signal, ctx.stopping])
  const rest = (ms: number) => ctx.clock.sleep(ms, ended).catch(() => undefined)
  try {
    if (resumed) {
      pending.add({ kind: 'accounts', accountIds: [] })
      pending.add({ kind: 'domains', accountIds: [] })
      wake.resolve()
    }
    for (;;) {
      if (ctx.actor.role !== 'admin') await shared.renew()
      const idle = new AbortController()
      await Promise.race([wake.promise, ctx.clock.sleep(recheckMs, AbortSignal.any([ended, idle.signal])).catch(() => undefined)])
      idle.abort()
      if (ctx.stopping.aborted) throw new AppError('shutting_down')
      if (signal.aborted) return
      await recheck()
      wake = Promise.withResolvers<void>()
      for (const event of await shared.take()) pending.add(event)
      const events = pending.take()
      yield* events
      if (events.length > 0) await rest(quietMs)
    }
  } finally {
    unsubscribe()
    close()
  }
}
