import { takeOutgoingTest } from '#server/platform/attempts.ts'
import type { Ctx } from '#server/platform/context.ts'
import { requireLevel } from '#server/platform/access-scope.ts'
import type { ChannelFailure } from '#shared/features/alerts/schema.ts'
import { addressOf, botTokenContext, decryptOrNull, webhookSecretContext } from './channel-secrets.ts'
import { getShown, noteTest } from './channels.repo.ts'
import type { ChannelRow } from './channels.repo.ts'
import { findSending, hurry } from '../outbox/outbox.repo.ts'
import { textsIn } from '../outbox/texts.ts'

type Failed = Pick<ChannelFailure, 'code' | 'message'> | null

/**
 * Sends a message immediately, past the others (R-MON-02), and says what came of it. Where it arrives, what waits for the channel goes next.
 * @throws AppError not_found, too_many_attempts
 */
export async function testChannel(ctx: Ctx, { id }: { readonly id: string }): Promise<{ failure: ChannelFailure | null }> {
  const { channel } = await getShown(ctx.db.orm, id)
  await requireLevel(ctx, channel, 'own')
  await takeOutgoingTest(ctx)
  const failed = await (channel.kind === 'telegram' ? testChat(ctx, channel) : testProgram(ctx, channel))
  const now = new Date(ctx.clock.now())
  const failure = failed === null ? null : { ...failed, message: failed.message.slice(0, 300), at: now.toISOString() }
  await ctx.db.orm.transaction(async (tx) => {
    await noteTest(tx, id, failure)
    if (failure === null) await hurry(tx, id, now)
    await ctx.events.publish(tx, channel.ownerId, 'monitoring')
  })
  return { failure }
}

async function testChat(ctx: Ctx, channel: ChannelRow): Promise<Failed> {
  const { encrypted, language } = await findSending(ctx.db.orm, channel.ownerId)
  if (encrypted === null || channel.chatId === null) return { code: 'no_token', message: '' }
  const token = decryptOrNull(ctx.secrets, encrypted, botTokenContext(channel.ownerId))
  if (token === null) return { code: 'secret_lost', message: '' }
  const delivery = await ctx.messenger.send(token, {
    chatId: channel.chatId,
    topicId: channel.topicId,
    html: textsIn(language).say('message.test'),
    buttons: [],
    silent: false,
  })
  switch (delivery.state) {
    case 'sent':
      return null
    case 'refused':
      return { code: delivery.reason, message: delivery.message }
    case 'moved':
      return { code: 'chat_not_found', message: `→ ${delivery.chatId}` }
    case 'later':
      return { code: 'unreached', message: `${delivery.afterSeconds} s` }
    case 'unknown':
    case 'unreached':
      return { code: 'unreached', message: delivery.message }
  }
}

async function testProgram(ctx: Ctx, channel: ChannelRow): Promise<Failed> {
  if (channel.url === null || channel.secretSealed === null) return { code: 'refused', message: '' }
  const url = addressOf(ctx.secrets, channel)
  const secret = decryptOrNull(ctx.secrets, channel.secretSealed, webhookSecretContext(channel.id))
  if (url === null || secret === null) return { code: 'secret_lost', message: '' }
  const now = ctx.clock.now()
  const delivery = await ctx.webhooks.send({
    url,
    secret,
    eventId: `test-${channel.id}-${now}`,
    body: JSON.stringify({ id: `test-${channel.id}-${now}`, createdAt: new Date(now).toISOString(), repeated: false, type: 'test' }),
    atSeconds: Math.floor(now / 1_000),
  })
  switch (delivery.state) {
    case 'sent':
      return null
    case 'forbidden':
      return { code: 'forbidden', message: delivery.message }
    case 'refused':
      return { code: 'refused', message: `status ${delivery.status}` }
    case 'unknown':
    case 'unreached':
      return { code: 'unreached', message: delivery.message }
  }
}
