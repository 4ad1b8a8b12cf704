import type { z } from 'zod'
import { giveBackAttempts, takeAttempt } from '#server/platform/attempts.ts'
import type { Ctx } from '#server/platform/context.ts'
import { requireRoom } from '#server/platform/owner-limits.repo.ts'
import { grantsOf } from '#server/platform/access-scope.ts'
import { AppError } from '#shared/errors/app-error.ts'
import type { createShareInput, Share } from '#shared/features/sharing/schema.ts'
import { getOwnShareTarget, toShare } from './list-shares.ts'
import { findPerson, findShare, findShareOf, upsertShare } from './shares.repo.ts'
import { recordShareChange } from './record-share-change.ts'

/** Limits guessing of user names. */
const tries = { limit: 60, windowMs: 3_600_000 }
const invalid = (message: string) => new AppError('validation_failed', { issues: [{ path: 'user', message }] })

/**
 * Grants a person access, or changes the level of an existing grant.
 * @throws AppError not_found, level_too_low, validation_failed if there is no such person or they are the owner, too_many_attempts,
 * limit_reached
 */
export async function createShare(ctx: Ctx, { user, level, ...id }: z.output<typeof createShareInput>): Promise<{ share: Share }> {
  // Before the transaction, which then needs no second connection.
  await grantsOf(ctx)
  await takeAttempt(ctx, `share:${ctx.actor.userId}`, tries)
  const share = await ctx.db.orm.transaction(async (tx) => {
    const target = await getOwnShareTarget(ctx, tx, id)
    const person = await findPerson(tx, user)
    if (person === null) throw invalid('unknown_user')
    if (person.id === target.ownerId) throw invalid('share_with_owner')
    const before = await findShareOf(tx, id, person.id)
    if (before === null) await requireRoom(tx, 'shares', target.ownerId)
    const made = await upsertShare(tx, target, person.id, level)
    if (before?.level !== level) await recordShareChange(ctx, tx, target, person, { from: before?.level ?? null, to: level })
    const row = await findShare(tx, made)
    if (row === null) throw new AppError('not_found')
    return toShare(row)
  })
  await giveBackAttempts(ctx, `share:${ctx.actor.userId}`)
  return { share }
}
