import type { z } from 'zod'
import type { Transaction } from '#server/db/client.ts'
import { confirmSpending } from '#server/features/registrars/index.ts'
import { audit } from '#server/platform/audit.ts'
import type { Ctx } from '#server/platform/context.ts'
import { requireRecentAuth } from '#server/platform/recent-auth.ts'
import { AppError } from '#shared/errors/app-error.ts'
import type { Operation, OperationState, rescheduleOperationInput, startOperationInput } from '#shared/features/operations/schema.ts'
import { findKind } from '#shared/features/operations/registry.ts'
import { toOperation } from './operation-view.ts'
import type { LookedAtRow, OperationRow } from './operations.repo.ts'
import {
  countByOwner,
  deleteDraft,
  findOperation,
  retryFailedItems,
  takeOverOfDisabled,
  updateOperationState,
  wakeOperations,
} from './operations.repo.ts'
import { addRest, endCanary, endEmpty, hasStarted, stopItems } from './update-progress.repo.ts'

/** @throws AppError not_found, also for somebody else's */
export async function getOperationRow(ctx: Ctx, id: string): Promise<LookedAtRow> {
  const row = await findOperation(ctx.db.orm, id, ctx.actor.role === 'admin' ? null : ctx.actor.userId)
  if (row === null) throw new AppError('not_found')
  return row
}

const entryOf = ({ id, kind }: OperationRow) => ({ entityType: 'operation', entityId: id, entityName: kind }) as const

async function move(
  ctx: Ctx,
  id: string,
  from: readonly OperationState[],
  to: Partial<OperationRow>,
  step: 'start' | 'reschedule' | 'pause' | 'resume' | 'cancel' | 'retry',
  also: (tx: Transaction, row: OperationRow) => Promise<void> = () => Promise.resolve(),
): Promise<{ operation: Operation }> {
  const row = await getOperationRow(ctx, id)
  await ctx.db.orm.transaction(async (tx) => {
    if (!(await updateOperationState(tx, id, from, to))) throw new AppError('operation_moved_on', { params: { state: row.state } })
    if (step === 'resume' || step === 'retry' || (step === 'cancel' && row.state === 'paused')) await addRest(tx, id)
    await also(tx, row)
    // However it comes to run: what it orders is confirmed by somebody who may buy.
    if (findKind(row.kind)?.pays === true && (to.state === 'queued' || step === 'retry')) await confirmSpending(ctx, tx, id)
    if (to.state === 'queued') {
      await takeOverOfDisabled(tx, id, ctx.actor)
      await endEmpty(tx, id)
    }
    const details = { step, ...(step === 'reschedule' ? { scheduledAt: to.scheduledAt?.toISOString() ?? null } : {}) }
    if (step !== 'start') await audit(tx, ctx, { ...entryOf(row), action: 'update', ownerId: row.ownerId, details })
    await ctx.events.publish(tx, row.ownerId, 'operations')
    await wakeOperations(tx)
  })
  return { operation: toOperation(await getOperationRow(ctx, id)) }
}

const priorities = { low: -1, normal: 0, high: 1 } as const

/** Domains that may be deleted in one operation without proving again who does it; of what is bought the amount counts. */
const doneUnasked = 25

/** Clocks differ by so much. */
const pastMs = 60_000
const aheadMs = 366 * 24 * 3_600_000

function requireBounds(ctx: Ctx, scheduledAt: string | undefined): void {
  const aheadOfNowMs = scheduledAt === undefined ? 0 : Date.parse(scheduledAt) - ctx.clock.now()
  const message = aheadOfNowMs < -pastMs ? 'in_the_past' : aheadOfNowMs > aheadMs ? 'too_far_ahead' : null
  if (message !== null) throw new AppError('validation_failed', { issues: [{ path: 'scheduledAt', message }] })
}

/** Many domains are not deleted by a slip of the hand, nor by somebody who finds a browser open. */
async function requireProof(ctx: Ctx, { kind, total, undoOf }: OperationRow): Promise<void> {
  if (total <= doneUnasked) return
  const undone = undoOf === null ? null : await findOperation(ctx.db.orm, undoOf, null)
  const creates = undone !== null && findKind(undone.kind)?.action === 'create'
  if (findKind(kind)?.action === 'delete' || creates) requireRecentAuth(ctx)
}

