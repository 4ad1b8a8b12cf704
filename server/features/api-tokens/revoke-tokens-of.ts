import type { Transaction } from '#server/db/client.ts'
import { audit } from '#server/platform/audit.ts'
import type { AuditSource } from '#server/platform/audit.ts'
import { deleteTokensOf } from './api-tokens.repo.ts'

/** All tokens of a person, each written down. Returns how many there were. */
export async function revokeTokensOf(by: AuditSource, tx: Transaction, userId: string): Promise<number> {
  const gone = await deleteTokensOf(tx, userId)
  await audit(
    tx,
    by,
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
