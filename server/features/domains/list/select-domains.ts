import type { z } from 'zod'
import type { Ctx } from '#server/platform/context.ts'
import { getAccessScope } from '#server/platform/access-scope.ts'
import type { AccessScope } from '#server/platform/access-scope.ts'
import type { DomainFilter, domainRangeInput } from '#shared/features/domains/schema.ts'
import { listIds, listOwners } from './domains.repo.ts'

/** The zones that the user may see: their own and those shared with them; all zones for an administrator. The filter may narrow it. */
export const getDomainScope = (ctx: Ctx, filter: Pick<DomainFilter, 'ownerId' | 'ownership'> = {}): Promise<AccessScope> =>
  getAccessScope(ctx, filter, () => listOwners(ctx.db))

/** The largest selection. */
const most = 100_000

/** Ids between two indexes of the sorted list, both included. */
export async function selectRange(ctx: Ctx, { filter, sort, from, to }: z.output<typeof domainRangeInput>): Promise<{ ids: string[] }> {
  const offset = Math.min(from, to)
  const limit = Math.min(most, Math.abs(to - from) + 1)
  return { ids: await listIds(ctx.db, await getDomainScope(ctx, filter), { filter, sort, offset, limit }) }
}

/** Ids of all matches by name; the first 100,000. */
export async function selectMatching(ctx: Ctx, filter: DomainFilter): Promise<{ ids: string[] }> {
  const scope = await getDomainScope(ctx, filter)
  return { ids: await listIds(ctx.db, scope, { filter, sort: { by: 'name', direction: 'asc' }, offset: 0, limit: most }) }
}