/**
 * A draft begins, now or later; with `canary` so many of its domains first.
 * @throws AppError not_found, operation_moved_on, validation_failed for a time in the past or years ahead, confirmation_needed and session_only
 * where it deletes many domains, and what limits purchases
 */
export async function startOperation(
  ctx: Ctx,
  {
    id,
    scheduledAt,
    priority = 'normal',
    canary,
  }: Pick<z.output<typeof startOperationInput>, 'id'> & Partial<z.output<typeof startOperationInput>>,
): Promise<{ operation: Operation }> {
  requireBounds(ctx, scheduledAt)
  await requireProof(ctx, await getOperationRow(ctx, id))
  const begun = {
    state: 'queued',
    scheduledAt: scheduledAt === undefined ? null : new Date(scheduledAt),
    priority: priorities[priority],
    canary: canary ?? null,
    ...(ctx.actor.via?.kind === 'token' ? { tokenId: ctx.actor.via.id } : {}),
  } as const
  return move(ctx, id, ['draft'], begun, 'start', async (tx, row) => {
    const owners = await countByOwner(tx, id)
    await audit(
      tx,
      ctx,
      // Each owner's log reports their own domains.
      ...(owners.length === 0 ? [{ ownerId: row.ownerId, domains: row.total }] : owners).map(({ ownerId, domains }) => ({
        ...entryOf(row),
        action: findKind(row.kind)?.action ?? 'update',
        ownerId,
        details: { step: 'start', domains, input: row.input },
      })),
    )
  })
}

/**
 * A scheduled operation starts at another time, or now.
 * @throws AppError operation_moved_on where it was not scheduled or has started, validation_failed for a time in the past or years ahead
 */
export async function rescheduleOperation(
  ctx: Ctx,
  { id, scheduledAt }: z.output<typeof rescheduleOperationInput>,
): Promise<{ operation: Operation }> {
  requireBounds(ctx, scheduledAt ?? undefined)
  const planned = { state: 'queued', scheduledAt: scheduledAt === null ? null : new Date(scheduledAt) } as const
  return move(ctx, id, ['queued'], planned, 'reschedule', async (tx, { state, scheduledAt: before }) => {
    if (before === null || (await hasStarted(tx, id))) throw new AppError('operation_moved_on', { params: { state } })
  })
}

/** What is being tried ends; nothing new begins. */
export const pauseOperation = (ctx: Ctx, id: string) => move(ctx, id, ['queued', 'running', 'waiting'], { state: 'paused' }, 'pause')
/** Where some were to run first and have ended, the rest begins. */
export const resumeOperation = (ctx: Ctx, id: string) => move(ctx, id, ['paused'], { state: 'queued' }, 'resume', (tx) => endCanary(tx, id))

/** What has not been tried yet is not tried any more; what is done stays. Of what was tried it is found out whether it took effect. */
export const cancelOperation = (ctx: Ctx, id: string) =>
  move(ctx, id, ['queued', 'running', 'waiting', 'paused'], { state: 'cancelled' }, 'cancel', (tx) => stopItems(tx, id))

/**
 * Only the failed ones, from their first try. What somebody paused stays paused: its other items are not to begin with them.
 * @throws AppError nothing_to_retry; operation_moved_on while it is found out what a cancelled one did
 */
export async function retryFailed(ctx: Ctx, id: string): Promise<{ operation: Operation }> {
  const { state, trialOver, finishedAt } = await getOperationRow(ctx, id)
  const again = async (tx: Transaction) => {
    if ((await retryFailedItems(tx, id)) === 0) throw new AppError('nothing_to_retry')
  }
  if (state === 'paused' && !trialOver) return move(ctx, id, ['paused'], { state: 'paused' }, 'retry', again)
  if (state === 'cancelled' && finishedAt === null) throw new AppError('operation_moved_on', { params: { state } })
  const from = ['done', 'cancelled', 'running', 'waiting', 'queued', ...(state === 'paused' ? (['paused'] as const) : [])] as const
  return move(ctx, id, from, { state: 'queued', finishedAt: null }, 'retry', again)
}

export async function discardDraft(ctx: Ctx, id: string): Promise<void> {
  await getOperationRow(ctx, id)
  if (!(await deleteDraft(ctx.db.orm, id))) throw new AppError('operation_moved_on')
}
