import type { Transaction } from '#server/db/client.ts'
import { audit } from '#server/platform/audit.ts'
import type { AuditSource } from '#server/platform/audit.ts'
import type { Services } from '#server/platform/context.ts'
import { pauseOperationsBy, wakeOperations } from './operations.repo.ts'

/** Pauses everything that a user without rights has running, waiting or scheduled; a user who resumes it becomes its actor. */
export async function pauseOperationsOf(ctx: Pick<Services, 'events'> & AuditSource, tx: Transaction, userId: string): Promise<void> {
  const paused = await pauseOperationsBy(tx, userId)
  await audit(
    tx,
    ctx,
    ...paused.map(({ id, kind, ownerId }) => ({
      action: 'update' as const,
      entityType: 'operation' as const,
      entityId: id,
      entityName: kind,
      ownerId,
      details: { step: 'pause', why: 'user_disabled' },
    })),
  )
  for (const ownerId of new Set(paused.map((each) => each.ownerId))) {
    await ctx.events.publish(tx, ownerId, 'operations')
  }
  if (paused.length > 0) await wakeOperations(tx)
}
