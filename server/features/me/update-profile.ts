import { changeUser } from '#server/features/users/index.ts'
import type { Ctx } from '#server/platform/context.ts'
import { AppError } from '#shared/errors/app-error.ts'
import type { Profile, ProfileChanges } from '#shared/features/me/schema.ts'
import { toProfile } from './get-profile.ts'
import { findUser, findUserForUpdate } from './me.repo.ts'

/** @throws AppError conflict, email_taken, username_taken; for a change of email or user name also confirmation_needed, session_only */
export async function updateProfile(ctx: Ctx, input: ProfileChanges): Promise<{ user: Profile }> {
  return ctx.db.orm.transaction(async (tx) => {
    const row = await findUserForUpdate(tx, ctx.actor.userId)
    if (row === null) throw new AppError('unauthorized')
    await changeUser(ctx, tx, row, input)
    return { user: toProfile((await findUser(tx, row.id)) ?? row) }
  })
}
