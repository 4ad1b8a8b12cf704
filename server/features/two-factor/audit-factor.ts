import type { Transaction } from '#server/db/client.ts'
import { audit } from '#server/platform/audit.ts'
import type { Ctx } from '#server/platform/context.ts'
import { tellUser } from '#server/platform/tell-user.ts'

/** Every change of somebody's second factors is written down, and told to administrators who look; `name` is a passkey's. */
export async function auditFactor(
  tx: Transaction,
  ctx: Ctx,
  factor: 'totp' | 'passkey' | 'recovery',
  change: 'added' | 'removed' | 'renewed',
  name?: string,
): Promise<void> {
  const { userId } = ctx.actor
  const details = { secondFactor: factor, change, ...(name === undefined ? {} : { name }) }
  await audit(tx, ctx, { action: 'update', entityType: 'user', entityId: userId, entityName: ctx.actor.name, ownerId: userId, details })
  await tellUser(ctx, tx, userId)
}
