import type { Ctx } from '#server/platform/context.ts'
import { reachOf } from '#server/platform/reach.ts'
import type { Reach } from '#server/platform/reach.ts'
import type { DomainFilter } from '#shared/features/domains/schema.ts'
import { listOwners } from './domains.repo.ts'

/** Which zones the person may see: their own and what is shared with them; an administrator everybody's. The filter may narrow it. */
export const domainReach = (ctx: Ctx, filter: Pick<DomainFilter, 'ownerId' | 'ownership'> = {}): Promise<Reach> =>
  reachOf(ctx, filter, () => listOwners(ctx.db))
