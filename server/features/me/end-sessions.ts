import type { z } from 'zod'
import { endAccess } from '#server/features/users/index.ts'
import { audit } from '#server/platform/audit.ts'
import type { Ctx } from '#server/platform/context.ts'
import { AppError } from '#shared/errors/app-error.ts'
import type { endOtherSessionsInput, sessionsEnded } from '#shared/features/me/schema.ts'
import { deleteSession, listSessions } from './me.repo.ts'

const entryOf = ({ userId, name }: Ctx['actor']) =>
  ({ action: 'logout', entityType: 'user', entityId: userId, entityName: name, ownerId: userId }) as const

/**
 * Ends one session of the person.
 * @throws AppError not_found, also for another user's session
 */
export async function endSession(ctx: Ctx, { id }: { readonly id: string }): Promise<void> {
  await ctx.db.orm.transaction(async (tx) => {
    const ended = await deleteSession(tx, ctx.actor.userId, id)
    if (ended === null) throw new AppError('not_found')
    await audit(tx, ctx, { ...entryOf(ctx.actor), details: { remote: id !== ctx.actor.sessionId, ...ended } })
  })
}

/** Ends every other session of the person and their calendar URL, with `revokeTokens` also their API tokens. */
export async function endOtherSessions(
  ctx: Ctx,
  { revokeTokens }: z.output<typeof endOtherSessionsInput>,
): Promise<z.infer<typeof sessionsEnded>> {
  const { userId, sessionId } = ctx.actor
  return ctx.db.orm.transaction(async (tx) => {
    const others = (await listSessions(tx, userId)).filter(({ id }) => id !== sessionId)
    if (others.length > 0) await audit(tx, ctx, { ...entryOf(ctx.actor), details: { remote: true, sessions: others.length } })
    const ended = await endAccess(ctx, tx, userId, { except: sessionId, tokens: revokeTokens })
    return { ended: others.length, ...ended }
  })
}
