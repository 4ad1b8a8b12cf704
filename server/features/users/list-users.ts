import type { z } from 'zod'
import type { Ctx } from '#server/platform/context.ts'
import type { listUsersInput, ManagedUser } from '#shared/features/users/schema.ts'
import { getShown, listShown } from './users.repo.ts'
import type { ShownUser } from './users.repo.ts'

/** All users, or those whose user name, name or email contains a text; by user name. */
export async function listUsers(ctx: Ctx, input: z.output<typeof listUsersInput>): Promise<{ users: ManagedUser[] }> {
  return { users: (await listShown(ctx.db.orm, input)).map(toManagedUser) }
}

/** @throws AppError not_found */
export async function getUser(ctx: Ctx, input: { readonly id: string }): Promise<{ user: ManagedUser }> {
  return { user: toManagedUser(await getShown(ctx.db.orm, input.id)) }
}

export const toManagedUser = ({ lastSeenAt, updatedAt, createdAt, disabledAt, ...row }: ShownUser): ManagedUser => ({
  ...row,
  lastSeenAt: lastSeenAt === null ? null : new Date(lastSeenAt).toISOString(),
  updatedAt: updatedAt.toISOString(),
  createdAt: createdAt.toISOString(),
  disabledAt: disabledAt?.toISOString() ?? null,
})
