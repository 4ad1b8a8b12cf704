import type { Ctx } from '#server/platform/context.ts'
import type { Group } from '#shared/features/groups/schema.ts'
import { toGroup } from './group-view.ts'
import { getShown, listShown } from './groups.repo.ts'

/** The actor's groups, an administrator's being everybody's; newest first. */
export async function listGroups(ctx: Ctx, { ownerId }: { readonly ownerId?: string | undefined }): Promise<{ groups: Group[] }> {
  return { groups: (await listShown(ctx.db.orm, ctx.actor, ownerId)).map(toGroup) }
}

/** @throws AppError not_found */
export async function getGroup(ctx: Ctx, { id }: { readonly id: string }): Promise<{ group: Group }> {
  return { group: toGroup(await getShown(ctx.db.orm, ctx.actor, id)) }
}
