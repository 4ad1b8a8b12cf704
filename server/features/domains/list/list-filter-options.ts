import type { FilterOptions } from '#shared/features/domains/schema.ts'
import type { Ctx } from '#server/platform/context.ts'
import { listSharedSizes, listSizes } from './counts.repo.ts'
import { getDomainScope } from './select-domains.ts'
import { listFilterAccounts, listFilterGroups, listOwnerNames } from './domains.repo.ts'

/** The accounts, groups and (for administrators) owners to filter by, each with its number of zones. */
export async function listFilterOptions(ctx: Ctx, ownerId?: string): Promise<FilterOptions> {
  const { owners, shared } = await getDomainScope(ctx, { ownerId })
  const everybody = ctx.actor.role === 'admin' ? (await getDomainScope(ctx)).owners : []
  // For shared zones: the accounts and groups that contain them, including accounts behind a shared group and groups within a shared
  // account.
  const theirs = shared === null ? null : await listSharedSizes(ctx.db, shared)
  const [accounts, groups, names, sizes] = await Promise.all([
    listFilterAccounts(ctx.db, owners, [...(theirs?.accounts.keys() ?? [])]),
    listFilterGroups(ctx.db, owners, [...(theirs?.groups.keys() ?? [])]),
    listOwnerNames(ctx.db, everybody.length > 1 ? everybody : []),
    listSizes(ctx.db, everybody.length > 1 ? everybody : owners),
  ])
  const sized = <T extends { readonly id: string }>(row: T) => ({
    ...row,
    zones: sizes.get(row.id) ?? theirs?.accounts.get(row.id) ?? theirs?.groups.get(row.id) ?? 0,
  })
  return { accounts: accounts.map(sized), groups: groups.map(sized), owners: names.map(sized), shared: shared !== null }
}
