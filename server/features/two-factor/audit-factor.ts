import type { Transaction } from '#server/db/client.ts'
import { audit } from '#server/platform/audit.ts'
import type { Ctx } from '#server/platform/context.ts'

interface FactorChange {
  readonly factor: 'totp' | 'passkey' | 'recovery'
  readonly change: 'added' | 'removed' | 'renewed'
  /** A passkey's. */
  readonly name?: string
  /** Sessions that ended with it. */
  readonly sessionsEnded?: number
}

/** Every change of somebody's second factors is written down and published to administrators who look. */
export async function auditFactor(tx: Transaction, ctx: Ctx, { factor, ...change }: FactorChange): Promise<void> {
  const { userId, name } = ctx.actor
  const details = { secondFactor: factor, ...change }
  await audit(tx, ctx, { action: 'update', entityType: 'user', entityId: userId, entityName: name, ownerId: userId, details })
  await ctx.events.publish(tx, userId, 'users')
}
