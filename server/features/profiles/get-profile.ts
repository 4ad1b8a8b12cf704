import type { Ctx } from '#server/platform/context.ts'
import type { Profile } from '#shared/features/profiles/schema.ts'
import { findDefault, getShown, listShown } from './profiles.repo.ts'
import type { ShownProfile } from './profiles.repo.ts'

/** The actor's profiles by name; all profiles for an administrator. */
export const listProfiles = async (ctx: Ctx): Promise<{ profiles: Profile[] }> => ({
  profiles: (await listShown(ctx.db.orm, ctx.actor)).map(toProfile),
})

/** @throws AppError not_found, also for a profile of another user */
export const getProfile = async (ctx: Ctx, id: string): Promise<Profile> => toProfile(await getShown(ctx.db.orm, ctx.actor, id))

/** The profile that new domains of this user get; null: only what the request names. */
export async function getDefaultProfile(ctx: Pick<Ctx, 'db'>, ownerId: string): Promise<Profile | null> {
  const row = await findDefault(ctx.db.orm, ownerId)
  return row === null ? null : toProfile(row)
}

export const toProfile = ({ createdAt, updatedAt, ...row }: ShownProfile): Profile => ({
  ...row,
  createdAt: createdAt.toISOString(),
  updatedAt: updatedAt.toISOString(),
})
