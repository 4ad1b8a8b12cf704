import type { z } from 'zod'
import { wantDetails } from '#server/features/sync/index.ts'
import type { Ctx } from '#server/platform/context.ts'
import { grantsOf, noGrants, sharedOf } from '#server/platform/access-scope.ts'
import type { Domain, listDomainsInput } from '#shared/features/domains/schema.ts'
import { readCursor, writeCursor } from './domain-cursor.ts'
import type { DomainRow } from './domain-row.repo.ts'
import { keyOf, toAccessTarget, toDomain } from './domain-view.ts'
import { listByIds, listIds, listPage } from './domains.repo.ts'
import { getDomainScope } from './select-domains.ts'

/** Queues the rows whose records or settings are unknown to be read first. Does nothing for the others. */
export async function wantUnread(ctx: Ctx, rows: readonly DomainRow[]): Promise<void> {
  const unread = rows.filter((row) => row.unread)
  if (unread.length > 0)
    await wantDetails(
      ctx.db.orm,
      unread.map((row) => row.id),
    )
}

/** One page. `looked`: a user looks at it, so zones with unread details are read first. */
export async function listDomains(
  ctx: Ctx,
  input: z.output<typeof listDomainsInput>,
  { looked } = { looked: true },
): Promise<{ domains: Domain[]; nextCursor: string | null }> {
  const { filter, sort, limit } = input
  const scope = await getDomainScope(ctx, filter)
  const query = { filter, sort, limit: limit + 1 }
  const rows =
    input.cursor === undefined && input.offset !== undefined && input.offset > 0
      ? await listByIds(ctx.db, scope, await listIds(ctx.db, scope, { ...query, offset: input.offset }))
      : await listPage(ctx.db, scope, { ...query, after: input.cursor === undefined ? null : readCursor(sort, input.cursor) })
  const page = rows.length > limit ? rows.slice(0, limit) : rows
  if (looked) await wantUnread(ctx, page)
  const last = page.at(-1)
  const grants = scope.shared === null ? noGrants : await grantsOf(ctx)
  const sharing = (row: DomainRow) => sharedOf(ctx.actor, grants, toAccessTarget(row))
  return {
    domains: page.map((row) => toDomain(row, sharing(row))),
    nextCursor: last !== undefined && rows.length > limit ? writeCursor(sort, keyOf(last, sort.by, sharing(last))) : null,
  }
}
