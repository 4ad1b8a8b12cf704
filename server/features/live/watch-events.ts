import { createPendingEvents } from '#server/features/live/coalesce-events.ts'
import type { Ctx } from '#server/platform/context.ts'
import { AppError } from '#shared/errors/app-error.ts'
import type { LiveEvent } from '#shared/features/live/schema.ts'

/** At most one message a kind in this time. */
const quietMs = 250
/** How soon, at the latest, a session that ended elsewhere stops hearing. */
const recheckMs = 10_000

interface Watch {
  readonly ctx: Ctx
  /** Asks whether the session still is. */
  readonly alive: () => Promise<boolean>
  /** Something may have been missed: tells at once to read everything again. */
  readonly resumed: boolean
  readonly signal: AbortSignal
}

/**
 * Tells a person what changed among their own things, an administrator about everybody's.
 * @throws AppError unauthorized when the session ends, shutting_down when the process does
 */
export async function* watchEvents({ ctx, alive, resumed, signal }: Watch): AsyncGenerator<LiveEvent> {
  const pending = createPendingEvents()
  let wake = Promise.withResolvers<void>()
  const unsubscribe = ctx.events.subscribe((ownerId, event) => {
    if (ownerId !== null && ctx.actor.role !== 'admin' && ownerId !== ctx.actor.userId) return
    pending.add(event)
    wake.resolve()
  })
  const ended = AbortSignal.any([signal, ctx.stopping])
  const rest = (ms: number) => ctx.clock.sleep(ms, ended).catch(() => undefined)
  try {
    if (resumed) {
      pending.add({ kind: 'accounts', accountIds: [] })
      pending.add({ kind: 'domains', accountIds: [] })
      wake.resolve()
    }
    for (;;) {
      const idle = new AbortController()
      await Promise.race([wake.promise, ctx.clock.sleep(recheckMs, AbortSignal.any([ended, idle.signal])).catch(() => undefined)])
      idle.abort()
      if (ctx.stopping.aborted) throw new AppError('shutting_down')
      if (signal.aborted) return
      if (!(await alive())) throw new AppError('unauthorized')
      const events = pending.take()
      wake = Promise.withResolvers<void>()
      yield* events
      if (events.length > 0) await rest(quietMs)
    }
  } finally {
    unsubscribe()
  }
}
