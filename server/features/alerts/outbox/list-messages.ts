import type { Ctx } from '#server/platform/context.ts'
import { getSharedScope } from '#server/platform/access-scope.ts'
import { messageState } from '#shared/features/alerts/schema.ts'
import type { AlertMessage } from '#shared/features/alerts/schema.ts'
import type { OfOwner } from '#shared/features/monitoring/settings.ts'
import { messageBody } from './message.ts'
import { chooseOwner } from '../ownership.ts'
import { findSending, listShownMessages } from './outbox.repo.ts'
import type { MessageFilter, ShownMessage } from './outbox.repo.ts'
import { textsIn } from './texts.ts'
import type { Texts } from './texts.ts'
import { write } from './write-message.ts'

/**
 * Messages of an owner, sent or waiting, newest first; without an owner also other owners' messages about single domains shared with the actor.
 * @throws AppError not_found for another user
 */
export async function listMessages(
  ctx: Ctx,
  { ownerId: selected, ...input }: MessageFilter & OfOwner,
): Promise<{ messages: AlertMessage[]; nextCursor: string | null }> {
  const ownerId = await chooseOwner(ctx, selected)
  const { language } = await findSending(ctx.db.orm, ownerId)
  const shared = selected === undefined && ctx.actor.role !== 'admin' ? await getSharedScope(ctx) : null
  const rows = await listShownMessages(ctx.db.orm, { ownerId, shared }, { ...input, limit: input.limit + 1 })
  const shown = rows.slice(0, input.limit)
  const texts = textsIn(language)
  return {
    messages: shown.map((row) => toMessage(row, texts)),
    nextCursor: rows.length > input.limit ? (shown.at(-1)?.row.id ?? null) : null,
  }
}

function toMessage({ row, channelName, channelKind, timeZone }: ShownMessage, texts: Texts): AlertMessage {
  const body = messageBody.parse(row.body)
  return {
    id: row.id,
    channelId: row.channelId,
    channelName,
    channelKind,
    kind: body.kind,
    state: messageState.parse(row.state),
    text: write(body, { texts, timeZone }).lines.join('\n'),
    attempts: row.attempts,
    repeated: row.repeated,
    failureCode: row.failureCode,
    failureMessage: row.failureMessage,
    createdAt: row.createdAt.toISOString(),
    dueAt: row.dueAt.toISOString(),
    sentAt: row.sentAt?.toISOString() ?? null,
  }
}
