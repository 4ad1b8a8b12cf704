import type { Transaction } from '#server/db/client.ts'
import { audit } from '#server/platform/audit.ts'
import type { Ctx } from '#server/platform/context.ts'
import { deleteTokensOf } from './api-tokens.repo.ts'

/** All tokens of a person, each written down. Returns how many there were. */
export async function revokeTokensOf(ctx: Ctx, tx: Transaction, userId: string): Promise<number> {
  const gone = await deleteTokensOf(tx, userId)
  await audit(
    tx,
    ctx,
    ...gone.map(({ id, name, scope }) => ({
      action: 'delete' as const,
      entityType: 'token' as const,
      entityId: id,
      entityName: name,
      ownerId: userId,
      details: { scope },
    })),
  )
  return gone.length
}
