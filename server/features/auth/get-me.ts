import type { z } from 'zod'
import { findUser, hasUsers } from '#server/features/auth/auth.repo.ts'
import { toUser } from '#server/features/auth/create-user.ts'
import { getPanelSettings } from '#server/features/settings/index.ts'
import type { Actor } from '#server/platform/actor.ts'
import type { Ctx } from '#server/platform/context.ts'
import { AppError } from '#shared/errors/app-error.ts'
import type { authConfig, me } from '#shared/features/auth/schema.ts'

/** Configuration of the sign-in page. The first person may always register. */
export async function getAuthConfig(ctx: Ctx<Actor | null>): Promise<z.infer<typeof authConfig>> {
  const [used, { registration }] = await Promise.all([hasUsers(ctx.db.orm), getPanelSettings(ctx)])
  return { registration: used ? registration : 'open', firstUser: !used }
}

/**
 * The current user.
 * @throws AppError unauthorized if the user was deleted
 */
export async function getMe(ctx: Ctx): Promise<z.infer<typeof me>> {
  const user = await findUser(ctx.db.orm, ctx.actor.userId)
  if (user === null) throw new AppError('unauthorized')
  const { via } = ctx.actor
  return { user: toUser(user), scope: via?.kind === 'token' ? via.scope : null }
}
