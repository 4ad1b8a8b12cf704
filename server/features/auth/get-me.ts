import type { z } from 'zod'
import { findUser } from '#server/features/auth/auth.repo.ts'
import { toUser } from '#server/features/auth/create-user.ts'
import type { Ctx } from '#server/platform/context.ts'
import { AppError } from '#shared/errors/app-error.ts'
import type { me } from '#shared/features/auth/schema.ts'

/** Who asks. @throws AppError unauthorized where the user has gone */
export async function getMe(ctx: Ctx): Promise<z.infer<typeof me>> {
  const user = await findUser(ctx.db.orm, ctx.actor.userId)
  if (user === null) throw new AppError('unauthorized')
  const { via } = ctx.actor
  return { user: toUser(user), scope: via?.kind === 'token' ? via.scope : null }
}
