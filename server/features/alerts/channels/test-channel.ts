import { takeOutgoingTest } from '#server/platform/attempts.ts'
import type { Ctx } from '#server/platform/context.ts'
import { requireLevel } from '#server/platform/access-scope.ts'
import type { ChannelFailure } from '#shared/features/alerts/schema.ts'
import { getShown, noteTest } from './channels.repo.ts'
import { deliverMessage } from '../outbox/deliver-message.ts'
import type { DeliveryResult } from '../outbox/deliver-message.ts'
import { findSending, hurry } from '../outbox/outbox.repo.ts'

type Failed = Pick<ChannelFailure, 'code' | 'message'> | null

/**
 * Sends a test message immediately, bypassing the outbox (R-MON-02), and returns the result. If it arrives, messages waiting for the channel are sent
 * next.
 * @throws AppError not_found, too_many_attempts
 */
export async function testChannel(ctx: Ctx, { id }: { readonly id: string }): Promise<{ failure: ChannelFailure | null }> {
  const { channel } = await getShown(ctx.db.orm, id)
  await requireLevel(ctx, channel, 'own')
  await takeOutgoingTest(ctx)
  const { encrypted: botTokenSealed, language } = await findSending(ctx.db.orm, channel.ownerId)
  const failed = failureOf(await deliverMessage(ctx, { ...channel, botTokenSealed, language }, { kind: 'test' }))
  const now = new Date(ctx.clock.now())
  const failure = failed === null ? null : { ...failed, message: failed.message.slice(0, 300), at: now.toISOString() }
  await ctx.db.orm.transaction(async (tx) => {
    await noteTest(tx, id, failure)
    if (failure === null) await hurry(tx, id, now)
    await ctx.events.publish(tx, channel.ownerId, 'monitoring')
  })
  return { failure }
}

/** A test is not retried, so retryable results count as failures. */
function failureOf(result: DeliveryResult): Failed {
  switch (result.state) {
    case 'sent':
      return null
    case 'refused':
      return { code: result.code, message: result.message }
    case 'moved':
      return { code: 'chat_not_found', message: `→ ${result.chatId}` }
    case 'later':
      return result.status === undefined
        ? { code: 'unreached', message: `${result.afterSeconds} s` }
        : { code: 'refused', message: `status ${result.status}` }
    case 'gone':
    case 'unknown':
      return { code: 'unreached', message: result.message }
    case 'unreached':
      return { code: result.status === undefined ? 'unreached' : 'refused', message: result.message }
  }
}
