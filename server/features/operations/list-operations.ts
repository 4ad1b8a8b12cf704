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
import type { Notification } from '#shared/features/notifications/schema.ts'
import { getOperationRow } from './control-operation.ts'
import { displayName, toItem, toOperation } from './operation-view.ts'
import { listEndedOperations, listItemNames, listItemRows, listOperationRows } from './operations.repo.ts'

type FinishedOperation = Omit<Extract<Notification, { kind: 'operation' }>, 'kind' | 'isRead'>

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

/** Shorter ones end while the person still looks at them. */
const leastSeconds = 30

/** Operations of the actor that have ended since then and failed in part, or took half a minute or longer; the last ended first. */
export async function listFinishedOperations(ctx: Ctx, since: Date, limit: number): Promise<FinishedOperation[]> {
  const rows = await listEndedOperations(ctx.db.orm, ctx.actor.userId, { since, leastSeconds, limit })
  return rows
    .map(toOperation)
    .flatMap(({ id, kind, subject, undoOfKind, state, done, failed, finishedAt }) =>
      finishedAt === null || (state !== 'done' && state !== 'cancelled')
        ? []
        : [{ id, at: finishedAt, operation: { kind, subject, undoOfKind }, state, done, failed }],
    )
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
