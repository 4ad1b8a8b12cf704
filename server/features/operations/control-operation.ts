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

/** @throws AppError not_found, also for an operation of another user */
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
    // Every transition that runs the operation needs the confirmation of a user who may spend.
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

/** More domains than this cannot be deleted in one operation without step-up authentication. For purchases the amount decides instead. */
const doneUnasked = 25

/** Tolerated difference between clocks. */
const pastMs = 60_000
const aheadMs = 366 * 24 * 3_600_000

function requireBounds(ctx: Ctx, scheduledAt: string | undefined): void {
  const aheadOfNowMs = scheduledAt === undefined ? 0 : Date.parse(scheduledAt) - ctx.clock.now()
  const message = aheadOfNowMs < -pastMs ? 'in_the_past' : aheadOfNowMs > aheadMs ? 'too_far_ahead' : null
  if (message !== null) throw new AppError('validation_failed', { issues: [{ path: 'scheduledAt', message }] })
}

/** Protects against mass deletion by mistake or from an unattended browser. */
async function requireProof(ctx: Ctx, { kind, total, undoOf }: OperationRow): Promise<void> {
  if (total <= doneUnasked) return
  const undone = undoOf === null ? null : await findOperation(ctx.db.orm, undoOf, null)
  const creates = undone !== null && findKind(undone.kind)?.action === 'create'
  if (findKind(kind)?.action === 'delete' || creates) requireRecentAuth(ctx)
}

/** A token of scope `buy` starts purchases and renewals, and nothing else. */
function requireOrder({ actor: { via } }: Ctx, { kind }: OperationRow): void {
  if (via?.kind === 'token' && via.scope === 'buy' && findKind(kind)?.pays !== true) throw new AppError('buy_only_token')
}

/**
 * Starts a draft now or at a scheduled time; with `canary` only the first domains run before it pauses.
 * @throws AppError not_found, operation_moved_on, validation_failed for a time in the past or more than a year ahead, confirmation_needed
 * and session_only where it deletes many domains, buy_only_token, and the errors of purchase limits
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
  const row = await getOperationRow(ctx, id)
  requireOrder(ctx, row)
  await requireProof(ctx, row)
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
      // Each owner's activity log counts only their own domains.
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
 * Reschedules a scheduled operation or starts it now.
 * @throws AppError operation_moved_on if it was not scheduled or has started, validation_failed for a time in the past or more than a year
 * ahead
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

/** Items in progress finish; no new ones start. */
export const pauseOperation = (ctx: Ctx, id: string) => move(ctx, id, ['queued', 'running', 'waiting'], { state: 'paused' }, 'pause')
/** If the canary items have ended, the remaining ones start. */
export const resumeOperation = (ctx: Ctx, id: string) => move(ctx, id, ['paused'], { state: 'queued' }, 'resume', (tx) => endCanary(tx, id))

/**
 * Pending items are not tried any more and completed ones stay. For items that were already tried, it is determined whether they took
 * effect.
 */
export const cancelOperation = (ctx: Ctx, id: string) =>
  move(ctx, id, ['queued', 'running', 'waiting', 'paused'], { state: 'cancelled' }, 'cancel', (tx) => stopItems(tx, id))

/**
 * Retries only the failed items, counting attempts from 1 again. A paused operation stays paused, so that its other items do not start too.
 * @throws AppError nothing_to_retry; operation_moved_on while the effect of a cancelled operation is still being determined
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
