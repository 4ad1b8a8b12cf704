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
  /** Finishes sending the current message and takes no new ones. */
  stop(): Promise<void>
}

/**
 * Sends messages from the outbox, shared with other processes. A message is marked as being sent before it is sent, and its delivery is recorded
 * afterwards; when the process dies in between, another one sends the message again and marks it as a possible duplicate.
 */
export async function startSending(services: Services, given: Partial<SendOptions> = {}): Promise<MessageSender> {
  const { db, clock, log } = services
  const options = { ...defaults, ...given }
  /** Channels and the earliest time to try them again. */
  const waits = new Map<string, number>()

  /** Records a delivery; nothing else is sent to the channel until this succeeds. */
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
      // After a suspension, another process may have taken over the message.
      await fence.confirm()
      // The port must never throw; an exception gives no reliable outcome.
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
    // The payload is the id of a channel that works again.
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
