import type { z } from 'zod'
import type { Queryable } from '#server/db/client.ts'
import type { Ctx } from '#server/platform/context.ts'
import { grantsOf, getAccessScope, requireLevel, sharedOf } from '#server/platform/access-scope.ts'
import type { Group, listGroupsInput } from '#shared/features/groups/schema.ts'
import { getShown, listOwners, listShown } from './groups.repo.ts'
import type { ShownGroup } from './groups.repo.ts'

/** The actor's groups and those shared with them, newest first; all groups for an administrator. */
export async function listGroups(ctx: Ctx, input: z.output<typeof listGroupsInput>): Promise<{ groups: Group[] }> {
  const scope = await getAccessScope(ctx, input, () => listOwners(ctx.db.orm))
  const [rows, grants] = await Promise.all([listShown(ctx.db.orm, scope), grantsOf(ctx)])
  return { groups: rows.map((row) => toGroup(row, sharedOf(ctx.actor, grants, { ownerId: row.ownerId, groupId: row.id }))) }
}

/** @throws AppError not_found */
export async function getGroup(ctx: Ctx, { id }: { readonly id: string }, db: Queryable = ctx.db.orm): Promise<{ group: Group }> {
  const row = await getShown(db, id)
  const accessTarget = { ownerId: row.ownerId, groupId: id }
  await requireLevel(ctx, accessTarget, 'view')
  return { group: toGroup(row, sharedOf(ctx.actor, await grantsOf(ctx), accessTarget)) }
}

/** Only the owner sees who else has access. */
export const toGroup = ({ createdAt, ...row }: ShownGroup, shared: Group['shared']): Group => ({
  ...row,
  shared,
  sharedWith: shared === null ? row.sharedWith : 0,
  createdAt: createdAt.toISOString(),
})
