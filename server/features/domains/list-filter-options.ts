import type { FilterOptions } from '#shared/features/domains/schema.ts'
import type { Ctx } from '#server/platform/context.ts'
import { listSizes } from './counts.repo.ts'
import { domainOwners } from './domain-owners.ts'
import { listFilterAccounts, listFilterGroups, listOwnerNames } from './domains.repo.ts'

/** The accounts, groups and (for administrators) owners to filter by, each with its number of zones. */
export async function listFilterOptions(ctx: Ctx, ownerId?: string): Promise<FilterOptions> {
  const owners = await domainOwners(ctx, ownerId)
  const everybody = ctx.actor.role === 'admin' ? await domainOwners(ctx) : []
  const [accounts, groups, names, sizes] = await Promise.all([
    listFilterAccounts(ctx.db, owners),
    listFilterGroups(ctx.db, owners),
    listOwnerNames(ctx.db, everybody.length > 1 ? everybody : []),
    listSizes(ctx.db, everybody.length > 1 ? everybody : owners),
  ])
  const sized = <T extends { readonly id: string }>(row: T) => ({ ...row, zones: sizes.get(row.id) ?? 0 })
  return { accounts: accounts.map(sized), groups: groups.map(sized), owners: names.map(sized) }
}
