import type { z } from 'zod'
import { wantDetails } from '#server/features/sync/index.ts'
import type { Ctx } from '#server/platform/context.ts'
import { grantsOf, noGrants, sharedOf } from '#server/platform/access-scope.ts'
import { packRows } from '#shared/features/domains/packed-rows.ts'
import type { PackedRows } from '#shared/features/domains/packed-rows.ts'
import { listedDomainFields } from '#shared/features/domains/schema.ts'
import type { Domain, ListedDomain, listDomainsInput } from '#shared/features/domains/schema.ts'
import { readCursor, writeCursor } from './domain-cursor.ts'
import { listedRow, wholeRow } from './domain-row.repo.ts'
import type { DomainRow, ListedRow, RowShape } from './domain-row.repo.ts'
import { keyOf, toAccessTarget, toDomain, toListed } from './domain-view.ts'
import { listByIds, listIds, listPage } from './domains.repo.ts'
import { getDomainScope } from './select-domains.ts'

/** Queues the rows whose records or settings are unknown to be read first. Does nothing for the others. */
export async function wantUnread(ctx: Ctx, rows: readonly Pick<DomainRow, 'id' | 'unread'>[]): Promise<void> {
  const unread = rows.filter((row) => row.unread)
  if (unread.length > 0)
    await wantDetails(
      ctx.db.orm,
      unread.map((row) => row.id),
    )
}

type ListInput = z.output<typeof listDomainsInput>

/** The rows of a page, how each is shared with the caller, and the cursor of the next page. */
async function readPage<Row extends ListedRow | DomainRow>(ctx: Ctx, input: ListInput, shape: RowShape<Row>) {
  const { filter, sort, limit } = input
  const scope = await getDomainScope(ctx, filter)
  const query = { filter, sort, limit: limit + 1 }
  const rows =
    input.cursor === undefined && input.offset !== undefined && input.offset > 0
      ? await listByIds(ctx.db, scope, await listIds(ctx.db, scope, { ...query, offset: input.offset }), shape)
      : await listPage(ctx.db, scope, { ...query, after: input.cursor === undefined ? null : readCursor(sort, input.cursor) }, shape)
  const page = rows.length > limit ? rows.slice(0, limit) : rows
  const last = page.at(-1)
  const grants = scope.shared === null ? noGrants : await grantsOf(ctx)
  const sharing = (row: Pick<Row, 'ownerId' | 'accountId' | 'groupId'>) => sharedOf(ctx.actor, grants, toAccessTarget(row))
  const nextCursor = last !== undefined && rows.length > limit ? writeCursor(sort, keyOf(last, sort.by, sharing(last))) : null
  return { page, sharing, nextCursor }
}

/** One page. `looked`: a user looks at it, so zones with unread details are read first. */
export async function listDomains(
  ctx: Ctx,
  input: ListInput,
  { looked } = { looked: true },
): Promise<{ domains: Domain[]; nextCursor: string | null }> {
  const { page, sharing, nextCursor } = await readPage(ctx, input, wholeRow)
  if (looked) await wantUnread(ctx, page)
  return { domains: page.map((row) => toDomain(row, sharing(row))), nextCursor }
}

const times: ReadonlySet<keyof ListedDomain> = new Set(['paidUntil', 'originCertificateExpiresAt', 'createdAt', 'updatedAt'] as const)
/** Most rows have a value of their own. The others are states, and what belongs to many rows. */
const manyValued: ReadonlySet<keyof ListedDomain> = new Set([
  'id',
  'name',
  'displayName',
  'recordsCount',
  'proxiedCount',
  'originIPs',
  'traffic',
  'developmentMode',
] as const)
const packing = { times, fewValued: new Set(listedDomainFields.filter((field) => !manyValued.has(field))) }

/** The same page for the panel's list: only what it shows, by column. */
export async function listDomainRows(ctx: Ctx, input: ListInput): Promise<{ rows: PackedRows<ListedDomain>; nextCursor: string | null }> {
  const { page, sharing, nextCursor } = await readPage(ctx, input, listedRow)
  await wantUnread(ctx, page)
  return { rows: packRows(toListed(page, sharing), listedDomainFields, packing), nextCursor }
}

/** Whole rows of these domains, in their order; without those that the caller may not see. */
export async function listDomainsById(ctx: Ctx, ids: readonly string[]): Promise<{ domains: Domain[] }> {
  const scope = await getDomainScope(ctx)
  const rows = await listByIds(ctx.db, scope, ids, wholeRow)
  const grants = scope.shared === null ? noGrants : await grantsOf(ctx)
  return { domains: rows.map((row) => toDomain(row, sharedOf(ctx.actor, grants, toAccessTarget(row)))) }
}
