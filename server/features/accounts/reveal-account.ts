import type { z } from 'zod'
import { decryptApiKey, passwordContext } from '#server/features/sync/index.ts'
import { audit } from '#server/platform/audit.ts'
import type { Ctx } from '#server/platform/context.ts'
import { requireRecentAuth } from '#server/platform/recent-auth.ts'
import { decryptStored } from '#server/platform/secrets.ts'
import { grantsOf, requireLevel } from '#server/platform/access-scope.ts'
import type { loginDetails } from '#shared/features/accounts/schema.ts'
import { getAccountForUpdate } from './accounts.repo.ts'

/**
 * The only call that returns a secret, for the owner or an administrator; every access is logged.
 * @throws AppError not_found, level_too_low, confirmation_needed, secret_unreadable, session_only for a token
 */
export async function revealAccount(ctx: Ctx, input: { readonly id: string }): Promise<z.infer<typeof loginDetails>> {
  // Loaded before the transaction, so that it needs no second connection.
  await grantsOf(ctx)
  return ctx.db.orm.transaction(async (tx) => {
    const row = await getAccountForUpdate(tx, input.id)
    await requireLevel(ctx, { ownerId: row.ownerId, accountId: row.id }, 'own')
    // Access is checked before step-up authentication is requested.
    requireRecentAuth(ctx)
    await audit(tx, ctx, {
      action: 'reveal',
      entityType: 'account',
      entityId: row.id,
      entityName: row.email,
      ownerId: row.ownerId,
    })
    return {
      email: row.email,
      password:
        row.passwordSealed === null
          ? null
          : decryptStored(ctx.secrets, {
              encrypted: row.passwordSealed,
              context: passwordContext(row.id),
              secret: 'account_password',
              name: row.email,
            }),
      apiKey: decryptApiKey(ctx.secrets, row),
      kind: row.kind,
    }
  })
}
