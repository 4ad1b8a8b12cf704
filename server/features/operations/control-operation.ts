import type { z } from 'zod'
import { audit } from '#server/platform/audit.ts'
import type { Ctx } from '#server/platform/context.ts'
import { AppError } from '#shared/errors/app-error.ts'
import type { Operation, OperationState, startOperationInput } from '#shared/features/operations/schema.ts'
import { toOperation } from './operation-view.ts'
import type { OperationRow } from './operations.repo.ts'
import {
  countByOwner,
  deleteDraft,
  endCanary,
  findOperation,
  retryFailedItems,
  stopItems,
  updateOperationState,
  wakeOperations,
} from './operations.repo.ts'

/** @throws AppError not_found, also for somebody else's */
export async function getOperationRow(ctx: Ctx, id: string): Promise<OperationRow> {
  const row = await findOperation(ctx.db.orm, id, ctx.actor.role === 'admin' ? null : ctx.actor.userId)
  if (row === null) throw new AppError('not_found')
  return row
}

async function move(
  ctx: Ctx,
  id: string,
  from: readonly OperationState[],
  to: Partial<OperationRow>,
  also: (tx: Parameters<Parameters<Ctx['db']['orm']['transaction']>[0]>[0], row: OperationRow) => Promise<void> = () => Promise.resolve(),
): Promise<{ operation: Operation }> {
  const row = await getOperationRow(ctx, id)
  await ctx.db.orm.transaction(async (tx) => {
    if (!(await updateOperationState(tx, id, from, to))) throw new AppError('conflict', { params: { state: row.state } })
    await also(tx, row)
    await ctx.events.publish(tx, row.ownerId, { kind: 'operations', accountIds: [] })
    await wakeOperations(tx)
  })
  return { operation: toOperation(await getOperationRow(ctx, id)) }
}

const priorities = { low: -1, normal: 0, high: 1 } as const

/** A draft begins, now or later; with `canary` so many of its domains first. */
export const startOperation = (
  ctx: Ctx,
  {
    id,
    scheduledAt,
    priority = 'normal',
    canary,
  }: Pick<z.output<typeof startOperationInput>, 'id'> & Partial<z.output<typeof startOperationInput>>,
) => {
  const begun = {
    state: 'queued',
    scheduledAt: scheduledAt === undefined ? null : new Date(scheduledAt),
    priority: priorities[priority],
    canary: canary ?? null,
  } as const
  return move(ctx, id, ['draft'], begun, async (tx, row) => {
    const owners = await countByOwner(tx, id)
    await audit(
      tx,
      ctx,
      // Each owner's log tells of their own domains.
      ...(owners.length === 0 ? [{ ownerId: row.ownerId, domains: row.total }] : owners).map(({ ownerId, domains }) => ({
        action: row.kind === 'delete' ? ('delete' as const) : ('update' as const),
        entityType: 'zone' as const,
        entityId: row.id,
        entityName: row.kind,
        ownerId,
        details: { operation: row.id, kind: row.kind, domains, input: row.input },
      })),
    )
  })
}

/** What is being tried ends; nothing new begins. */
export const pauseOperation = (ctx: Ctx, id: string) => move(ctx, id, ['queued', 'running', 'waiting'], { state: 'paused' })
/** Where some were to run first and have ended, the rest begins. */
export const resumeOperation = (ctx: Ctx, id: string) => move(ctx, id, ['paused'], { state: 'queued' }, (tx) => endCanary(tx, id))

/** What has not been tried yet is not tried any more; what is done stays. */
export const cancelOperation = (ctx: Ctx, id: string) =>
  move(ctx, id, ['queued', 'running', 'waiting', 'paused'], { state: 'cancelled', finishedAt: new Date(ctx.clock.now()) }, (tx) =>
    stopItems(tx, id),
  )

/** The failed ones alone, with tries anew. */
export const retryFailed = (ctx: Ctx, id: string) =>
  move(ctx, id, ['done', 'cancelled', 'running', 'waiting', 'queued', 'paused'], { state: 'queued', finishedAt: null }, async (tx) => {
    if ((await retryFailedItems(tx, id)) === 0) throw new AppError('nothing_to_do')
  })

export async function discardDraft(ctx: Ctx, id: string): Promise<void> {
  await getOperationRow(ctx, id)
  if (!(await deleteDraft(ctx.db.orm, id))) throw new AppError('conflict')
}
