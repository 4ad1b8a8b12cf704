import type { Ctx } from '#server/platform/context.ts'
import { findLevel } from '#server/platform/reach.ts'
import { listAddresses } from './bindings.repo.ts'

/**
 * Where the domains of these people's trackers lead, by owner; nothing of other people's trackers, even where one is shared.
 */
export async function listTrackerAddresses(ctx: Ctx, ownerIds: readonly string[]): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const owners = [...new Set(ownerIds)]
  const levels = await Promise.all(owners.map((ownerId) => findLevel(ctx, { ownerId })))
  return listAddresses(
    ctx.db.orm,
    owners.filter((_owner, index) => levels[index] === 'own'),
  )
}
