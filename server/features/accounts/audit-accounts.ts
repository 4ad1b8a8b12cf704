import type { Transaction } from '#server/db/client.ts'
import { audit } from '#server/platform/audit.ts'
import type { AuditEntry } from '#server/platform/audit.ts'
import type { Ctx } from '#server/platform/context.ts'

interface Audited {
  readonly id: string
  readonly email: string
  readonly ownerId: string
}

/** One entry of the activity log per account. */
export const auditAccounts = <Account extends Audited>(
  tx: Transaction,
  ctx: Ctx,
  action: AuditEntry['action'],
  accounts: readonly Account[],
  detailsOf: (account: Account) => NonNullable<AuditEntry['details']>,
): Promise<void> =>
  audit(
    tx,
    ctx,
    ...accounts.map((account) => ({
      action,
      entityType: 'account' as const,
      entityId: account.id,
      entityName: account.email,
      ownerId: account.ownerId,
      details: detailsOf(account),
    })),
  )
