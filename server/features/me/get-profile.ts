import type { Ctx } from '#server/platform/context.ts'
import { AppError } from '#shared/errors/app-error.ts'
import type { Profile } from '#shared/features/me/schema.ts'
import { findUser } from './me.repo.ts'
import type { UserRow } from './me.repo.ts'

export const toProfile = ({ id, username, name, email, role, language, updatedAt, createdAt }: UserRow): Profile => ({
  id,
  username,
  name,
  email,
  role,
  language,
  updatedAt: updatedAt.toISOString(),
  createdAt: createdAt.toISOString(),
})

/** Who is signed in. @throws AppError unauthorized */
export async function getProfile(ctx: Ctx): Promise<{ user: Profile }> {
  const row = await findUser(ctx.db.orm, ctx.actor.userId)
  if (row === null) throw new AppError('unauthorized')
  return { user: toProfile(row) }
}
