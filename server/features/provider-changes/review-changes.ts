import type { z } from 'zod'
import { requireLevel } from '#server/platform/access-scope.ts'
import { audit } from '#server/platform/audit.ts'
import type { Ctx } from '#server/platform/context.ts'
import { AppError } from '#shared/errors/app-error.ts'
import type { reviewProviderChangesInput, reviewProviderChangesOutput } from '#shared/features/provider-changes/schema.ts'
import { findAccountOwner } from './list-changes.repo.ts'
import { getReviewScope } from './list-provider-changes.ts'
import { listAccountsOfChanges, updateReviewed } from './review-changes.repo.ts'
import type { ReviewTarget } from './review-changes.repo.ts'

type Input = z.output<typeof reviewProviderChangesInput>

/** In one transaction, so that the sync does not wait long for it. */
const batchSize = 5_000

/** @throws AppError not_found, level_too_low */
async function getTarget(ctx: Ctx, { ids, accountId, readUntil }: Input): Promise<ReviewTarget> {
  if (ids !== undefined) {
    const found = await listAccountsOfChanges(ctx.db, ids)
    if (found.changes !== new Set(ids.map((id) => id.toLowerCase())).size) throw new AppError('not_found')
    for (const account of found.accounts) await requireLevel(ctx, account, 'operate')
    return { ids }
  }
  const until = readUntil ?? new Date(ctx.clock.now()).toISOString()
  if (accountId !== undefined) {
    const ownerId = await findAccountOwner(ctx.db, accountId)
    if (ownerId === null) throw new AppError('not_found')
    await requireLevel(ctx, { ownerId, accountId }, 'operate')
    return { accountIds: [accountId], owners: [], until }
  }
  return { ...(await getReviewScope(ctx)), until }
}

/**
 * Marks changes by others as reviewed: the panel keeps the changed state, and the incident of critical changes ends. Changes that are reviewed
 * already, or made by the panel, stay as they are.
 * @throws AppError not_found, level_too_low
 */
export async function reviewProviderChanges(ctx: Ctx, input: Input): Promise<z.output<typeof reviewProviderChangesOutput>> {
  return { reviewed: await reviewAll(ctx, await getTarget(ctx, input)) }
}

/** In batches. Returns how many were not reviewed before. */
export async function reviewAll(ctx: Ctx, target: ReviewTarget): Promise<number> {
  let reviewed = 0
  for (let batch = batchSize; batch === batchSize; reviewed += batch) batch = await reviewBatch(ctx, target)
  return reviewed
}

function reviewBatch(ctx: Ctx, target: ReviewTarget): Promise<number> {
  return ctx.db.orm.transaction(async (tx) => {
    const accounts = await updateReviewed(tx, target, batchSize)
    await audit(
      tx,
      ctx,
      ...accounts.map(({ id, ownerId, email, reviewed }) => ({
        action: 'update' as const,
        entityType: 'account' as const,
        entityId: id,
        entityName: email,
        ownerId,
        details: { reviewed },
      })),
    )
    for (const [ownerId, theirs] of Map.groupBy(accounts, (account) => account.ownerId)) {
      const accountIds = theirs.map(({ id }) => id)
      await ctx.events.publish(tx, ownerId, 'provider_changes', accountIds)
    }
    return accounts.reduce((sum, { reviewed }) => sum + reviewed, 0)
  })
}
