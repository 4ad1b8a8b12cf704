import type { Ctx } from '#server/platform/context.ts'
import { listOwners } from './domains.repo.ts'
import type { Owners } from './domains.repo.ts'

/** Whose zones the person may see: their own; an administrator everybody's, or those of the one asked for. */
export async function domainOwners(ctx: Ctx, ownerId?: string): Promise<Owners> {
  if (ctx.actor.role !== 'admin') return [ctx.actor.userId]
  return ownerId === undefined ? listOwners(ctx.db) : [ownerId]
}
