import type { Transaction } from '#server/db/client.ts'
import { audit } from '#server/platform/audit.ts'
import type { Ctx } from '#server/platform/context.ts'

interface FactorChange {
  readonly factor: 'totp' | 'passkey' | 'recovery'
  readonly change: 'added' | 'removed' | 'renewed'
  /** Name of a passkey. */
  readonly name?: string
  /** Number of sessions that ended with the change. */
  readonly sessionsEnded?: number
}

/** Logs a change of a person's second factors and publishes it to administrators. */
export async function auditFactor(tx: Transaction, ctx: Ctx, { factor, ...change }: FactorChange): Promise<void> {
  const { userId, name } = ctx.actor
  const details = { secondFactor: factor, ...change }
  await audit(tx, ctx, { action: 'update', entityType: 'user', entityId: userId, entityName: name, ownerId: userId, details })
  await ctx.events.publish(tx, userId, 'users')
}
