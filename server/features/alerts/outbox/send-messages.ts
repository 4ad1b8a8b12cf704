import type { Services } from '#server/platform/context.ts'
import { createLeasedQueue } from '#server/platform/leased-queue.ts'
import type { Lease } from '#server/platform/leased-queue.ts'
import { behindFence } from '#server/platform/write-fence.ts'
import { claimMessage } from './claim-message.ts'
import type { ClaimedMessage } from './claim-message.ts'
import { deliverMessage } from './deliver-message.ts'
import { decideDeliveryOutcome } from './delivery-outcome.policy.ts'
import { blockPace, listDueChannels, outboxChannel, releaseDead, releaseUnknown, workerLock, writeOutcome } from './outbox.repo.ts'

export interface SendOptions {
  readonly pollMs: number
  readonly concurrentChannels: number
}
const defaults: SendOptions = { pollMs: 1_000, concurrentChannels: 16 }
const databaseAwayMs = 500
const afterFaultMs = 5_000

interface MessageSender {
  /** Lets what is being sent end, and takes nothing new. */
  stop(): Promise<void>
}

/**
 * Sends what waits in the outbox, in this process and in however many others. A message is marked as being sent before it is, and its delivery is recorded
 * after; when the process dies in between, another one sends the message again and marks it as a possible duplicate.
 */
export async function startSending(services: Services, given: Partial<SendOptions> = {}): Promise<MessageSender> {
  const { db, clock, log } = services
  const options = { ...defaults, ...given }
  /** Channels that are not to be tried before. */
  const waits = new Map<string, number>()

  /** It has happened: until it is recorded nothing else is sent there. */
  async function record(worker: number, claimed: ClaimedMessage, result: Awaited<ReturnType<typeof deliverMessage>>): Promise<void> {
    const { outcome, channel, blocks } = decideDeliveryOutcome(claimed, result, clock.now())
    for (;;) {
      try {
        if (blocks !== null) await blockPace(db, claimed.paceKeys[blocks.what] ?? '', blocks.until)
        await writeOutcome(db, { id: claimed.message.id, worker }, outcome, channel)
        if (channel !== null) await services.events.publish(db.orm, claimed.channel.ownerId, 'monitoring')
        return
      } catch (error) {
        log.warn({ err: error }, 'failed to record the delivery of a message')
        if (queue.stopping.aborted) return
        await new Promise((resolve) => setTimeout(resolve, databaseAwayMs))
      }
    }
  }

  /** Sends to a channel until nothing is due. */
  async function drain(channelId: string, { worker, fence, signal }: Lease): Promise<void> {
    while (!signal.aborted) {
      const claimed = await claimMessage(services, channelId, worker)
      if ('waitUntil' in claimed) {
        if (claimed.waitUntil === null) waits.delete(channelId)
        else waits.set(channelId, claimed.waitUntil)
        return
      }
      // A process that was stopped since may have lost the message to another one.
      await fence.confirm()
      // The port's promise is never to throw; what does is no answer to build on.
      const result = await behindFence(fence, () =>
        deliverMessage(services, claimed.channel, { kind: 'message', message: claimed.message, timeZone: claimed.timeZone }),
      ).catch((error: unknown) => {
        log.error({ err: error, channelId }, 'failed to build a message')
        return { state: 'refused' as const, code: 'refused' as const, message: 'internal' }
      })
      await record(worker, claimed, result)
    }
  }

  const queue = createLeasedQueue<{ readonly key: string }>(services, {
    name: 'messages',
    workerLock,
    channel: outboxChannel,
    pollMs: options.pollMs,
    retryMs: databaseAwayMs,
    // The payload names a channel that works again.
    onNotify: (channelId) => void waits.delete(channelId),
    prepare: ({ worker }, runs) => releaseUnknown(db, worker, [...runs.keys()]),
    async releaseDead(own) {
      const released = await releaseDead(db, own)
      if (released > 0) log.warn({ messages: released }, 'sending the messages of a crashed worker again')
    },
    async listDue() {
      const now = clock.now()
      const due = (await listDueChannels(db, now)).filter((id) => (waits.get(id) ?? 0) <= now).map((key) => ({ key }))
      for (const [channelId, until] of waits) if (until <= now) waits.delete(channelId)
      return due
    },
    mayStart: (_due, runs) => runs.size < options.concurrentChannels,
    work: ({ key }, lease) => drain(key, lease),
    onEnd: ({ key }, error) => {
      if (error !== null) waits.set(key, clock.now() + afterFaultMs)
    },
    nextRoundMs: () => Math.max(10, Math.min(options.pollMs, Math.min(...waits.values()) - clock.now())),
  })
  await queue.start()
  return {
    async stop() {
      await queue.stop()
      await queue.close()
    },
  }
}
