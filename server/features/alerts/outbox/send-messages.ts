import { createWorkerIdentity } from '#server/platform/worker-identity.ts'
import { behindFence } from '#server/platform/write-fence.ts'
import type { Services } from '#server/platform/context.ts'
import { runLoop } from '#server/platform/run-loop.ts'
import { claimMessage } from './claim-message.ts'
import type { Claimed } from './claim-message.ts'
import { deliver } from './deliver.ts'
import { settle } from './settle.policy.ts'
import { blockPace, listDueChannels, outboxChannel, releaseDead, releaseUnknown, workerLock, writeOutcome } from './outbox.repo.ts'

export interface SendOptions {
  readonly pollMs: number
  readonly channelsAtOnce: number
}
const defaults: SendOptions = { pollMs: 1_000, channelsAtOnce: 16 }
const databaseAwayMs = 500
const afterFaultMs = 5_000

export interface MessageSender {
  /** Lets what is being sent end, and takes nothing new. */
  stop(): Promise<void>
}

/**
 * Sends what waits in the outbox, in this process and in however many others. A message is written down as being sent before it is, and what
 * came of it after; the process holds a lock while it lives, so that when it dies another one sends it again and says that it is a repetition.
 */
export async function startSending(services: Services, given: Partial<SendOptions> = {}): Promise<MessageSender> {
  const { db, clock, log } = services
  const options = { ...defaults, ...given }
  const stopping = new AbortController()
  const running = new Map<string, { readonly worker: number; readonly run: Promise<void> }>()
  /** Channels that are not to be looked at before. */
  const waits = new Map<string, number>()
  const identity = createWorkerIdentity(db, workerLock, 'alerts')

  /** It has happened: until it is written down nothing else is sent there. */
  async function note(me: number, claimed: Claimed, brought: Awaited<ReturnType<typeof deliver>>): Promise<void> {
    const { outcome, channel, blocks } = settle(claimed, brought, clock.now())
    for (;;) {
      try {
        if (blocks !== null) await blockPace(db, claimed.paceKeys[blocks.what] ?? '', blocks.until)
        await writeOutcome(db, { id: claimed.message.id, worker: me }, outcome, channel)
        if (channel !== null) await services.events.publish(db.orm, claimed.channel.ownerId, 'monitoring')
        return
      } catch (error) {
        log.warn({ err: error }, 'what became of a message could not be written yet')
        if (stopping.signal.aborted) return
        await new Promise((resolve) => setTimeout(resolve, databaseAwayMs))
      }
    }
  }

  /** Sends to a channel until nothing is due. */
  async function drain(channelId: string, me: number): Promise<void> {
    const fence = identity.fenceOf(me)
    while (!stopping.signal.aborted && identity.is(me)) {
      const claimed = await claimMessage(services, channelId, me)
      if ('waitUntil' in claimed) {
        if (claimed.waitUntil === null) waits.delete(channelId)
        else waits.set(channelId, claimed.waitUntil)
        return
      }
      // A process that was stopped since may have lost the message to another one.
      await fence.confirm()
      // The port's promise is never to throw; what does is no answer to build on.
      const brought = await behindFence(fence, () => deliver(services, claimed.channel, claimed.message, claimed.timeZone)).catch(
        (error: unknown) => {
          log.error({ err: error, channelId }, 'a message could not be made')
          return { state: 'refused' as const, code: 'refused' as const, message: 'internal' }
        },
      )
      await note(me, claimed, brought)
    }
  }

  async function takeDue(): Promise<number> {
    const me = await identity.take()
    const own = [me, ...[...running.values()].map((each) => each.worker)]
    const released = await releaseDead(db, [...new Set(own)])
    if (released > 0) log.warn({ messages: released }, 'a process died while sending; what it was sending is sent again')
    await releaseUnknown(db, me, [...running.keys()])
    const now = clock.now()
    for (const channelId of await listDueChannels(db, now)) {
      if (running.size >= options.channelsAtOnce) break
      if (running.has(channelId) || (waits.get(channelId) ?? 0) > now) continue
      const run = drain(channelId, me)
        .catch((error: unknown) => {
          waits.set(channelId, clock.now() + afterFaultMs)
          if (!stopping.signal.aborted) log.warn({ err: error, channelId }, 'a channel stopped and will be taken up again')
        })
        .finally(() => {
          running.delete(channelId)
          loop.wake()
        })
      running.set(channelId, { worker: me, run })
    }
    // Whoever is due was taken up above, or will be when one of those that send is done.
    for (const [channelId, until] of waits) if (until <= now) waits.delete(channelId)
    const next = Math.min(...waits.values()) - now
    return Math.max(10, Math.min(options.pollMs, next))
  }

  // The payload names a channel that somebody mended.
  const hear = (channelId: string) => {
    waits.delete(channelId)
    loop.wake()
  }
  const loop = runLoop(services, { name: 'messages', everyMs: options.pollMs, retryMs: databaseAwayMs, stopping }, takeDue)
  const listening = await db.sql.listen(outboxChannel, hear, loop.wake)
  return {
    async stop() {
      await loop.stop()
      await Promise.all([...running.values()].map(({ run }) => run))
      await listening.unlisten().catch(() => undefined)
      await identity.close().catch(() => undefined)
    },
  }
}
