import { tracked } from '@trpc/server'
import { z } from 'zod'
import { watchEvents } from '#server/features/live/watch-events.ts'
import { translatedStream, t, userProcedure } from '#server/transports/trpc/trpc.ts'

export const liveRouter = t.router({
  /** A reconnecting client sends `lastEventId`; missed events are not stored, so it is asked to refetch everything. */
  events: userProcedure.input(z.object({ lastEventId: z.string().max(100).optional() }).optional()).subscription(async function* ({
    ctx,
    input,
    signal,
  }) {
    const events = watchEvents({
      ctx,
      recheck: ctx.recheck,
      resumed: input?.lastEventId !== undefined,
      signal: signal ?? ctx.stopping,
    })
    let number = 0
    for await (const event of translatedStream(events)) {
      number += 1
      yield tracked(`${ctx.requestId}-${number}`, event)
    }
  }),
})
