import type { z } from 'zod'
import type { Ctx } from '#server/platform/context.ts'
import type {
  itemNamesInput,
  itemNamesOutput,
  listItemsInput,
  listItemsOutput,
  listOperationsInput,
  listOperationsOutput,
} from '#shared/features/operations/schema.ts'
import { getOperationRow } from './control-operation.ts'
import { displayName, toItem, toOperation } from './operation-view.ts'
import { listItemNames, listItemRows, listOperationRows } from './operations.repo.ts'

/** Newest first. Drafts are only visible in their preview. */
export async function listOperations(
  ctx: Ctx,
  { ownerId, cursor, limit, ...filter }: z.output<typeof listOperationsInput>,
): Promise<z.infer<typeof listOperationsOutput>> {
  const owner = ctx.actor.role === 'admin' ? (ownerId ?? null) : ctx.actor.userId
  const rows = await listOperationRows(ctx.db.orm, { ...filter, ownerId: owner, before: cursor, limit: limit + 1 })
  const page = rows.slice(0, limit)
  return { operations: page.map(toOperation), nextCursor: rows.length > limit ? (page.at(-1)?.id ?? null) : null }
}

/** An operation with a page of its items in order. */
export async function listItems(ctx: Ctx, { id, ...query }: z.output<typeof listItemsInput>): Promise<z.infer<typeof listItemsOutput>> {
  const row = await getOperationRow(ctx, id)
  const items = await listItemRows(ctx.db.orm, id, { ...query, limit: query.limit + 1 })
  const page = items.slice(0, query.limit)
  return {
    operation: toOperation(row),
    items: page.map(toItem),
    nextCursor: items.length > query.limit ? (page.at(-1)?.position ?? null) : null,
  }
}

/** All matching items with position and displayed domain name, without a limit. */
export async function listNames(ctx: Ctx, { id, ...filter }: z.output<typeof itemNamesInput>): Promise<z.infer<typeof itemNamesOutput>> {
  await getOperationRow(ctx, id)
  const items = await listItemNames(ctx.db.orm, id, filter)
  return { positions: items.map(({ position }) => position), names: items.map(({ name }) => displayName(name)) }
}
